"""NumPy 2.2.6, fmax and fmin: the result for a signalling NaN depends on its position in the array.

pip install numpy==2.2.6 && python numpy_fmax.py

Seen on x86-64 with AVX-512: elements in whole vectors of 16 are 0, those in the rest of the array are NaN.
"""

import sys

import numpy as np

signalling = np.array([0x7F840000], dtype=np.uint32).view(np.float32).repeat(17)
result = np.fmax(np.zeros(17, dtype=np.float32), signalling)
print(np.__version__, result)
sys.exit(len({str(value) for value in result}) > 1)

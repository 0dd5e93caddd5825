"""NumPy's functions on arrays of float32."""

import numpy as np
import protocol

FUNCTIONS = {"COS": np.cos, "SIN": np.sin, "EX2": np.exp2, "LG2": np.log2, "RCP": np.reciprocal, "SQRT": np.sqrt, "TANH": np.tanh}
MODES = ["FADD_RR", "FMUL_RR", "!FMUL*.[DM][248]*", "!F*.R[MPZ]*", "!F*.SAT*", "FMNMX_RR", "!F*.FTZ*"] + [f"MUFU_R.{name}.F32" for name in FUNCTIONS]


def floats(column):
    return np.array(column, dtype=np.uint32).view(np.float32)


def compute(optype, modifiers, columns):
    with np.errstate(all="ignore"):
        if optype == "MUFU":
            result = FUNCTIONS[modifiers[0]](floats(columns[0]))
        elif optype == "FMNMX":
            a, b, least = floats(columns[0]), floats(columns[1]), np.array(columns[2], dtype=bool)
            low, high = (np.minimum, np.maximum) if "NAN" in modifiers else (np.fmin, np.fmax)
            result = np.where(least, low(a, b), high(a, b))
        else:
            result = {"FADD": np.add, "FMUL": np.multiply}[optype](floats(columns[0]), floats(columns[1]))
    return result.astype(np.float32).view(np.uint32).tolist()


protocol.serve("numpy", np.__version__, MODES, compute)

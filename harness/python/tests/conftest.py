"""What the tests share."""

import numpy as np
import pytest


@pytest.fixture
def bits():
    """Random patterns of 32 bits; the same in every run."""
    source = np.random.default_rng(20)
    return lambda *shape: source.integers(0, 2**32, shape, dtype=np.uint32)

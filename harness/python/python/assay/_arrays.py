"""Arrays as columns of 32-bit words, and back.

An array keeps its bits: a `float32`, a `uint32` and an `int32` of the same bits are the same register. A Python number,
or a list of them, has no bits yet and takes the type of the operand.
"""

from __future__ import annotations

import array
from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    import numpy

    from ._native import Operand

#: The types of an array that an operand takes, the type of its values first.
ACCEPTED = {
    "F32": "float32 numbers, or uint32 or int32 bit patterns",
    "F16": "float16 numbers, uint16 bit patterns, or uint32 whole registers",
    "BF16": "uint16 bit patterns, bfloat16 or exactly representable float32 numbers, or uint32 whole registers",
    "F64": "float64 numbers whose low 32 bits are 0, or uint32 high words",
    "F16x2": "uint32 registers with two halves",
    "BF16x2": "uint32 registers with two halves",
    "U32": "integers of at most 32 bits, or float32 as bit patterns",
    "U64": "integers, or float64 as bit patterns",
    "bool": "bool, or integers that are 0 or 1",
}

#: The types of results, by what an operand holds.
RESULTS = {"F32": "float32", "F16": "float16", "BF16": "uint16", "F64": "float64", "U64": "uint64", "bool": "bool"}

#: The types to which Python numbers become, for operands that hold a float.
FLOATS = {"F32": "float32", "F16": "float16", "BF16": "float32", "F64": "float64"}


def load_numpy(call: str) -> Any:
    """Returns numpy, or raises an error that names the function that needs it."""
    try:
        import numpy
    except ImportError as error:
        raise ImportError(
            f"assay.{call} works on arrays and needs numpy, which is not installed; run `pip install numpy`"
        ) from error
    return numpy


def words(np: Any, operand: Operand, value: Any, name: str) -> Any:
    """Converts the value of an operand to words: uint64 for a `U64`, else uint32."""
    if isinstance(value, (np.ndarray, np.generic)):
        return _of_array(np, operand, np.asarray(value), name)
    if isinstance(value, (array.array, memoryview)) or hasattr(value, "__array__"):
        return _of_array(np, operand, np.asarray(value), name)
    return _of_numbers(np, operand, value, name)


def _of_numbers(np: Any, operand: Operand, value: Any, name: str) -> Any:
    """Converts a Python number, or nested sequences of them."""
    dtype = FLOATS.get(operand.kind)
    problem = f"{name} is {operand.kind}, and {value!r:.60} cannot become one; it takes {ACCEPTED[operand.kind]}"
    if value is None or isinstance(value, (str, bytes)):
        raise TypeError(problem)
    try:
        with np.errstate(over="ignore"):
            numbers = np.asarray(value, dtype=dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise TypeError(f"{problem} ({error})") from error
    if numbers.dtype.kind == "f" and dtype is None or numbers.dtype.kind not in "biuf":
        raise TypeError(problem)
    if dtype is None and operand.kind != "bool" and numbers.dtype.kind == "b":
        numbers = numbers.astype(np.uint8)
    return _of_array(np, operand, numbers, name)


def _of_array(np: Any, operand: Operand, values: Any, name: str) -> Any:
    """Converts an array by its bits."""
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    kind, dtype = operand.kind, values.dtype
    if kind == "bool":
        return _truth_values(np, values, operand, name)
    if kind == "U64":
        return _long_words(np, values, operand, name)
    if dtype in (np.uint32, np.int32) or dtype == np.float32 and kind in ("F32", "U32"):
        return values.view(np.uint32)
    is_half = dtype == np.float16 if kind == "F16" else kind == "BF16" and dtype.name == "bfloat16"
    if kind in ("F16", "BF16") and (is_half or dtype in (np.uint16, np.int16)):
        return values.view(np.uint16).astype(np.uint32) << np.uint32(operand.shift)
    if kind == "BF16" and dtype == np.float32:
        return _upper_part(np, values.view(np.uint32), 16, operand, name) << np.uint32(operand.shift)
    if kind == "F64" and dtype == np.float64:
        return _upper_part(np, values.view(np.uint64), 32, operand, name).astype(np.uint32)
    if kind in ("U32", "F16x2", "BF16x2") and dtype.kind in "iu":
        return _integers(np, values, operand, name)
    raise _wrong_type(operand, dtype, name)


def _wrong_type(operand: Operand, dtype: Any, name: str) -> TypeError:
    hint = ""
    if operand.kind == "F32" and dtype.itemsize == 8:
        hint = "; convert numbers with `.astype(numpy.float32)`, bit patterns with `.astype(numpy.uint32)`"
    return TypeError(
        f"{name} is {operand.kind}, and an array of {dtype} cannot be one; it takes {ACCEPTED[operand.kind]}{hint}"
    )


def first_index(marks: Any) -> str:
    """Where the first mark is, in words; nothing for an array without dimensions."""
    if marks.ndim == 0:
        return ""
    return " at index " + ", ".join(str(int(places[0])) for places in marks.nonzero())


def _check(is_wrong: Any, values: Any, problem: str, name: str) -> None:
    """Raises an error if some value is wrong; it shows the first one."""
    if is_wrong.any():
        value = values[is_wrong].ravel()[0]
        raise ValueError(f"{name} has {value}{first_index(is_wrong)}, {problem}")


def _truth_values(np: Any, values: Any, operand: Operand, name: str) -> Any:
    if values.dtype.kind not in "biu":
        raise _wrong_type(operand, values.dtype, name)
    _check((values != 0) & (values != 1), values, "and a predicate is 0 or 1", name)
    return values.astype(np.uint32)


def _long_words(np: Any, values: Any, operand: Operand, name: str) -> Any:
    if values.dtype.kind == "i":
        return values.astype(np.int64).view(np.uint64)
    if values.dtype.kind == "u":
        return values.astype(np.uint64)
    if values.dtype == np.float64:
        return values.view(np.uint64)
    raise _wrong_type(operand, values.dtype, name)


def _integers(np: Any, values: Any, operand: Operand, name: str) -> Any:
    is_wrong = (values < -(2**31)) | (values >= 2**32) if values.dtype.itemsize == 8 else np.zeros((), bool)
    _check(is_wrong, values, "which does not fit into 32 bits", name)
    return values.astype(np.int64 if values.dtype.kind == "i" else np.uint64).astype(np.uint32)


def _upper_part(np: Any, bits: Any, width: int, operand: Operand, name: str) -> Any:
    """The bits above the lowest ones, which must be 0."""
    is_wrong = bits & bits.dtype.type((1 << width) - 1) != 0
    values = bits.view(np.float32 if width == 16 else np.float64)
    _check(is_wrong, values, f"which {operand.kind} cannot represent; round the values first", name)
    return bits >> bits.dtype.type(width)


def columns(np: Any, operand: Operand, value: Any, shape: Sequence[int]) -> list[bytes]:
    """The words of an operand, broadcast to a shape, as bytes: one column, or two for a `U64`."""
    if operand.words == 1:
        return [np.broadcast_to(value, shape).tobytes()]
    halves = (value & np.uint64(0xFFFF_FFFF), value >> np.uint64(32))
    return [np.broadcast_to(half.astype(np.uint32), shape).tobytes() for half in halves]


def values(np: Any, operand: Operand, parts: Sequence[bytearray], shape: Sequence[int]) -> Any:
    """An array from the columns of an operand, with the type of what it holds."""
    low = np.frombuffer(parts[0], np.uint32)
    dtype = RESULTS.get(operand.kind, "uint32")
    if operand.kind == "U64":
        result = low | np.frombuffer(parts[1], np.uint32).astype(np.uint64) << np.uint64(32)
    elif operand.kind in ("F16", "BF16"):
        result = (low >> np.uint32(operand.shift)).astype(np.uint16).view(dtype)
    elif operand.kind == "F64":
        result = (low.astype(np.uint64) << np.uint64(32)).view(np.float64)
    else:
        result = low.astype(bool) if operand.kind == "bool" else low.view(dtype)
    return result.reshape(shape)


def common_shape(np: Any, named: Sequence[tuple[str, Any]]) -> tuple[int, ...]:
    """The shape to which all values broadcast."""
    shapes = [value.shape for _, value in named]
    try:
        return tuple(np.broadcast_shapes(*shapes))
    except ValueError:
        listed = ", ".join(f"{name} {shape}" for (name, _), shape in zip(named, shapes))
        raise ValueError(f"the shapes do not broadcast to one shape: {listed}") from None

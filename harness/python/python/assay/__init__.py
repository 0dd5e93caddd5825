"""Reference model, exact truth and judge of a SASS-like GPU instruction set, over numpy arrays.

    >>> import assay, numpy as np
    >>> a = np.array([1.5, -2.0, 1e-40], np.float32)
    >>> assay.eval("FFMA.FTZ", a, np.float32(2), np.float32(0.25))
    array([ 3.25, -3.75,  0.25], dtype=float32)

An instruction is a text. A mode alone, `"FFMA.FTZ"`, gets its operands in registers of their own. A whole text,
`"FADD R0, |R1|, -R2"`, keeps its prefixes, literals and guard. `assay.instruction` shows the inputs and outputs.

| function | returns |
|---|---|
| `eval` | the results of the reference model, or with `truth=True` the correctly rounded truth |
| `execute` | all effects of the reference model: values, which lanes were written, which are undefined |
| `truth` | the truth of the high-precision oracle: exact bits, or a real number between two doubles |
| `allowed` | the results that the profile allows |
| `judge` | verdicts on results, with the errors in ulp |
| `sweep` | the errors of a callable over the inputs of a MUFU function |

Each function works under a profile (`intended`) with `readings` on top, as `Session` describes. Arrays broadcast as
numpy does. The functions that work on arrays need numpy; `import assay` does not.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Callable, Iterable, Optional, Union

from ._native import VERSION as __version__
from ._native import Instruction, Operand, optypes
from ._results import Allowed, AllowedState, Effects, Judgement, Summary, SweepResult, Truth, TruthState, Verdict
from ._session import Readings, Session, readings_text

__all__ = [
    "Allowed",
    "AllowedState",
    "Effects",
    "Instruction",
    "Judgement",
    "Operand",
    "Session",
    "Summary",
    "SweepResult",
    "Truth",
    "TruthState",
    "Verdict",
    "__version__",
    "allowed",
    "assemble",
    "disassemble",
    "eval",
    "execute",
    "from_bfloat16",
    "instruction",
    "judge",
    "optypes",
    "sweep",
    "to_bfloat16",
    "truth",
]


@lru_cache(maxsize=8)
def _opened(profile: str, readings: str) -> Session:
    return Session(profile, readings)


def _session(profile: str, readings: Readings) -> Session:
    """The session of a profile. The last eight are kept: a profile file is read once."""
    return _opened(str(profile), readings_text(readings))


def instruction(text: str, *, reads: Iterable[str] = (), writes: Iterable[str] = ()) -> Instruction:
    """Returns an instruction with its inputs and outputs.

    `reads` and `writes` add locations that only a value leads to, as in `ULDC`.

    >>> assay.instruction("FFMA.FTZ")
    <FFMA.FTZ R0, R1, R2, R3 | R1: F32, R2: F32, R3: F32 -> R0: F32>
    >>> assay.instruction("@P0 FADD R0, |R1|, -R2").inputs
    [P0: bool, R1: F32, R2: F32]
    """
    return Instruction(text, list(reads), list(writes))


def assemble(text: str) -> int:
    """Returns the 128-bit word of an instruction.

    >>> assay.disassemble(assay.assemble("FADD R0, R1, -R2"))
    'FADD R0, R1, -R2'
    """
    return _session("intended", "").assemble(text)


def disassemble(word: int) -> str:
    """Returns the canonical text of a 128-bit word."""
    return _session("intended", "").disassemble(word)


def eval(
    instruction: Union[str, Instruction],
    *inputs: Any,
    truth: bool = False,
    profile: str = "intended",
    readings: Readings = "",
) -> Any:
    """Returns the results of an instruction: of the reference model, or with `truth=True` of the oracle.

    The truth is rounded to nearest where it is a real number; `assay.truth` has the number itself. The result is an
    array, or a tuple of arrays where the instruction has several outputs. Its type follows from the output: float32,
    float16, uint16 for BF16, float64 for F64, uint32, uint64, or bool for a predicate.

    >>> assay.eval("POPC", [7, 255])
    array([3, 8], dtype=uint32)
    >>> assay.eval("MUFU.RCP.F32", 3.0), assay.eval("MUFU.RCP.F32", 3.0, truth=True)
    (np.float32(0.3333333), np.float32(0.33333334))

    Raises `ValueError` if a lane has no result, or if the shapes do not broadcast; `TypeError` if an array has a type
    that the operand cannot have.
    """
    return _session(profile, readings).eval(instruction, *inputs, truth=truth)


def execute(
    instruction: Union[str, Instruction],
    *inputs: Any,
    profile: str = "intended",
    readings: Readings = "",
) -> Effects:
    """Returns all effects of an instruction on the reference model.

    >>> effects = assay.execute("@P0 FADD R0, R1, R2", [True, False], 1.0, 2.0)
    >>> effects.values[0], effects.written[0]
    (array([3., 0.], dtype=float32), array([ True, False]))
    """
    return _session(profile, readings).execute(instruction, *inputs)


def truth(
    instruction: Union[str, Instruction],
    *inputs: Any,
    profile: str = "intended",
    readings: Readings = "",
) -> Any:
    """Returns the truth as a `Truth`, or a tuple of one for each of several outputs.

    >>> truth = assay.truth("MUFU.LG2.F32", np.float32([1.0, 3.0]))
    >>> truth.nearest
    array([0.       , 1.5849625], dtype=float32)
    >>> truth.below[1], truth.above[1]
    (np.float64(1.584962500721156), np.float64(1.5849625007211563))
    """
    return _session(profile, readings).truth(instruction, *inputs)


def allowed(
    instruction: Union[str, Instruction],
    *inputs: Any,
    profile: str = "intended",
    readings: Readings = "",
) -> Any:
    """Returns the results that the profile allows as an `Allowed`, or a tuple of one for each of several outputs.

    This searches the ends of each span, and is a hundred times slower than `truth`.

    >>> allowed = assay.allowed("MUFU.RCP.F32", np.float32(3.0))
    >>> allowed.low, allowed.high
    (array(0.3333333, dtype=float32), array(0.33333334, dtype=float32))
    """
    return _session(profile, readings).allowed(instruction, *inputs)


def judge(
    instruction: Union[str, Instruction],
    *inputs_and_results: Any,
    written: Any = True,
    events: Iterable[tuple[int, str]] = (),
    profile: str = "intended",
    readings: Readings = "",
) -> Judgement:
    """Judges the results of a device: the inputs come first, then a result for each output.

    The verdicts are those of `assay fuzz`. `written` is `False` in the lanes in which the device wrote nothing, or a
    tuple of such arrays, one for each output. `events` are its other effects, in the form of `Effects.events`.

    >>> judgement = assay.judge("FADD", [1.0, 2.0], 1.0, np.float32([2.0, 4.0]))
    >>> print(judgement, "|", judgement.why(1))
    1 exact, 1 diverged | diverged: value in R0, +4194304.000000 ulp
    """
    session = _session(profile, readings)
    return session.judge(instruction, *inputs_and_results, written=written, events=events)


def sweep(
    function: Union[str, Instruction],
    candidate: Callable[[Any], Any],
    *,
    samples: int = 1 << 20,
    every: bool = False,
    progress: Optional[Callable[[int, int], Any]] = None,
    profile: str = "intended",
    readings: Readings = "",
) -> SweepResult:
    """Measures the error of a callable in place of a function of one operand, such as `MUFU.TANH.F16`.

    F16 and BF16 are swept over all 65,536 inputs. F32 is swept over at least so many `samples` with the values that are
    hard to round, or over `every` one of 2^32 inputs; then only the summary is kept. The callable gets an array of
    inputs (float16; float32, for BF16 too; or float64) and returns an array of results of the same shape.

    >>> with np.errstate(all="ignore"):
    ...     sweep = assay.sweep("MUFU.EX2.F16", np.exp2)
    >>> sweep.summary.inputs, sweep.summary.reasons
    (65536, {'not the NaN in R0': 2044})
    """
    session = _session(profile, readings)
    return session.sweep(function, candidate, samples=samples, every=every, progress=progress)


def to_bfloat16(numbers: Any) -> Any:
    """Rounds float32 numbers to BF16, to nearest, ties to even; returns the patterns as uint16.

    >>> hex(assay.to_bfloat16(np.float32(1.00390625)))
    '0x3f80'
    """
    from ._arrays import load_numpy

    np = load_numpy("to_bfloat16")
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    is_nan = bits & np.uint32(0x7FFF_FFFF) > np.uint32(0x7F80_0000)
    rounded = (bits.astype(np.uint64) + 0x7FFF + (bits >> np.uint32(16) & np.uint32(1))) >> np.uint64(16)
    quiet = bits >> np.uint32(16) | np.uint32(0x40)
    return np.where(is_nan, quiet, rounded).astype(np.uint16)[()]


def from_bfloat16(patterns: Any) -> Any:
    """Returns the float32 numbers that BF16 patterns stand for.

    >>> assay.from_bfloat16(np.uint16(0x3f80))
    np.float32(1.0)
    """
    from ._arrays import load_numpy

    np = load_numpy("from_bfloat16")
    return (np.asarray(patterns, np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)[()]

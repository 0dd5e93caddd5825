"""What the functions return."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


class Verdict(IntEnum):
    """The verdict on one result."""

    EXACT = 0  #: every bit is the one that must be
    WITHIN = 1  #: within the bound that the profile gives
    DIVERGED = 2  #: a wrong result
    UNDEFINED = 3  #: the specification leaves the result open; any result is right
    UNJUDGED = 4  #: the profile gives no bound there


class TruthState(IntEnum):
    """What the truth of one result is."""

    EXACT = 0  #: these bits and no others
    REAL = 1  #: a real number, which the result approximates
    UNDEFINED = 2  #: the specification leaves it open
    NOT_WRITTEN = 3  #: the instruction must not write the output, as under a false guard


class AllowedState(IntEnum):
    """Which results the profile allows."""

    NOT_WRITTEN = 0  #: the output must not be written
    SPAN = 1  #: each value from low to high
    SPANS = 2  #: values of several spans; the first starts with low, the last ends with high
    UNDEFINED = 3  #: any value
    UNLISTED = 4  #: only `judge` can tell


@dataclass(frozen=True)
class Effects:
    """What the reference model did. The lists have one array for each output of the instruction."""

    values: tuple[Any, ...]  #: the values; 0 where nothing was written
    written: tuple[NDArray[numpy.bool_], ...]  #: bool arrays: whether the output was written
    undefined: NDArray[numpy.uint32]  #: the number of the erratum that leaves a lane undefined, else 0
    events: list[tuple[int, str]]  #: other effects, by the index into the flattened arrays


@dataclass(frozen=True)
class Truth:
    """The truth of one output, from the high-precision oracle.

    Where `state` is `EXACT`, the truth is the bits of `nearest`. Where it is `REAL`, the truth is a real number between
    the doubles `below` and `above`, which are neighbours or equal, and `nearest` is this number correctly rounded. The
    doubles are NaN where the output is not written, or holds no single float.
    """

    nearest: Any  #: the correctly rounded result, with the type of the output
    below: NDArray[numpy.float64]  #: the greatest double that is at most the number, or NaN
    above: NDArray[numpy.float64]  #: the least double that is at least the number, or NaN
    state: NDArray[numpy.uint8]  #: a `TruthState` for each lane
    events: list[tuple[int, str]]  #: the demanded effects besides writes, by the index into the flattened arrays


@dataclass(frozen=True)
class Allowed:
    """The results that the profile allows for one output, as bit patterns of the type of the output."""

    low: Any  #: the first pattern
    high: Any  #: the last pattern
    state: NDArray[numpy.uint8]  #: an `AllowedState` for each lane


@dataclass(frozen=True)
class Judgement:
    """The verdicts on results.

    `ulp` is the signed error in ulp of the true value, or NaN where none is measured: of results that are right bit by
    bit, and of those without one number to measure against, such as a NaN, or a result that must be flushed.
    """

    verdict: NDArray[numpy.uint8]  #: a `Verdict` for each lane
    ulp: NDArray[numpy.float64]  #: the signed error in ulp, or NaN
    _reason: NDArray[numpy.uint32] = field(repr=False)
    _reasons: list[str] = field(repr=False)

    @property
    def diverged(self) -> NDArray[numpy.bool_]:
        """A bool array: which results are wrong."""
        wrong: NDArray[numpy.bool_] = self.verdict == Verdict.DIVERGED
        return wrong

    @property
    def ok(self) -> bool:
        """Whether no result is wrong."""
        return not self.diverged.any()

    @property
    def reasons(self) -> dict[str, int]:
        """The number of lanes that diverged for each reason, such as `sign of zero in R0`."""
        wrong = self._reason[self.diverged]
        count = {name: int((wrong == number).sum()) for number, name in enumerate(self._reasons)}
        return {name: number for name, number in count.items() if number}

    @property
    def counts(self) -> dict[str, int]:
        """The number of lanes with each verdict that occurs."""
        count = {verdict.name.lower(): int((self.verdict == verdict).sum()) for verdict in Verdict}
        return {name: number for name, number in count.items() if number}

    def why(self, *index: int) -> str:
        """Returns the verdict on one lane in words, such as `diverged: one unit off in R0`."""
        verdict, ulp = Verdict(int(self.verdict[index])), float(self.ulp[index])
        reason = self._reasons[int(self._reason[index])]
        text = reason if verdict is Verdict.UNDEFINED and reason else verdict.name.lower()
        if verdict is Verdict.DIVERGED:
            text += f": {reason}"
        return text if ulp != ulp else f"{text}, {ulp:+.6f} ulp"

    def __str__(self) -> str:
        return ", ".join(f"{number} {name}" for name, number in self.counts.items()) or "no lanes"


@dataclass(frozen=True)
class Summary:
    """The errors of a function over the inputs of a sweep. Errors are in ulp of the true value."""

    inputs: int  #: number of inputs
    exact: int  #: number of results with the demanded bits, and no error to measure
    within: int  #: number of results within the bound of the profile
    diverged: int  #: number of wrong results
    undefined: int  #: number of results that the specification leaves open
    unjudged: int  #: number of results without a bound
    reasons: dict[str, int]  #: number of wrong results for each reason, such as `not the NaN in R0`
    measured: int  #: number of results whose error was measured
    correctly_rounded: int  #: number of measured results that are the nearest value
    faithful: int  #: number of measured results with an error below one ulp
    max_ulp: float  #: the largest error by magnitude
    least_ulp: Optional[float]  #: the most negative error
    greatest_ulp: Optional[float]  #: the most positive error
    mean_ulp: float  #: the mean of the magnitudes
    bias_ulp: float  #: the mean of the signed errors
    rms_ulp: float  #: the root of the mean of the squares
    worst: Optional[tuple[int, int]]  #: bits of the input with the largest error, and of its result
    histogram: list[int] = field(repr=False)  #: errors from -2 to 2 ulp, in 32 bins; the ends are open

    def __str__(self) -> str:
        def share(count: int) -> str:
            return f"{100 * count / max(self.measured, 1):.4f} %"

        at = "" if self.worst is None else f" at {self.worst[0]:#x}"
        listed = ", ".join(f"{name} {count}" for name, count in self.reasons.items())
        why = f" ({listed})" if listed else ""
        return (
            f"{self.inputs} inputs, {self.diverged} diverged{why}, max {self.max_ulp:.4f} ulp{at}, "
            f"mean {self.mean_ulp:.4f}, correctly rounded {share(self.correctly_rounded)}, "
            f"faithful {share(self.faithful)}"
        )


@dataclass(frozen=True)
class SweepResult:
    """The errors of a callable. The arrays are `None` after a sweep over every input of 32 bits."""

    function: str  #: the instruction
    summary: Summary  #: the counts
    inputs: Any = field(repr=False)  #: the inputs, as the callable got them
    results: Any = field(repr=False)  #: the results
    ulp: Optional[NDArray[numpy.float64]] = field(repr=False)  #: the signed errors in ulp, or NaN
    verdict: Optional[NDArray[numpy.uint8]] = field(repr=False)  #: a `Verdict` for each result

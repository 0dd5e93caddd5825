"""A profile with its readings, and what can be asked under it."""

from __future__ import annotations

from typing import Any, Callable, Iterable, Mapping, Optional, Union

from . import _arrays, _native
from ._native import Instruction
from ._results import Allowed, Effects, Judgement, Summary, SweepResult, Truth, TruthState

Readings = Union[str, Mapping[str, int], Iterable[str]]

#: Inputs that a callable gets at a time.
CHUNK = 1 << 18


def as_instruction(instruction: Union[str, Instruction]) -> Instruction:
    """Returns an instruction from its text, and an instruction unchanged."""
    if isinstance(instruction, Instruction):
        return instruction
    if isinstance(instruction, str):
        return Instruction(instruction)
    raise TypeError(f"an instruction is a text such as 'FFMA.FTZ', not {instruction!r:.60}")


def readings_text(readings: Readings) -> str:
    """Returns settings of readings as libassay has them: `E173=2 E042=1`."""
    if isinstance(readings, str):
        return readings
    if isinstance(readings, Mapping):
        return " ".join(f"{erratum}={setting}" for erratum, setting in readings.items())
    return " ".join(readings)


class Session:
    """A profile with its readings: model, truth and judge under it.

    `profile` is `intended`, `literal`, `sm90`, `faithful`, or the path of a profile file. `readings` are settings on top
    of it: `"E173=2 E042=1"`, or `{"E173": 2}`. A session can be used by several threads; they take turns.
    """

    def __init__(self, profile: str = "intended", readings: Readings = "") -> None:
        self.profile = str(profile)
        self.readings = readings_text(readings)
        self._native = _native.Session(self.profile, self.readings)

    def __repr__(self) -> str:
        return f"Session({self.profile!r}, {self.readings!r})"

    def assemble(self, text: str) -> int:
        """Returns the 128-bit word of an instruction."""
        return self._native.assemble(text)

    def disassemble(self, word: int) -> str:
        """Returns the canonical text of a 128-bit word."""
        if not 0 <= word < 1 << 128:
            raise ValueError(f"an instruction word has 128 bits, and {word:#x} is none")
        return self._native.disassemble(word)

    def eval(self, instruction: Union[str, Instruction], *inputs: Any, truth: bool = False) -> Any:
        """Returns the results of an instruction: of the reference model, or the correctly rounded truth.

        The result is an array, or a tuple of arrays where the instruction has several outputs. Raises `ValueError` if a
        lane has no result: use `execute` or `truth`, which mark such lanes.
        """
        call = "truth" if truth else "execute"
        if truth:
            truths = self._truths("eval", instruction, inputs)
            gaps = [one.state >= TruthState.UNDEFINED for one in truths]
            values = tuple(one.nearest for one in truths)
        else:
            effects = self._effects("eval", instruction, inputs)
            gaps = [~written | (effects.undefined != 0) for written in effects.written]
            values = effects.values
        for gap in gaps:
            if gap.any():
                raise ValueError(
                    f"{int(gap.sum())} of {gap.size} lanes have no result, the first{_arrays.first_index(gap)}: they "
                    f"are undefined, or nothing is written there; use assay.{call}, which marks them"
                )
        return _scalars(values)

    def execute(self, instruction: Union[str, Instruction], *inputs: Any) -> Effects:
        """Returns the effects of an instruction on the reference model."""
        return self._effects("execute", instruction, inputs)

    def truth(self, instruction: Union[str, Instruction], *inputs: Any) -> Any:
        """Returns the truth of an instruction as a `Truth`, or a tuple of one for each of several outputs."""
        truths = self._truths("truth", instruction, inputs)
        return truths[0] if len(truths) == 1 else tuple(truths)

    def allowed(self, instruction: Union[str, Instruction], *inputs: Any) -> Any:
        """Returns the results that the profile allows as an `Allowed`, or a tuple of one for each of several outputs."""
        np, one, shape, columns = self._request("allowed", instruction, inputs)
        parts = iter(self._native.allowed(one, _size(shape), columns))
        every = []
        for operand in one.outputs:
            words = [next(parts) for _ in range(operand.words)]
            low, high = (_arrays.values(np, operand, [word[end] for word in words], shape) for end in (0, 1))
            every.append(Allowed(low, high, np.frombuffer(words[0][2], np.uint8).reshape(shape)))
        return every[0] if len(every) == 1 else tuple(every)

    def judge(
        self,
        instruction: Union[str, Instruction],
        *inputs_and_results: Any,
        written: Any = True,
        events: Iterable[tuple[int, str]] = (),
    ) -> Judgement:
        """Judges the results of a device: the inputs come first, then a result for each output.

        `written` is `False` in the lanes in which the device wrote nothing, or a tuple of such arrays, one for each
        output. `events` are its other effects, in the form of `Effects.events`.
        """
        one = as_instruction(instruction)
        np = _arrays.load_numpy("judge")
        operands = [*one.inputs, *one.outputs]
        if not one.outputs:
            raise ValueError(f"`{one.text}` writes nothing that could be judged")
        named = _named(np, one, operands, inputs_and_results)
        masks = _masks(np, one, written)
        shape = _arrays.common_shape(np, [*named, *(("written", mask) for mask in masks)])
        columns = [_arrays.columns(np, operand, value, shape) for operand, (_, value) in zip(operands, named)]
        inputs, results = columns[: len(one.inputs)], columns[len(one.inputs) :]
        lanes = _size(shape)
        listed = _listed(events, lanes)
        flags = [np.broadcast_to(mask, shape).tobytes() for mask in masks]
        wide = [flag for operand, flag in zip(one.outputs, flags) for _ in range(operand.words)]
        codes, ulps, reasons, names = self._native.judge(
            one, lanes, sum(inputs, []), sum(results, []), wide, listed
        )
        arrays = ((codes, np.uint8), (ulps, np.float64), (reasons, np.uint32))
        verdict, ulp, reason = (np.frombuffer(buffer, dtype).reshape(shape) for buffer, dtype in arrays)
        return Judgement(verdict, ulp, reason, names)

    def sweep(
        self,
        function: Union[str, Instruction],
        candidate: Callable[[Any], Any],
        *,
        samples: int = 1 << 20,
        every: bool = False,
        progress: Optional[Callable[[int, int], Any]] = None,
    ) -> SweepResult:
        """Measures the error of a callable in place of a function of one operand, such as `MUFU.TANH.F16`.

        F16 and BF16 are swept over all inputs. F32 and F64 are swept over at least so many `samples`, with the values
        that are hard to round, or over `every` input; then only the summary is kept. The callable gets an array of
        inputs and returns an array of results. `progress` is called with the inputs done, and all of them.
        """
        one = as_instruction(function)
        np = _arrays.load_numpy("sweep")
        if samples < 1:
            raise ValueError(f"`samples` is {samples}; it must be at least 1")
        stride = 1 if every else max(1, (1 << 32) // samples - 1 | 1)
        native = _native.Sweep(self.profile, self.readings, one, stride)
        arrays = None if native.inputs > 1 << 31 else _SweepArrays(np, one, native.inputs)
        for first in range(0, native.inputs, CHUNK):
            lanes = min(CHUNK, native.inputs - first)
            arguments = _arguments(np, one, native.arguments(first, lanes))
            results = candidate(arguments)
            words = _result_words(np, one, results, arguments)
            if arrays is None:
                native.count(first, words.tobytes())
            else:
                arrays.add(first, arguments, words, native.judge(first, words.tobytes()))
            if progress is not None:
                progress(first + lanes, native.inputs)
        summary = Summary(inputs=native.inputs, **native.summary())  # type: ignore[arg-type]
        kept = (None,) * 4 if arrays is None else (arrays.inputs, arrays.results, arrays.ulp, arrays.verdict)
        return SweepResult(one.mode, summary, *kept)

    def _request(self, call: str, instruction: Union[str, Instruction], inputs: Any) -> Any:
        """The instruction, the common shape of the inputs, and their columns."""
        one = as_instruction(instruction)
        np = _arrays.load_numpy(call)
        named = _named(np, one, one.inputs, inputs)
        shape = _arrays.common_shape(np, named)
        parts = (_arrays.columns(np, operand, value, shape) for operand, (_, value) in zip(one.inputs, named))
        return np, one, shape, [column for columns in parts for column in columns]

    def _effects(self, call: str, instruction: Union[str, Instruction], inputs: Any) -> Effects:
        np, one, shape, columns = self._request(call, instruction, inputs)
        every_word, every_flag, undefined, events = self._native.execute(one, _size(shape), columns)
        words, flags = iter(every_word), iter(every_flag)
        values, written = [], []
        for operand in one.outputs:
            values.append(_arrays.values(np, operand, [next(words) for _ in range(operand.words)], shape))
            marks = [next(flags) for _ in range(operand.words)][0]
            written.append(np.frombuffer(marks, np.uint8).reshape(shape).astype(bool))
        errata = np.frombuffer(undefined, np.uint32).reshape(shape)
        return Effects(tuple(values), tuple(written), errata, events)

    def _truths(self, call: str, instruction: Union[str, Instruction], inputs: Any) -> list[Truth]:
        np, one, shape, columns = self._request(call, instruction, inputs)
        parts, events = self._native.truth(one, _size(shape), columns)
        rest, truths = iter(parts), []
        for operand in one.outputs:
            words = [next(rest) for _ in range(operand.words)]
            nearest = _arrays.values(np, operand, [word[0] for word in words], shape)
            below, above = (np.frombuffer(words[0][end], np.float64).reshape(shape) for end in (1, 2))
            state = np.frombuffer(words[0][3], np.uint8).reshape(shape)
            truths.append(Truth(nearest, below, above, state, events))
        return truths


class _SweepArrays:
    """The arrays of a sweep."""

    def __init__(self, np: Any, instruction: Instruction, inputs: int) -> None:
        (self._output,), self._np = instruction.outputs, np
        none = _arguments(np, instruction, bytearray())
        self.inputs = np.empty(inputs, none.dtype)
        self.results = np.empty(inputs, _arrays.values(np, self._output, [bytearray()], (0,)).dtype)
        self.ulp = np.empty(inputs, np.float64)
        self.verdict = np.empty(inputs, np.uint8)

    def add(self, first: int, arguments: Any, words: Any, judged: list[bytearray]) -> None:
        lanes = slice(first, first + len(arguments))
        self.inputs[lanes] = arguments
        self.results[lanes] = _arrays.values(self._np, self._output, [words.tobytes()], words.shape)
        self.verdict[lanes] = self._np.frombuffer(judged[0], self._np.uint8)
        self.ulp[lanes] = self._np.frombuffer(judged[1], self._np.float64)


def _size(shape: Iterable[int]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size


def _scalars(values: tuple[Any, ...]) -> Any:
    """Arrays without dimensions as scalars, and one array alone without its tuple, as ufuncs of numpy do."""
    values = tuple(value[()] if value.ndim == 0 else value for value in values)
    return values[0] if len(values) == 1 else values


def _named(np: Any, instruction: Instruction, operands: Any, given: Any) -> list[tuple[str, Any]]:
    """The words of each operand, with its name."""
    if len(given) != len(operands):
        listed = ", ".join(str(operand) for operand in operands) or "nothing"
        raise ValueError(
            f"`{instruction.text}` takes {len(operands)} values ({listed}), and {len(given)} were given"
        )
    return [(one.name, _arrays.words(np, one, value, one.name)) for one, value in zip(operands, given)]


def _masks(np: Any, instruction: Instruction, written: Any) -> list[Any]:
    """Whether each output was written, an array for each."""
    outputs = len(instruction.outputs)
    given = written if isinstance(written, tuple) else (written,) * outputs
    if len(given) != outputs:
        raise ValueError(f"`written` has {len(given)} arrays, and `{instruction.text}` has {outputs} outputs")
    return [np.asarray(mask, bool) for mask in given]


def _listed(events: Iterable[tuple[int, str]], lanes: int) -> list[tuple[int, str]]:
    """Events, if each is of a lane that exists."""
    listed = list(events)
    for lane, _ in listed:
        if not 0 <= lane < lanes:
            raise ValueError(f"`events` names lane {lane}, and there are lanes 0 to {lanes - 1}")
    return listed


def _arguments(np: Any, instruction: Instruction, words: bytearray) -> Any:
    """The inputs of a callable: BF16 as float32, because numpy has no such type."""
    (operand,) = instruction.inputs
    values = _arrays.values(np, operand, [words], (len(words) // 4,))
    return (values.astype(np.uint32) << np.uint32(16)).view(np.float32) if operand.kind == "BF16" else values


def _result_words(np: Any, instruction: Instruction, results: Any, arguments: Any) -> Any:
    """The results of a callable as words."""
    if not hasattr(results, "shape") or results.shape != arguments.shape:
        shape = getattr(results, "shape", None)
        got = f"shape {shape}" if shape is not None else f"`{type(results).__name__}`"
        raise ValueError(f"the callable returned {got}; it must return an array of shape {arguments.shape}")
    (operand,) = instruction.outputs
    return _arrays.words(np, operand, results, "the result of the callable")

"""The native half: instructions, and model, truth and judge on columns of 32-bit words."""

from typing import final

__all__ = ["Instruction", "Operand", "Session", "Sweep", "VERSION", "optypes"]

VERSION: str

@final
class Operand:
    """An operand: one location, or the two of a 64-bit number."""

    @property
    def name(self) -> str:
        """The name of the first location, such as `R1`."""
    @property
    def kind(self) -> str:
        """What it holds: `F32`, `F16`, `BF16`, `F64`, `F16x2`, `BF16x2`, `U32`, `U64` or `bool`."""
    @property
    def shift(self) -> int:
        """The place of the lowest bit: 16 in the high half of a register, else 0."""
    @property
    def words(self) -> int:
        """The number of locations: 2 for `U64`, else 1."""

@final
class Instruction:
    """An instruction, with its inputs and outputs in order."""

    def __new__(cls, text: str, reads: list[str] = ..., writes: list[str] = ...) -> Instruction: ...
    @property
    def text(self) -> str:
        """The canonical text: `FFMA.FTZ R0, R1, R2, R3`."""
    @property
    def mode(self) -> str:
        """The mnemonic with the modifiers: `FFMA.FTZ`."""
    @property
    def inputs(self) -> list[Operand]:
        """The inputs, in the order in which the functions take them."""
    @property
    def outputs(self) -> list[Operand]:
        """The outputs, in the order in which the functions return them."""

def optypes() -> list[str]: ...

@final
class Session:
    def __new__(cls, profile: str, readings: str) -> Session: ...
    def assemble(self, text: str) -> int: ...
    def disassemble(self, word: int) -> str: ...
    def execute(
        self, instruction: Instruction, lanes: int, inputs: list[bytes]
    ) -> tuple[list[bytearray], list[bytearray], bytearray, list[tuple[int, str]]]: ...
    def truth(
        self, instruction: Instruction, lanes: int, inputs: list[bytes]
    ) -> tuple[list[list[bytearray]], list[tuple[int, str]]]: ...
    def allowed(
        self, instruction: Instruction, lanes: int, inputs: list[bytes]
    ) -> list[list[bytearray]]: ...
    def judge(
        self,
        instruction: Instruction,
        lanes: int,
        inputs: list[bytes],
        results: list[bytes],
        written: list[bytes],
        events: list[tuple[int, str]],
    ) -> tuple[bytearray, bytearray, bytearray, list[str]]: ...

@final
class Sweep:
    def __new__(
        cls, profile: str, readings: str, instruction: Instruction, stride: int
    ) -> Sweep: ...
    @property
    def inputs(self) -> int: ...
    def arguments(self, first: int, lanes: int) -> bytearray: ...
    def judge(self, first: int, results: bytes) -> list[bytearray]: ...
    def count(self, first: int, results: bytes) -> None: ...
    def summary(self) -> dict[str, object]: ...

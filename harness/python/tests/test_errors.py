"""Wrong arguments get an exception that says what to do."""

import random

import assay
import numpy as np
import pytest

F32 = np.zeros(3, np.float32)


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: assay.eval("FFMB", 1, 2, 3), ValueError, "did you mean `FFMA`?"),
        (lambda: assay.eval("FFMA.FTX", 1, 2, 3), ValueError, "it has ftz: .FTZ"),
        (lambda: assay.eval("FFMA R0", 1), ValueError, "it takes one of: Reg, Reg, Reg, Reg"),
        (lambda: assay.eval("MUFU.SIN.F16", 1), ValueError, ".SIN goes with: F32"),
        (lambda: assay.eval(7), TypeError, "an instruction is a text such as 'FFMA.FTZ', not 7"),
        (lambda: assay.eval("FFMA", 1, 2), ValueError, "takes 3 values (R1: F32, R2: F32, R3: F32), and 2 were given"),
        (lambda: assay.eval("FADD", F32, np.zeros((4, 2), np.float32)), ValueError, "one shape: R1 (3,), R2 (4, 2)"),
        (lambda: assay.eval("FADD", np.zeros(3), 1), TypeError, "convert numbers with `.astype(numpy.float32)`"),
        (lambda: assay.eval("FADD", "1.5", 1), TypeError, "R1 is F32, and '1.5' cannot become one"),
        (lambda: assay.eval("FADD", None, 1), TypeError, "R1 is F32, and None cannot become one"),
        (lambda: assay.eval("FADD", 1j, 1), TypeError, "R1 is F32, and 1j cannot become one"),
        (lambda: assay.eval("POPC", 1.5), TypeError, "it takes integers of at most 32 bits"),
        (lambda: assay.eval("POPC", [0, 2**40]), ValueError, "R1 has 1099511627776 at index 1"),
        (lambda: assay.eval("POPC", 2**70), TypeError, "it takes integers of at most 32 bits"),
        (lambda: assay.eval("MUFU.TANH.BF16", 0.1), ValueError, "which BF16 cannot represent; round"),
        (lambda: assay.eval("MUFU.RCP.F64", 0.1), ValueError, "which F64 cannot represent; round"),
        (lambda: assay.eval("MUFU.EX2.F16", F32), TypeError, "it takes float16 numbers"),
        (lambda: assay.eval("FSEL", 1, 2, [0, 2]), ValueError, "P0 has 2 at index 1, and a predicate is 0 or 1"),
        (lambda: assay.eval("FSEL", 1, 2, 0.5), TypeError, "it takes bool, or integers that are 0 or 1"),
        (lambda: assay.eval("@P0 FADD R0, R1, R2", [1, 0], 1, 2), ValueError, "1 of 2 lanes have no result, the first at index 1"),
        (lambda: assay.eval("ULDC UR0, c[0][UR1]", 4), ValueError, "leads it to c[0][0x4] too: name it in `reads`"),
        (lambda: assay.instruction("FADD", reads=["R300"]), ValueError, "`R300` is no location; write R0..R254"),
        (lambda: assay.eval("FADD", 1, 2, profile="sm91"), ValueError, "did you mean `sm90`?"),
        (lambda: assay.eval("FADD", 1, 2, readings="E173=9"), ValueError, "E173 has the settings 1 to 2, not 9"),
        (lambda: assay.Session(readings="E9999=1"), ValueError, "E9999"),
        (lambda: assay.judge("NOP"), ValueError, "`NOP` writes nothing that could be judged"),
        (lambda: assay.judge("FADD", 1, 2), ValueError, "R0: F32), and 2 were given"),
        (lambda: assay.judge("FADD", 1, 2, 3, events=[(0, "fire")]), ValueError, "fault: …"),
        (lambda: assay.judge("FADD", 1, 2, 3, events=[(1, "executed: NOP")]), ValueError, "names lane 1, and there are"),
        (lambda: assay.judge("FADD", 1, 2, 3, written=(True, True)), ValueError, "`written` has 2 arrays"),
        (lambda: assay.disassemble(5), ValueError, "no form with the source type"),
        (lambda: assay.disassemble(-5), ValueError, "has 128 bits, and -0x5 is none"),
        (lambda: assay.assemble("FADD R0, R1"), ValueError, "it takes one of"),
        (lambda: assay.sweep("FADD", np.tanh), ValueError, "a sweep takes one such as `MUFU.TANH.F16`"),
        (lambda: assay.sweep("POPC", np.tanh), ValueError, "a sweep takes one such as `MUFU.TANH.F16`"),
        (lambda: assay.sweep("MUFU.TANH.F32", np.tanh, samples=0), ValueError, "must be at least 1"),
        (lambda: assay.sweep("MUFU.EX2.F16", lambda x: x[1:]), ValueError, "an array of shape (65536,)"),
        (lambda: assay.sweep("MUFU.EX2.F16", lambda x: 1.0), ValueError, "the callable returned `float`"),
        (lambda: assay.sweep("MUFU.EX2.F16", lambda x: x.astype(np.float64)), TypeError, "it takes float16 numbers"),
    ],
)
def test_an_error_says_what_to_do(call, error, words):
    with pytest.raises(error) as raised:
        call()
    assert words in str(raised.value)


def test_an_error_of_the_callable_passes_through():
    def broken(_):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        assay.sweep("MUFU.EX2.F16", broken)


def test_any_text_gives_an_instruction_or_a_value_error():
    source = random.Random(3)
    pieces = ["FADD", "FFMA", "MUFU", ".", ".FTZ", " ", "R0", ",", "R1", "|", "-", "@P0", "c[0][0x4]", "é", "\0", "$", "("]
    for _ in range(20_000):
        text = "".join(source.choices(pieces, k=source.randrange(8)))
        try:
            assay.instruction(text)
        except ValueError:
            pass


def test_any_word_gives_a_text_or_a_value_error():
    source = random.Random(4)
    for _ in range(20_000):
        try:
            assay.disassemble(source.getrandbits(128))
        except ValueError:
            pass

"""Values on their way into registers and back."""

import array
import math

import assay
import numpy as np
import pytest


def test_results_have_the_type_of_the_output():
    cases = [
        ("FFMA", (1.0, 2.0, 3.0), np.float32, 5.0),
        ("MUFU.EX2.F16", (3.0,), np.float16, 8.0),
        ("MUFU.EX2.BF16", (3.0,), np.uint16, 0x4100),
        ("MUFU.RCP.F64", (4.0,), np.float64, 0.25),
        ("MUFU.EX2.F16_V2", (0x4200_3C00,), np.uint32, 0x4800_4000),
        ("POPC", (255,), np.uint32, 8),
        ("UIMAD.WIDE", (2**31, 2, 1), None, (2**64 - 2**32 + 1, False)),
        ("FSETP.LT.AND", (1.0, 2.0, True), None, (True, False)),
    ]
    for mode, inputs, dtype, expected in cases:
        result = assay.eval(mode, *inputs)
        if dtype is not None:
            assert result.dtype == dtype, mode
        assert result == expected, mode


def test_an_array_keeps_its_bits(bits):
    patterns = bits(1000)
    values = [patterns, patterns.view(np.int32), patterns.view(np.float32)]
    values += [patterns.astype(">u4"), np.repeat(patterns, 2)[::2], memoryview(patterns), array.array("I", patterns)]
    results = [assay.eval("FADD", value, np.uint32(0)).view(np.uint32) for value in values]
    for result in results:
        assert (result == results[0]).all()
    halves = patterns.astype(np.uint16)
    expected = assay.eval("MUFU.TANH.F16", halves).view(np.uint16)
    for value in [halves.view(np.float16), halves.view(np.int16), halves.astype(np.uint32) | np.uint32(0xABCD0000)]:
        assert (assay.eval("MUFU.TANH.F16", value).view(np.uint16) == expected).all()


def test_a_half_goes_where_the_text_selects_it():
    high = assay.instruction("MUFU.EX2.F16 R0, R1.H1")
    assert repr(high.inputs) == "[R1: F16 in the high half]"
    assert assay.eval(high, np.float16(3)) == assay.eval(high, np.uint32(0x4200_0000)) == 8


def test_numbers_take_the_type_of_the_operand():
    assert assay.eval("FADD", 1, 2) == 3
    assert assay.eval("FADD", [1, 2], (0.5,)).tolist() == [1.5, 2.5]
    assert assay.eval("POPC", [-1, 2**32 - 1, True]).tolist() == [32, 32, 1]
    assert assay.eval("POPC", np.array([-1, 7], np.int64)).tolist() == [32, 3]
    assert assay.eval("POPC", np.array([-1], np.int8)).tolist() == [32]
    assert math.isnan(assay.eval("FADD", math.nan, 1))


def test_shapes_broadcast():
    a, b, c = (np.ones(shape, np.float32) for shape in [(3, 1), (4,), ()])
    assert assay.eval("FFMA", a, b, c).shape == (3, 4)
    assert assay.eval("FFMA", 1, 1, 1).shape == ()
    assert assay.eval("FFMA", a[:0], b, c).shape == (0, 4)
    judgement = assay.judge("FFMA", a, b, c, 2.0)
    assert judgement.verdict.shape == judgement.ulp.shape == (3, 4) and judgement.ok
    assert assay.truth("FADD", a, b).below.shape == (3, 4)
    assert assay.allowed("FADD", a, b).low.shape == (3, 4)


def test_results_can_be_written():
    result = assay.eval("FADD", [1.0], 2.0)
    result[0] = 7
    assert result.tolist() == [7]


def test_bfloat16_is_rounded_to_nearest_even():
    numbers = np.uint32([0x3F80_0000, 0x3F80_8000, 0x3F81_8000, 0x3F80_8001, 0x7F7F_FFFF, 0xFFC0_0001, 0x7F80_0001])
    patterns = [0x3F80, 0x3F80, 0x3F82, 0x3F81, 0x7F80, 0xFFC0, 0x7FC0]
    assert assay.to_bfloat16(numbers.view(np.float32)).tolist() == patterns
    every = np.arange(1 << 16, dtype=np.uint16)
    again = assay.to_bfloat16(assay.from_bfloat16(every))
    is_nan = np.isnan(assay.from_bfloat16(every))
    assert (again == every)[~is_nan].all() and np.isnan(assay.from_bfloat16(again[is_nan])).all()


@pytest.mark.parametrize("lanes", [1, (1 << 14) - 1, 1 << 14, (1 << 14) + 1, 100_000])
def test_pieces_make_no_difference(bits, lanes):
    a, b = bits(lanes), bits(lanes)
    whole = assay.eval("FMUL", a, b).view(np.uint32)
    some = [0, lanes // 2, lanes - 1]
    assert (whole[some] == [assay.eval("FMUL", a[i], b[i]).view(np.uint32) for i in some]).all()
    assert assay.judge("FMUL", a, b, whole).counts == {"exact": lanes}

"""Model, truth and judge, on every optype."""

import assay
import numpy as np
import pytest

#: Modes of the optypes whose mnemonic alone is no mode.
MODES = {
    "MUFU": "MUFU.SQRT.F32",
    "BFN": "BFN.x1a.UD (M3, 8) V1 V2 V3 0x8000",
    "UISETP": "UISETP.LT.AND.S32",
    "USHF": "USHF.L.HI",
    "FSETP": "FSETP.LEU.XOR",
    "FSET": "FSET.NUM.OR.BF",
}


@pytest.mark.parametrize("optype", assay.optypes())
def test_the_model_agrees_with_the_judge_and_the_truth(optype, bits):
    one = assay.instruction(MODES.get(optype, optype))
    lanes = 300
    inputs = [bits(lanes) & 1 if operand.kind == "bool" else bits(lanes) for operand in one.inputs]
    try:
        effects = assay.execute(one, *inputs)
    except ValueError as error:
        assert "`reads` of `assay.instruction`" in str(error) or "`writes`" in str(error)
        return
    assert len(effects.values) == len(effects.written) == len(one.outputs)
    if not one.outputs:
        assert len(effects.events) == (lanes if inputs else 1)
        return
    judgement = assay.judge(one, *inputs, *effects.values, written=effects.written, events=effects.events)
    assert judgement.ok, judgement.reasons
    truths = assay.truth(one, *inputs)
    for truth, value, written in zip(truths if isinstance(truths, tuple) else [truths], effects.values, effects.written):
        is_exact = truth.state == assay.TruthState.EXACT
        assert (truth.nearest[is_exact] == value[is_exact]).all() or value.dtype.kind == "f"
        assert ((truth.state == assay.TruthState.NOT_WRITTEN) == ~written).all()


def test_the_truth_lies_between_neighbouring_doubles():
    x = np.geomspace(1e-30, 1e30, 10_001).astype(np.float32)
    truth = assay.truth("MUFU.SQRT.F32", x)
    root = np.sqrt(x.astype(np.float64))
    assert (truth.below <= root).all() and (root <= truth.above).all()
    assert (np.nextafter(truth.below, np.inf) >= truth.above).all()
    assert (truth.nearest == root.astype(np.float32)).mean() > 0.999
    exact = assay.truth("MUFU.RCP.F32", np.float32([2.0, -4.0, 3.0]))
    assert (exact.below == exact.above).tolist() == [True, True, False]
    assert exact.below.tolist()[:2] == [0.5, -0.25]
    tiny = assay.truth("MUFU.EX2.F32", np.float32([-1100.5, -5000.0, 5000.0]))
    assert (tiny.below <= tiny.above).all() and tiny.below[2] == np.finfo(np.float64).max


def test_the_allowed_span_is_what_the_judge_accepts():
    x = np.float32([0.3, 2.7, -1.4])
    allowed = assay.allowed("MUFU.EX2.F32", x)
    assert (allowed.state == assay.AllowedState.SPAN).all()
    low, high = allowed.low.view(np.uint32), allowed.high.view(np.uint32)
    assert assay.judge("MUFU.EX2.F32", x, low).ok and assay.judge("MUFU.EX2.F32", x, high).ok
    assert assay.judge("MUFU.EX2.F32", x, low - 1).diverged.all()
    assert assay.judge("MUFU.EX2.F32", x, high + 1).diverged.all()


def test_every_verdict_is_distinguished():
    wrong = assay.judge("FADD", 1.0, [1.0, 1.0, 1.0], np.uint32([0x4000_0000, 0x4000_0001, 0xC000_0000]))
    assert wrong.counts == {"exact": 1, "diverged": 2} and not wrong.ok
    assert [wrong.why(lane) for lane in range(3)] == [
        "exact",
        "diverged: one unit off in R0, +1.000000 ulp",
        "diverged: sign in R0, -16777216.000000 ulp",
    ]
    assert wrong.reasons == {"one unit off in R0": 1, "sign in R0": 1}
    near = assay.judge("MUFU.RCP.F32", 3.0, np.float32(1 / 3))
    assert near.verdict == assay.Verdict.WITHIN and abs(near.ulp) < 0.5 and near.why().endswith(" ulp")
    far = assay.judge("MUFU.SIN.F32", 1e6, assay.eval("MUFU.SIN.F32", 1e6))
    assert far.verdict == assay.Verdict.UNJUDGED and str(far) == "1 unjudged" and far.why().startswith("unjudged, ")
    guarded = assay.judge("@P0 FADD R0, R1, R2", [True, False], 1.0, 1.0, 2.0, written=[True, False])
    assert guarded.ok
    assert assay.judge("@P0 FADD R0, R1, R2", False, 1.0, 1.0, 2.0).why() == "diverged: unexpected write in R0"


def test_wrong_sums_and_products_are_measured_against_the_exact_number():
    x = np.float32([1 + 2**-23, 3.0, 1e-30])
    judgement = assay.judge("FMUL.FTZ", x, [x[0], np.inf, 1e-10], np.float32([1 + 2**-21, 2.0, 1e-38]))
    assert judgement.diverged.all()
    # The square of 1 + 2^-23 is 1 + 2^-22 + 2^-46. An infinity has no error, and a flushed product neither.
    assert judgement.ulp[0] == 2 - 2.0**-23 and np.isnan(judgement.ulp[1:]).all()
    rng = np.random.default_rng(1)
    a, b, c = (rng.standard_normal(10_000, dtype=np.float32) for _ in range(3))
    twice = a * b + c
    judgement = assay.judge("FFMA", a, b, c, twice)
    exact = a.astype(np.longdouble) * b + c
    measured = ((twice - exact) / np.spacing(np.abs(exact).astype(np.float32)).astype(np.longdouble)).astype(float)
    wrong = judgement.diverged & (np.frexp(exact)[1] == np.frexp(exact.astype(np.float32))[1])
    assert wrong.sum() > 1000 and np.allclose(judgement.ulp[wrong], measured[wrong], rtol=1e-6)
    assert np.isnan(judgement.ulp[~judgement.diverged]).all()


def test_profiles_and_readings_change_the_answers():
    plain = assay.eval("FLO.SH", [2, -1])
    other = assay.eval("FLO.SH", [2, -1], readings={"E053": 1})
    assert (plain != other).any()
    for same in ["E053=1", ["E053=1"]]:
        assert (assay.eval("FLO.SH", [2, -1], readings=same) == other).all()
    session = assay.Session("faithful", {"E053": 1})
    assert repr(session) == "Session('faithful', 'E053=1')"
    assert (session.eval("FLO.SH", [2, -1]) == other).all()
    x = np.float32([0.3])
    assert (session.allowed("MUFU.RCP.F32", x).high > assay.allowed("MUFU.RCP.F32", x).low).all()


def test_words_are_assembled_and_read():
    word = assay.assemble("@!P1 FFMA.FTZ R0, R1, -R2, R3")
    assert word >> 64 and assay.disassemble(word) == "@!P1 FFMA.FTZ R0, R1, -R2, R3"
    assert assay.instruction("FADD") == assay.instruction("FADD R0, R1, R2") != assay.instruction("FADD.FTZ")

"""Sweeps of functions of one operand."""

import assay
import numpy as np
import pytest


@pytest.mark.parametrize("mode", ["MUFU.EX2.F16", "MUFU.TANH.F16", "MUFU.EX2.BF16", "MUFU.TANH.BF16"])
def test_the_model_passes_on_all_inputs_of_16_bits(mode):
    sweep = assay.sweep(mode, lambda x: assay.eval(mode, x))
    summary = sweep.summary
    assert sweep.function == mode and summary.inputs == len(np.unique(sweep.inputs.view(f"V{sweep.inputs.itemsize}")))
    assert summary.inputs == 65536 and summary.diverged == 0 and summary.reasons == {}
    assert summary.measured == np.isfinite(sweep.ulp).sum() == sum(summary.histogram)
    assert summary.max_ulp == np.nanmax(np.abs(sweep.ulp)) == max(-summary.least_ulp, summary.greatest_ulp)
    assert summary.mean_ulp == pytest.approx(np.nanmean(np.abs(sweep.ulp)), abs=1e-8)
    assert summary.bias_ulp == pytest.approx(np.nanmean(sweep.ulp), abs=1e-8)
    assert summary.faithful == (np.abs(sweep.ulp) < 1).sum()
    assert summary.exact + summary.within + summary.unjudged + summary.undefined == 65536


def test_a_wrong_function_is_found_and_located():
    def wrong(x):
        result = assay.eval("MUFU.EX2.F16", x).copy()
        result[x == 1] = 3
        return result

    sweep = assay.sweep("MUFU.EX2.F16", wrong)
    assert sweep.summary.diverged == 1 and sweep.summary.reasons == {"beyond the bound in R0": 1}
    assert sweep.inputs[sweep.verdict == assay.Verdict.DIVERGED].tolist() == [1]
    assert sweep.summary.worst == (0x3C00, 0x4200) and sweep.summary.max_ulp == 512
    assert "1 diverged (beyond the bound in R0 1), max 512.0000 ulp at 0x3c00" in str(sweep.summary)


def test_samples_of_32_bits_have_the_ends_and_report_progress():
    seen = []
    sweep = assay.sweep(
        "MUFU.RSQ.F32",
        lambda x: assay.eval("MUFU.RSQ.F32", x),
        samples=300_000,
        progress=lambda done, inputs: seen.append((done, inputs)),
    )
    inputs = sweep.summary.inputs
    assert 300_000 <= inputs < 310_000 and sweep.summary.diverged == 0
    assert seen[-1] == (inputs, inputs) and len(seen) == 2
    assert {0.0, 1.0, float("inf")} <= set(sweep.inputs.tolist())


def test_the_fast_count_is_that_of_the_judge(bits):
    instruction = assay.instruction("MUFU.RCP.F32")
    fast, slow = (assay._native.Sweep("intended", "", instruction, 1) for _ in range(2))
    for first in (0, 0x3F80_0000 - 5000, 0x7F7F_F000, 0xFFFF_E000):
        x = np.frombuffer(fast.arguments(first, 8192), np.float32)
        assert x.view(np.uint32)[0] == first
        results = assay.eval(instruction, x).copy()
        results[100], results[200] = np.nan, -results[200]
        fast.count(first, results.tobytes())
        slow.judge(first, results.tobytes())
    # Double precision rounds the single errors that these add up.
    summed = {"mean_ulp", "bias_ulp", "rms_ulp"}
    one, other = fast.summary(), slow.summary()
    assert one["diverged"] > 4 and one.keys() == other.keys() > summed
    for name in one:
        assert one[name] == (pytest.approx(other[name], abs=1e-7) if name in summed else other[name]), name


def test_a_function_of_64_bits_is_swept_by_its_high_word():
    sweep = assay.sweep("MUFU.RCP.F64", lambda x: assay.eval("MUFU.RCP.F64", x), samples=1000)
    assert sweep.inputs.dtype == sweep.results.dtype == np.float64 and sweep.summary.diverged == 0

"""The command `assay` of the wheel."""

import json
import subprocess
import sys
import sysconfig
from pathlib import Path

import assay
import numpy as np

PREFIX = Path(sysconfig.get_path("data"))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = Path(sysconfig.get_path("scripts"), "assay")
    return subprocess.run([command, *arguments], check=True, capture_output=True, text=True)


def test_command_and_module_are_of_one_version():
    assert run("--version").stdout.split()[1] == assay.__version__
    assert Path(sys.executable).with_name("assay").exists()


def test_command_and_module_agree():
    text = run("eval", "FFMA.FTZ R0, R1, R2, R3", "R1=1.5", "R2=2.0", "R3=0.25", "--format", "json").stdout
    value = np.float32(assay.eval("FFMA.FTZ", 1.5, 2.0, 0.25))
    assert json.loads(text)["answers"]["model"] == {"R0": f"0x{value.view(np.uint32):08x}"}


def test_manual_header_and_examples_are_installed(tmp_path):
    for file in ["share/man/man1/assay.1.gz", "share/bash-completion/completions/assay", "include/assay_device.h"]:
        assert (PREFIX / file).stat().st_size > 100, file
    examples = PREFIX / "share/doc/assay/examples"
    device = f"exec:{sys.executable} {examples}/devices/python/device.py"
    options = ["--only", "FMUL", "--cases", "2000", "--profile", "sm90", "--subject", device]
    assert "PASSED" in run("fuzz", *options, "--out", str(tmp_path / "run")).stdout

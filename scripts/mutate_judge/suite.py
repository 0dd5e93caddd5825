"""Runs tests, each in the process of its program, with a mutant or none."""

import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
from dataclasses import dataclass
from pathlib import Path

# Tests draw the same cases each time, keep none for the next run, and do not shrink those that fail.
STEADY = {"PROPTEST_RNG_SEED": "1", "PROPTEST_DISABLE_FAILURE_PERSISTENCE": "1", "PROPTEST_MAX_SHRINK_ITERS": "0", "INSTA_UPDATE": "no"}
# Seconds of the processor that a test may take; those that take longer are left out.
MOST = 12
# KiB that a program may take of memory.
MEMORY = 8 << 20


@dataclass(frozen=True)
class Test:
    """A test by its name, and its program: (folder of the crate, `lib` or the name of the target)."""

    program: tuple
    name: str


class Suite:
    """The tests of some programs: how many seconds of the processor each takes, and which mutants it reaches."""

    def __init__(self, programs):
        # By (folder of the crate, `lib` or the name of the target): the path, and the folder to run in.
        self.programs = programs
        self.seconds = {}
        self.reached = {}
        self.recorded = set()

    def run(self, program, names, environment, limit):
        """Runs tests of a program, for so many seconds of the processor at most: how it ended, what it printed, and the seconds."""
        path, folder = self.programs[program]

        command = [path, "--exact", "--test-threads", "1", *names]
        variables = {**os.environ, **STEADY, "CARGO_MANIFEST_DIR": str(folder), **environment}
        limited = ["bash", "-c", f'ulimit -c 0 -t {limit} -v {MEMORY}; exec "$@"', "limited", *command]
        with tempfile.TemporaryFile() as printed:
            process = subprocess.Popen(
                limited, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            # A test that waits for what never comes takes no time of the processor; a busy machine makes all slower.
            end = threading.Timer(10 * limit, os.killpg, (process.pid, signal.SIGKILL))
            end.start()
            _, status, usage = os.wait4(process.pid, 0)
            end.cancel()
            status = process.returncode = os.waitstatus_to_exitcode(status)
            printed.seek(0)
            text = printed.read().decode(errors="replace")
        seconds = usage.ru_utime + usage.ru_stime
        if status in (-signal.SIGXCPU, -signal.SIGKILL):
            return "timeout", text, seconds
        if status == 0 and f"test result: ok. {len(names)} passed; 0 failed" in text:
            return "passed", text, seconds
        # libtest ends with 101; a signal is an abort, or a stack that overflowed.
        if status == 101 or status < 0:
            return "failed", text, seconds
        raise SystemExit(f"{' '.join(command)} ended with status {status}:\n{text[-2000:]}")

    def record(self, program, pool):
        """Runs each test of a program alone without a mutant: they must pass. Notes the time and the mutants that each reaches, and
        yields it. A program that was recorded is not again."""
        if program in self.recorded:
            return
        self.recorded.add(program)
        path, folder = self.programs[program]
        listed = subprocess.run([path, "--list", "--format", "terse"], cwd=folder, check=True, capture_output=True, text=True)
        ignored = subprocess.run([path, "--list", "--format", "terse", "--ignored"], cwd=folder, check=True, capture_output=True, text=True)
        lines = sorted(set(listed.stdout.splitlines()) - set(ignored.stdout.splitlines()))
        names = [line.removesuffix(": test") for line in lines if line.endswith(": test")]
        for test in pool.map(lambda name: self.record_test(Test(program, name)), names):
            if test in self.reached:
                yield test
            else:
                print(f"{' '.join(program)} {test.name} takes too long: it is left out", flush=True)

    def record_test(self, test):
        ended, text, seconds = self.run(test.program, [test.name], {}, MOST)
        if ended == "timeout":
            return test
        with tempfile.TemporaryDirectory() as scratch:
            file = Path(scratch) / "reached"
            environment = {"ASSAY_MUTANT": "record", "ASSAY_MUTANT_REACHED": str(file)}
            if ended == "passed":
                ended, text, _ = self.run(test.program, [test.name], environment, 600)
            if ended != "passed":
                raise SystemExit(f"{test.name} of {test.program} {ended} without a mutant:\n{text[-3000:]}")
            self.seconds[test] = seconds
            self.reached[test] = {int(line) for line in file.read_text().split()} if file.exists() else set()
        return test

    def batches(self, tests, hints):
        """The tests in the order in which they are run, several cheap ones of a program at a time: first each hint alone."""
        first = [hint for hint in hints if hint in tests]
        for hint in first:
            yield [hint]
        batch, budget = [], 0.1
        for test in sorted(set(tests) - set(first), key=lambda test: self.seconds[test]):
            full = sum(self.seconds[one] for one in batch) + self.seconds[test] > budget
            if batch and (full or batch[0].program != test.program):
                yield batch
                batch, budget = [], budget * 1.5
            batch.append(test)
        if batch:
            yield batch

    def judge(self, mutant, tests, hints):
        """Runs tests on a mutant until one fails: `caught`, `timeout` or `survived`, and the test."""
        for batch in self.batches(tests, hints):
            limit = int(5 + 5 * sum(self.seconds[test] for test in batch))
            environment = {"ASSAY_MUTANT": str(mutant)} if mutant else {}
            ended, text, _ = self.run(batch[0].program, [test.name for test in batch], environment, limit)
            if ended != "passed":
                failed = re.search(r"^test (\S+) .*FAILED$", text, re.MULTILINE)
                killer = next((test for test in batch if failed and test.name == failed[1]), batch[0] if len(batch) == 1 else None)
                return ("timeout" if ended == "timeout" and not failed else "caught"), killer
        return "survived", None

#!/usr/bin/env python3
"""Mutates the code that forms verdicts, with cargo-mutants, and writes down what the tests did not notice.

The work is cut into shards of a file. A shard that is done is kept in the result file, for as long as its file stays as it is:
run this again, in as many sessions as it takes. A mutant that no test notices is a survivor; one that lacks a reason fails.
"""

import argparse
import filecmp
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "docs" / "judge-mutants.json"
SCRATCH = ROOT / "target" / "mutate"
TREE = SCRATCH / "tree"
# Mutants of a shard.
SHARD = 12
# The files that are mutated, the package that they are of, and the tests that are run on each mutant.
ENGINE = ("assay-engine", ["--lib"])
FILTER = ("assay-mpfr", ["--lib"])
CONTRACTS = ("assay-vectors", [])
TARGETS = [
    ("harness/engine/src/compare/judge", ENGINE),
    ("harness/engine/src/compare/versus.rs", ENGINE),
    ("harness/engine/src/stats/accuracy.rs", ENGINE),
    ("harness/engine/src/stats/extreme.rs", ENGINE),
    ("vectors/src/contract.rs", CONTRACTS),
    ("vectors/src/limit.rs", CONTRACTS),
    ("vectors/src/row.rs", CONTRACTS),
    ("vectors/src/profile.rs", CONTRACTS),
    ("oracles/mpfr/src/filter", FILTER),
]
TESTS = ("tests.rs", "tests")
# Fields of an outcome of cargo-mutants, and what they are called here.
SUMMARIES = {"CaughtMutant": "caught", "Timeout": "timeout", "Unviable": "unviable", "MissedMutant": "missed"}


def command(arguments, **options):
    environment = {**os.environ, "CARGO_TARGET_DIR": str(SCRATCH / "target"), "CARGO_PROFILE_DEV_DEBUG": "0"}
    environment.pop("CARGO_INCREMENTAL", None)
    return subprocess.run(arguments, cwd=TREE, env=environment, check=False, **options)


def sync():
    """Copies the tracked files that changed, so that little is compiled again and nothing is mutated in place."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        source, copy = ROOT / name, TREE / name
        if source.is_file() and not (copy.is_file() and filecmp.cmp(source, copy, shallow=False)):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            copy.chmod(source.stat().st_mode)


def files():
    """Each file that is mutated, with the package and its tests."""
    for path, tests in TARGETS:
        place = ROOT / path
        for file in [place] if place.is_file() else sorted(place.rglob("*.rs")):
            if not any(part in TESTS for part in file.relative_to(ROOT).parts):
                yield str(file.relative_to(ROOT)), tests


def mutants_of(file):
    listed = command(["cargo", "mutants", "--list", "--json", "-f", file], capture_output=True, text=True)
    if listed.returncode != 0:
        sys.exit(f"cargo-mutants cannot list the mutants of {file}; `cargo install cargo-mutants --locked` installs it\n{listed.stderr}")
    return len(json.loads(listed.stdout))


def fresh(file, old):
    """What is known of a file: what was, if the file is still the same."""
    digest = hashlib.sha256((ROOT / file).read_bytes()).hexdigest()
    if old and old["digest"] == digest:
        return old
    count = mutants_of(file)
    state = {"digest": digest, "mutants": count, "shards": -(-count // SHARD), "done": []}
    state.update({name: 0 for name in ("caught", "timeout", "unviable")}, missed=[])
    return state


def described(name):
    """A mutant's name without its place: `replace + with - in packed`."""
    return name.split(": ", 1)[1]


def run_shard(file, state, shard, tests, reasons):
    package, arguments = tests
    out = SCRATCH / "out"
    shutil.rmtree(out, ignore_errors=True)
    command(
        ["cargo", "mutants", "--in-place", "--no-shuffle", "--baseline", "skip", "--timeout", "240", "--build-timeout", "600",
         "--cap-lints", "true", "--colors", "never", "-o", str(out), "-f", file, "--shard", f"{shard}/{state['shards']}",
         "-p", package, "--", *arguments],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    outcomes = json.loads((out / "mutants.out" / "outcomes.json").read_text())["outcomes"]
    source = (ROOT / file).read_text().splitlines()
    for outcome in outcomes:
        mutant, summary = outcome["scenario"]["Mutant"], SUMMARIES.get(outcome["summary"])
        if summary is None:
            sys.exit(f"shard {shard}/{state['shards']} of {file} failed: {outcome['summary']}")
        if summary == "missed":
            line = source[mutant["span"]["start"]["line"] - 1].strip()
            reason = reasons.get((file, described(mutant["name"]), line), "")
            state["missed"].append({"mutant": mutant["name"], "line": line, "reason": reason})
        else:
            state[summary] += 1
    state["done"] = sorted(state["done"] + [shard])


def save(result):
    temporary = RESULT.with_suffix(".tmp")
    temporary.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n")
    temporary.replace(RESULT)


def baseline(tests):
    """The tests must hold without a mutant, or all would count as caught."""
    package, arguments = tests
    held = command(["cargo", "test", "--quiet", "-p", package, *arguments], capture_output=True, text=True)
    if held.returncode != 0:
        sys.exit(f"the tests of {package} fail without a mutant:\n{held.stdout[-3000:]}{held.stderr[-3000:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="begin no shard after so many minutes (60)")
    parser.add_argument("--only", default="", help="files whose path has this in it")
    parser.add_argument("--again", action="store_true", help="forget the survivors of these files and do them again")
    options = parser.parse_args()
    end = time.monotonic() + 60 * options.minutes
    SCRATCH.mkdir(parents=True, exist_ok=True)
    sync()
    result = json.loads(RESULT.read_text()) if RESULT.exists() else {"version": 1, "files": {}}
    reasons = {
        (file, described(missed["mutant"]), missed["line"]): missed["reason"]
        for file, state in result["files"].items() for missed in state["missed"] if missed["reason"]
    }
    tool = command(["cargo", "mutants", "--version"], capture_output=True, text=True).stdout.strip()
    result["tool"] = tool
    sound = set()
    for file, tests in files():
        if options.only not in file:
            continue
        old = result["files"].get(file)
        state = fresh(file, None if options.again else old)
        for shard in range(state["shards"]):
            if shard in state["done"] or time.monotonic() > end:
                continue
            if tests[0] not in sound:
                baseline(tests)
                sound.add(tests[0])
            run_shard(file, state, shard, tests, reasons)
            result["files"][file] = state
            save(result)
            print(f"{file}: shard {shard + 1} of {state['shards']} done", flush=True)
    missed = [m for state in result["files"].values() for m in state["missed"]]
    without = [m["mutant"] for m in missed if not m["reason"]]
    for file, _ in files():
        state = result["files"].get(file)
        done, shards = (len(state["done"]), state["shards"]) if state else (0, "?")
        print(f"{file}: {done} of {shards} shards")
    print("\n".join(f"SURVIVED, without a reason: {mutant}" for mutant in without))
    sys.exit(1 if without else 0)


if __name__ == "__main__":
    main()

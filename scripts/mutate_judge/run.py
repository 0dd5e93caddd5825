"""Mutates the code that forms verdicts, and writes down which mutants no test notices: docs/internals/mutants.md, "Mutants of the judge".

A file that is done is kept in the result file, for as long as it and the tests stay as they are. A mutant that no test notices is a
survivor; one that lacks a reason fails.
"""

import argparse
import hashlib
import json
import subprocess
import sys
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import build
from suite import Suite, Test

RESULT = build.ROOT / "docs" / "internals" / "judge-mutants.json"
# Which test caught a mutant last time: it is asked first.
KILLERS = build.SCRATCH / "killers.json"
# How much slower tests may be that are not optimised.
SLOWER = 20
# The crates by folder.
CRATES = {
    "harness/engine": "assay-engine",
    "vectors": "assay-vectors",
    "oracles/mpfr": "assay-mpfr",
    "harness/records": "assay-records",
}
# The programs whose tests are run on a mutant, each by its folder and target. Whole batches are compared in the engine's integration
# tests alone, which for the judge would take too long.
JUDGE = [("harness/engine", "lib")]
BATCHES = [*JUDGE, ("harness/engine", "it")]
CONTRACTS = [("vectors", "lib"), ("vectors", "it"), *JUDGE]
FILTER = [("oracles/mpfr", "lib")]
VERDICT = [("harness/records", "lib"), ("harness/records", "it")]
TARGETS = [
    ("harness/engine/src/compare/judge", JUDGE),
    ("harness/engine/src/compare/judge/destination.rs", BATCHES),
    ("harness/engine/src/compare/judge/known.rs", BATCHES),
    ("harness/engine/src/compare/counts.rs", JUDGE),
    ("harness/engine/src/compare/comparator.rs", BATCHES),
    ("harness/engine/src/compare/reference.rs", BATCHES),
    ("harness/engine/src/compare/canary", BATCHES),
    ("harness/engine/src/stats/accuracy.rs", JUDGE),
    ("harness/engine/src/stats/extreme.rs", JUDGE),
    ("harness/engine/src/stats/judged.rs", JUDGE),
    ("harness/records/src/verdict.rs", VERDICT),
    ("vectors/src/contract.rs", CONTRACTS),
    ("vectors/src/limit.rs", CONTRACTS),
    ("vectors/src/row.rs", CONTRACTS),
    ("vectors/src/profile.rs", CONTRACTS),
    ("oracles/mpfr/src/filter", FILTER),
]


def targets(only):
    """Each file that is mutated, once."""
    found = [file for target, _ in TARGETS for file in build.tracked(target)]
    for file in dict.fromkeys(found):
        is_test = file.endswith("/tests.rs") or "/tests/" in file
        if file.endswith(".rs") and not is_test and only in file:
            yield file


def folder_of(file):
    return next(folder for folder in CRATES if file.startswith(f"{folder}/"))


def programs_of(file):
    """The programs whose tests are run on the mutants of a file: those of the longest entry."""
    return max((target, programs) for target, programs in TARGETS if file == target or file.startswith(f"{target}/"))[1]


def digest(file):
    """Of a file, and of the crates of the tests that are run on its mutants."""
    digest = hashlib.sha256()
    folders = {folder for folder, _ in programs_of(file)}
    for name in sorted({file, *build.tracked(*folders)}):
        digest.update(name.encode() + b"\0" + hashlib.sha256((build.ROOT / name).read_bytes()).digest())
    return digest.hexdigest()


def described(mutant):
    """A mutant's name without its place: `replace + with - in packed`."""
    return mutant["name"].split(": ", 1)[1]


def save(path, value):
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n")
    temporary.replace(path)


def load(path, default):
    return json.loads(path.read_text()) if path.exists() else default


class Run:
    def __init__(self, result, tree, suite, jobs):
        self.result, self.tree, self.suite, self.jobs = result, tree, suite, jobs
        self.killers = load(KILLERS, {})
        self.reasons = {
            (file, survivor["mutant"].split(": ", 1)[1], survivor["line"]): survivor["reason"]
            for file, state in result["files"].items() for survivor in state["survivors"] if survivor["reason"]
        }
        self.recent = []
        self.reaching = defaultdict(list)

    def record(self, programs):
        """Records what the tests of some programs reach, if that was not done."""
        with ThreadPoolExecutor(self.jobs) as pool:
            for program in programs:
                for test in self.suite.record(program, pool):
                    for number in self.suite.reached[test]:
                        self.reaching[number].append(test)

    def key(self, file, mutant):
        line = (build.ROOT / file).read_text().splitlines()[mutant["span"]["start"]["line"] - 1].strip()
        return file, described(mutant), line

    def outcome(self, file, number, mutant):
        """The outcome of a mutant that has a switch, and how many tests were run on it."""
        if number in self.tree.unviable:
            return "unviable", 0
        tests = [test for test in self.reaching[number] if test.program in programs_of(file)]
        key = ": ".join(self.key(file, mutant))
        known = self.killers.get(key)
        hints = [Test(tuple(known[0]), known[1])] if known else self.recent[:2]
        outcome, killer = self.suite.judge(number, tests, hints)
        if killer:
            self.killers[key] = killer.program, killer.name
            self.recent = [killer, *(test for test in self.recent if test != killer)][:8]
        return outcome, len(tests)

    def outcome_alone(self, number, file):
        """The same of a mutant that has none. It is compiled alone, quickly and not optimised; any test may reach it."""
        package, tests = CRATES[folder_of(file)], []
        with self.tree.alone(number):
            for folder, kind in programs_of(file):
                options = ["--lib"] if kind == "lib" else ["--test", kind]
                config = ["--config", f"profile.dev.package.{package}.opt-level=0"]
                programs, _ = build.programs([CRATES[folder]], *options, *config)
                if programs is None:
                    return "unviable", 0
                suite = Suite(programs)
                known = self.suite.seconds.items()
                suite.seconds = {test: SLOWER * seconds for test, seconds in known if test.program in programs}
                tests += suite.seconds
                outcome, _ = suite.judge(None, suite.seconds, [])
                if outcome != "survived":
                    return outcome, len(tests)
        return "survived", len(tests)

    def do_file(self, file, of):
        """Runs the tests on each mutant of a file, and notes each outcome."""
        self.record(programs_of(file))
        began = time.monotonic()
        counts, survivors = Counter(), []
        with ThreadPoolExecutor(self.jobs) as pool:
            mutants = self.tree.files[file].mutants
            outcomes = {
                number: pool.submit(self.outcome, file, number, mutant)
                for number, mutant in mutants if number not in self.tree.inexpressible
            }
            for number, mutant in mutants:
                outcome, tests = outcomes[number].result() if number in outcomes else self.outcome_alone(number, file)
                if outcome != "survived":
                    counts[outcome] += 1
                    continue
                key = self.key(file, mutant)
                survivors.append({"mutant": mutant["name"], "line": key[2], "tests": tests, "reason": self.reasons.get(key, "")})
                print(f"  survived {tests} tests: {mutant['name']}", flush=True)
        minutes = round((time.monotonic() - began) / 60, 1)
        counted = {name: counts[name] for name in ("caught", "timeout", "unviable")}
        self.result["files"][file] = {
            "digest": of, "mutants": len(self.tree.files[file].mutants), **counted, "minutes": minutes, "survivors": survivors,
        }
        save(RESULT, self.result)
        save(KILLERS, self.killers)
        print(f"{file}: {dict(counts)}, {len(survivors)} survivors, {minutes} min", flush=True)


def run(files, result, jobs):
    """Does some files, given with their digests. The tree holds the mutants of all, so that it stays as it is whichever they are."""
    everything = list(targets(""))
    listed = build.list_mutants(everything)
    folders = {file: folder_of(file) for file in everything}
    tree = build.Tree({file: listed[file] for file in everything}, folders, CRATES)
    tree.make_viable(CRATES.values())
    used = {program for file in files for program in programs_of(file)}
    print(f"{len(tree.mutants)} mutants, {len(tree.unviable)} do not compile", flush=True)
    programs, errors = build.programs({CRATES[folder] for folder, _ in used}, "--lib", "--tests")
    if programs is None:
        sys.exit(errors)
    done = Run(result, tree, Suite(programs), jobs)
    for file in sorted(files, key=lambda file: len(programs_of(file))):
        done.do_file(file, files[file])
    if not any(state["caught"] for state in result["files"].values()):
        sys.exit("no mutant at all was caught: the switches have no effect")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="files whose path has this in it")
    parser.add_argument("--again", action="store_true", help="do these files again, whether or not they are done")
    parser.add_argument("--jobs", type=int, default=1, help="test programs that run at a time (1)")
    options = parser.parse_args()
    build.TREE.mkdir(parents=True, exist_ok=True)
    result = load(RESULT, {"version": 2, "files": {}})
    everything = list(targets(""))
    result["files"] = {file: state for file, state in result["files"].items() if file in everything}
    version = subprocess.run(["cargo", "mutants", "--version"], check=True, capture_output=True, text=True)
    result["tool"] = version.stdout.strip()
    digests = {file: digest(file) for file in targets(options.only)}
    stale = {
        file: of for file, of in digests.items()
        if options.again or result["files"].get(file, {}).get("digest") != of
    }
    if stale:
        run(stale, result, options.jobs)
    survivors = [survivor for state in result["files"].values() for survivor in state["survivors"]]
    without = [survivor["mutant"] for survivor in survivors if not survivor["reason"]]
    print("\n".join(f"SURVIVED, without a reason: {mutant}" for mutant in without))
    sys.exit(1 if without else 0)


if __name__ == "__main__":
    main()

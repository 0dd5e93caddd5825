#!/usr/bin/env python3
"""The table of speeds in docs/performance.md: whole processes, from start to written result.

Each row is a command of `assay`, timed several times; the least time counts, because other programs only ever add to it. With
--before another build runs in turn with this one, and the last column is the ratio of their CPU times. With --testfloat the
programs of Berkeley TestFloat run on the same cases. With --devices the model also runs behind `lib:` and `exec:`, so that the
difference is the cost of the interface. With --peers SoftFloat, MPFR and a loop over libm's functions run beside. With --growth come the threads, the shards and the numbers of cases. The table goes to standard output, the figures to --out as JSON.

Usage: scripts/bench.py [--assay PROGRAM] [--before PROGRAM] [--testfloat FOLDER] [--rounds N] [--devices FOLDER] [--peers FOLDER]
       [--long] [--growth] [--only TEXT] [--out FILE]
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

LEAST = 20.0  # M cases a second that every optype should reach
LEVEL = ["-level", "1", "f32_mulAdd"]  # the options of testfloat_gen
SLOW = {"BFN": 10.0, "ULDC": 10.0, "SETUGPR": 10.0, "GETUGPR": 10.0, "SETREG": 10.0}


@dataclass
class Row:
    """What is timed: a command of `assay`, the cases that it does in millions, and what is wanted of it."""

    name: str
    command: list[str]
    cases: float
    wanted: str
    feed: Path | None = None
    long: bool = False


@dataclass
class Time:
    """Of a process: seconds on the clock and on all cores, and its greatest memory in MiB. Of a loop in a process the clock alone."""

    wall: float
    cpu: float | None = None
    memory: float | None = None


def timed(command: list[str], feed: Path | None = None, out: Path | None = None) -> Time:
    """Runs a command to its end. A status other than 0 ends the measurement."""
    with open(feed or os.devnull, "rb") as stdin, open(out or os.devnull, "wb") as stdout:
        began = time.monotonic()
        child = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE)
        errors = child.stderr.read().decode(errors="replace")
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with status {child.returncode}:\n{errors[-2000:]}")
    return Time(time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def best(times: list[Time]) -> Time:
    """The least time on the clock and on the cores, each of its own run, and the greatest memory."""
    return Time(min(t.wall for t in times), min(t.cpu for t in times), max(t.memory for t in times))


def optypes(assay: str) -> list[str]:
    listed = json.loads(subprocess.check_output([assay, "isa", "list", "--format", "json"]))
    return sorted({form["optype"] for form in listed})


def campaign(name: str, only: list[str], cases: float, wanted: str, long: bool = False) -> Row:
    selected = ["--only", *only] if only else []
    return Row(name, ["fuzz", *selected, "--cases", f"{cases}M", "--seed", "1"], cases, wanted, long=long)


def fused_cases(assay: str, work: Path, testfloat: Path | None) -> Path:
    """6,133,248 cases of FFMA as lines: those of TestFloat's level 1, or as many of our own."""
    lines = work / "ffma.txt"
    if testfloat:
        generate = subprocess.Popen([str(testfloat / "testfloat_gen"), *LEVEL], stdout=subprocess.PIPE,
                                    stderr=subprocess.DEVNULL, text=True)
        with lines.open("w") as out:
            # A result that is no number is 7FFFFFFF in this instruction set; testfloat_ver accepts any.
            for case in generate.stdout:
                head, result, flags = case.rsplit(" ", 2)
                out.write(f"{head} {'7FFFFFFF' if int(result, 16) & 0x7FFFFFFF > 0x7F800000 else result} {flags}")
        if generate.wait() != 0:
            sys.exit("testfloat_gen failed")
    else:
        subprocess.check_call([assay, "gen", "--as", "testfloat", "--instruction", "FFMA R0, R1, R2, R3", "--cases", "6133248",
                               "--out", str(lines), "--overwrite"], stderr=subprocess.DEVNULL)
    return lines


def rows(assay: str, work: Path, lines: Path) -> list[Row]:
    generate = ["gen", "--instruction", "FFMA R0, R1, R2, R3", "--cases", "2M", "--out", str(work / "made"), "--overwrite"]
    functions = [f"mufu.{name}.f32" for name in ("rcp", "rsq", "sqrt", "ex2", "lg2", "tanh", "sin", "cos")]
    return [
        campaign("FADD, campaign", ["FADD"], 20, "75 M/s"),
        campaign("FMUL, campaign", ["FMUL"], 20, "75 M/s"),
        campaign("FFMA, campaign", ["FFMA"], 20, "75 M/s"),
        campaign("whole set, campaign", [], 40, "50 M/s"),
        campaign("MUFU, campaign of all 18 pairs", ["MUFU"], 10, "25 M/s"),
        *(campaign(f"{name}, campaign", [name], 4, f"{SLOW.get(name, LEAST):.0f} M/s") for name in optypes(assay)
          if name not in ("FADD", "FMUL", "FFMA", "MUFU")),
        *(campaign(f"{optype}, campaign of 400 million", [optype], 400, "75 M/s", True) for optype in ("FADD", "FMUL", "FFMA")),
        campaign("whole set, campaign of 400 million", [], 400, "50 M/s", True),
        campaign("MUFU, campaign of 200 million", ["MUFU"], 200, "25 M/s", True),
        Row("MUFU in F32, quick sweeps of eight", ["sweep", *functions, "--tier", "quick"], 8 * 16.8, ""),
        Row("RCP in F32, sweep of 2^32", ["sweep", "mufu.rcp.f32"], 4294.967296, "7 s", long=True),
        Row("eight functions in F32, sweeps of 2^32", ["sweep", *functions], 8 * 4294.967296, "60 s", long=True),
        Row("`ver --as testfloat`, FFMA", ["ver", "--as", "testfloat", "--instruction", "FFMA R0, R1, R2, R3", "--allow-incomplete"], 6.133248,
            "as testfloat_ver", feed=lines),
        Row("`gen --as testfloat`, FFMA", [*generate, "--as", "testfloat"], 2, "as testfloat_gen"),
        Row("`gen --as jsonl`, FFMA", [*generate, "--as", "jsonl"], 2, ""),
        Row("every coverage bin", ["fuzz", "--until-covered", "--cases", "4000M", "--seed", "1"], 0, "3 s"),
    ]


def behind(folder: Path) -> list[Row]:
    """The model as a device, by the examples of the crate `assay-device`."""
    devices = [("lib:", folder / "libmodel_library.so", "1.1 times the model's time"), ("exec:", folder / "model_device", "20 M/s")]
    return [Row(f"FFMA, the model behind `{kind}`", ["fuzz", "--subject", f"{kind}{path}", "--only", "FFMA", "--cases", "20M",
                                                    "--seed", "1"], 20, wanted) for kind, path, wanted in devices]


def growth(assay: str, work: Path) -> None:
    """How the time of a campaign of FFMA grows: with threads, with cases, and with shards that have a core each."""

    def fuzz(cases: str, *more: str) -> list[str]:
        return [assay, "fuzz", "--only", "FFMA", "--cases", cases, "--seed", "1", "--overwrite", *more]

    print("\n| threads | s | CPU s |\n|---:|---:|---:|")
    for threads in range(1, (os.cpu_count() or 1) + 1):
        took = best([timed(fuzz("100M", "--jobs", str(threads), "--out", str(work / "run"))) for _ in range(3)])
        print(f"| {threads} | {took.wall:.2f} | {took.cpu:.2f} |", flush=True)
    print("\n| cases | s | M cases/s | MiB |\n|---:|---:|---:|---:|")
    for power in range(6, 11):
        took = timed(fuzz(f"{10 ** power // 10 ** 6}M", "--out", str(work / "run")))
        print(f"| 10^{power} | {took.wall:.2f} | {10 ** (power - 6) / took.wall:.1f} | {took.memory:.0f} |", flush=True)
    print("\n| shards, a core each | s of the slowest | s of all | s to merge |\n|---:|---:|---:|---:|")
    for shards in (1, 2, 4, 8):
        folder = work / f"shards-{shards}"
        one = ["taskset", "--cpu-list", "0"]
        took = [timed([*one, *fuzz("400M", "--jobs", "1", "--shard", f"{n}/{shards}", "--out", str(folder / str(n)))])
                for n in range(shards)]
        merged = timed([*one, assay, "merge", str(folder), "--out", str(work / f"merged-{shards}.json")])
        slowest, whole = max(t.wall for t in took), sum(t.wall for t in took)
        print(f"| {shards} | {slowest:.2f} | {whole:.2f} | {merged.wall:.2f} |", flush=True)


def testfloat_times(folder: Path, work: Path, lines: Path, rounds: int) -> list[tuple[str, float, Time]]:
    """TestFloat's generator and verifier, on the cases of its level 1."""
    with lines.open("rb") as cases:
        count = sum(1 for _ in cases) / 1e6
    generate, verify = [str(folder / "testfloat_gen"), *LEVEL], [str(folder / "testfloat_ver"), "f32_mulAdd"]
    generated = best([timed(generate, out=work / "testfloat.txt") for _ in range(rounds)])
    verified = best([timed(verify, feed=lines, out=work / "errors.txt") for _ in range(rounds)])
    return [("testfloat_gen f32_mulAdd", count, generated), ("testfloat_ver f32_mulAdd", count, verified)]


def peers(crate: Path) -> list[tuple[str, float, Time]]:
    """SoftFloat, MPFR, and a loop over inputs as others write it, on one core: see the crate's example."""
    command = ["cargo", "run", "--release", "--quiet", "--locked", "--manifest-path", str(crate / "Cargo.toml"), "--features",
               "peers", "--example", "peers"]
    if not shutil.which("cmake"):
        print("the peers are skipped: SoftFloat's crate is built with cmake, which is not installed", file=sys.stderr)
        return []
    lines = [line.split("\t") for line in subprocess.check_output(command, text=True).splitlines()]
    return [(name, int(cases) / 1e6, Time(float(seconds))) for name, cases, seconds in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", default="assay", help="the program that is measured")
    parser.add_argument("--before", help="another build, which runs in turn with it")
    parser.add_argument("--testfloat", type=Path, help="folder of testfloat_gen and testfloat_ver")
    parser.add_argument("--devices", type=Path, help="folder of the examples of assay-device: target/release/examples")
    parser.add_argument("--peers", type=Path, help="the crate with others' programs: harness/lab/third-party/rust; not with --only")
    parser.add_argument("--growth", action="store_true", help="with threads, shards and numbers of cases (five minutes)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each row (3)")
    parser.add_argument("--long", action="store_true", help="with long campaigns and the sweeps of 2^32 (ten minutes)")
    parser.add_argument("--only", default="", help="only rows whose name has this text")
    parser.add_argument("--out", type=Path, help="file for the figures")
    chosen = parser.parse_args()
    programs = [chosen.assay] + ([chosen.before] if chosen.before else [])
    figures = []
    print("| work | s | M cases/s | CPU s | MiB | wanted |" + (" CPU to before |" if chosen.before else ""))
    print("|---|---:|---:|---:|---:|---|" + ("---:|" if chosen.before else ""))

    def line(name: str, cases: float, took: Time, wanted: str, ratio: float | None) -> None:
        rate = f"{cases / took.wall:.1f}" if cases else ""
        last = f" {ratio:.2f} |" if ratio else ""
        cpu = "" if took.cpu is None else f"{took.cpu:.2f}"
        memory = "" if took.memory is None else f"{took.memory:.0f}"
        print(f"| {name} | {took.wall:.2f} | {rate} | {cpu} | {memory} | {wanted} |{last}", flush=True)
        figures.append({"name": name, "cases": cases * 1e6, "wanted": wanted, "ratio": ratio, **asdict(took)})

    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        lines = fused_cases(chosen.assay, work, chosen.testfloat)
        for row in rows(chosen.assay, work, lines) + (behind(chosen.devices) if chosen.devices else []):
            if chosen.only.lower() not in row.name.lower() or row.long and not chosen.long:
                continue
            kept = ["--out", str(work / "run"), "--overwrite"] if row.command[0] in ("fuzz", "sweep") else []
            times: list[list[Time]] = [[] for _ in programs]
            for _ in range(1 if row.long else chosen.rounds):
                for program, took in zip(programs, times):
                    took.append(timed([program, *row.command, *kept], row.feed))
            mine, *others = map(best, times)
            line(row.name, row.cases, mine, row.wanted, mine.cpu / others[0].cpu if others else None)
        beside = testfloat_times(chosen.testfloat, work, lines, chosen.rounds) if chosen.testfloat else []
        # Building them takes minutes, so --only leaves them out.
        beside += peers(chosen.peers) if chosen.peers and not chosen.only else []
        for name, count, took in beside:
            line(name, count, took, "", None)
        if chosen.growth:
            growth(chosen.assay, work)
    if chosen.out:
        chosen.out.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()

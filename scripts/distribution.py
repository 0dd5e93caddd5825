#!/usr/bin/env python3
"""What cases find, by seed: a faster generator must not need more of them. Two builds are compared, seed by seed.

For each seed: the coverage bins that a campaign of the whole set hits, the cases until a campaign that steers has hit all of
them, and the cases until each planted fault is caught. The median and the 99th percentile over the seeds are printed; of 20
seeds the latter is the greatest, and of the bins that are hit the least. Differences below a hundredth are noise: another choice of seeds makes as much.

Usage: scripts/distribution.py --assay PROGRAM --before PROGRAM [--seeds N] [--cases N] [--out FILE]
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median


def run(*command: str) -> str:
    """The standard output of a command. A status other than 0 ends the measurement."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\nended with status {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def percentile(values: list[float], share: float) -> float:
    """The least value that so large a share of all values does not exceed."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def bins_hit(assay: str, seed: int, cases: str, folder: Path) -> int:
    out = folder / "campaign"
    run(assay, "fuzz", "--cases", cases, "--seed", str(seed), "--out", str(out), "--overwrite")
    coverage = json.loads((out / "result.json").read_text())["tally"]["coverage"]
    return int(coverage, 16).bit_count()


def cases_to_cover(assay: str, seed: int, folder: Path) -> int:
    out = str(folder / "covered")
    return json.loads(run(assay, "fuzz", "--until-covered", "--cases", "4000M", "--seed", str(seed), "--out", out, "--overwrite",
                          "--format", "json"))["cases"]


def cases_to_kill(assay: str, seed: int) -> dict[str, int]:
    """By fault: the cases until it is caught, of those that are."""
    mutants = json.loads(run(assay, "mutants", "run", "--seed", str(seed), "--format", "json"))["mutants"]
    caught = [(mutant["name"], mutant["contract"]) for mutant in mutants if mutant.get("contract")]
    return {name: check["first_case"] + 1 for name, check in caught if check.get("first_case") is not None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--assay", required=True, help="the program that is judged")
    parser.add_argument("--before", required=True, help="the program that it is compared with")
    parser.add_argument("--seeds", type=int, default=20, help="seeds, from 1 on (20)")
    parser.add_argument("--cases", default="5M", help="cases of the campaign whose bins are counted (5M)")
    parser.add_argument("--out", type=Path, help="file for the figures of each seed")
    chosen = parser.parse_args()
    figures: dict[str, dict[str, list]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, chosen.seeds + 1):
            for name, program in (("now", chosen.assay), ("before", chosen.before)):
                mine = figures.setdefault(name, {"bins": [], "cover": [], "kill": []})
                mine["bins"].append(bins_hit(program, seed, chosen.cases, Path(folder)))
                mine["cover"].append(cases_to_cover(program, seed, Path(folder)))
                mine["kill"].append(cases_to_kill(program, seed))
            print(f"seed {seed} of {chosen.seeds}", file=sys.stderr)
    if chosen.out:
        chosen.out.write_text(json.dumps(figures) + "\n")
    now, before = figures["now"], figures["before"]

    print("| over the seeds | now, median | before | ratio | now, worst percentile | before | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|")

    def line(name: str, a: list[float], b: list[float], form: str, share: float = 0.99) -> None:
        (x, y), (p, q) = (median(a), median(b)), (percentile(a, share), percentile(b, share))
        print(f"| {name} | {x:{form}} | {y:{form}} | {x / y:.3f} | {p:{form}} | {q:{form}} | {p / q:.3f} |")

    line(f"bins hit in {chosen.cases} cases", now["bins"], before["bins"], ",.0f", 0.01)
    line("million cases until all bins are hit", [n / 1e6 for n in now["cover"]], [n / 1e6 for n in before["cover"]], ".2f")
    faults = sorted(set.intersection(*(set(kill) for one in (now, before) for kill in one["kill"])))
    each = [[median(kill[fault] for kill in one["kill"]) for fault in faults] for one in (now, before)]
    line(f"cases until a fault is caught, {len(faults):,} faults", *each, ",.0f")
    means = [math.exp(sum(map(math.log, column)) / len(column)) for column in each]
    print(f"\nThe geometric mean over the faults of the median over the seeds: {means[0]:.1f} cases, before {means[1]:.1f}.")


if __name__ == "__main__":
    main()

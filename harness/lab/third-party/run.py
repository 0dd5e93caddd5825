#!/usr/bin/env python3
"""Runs the collection of implementations that others made, and writes target/third-party/summary.json.

    run.py [NAME...]           builds, settles, runs campaigns and sweeps, classes what diverged, confirms defects
    run.py --keep NAME...      the same, and keeps what the last run wrote about the others
    run.py --setup [NAME...]   installs the packages of Debian and PyPI that the manifest names
    run.py --blind ID...       finds known defects (known.toml) by a plain campaign, and prints how long each took

The exit status is 1 if a divergence is unexplained, a declared defect no longer shows, or a confirmation fails.
"""

import argparse
import datetime
import fnmatch
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import tomllib

try:
    import yaml
except ImportError:
    sys.exit("PyYAML is missing: apt-get install python3-yaml, or pip install pyyaml")

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
OUT = ROOT / "target" / "third-party"
ASSAY = os.environ.get("ASSAY") or str(ROOT / "target" / "release" / "assay")
PYTHON = OUT / "venv" / "bin" / "python"


def load(name, key):
    path = HERE / name
    return tomllib.loads(path.read_text()).get(key, []) if path.exists() else []


MANIFEST = {entry["name"]: entry for entry in load("manifest.toml", "implementation")}
DEFECTS = load("defects.toml", "defect")


class Skip(Exception):
    """Why an implementation cannot be run here."""


def counted(number, noun):
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def run(command, **options):
    return subprocess.run([str(part) for part in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


# --- Setup and build --------------------------------------------------------------------------------------------------


def setup(entry):
    if entry.get("debian"):
        as_root = [] if os.geteuid() == 0 else ["sudo"]
        subprocess.run([*as_root, "apt-get", "install", "-y", "--no-install-recommends", *entry["debian"]], check=True)
    if entry["build"]["kind"] in ("python", "rtl") and not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(OUT / "venv")], check=True)
    if entry.get("pypi"):
        subprocess.run([PYTHON, "-m", "pip", "install", "-q", *entry["pypi"]], check=True)


def installed_version(entry):
    """The version of the judged package here, or that of the manifest where the build pins it."""
    if package := entry.get("package"):
        found = run(["dpkg-query", "-W", "-f", "${Version}", package])
        if found.returncode:
            raise Skip(f"the package {package} is not installed: just third-party-setup {entry['name']}")
        return found.stdout
    return entry["version"]


def verilated(entry, how):
    """The device of a hardware description in a package of PyPI, made by `assay rtl`."""
    package, version = entry["pypi"][0].split("==")
    ask = f"import importlib.util as u, importlib.metadata as m; print(m.version('{package}'), u.find_spec('{how['package']}').origin)"
    found = run([PYTHON, "-c", ask]) if PYTHON.exists() else None
    if not found or found.returncode or found.stdout.split()[0] != version:
        raise Skip(f"{entry['pypi'][0]} is not installed: just third-party-setup {entry['name']}")
    if not shutil.which("verilator"):
        raise Skip(f"verilator is not installed: just third-party-setup {entry['name']}")
    folder, out = pathlib.Path(found.stdout.split(maxsplit=1)[1].strip()).parent, OUT / "rtl" / entry["name"]
    include = [part for name in how["include"] for part in ("--include", folder / name)]
    ended = run([ASSAY, "rtl", ROOT / how["unit"], "--map", ROOT / how["map"], *include, "--out", out])
    if ended.returncode:
        sys.exit(f"{entry['name']}: {ended.stderr}")
    return f"lib:{out / 'unit.so'}"


def build(entry):
    """Builds the device and returns the subject."""
    name, kind, how = entry["name"], entry["build"]["kind"], entry["build"]
    if "skip" in entry:
        raise Skip(entry["skip"])
    version = installed_version(entry)
    if version != entry["version"]:
        raise Skip(f"version {version} is installed, the manifest judges {entry['version']}")
    if kind == "processor" or "-mfma" in how.get("flags", []) and "qemu" not in name:
        flags = pathlib.Path("/proc/cpuinfo").read_text()
        if " fma " not in flags or " popcnt " not in flags:
            raise Skip("this processor has no FMA or no POPCNT")
    if kind == "python":
        script = [PYTHON if PYTHON.exists() else sys.executable, HERE / how["script"], *how.get("arguments", [])]
        for program in how.get("arguments", []):
            if not shutil.which(program):
                raise Skip(f"{program} is not installed: just third-party-setup {name}")
        for package in entry.get("pypi", []):
            if run([script[0], "-c", f"import {package.split('==')[0]}"]).returncode:
                raise Skip(f"{package} is not installed: just third-party-setup {name}")
        return "exec:" + " ".join(map(str, script))
    if kind == "rtl":
        return verilated(entry, how)
    folder = OUT / "devices"
    folder.mkdir(parents=True, exist_ok=True)
    binary = folder / name
    cc = how.get("cc", "gcc")
    for program in [cc, *entry.get("run", [])[:1]]:
        if not shutil.which(program):
            raise Skip(f"{program} is not installed: just third-party-setup {name}")
    unpacked = OUT / "unpacked" / name
    if unpack := entry.get("unpack"):
        unpacked.mkdir(parents=True, exist_ok=True)
        run(["tar", "xf", unpack["archive"], "-C", unpacked, *unpack["members"]], check=True)
    sources = [str(unpacked / s[2:]) if s.startswith("@/") else str(HERE / s) for s in how.get("sources", [])]
    flags = [f"-I{HERE / f[2:]}" if f.startswith("-I") else f for f in how.get("flags", [])]
    libraries = list(how.get("libraries", []))
    if kind == "rust":
        target = OUT / "cargo"
        made = run(
            ["cargo", "build", "--release", "--locked", "--manifest-path", HERE / how["crate"] / "Cargo.toml", "--features", how["feature"]],
            env={**os.environ, "CARGO_TARGET_DIR": str(target / name)},
        )
        if made.returncode:
            raise Skip(f"the crate does not build: {made.stderr.strip().splitlines()[-1] if made.stderr.strip() else ''}")
        library = "libassay_third_party_old.a" if how["crate"] == "rust-old" else "libassay_third_party.a"
        libraries = [str(target / name / "release" / library), "-lpthread", "-ldl"]
    if missing := [path for path in [*sources, *libraries] if path.startswith("/") and not os.path.exists(path)]:
        raise Skip(f"{missing[0]} is not there: just third-party-setup {name}")
    command = [cc, "-std=gnu11", "-O2", "-frounding-math", "-fsignaling-nans", "-ffp-contract=off", *flags]
    command += [f"-I{ROOT / 'harness/device/include'}", f"-I{HERE / 'c'}", f'-DNAME="{name}"', f'-DVERSION="{version}"']
    command += [*sources, HERE / "c/adapter.c", ROOT / "examples/devices/c/process.c", *libraries, "-lm", "-o", binary]
    made = run(command)
    if made.returncode:
        sys.exit(f"{name}: {made.stderr}")
    environment = [f"{key}={value}" for key, value in entry.get("environment", {}).items()]
    return "exec:" + " ".join([*(["env", *environment] if environment else []), *entry.get("run", []), str(binary)])


# --- Runs -------------------------------------------------------------------------------------------------------------


def assay(entry, arguments, subject):
    options = ["--profile", HERE / "profiles" / f"{entry['profile']}.yaml", "--subject", subject]
    if "deadline" in entry:
        options += ["--device-deadline", entry["deadline"]]
        options += ["--jobs", 1] if arguments[0] != "eval" else []
    return run([ASSAY, *arguments, *options])


def run_plan(entry, arguments, folder, subject):
    """A campaign or sweep into a folder that holds nothing of an earlier one."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    return assay(entry, [*arguments, "--out", folder, "--overwrite"], subject)


def covers(defect, signature):
    return any(fnmatch.fnmatchcase(signature, glob) for glob in defect["shapes"])


def findings(folder):
    """The findings of a run: signature, shapes with their smallest cases, and cases."""
    for path in sorted((folder / "findings").glob("*.yaml")):
        case = yaml.safe_load(path.read_text())["cases"][0]
        finding = case["finding"]
        shapes = finding.get("shapes") or [{"signature": finding["signature"], "asm": case["asm"], "inputs": case["inputs"]}]
        yield finding["signature"], shapes, finding.get("cases", 1), case


def conventions(entry):
    """The readings of the profile that are not those of `intended`."""
    path = HERE / "profiles" / f"{entry['profile']}.yaml"
    profile = yaml.safe_load(path.read_text()) if path.exists() else {}
    return len(profile.get("readings", {})) + len(entry.get("conventions", []))


def known_of(name, *classes):
    return [known for known in DEFECTS if known["implementation"] == name and (not classes or known["class"] in classes)]


def judge(entry, subject, seed):
    """Campaign and sweep: cases, the findings that no declared defect covers, and the defects that show."""
    name, cases, unexplained, shown, accuracy = entry["name"], 0, [], {}, {}
    plans = [("fuzz", ["fuzz", "--cases", entry["campaign"], "--seed", seed])]
    if focused := entry.get("focused"):
        # With a seed of its own a rare defect shows each time. Nightly runs draw other cases.
        own = focused.get("seed", seed) if seed == "1" else seed
        plans.append(("focused", ["fuzz", "--only", *focused["only"], "--cases", focused["cases"], "--seed", own]))
    if constructed := entry.get("constructed"):
        plans.append(("constructed", ["sweep", *constructed, "--tier", "quick"]))
    if sweep := entry.get("sweep"):
        plans.append(("sweep", ["sweep", *sweep["functions"], "--tier", sweep["tier"]]))
    for plan, arguments in plans:
        folder = OUT / "runs" / name / plan
        ended = run_plan(entry, arguments, folder, subject)
        (OUT / "runs" / name / f"{plan}.log").write_text(ended.stdout + ended.stderr)
        if ended.returncode not in (0, 1):
            unexplained.append({"signature": f"{plan}: status {ended.returncode}", "about": (ended.stdout + ended.stderr)[-500:]})
            continue
        if not (folder / "result.json").exists():
            unexplained.append({"signature": f"{plan}: the device failed", "about": (ended.stdout + ended.stderr)[-300:]})
            continue
        result = json.loads((folder / "result.json").read_text())
        cases += result["tally"]["cases"]
        accuracy.update({f: a for f, a in result["tally"].get("accuracy", {}).items()})
        known = 0
        for signature, shapes, count, case in findings(folder):
            covered = True
            for shape in shapes:
                key = shape["signature"]
                matches = [d for d in known_of(name) if covers(d, key)]
                for defect in matches[:1]:
                    shown[defect["id"]] = shown.get(defect["id"], 0) + count
                if not matches:
                    covered = False
                    unexplained.append({"plan": plan, "signature": key, "asm": shape["asm"], "inputs": shape["inputs"],
                                        "expect": case.get("expect"), "actual": case["finding"].get("actual"), "cases": count})
            known += covered
        if ended.returncode == 1 and not known and not unexplained:
            unexplained.append({"signature": f"{plan}: status 1 without a finding", "about": ended.stdout[-500:]})
    return cases, unexplained, shown, accuracy


def answers(entry, subject, defect):
    """What the implementation and MPFR answer to the smallest case of a defect."""
    inputs = [f"{place}={value}" for place, value in defect["inputs"].items()]
    if defect.get("bound"):  # under the bound that the defective implementation promises
        entry = {**entry, "profile": MANIFEST[defect["implementation"]]["profile"]}
    ended = assay(entry, ["eval", "--format", "json", defect["asm"], *inputs], subject)
    given = json.loads(ended.stdout)
    name = next(iter(given["answers"]))
    return given["answers"][name], given["answers"]["mpfr"], given["verdicts"][name]


def confirm(defect, subjects):
    """Why a defect is not confirmed, or nothing: MPFR and two other implementations must agree on another result."""
    name = defect["implementation"]
    actual, truth, verdict = answers(MANIFEST[name], subjects[name], defect)
    if actual != defect["actual"]:
        return f"answers {actual}, not {defect['actual']}"
    if truth != defect["expect"]:
        return f"MPFR answers {truth}, not {defect['expect']}"
    if not verdict.startswith("diverged"):
        return f"MPFR judges {verdict}"
    agreeing = 0
    for witness in defect["witnesses"]:
        if witness not in subjects:
            try:
                subjects[witness] = build(MANIFEST[witness])
            except Skip as why:
                print(f"  SKIPPED  {defect['id']}: the witness {witness}: {why}", file=sys.stderr)
                continue
        given, _, verdict = answers(MANIFEST[witness], subjects[witness], defect)
        held = given == defect["expect"] or defect.get("bound") and verdict in ("exact", "within")
        if not held:
            return f"{witness} answers {given}, {verdict}"
        agreeing += 1
    return None if agreeing >= 2 else f"only {agreeing} other implementations agree"


def blind(ids):
    """A plain campaign on each implementation with a known defect: whether a finding covers it, and after how long."""
    failed = False
    for known in load("known.toml", "known"):
        if ids != ["all"] and known["id"] not in ids:
            continue
        matching = [d for d in DEFECTS if d.get("known") == known["id"]]
        entry = MANIFEST.get(known["implementation"])
        if not entry or not matching:
            print(f"not found  {known['id']}: {known.get('why', 'not in the collection')}")
            continue
        try:
            subject = build(entry)
        except Skip as why:
            print(f"SKIPPED    {known['id']}: {why}")
            continue
        folder, started = OUT / "blind" / known["id"], time.monotonic()
        plan = matching[0].get("plan", ["fuzz", "--cases", str(entry["campaign"])])
        run_plan(entry, plan, folder, subject)
        seconds = time.monotonic() - started
        found = [s["signature"] for _, shapes, _, _ in findings(folder) for s in shapes if covers(matching[0], s["signature"])]
        failed |= not found or seconds > 600
        print(f"{'found' if found else 'NOT FOUND':10} {known['id']}: {seconds:.1f} s, {len(found)} shapes, such as {found[:1]}")
    return failed


def write(summary, details, keep):
    """Writes what the run has so far, with `keep` beside what an earlier run wrote about other implementations."""
    if keep and (OUT / "summary.json").exists():
        rows = {row["name"]: row for row in json.loads((OUT / "summary.json").read_text())}
        rows.update({row["name"]: row for row in summary})
        summary = [rows[name] for name in MANIFEST if name in rows]
        details = {**json.loads((OUT / "details.json").read_text()), **details}
    (OUT / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    (OUT / "details.json").write_text(json.dumps(details, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--setup", action="store_true", help="install what the manifest names")
    parser.add_argument("--blind", action="store_true", help="find known defects again; `all` for every one")
    parser.add_argument("--seed", default="1", help="seed of the campaigns, or `date`")
    parser.add_argument("--keep", action="store_true", help="keep the rows of the last run for what is not named")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.blind:
        ids = ["all", *(known["id"] for known in load("known.toml", "known"))]
        if unknown := [name for name in arguments.names if name not in ids]:
            parser.error(f"known.toml has no `{unknown[0]}`; it has {', '.join(ids[1:])}")
        return blind(arguments.names or ["all"])
    if unknown := [name for name in arguments.names if name not in MANIFEST]:
        parser.error(f"the manifest has no `{unknown[0]}`; it has {', '.join(MANIFEST)}")
    chosen = [entry for name, entry in MANIFEST.items() if not arguments.names or name in arguments.names]
    if arguments.setup:
        for entry in chosen:
            setup(entry)
        return 0
    seed = str(datetime.date.today().toordinal()) if arguments.seed == "date" else arguments.seed
    OUT.mkdir(parents=True, exist_ok=True)
    summary, details, subjects, failed = [], {}, {}, False
    for entry in chosen:
        name, started = entry["name"], time.monotonic()
        row = {"name": name, "version": entry["version"], "kind": entry["kind"], "cases": 0, "defects": 0,
               "conventions": conventions(entry), "unexplained": 0, "skipped": None}
        summary.append(row)
        try:
            subjects[name] = build(entry)
        except Skip as why:
            row["skipped"] = str(why)
            print(f"SKIPPED  {name}: {why}", file=sys.stderr)
            if listing := os.environ.get("ASSAY_SKIPS"):
                with open(listing, "a") as file:
                    print(f"third-party: {name}: {why}", file=file)
            continue
        cases, unexplained, shown, accuracy = judge(entry, subjects[name], seed)
        problems = []
        for defect in known_of(name, "defect"):
            if defect["id"] not in shown and seed == "1":
                problems.append(f"{defect['id']} does not show in the campaign")
            if why := confirm(defect, subjects):
                problems.append(f"{defect['id']} is not confirmed: {why}")
            else:
                row["defects"] += 1
        row.update(cases=cases, unexplained=len(unexplained))
        row["conventions"] += len(known_of(name, "convention"))
        details[name] = {"unexplained": unexplained, "shown": shown, "problems": problems, "accuracy": accuracy}
        failed |= bool(unexplained or problems)
        state = "FAILED " if unexplained or problems else "ok     "
        print(f"{state}  {name} {entry['version']}: {cases:,} cases, {counted(row['defects'], 'defect')}, "
              f"{counted(row['conventions'], 'convention')}, {len(unexplained)} unexplained, {time.monotonic() - started:.1f} s", flush=True)
        for problem in problems:
            print(f"         {problem}")
        write(summary, details, arguments.keep)
        for item in unexplained[:8]:
            print(f"         {item['signature']}: {item.get('asm', '')} {item.get('inputs', '')} {item.get('about', '')}")
    write(summary, details, arguments.keep)
    ran = [row for row in summary if row["skipped"] is None]
    print(f"{len(ran)} ran, {len(summary) - len(ran)} skipped, {counted(sum(r['defects'] for r in ran), 'defect')}, "
          f"{sum(r['unexplained'] for r in ran)} unexplained; {OUT / 'summary.json'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())

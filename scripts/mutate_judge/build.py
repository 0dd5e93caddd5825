"""Makes the tree with all mutants, and compiles it."""

import filecmp
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path

import schemata
from constants import Constants

ROOT = Path(__file__).resolve().parent.parent.parent
SCRATCH = ROOT / "target" / "mutate"
TREE = SCRATCH / "tree"
HERE = Path(__file__).resolve().parent
# What the compiler refuses without being asked, and a mutant may hold.
# The mutants that did not compile, by number, and what they were found in.
VIABLE = SCRATCH / "viable.json"
LINTS = b"#![allow(arithmetic_overflow, unconditional_panic, overflowing_literals, unconditional_recursion, warnings)]\n"


def cargo(*arguments, **options):
    environment = {**os.environ, "CARGO_TARGET_DIR": str(SCRATCH / "target")}
    environment.pop("CARGO_INCREMENTAL", None)
    return subprocess.run(["cargo", *arguments], cwd=TREE, env=environment, capture_output=True, text=True, check=False, **options)


def put(path, content):
    """Writes a file of the tree, if it differs: cargo compiles what is newer."""
    if not path.is_file() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def tracked(*folders):
    listed = subprocess.run(["git", "ls-files", "-z", "--", *folders], cwd=ROOT, check=True, capture_output=True).stdout
    return [name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


def sync(written):
    """Copies the tracked files into the tree, but for those that are `written` otherwise. What is tracked no more goes."""
    names = set(tracked())
    for old in (path for path in TREE.rglob("*.rs") if path.is_file()):
        if str(old.relative_to(TREE)) not in names | written:
            old.unlink()
    for name in names - written:
        source, copy = ROOT / name, TREE / name
        if not (copy.is_file() and filecmp.cmp(source, copy, shallow=False)):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            copy.chmod(source.stat().st_mode)


def list_mutants(files):
    """The mutants of some files, as cargo-mutants lists them in the sources as they are."""
    selected = [argument for file in files for argument in ("-f", file)]
    command = ["cargo", "mutants", "--list", "--json", *selected]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        sys.exit(f"cargo-mutants lists no mutants: {listed.stderr}")
    by_file = defaultdict(list)
    for mutant in json.loads(listed.stdout):
        by_file[mutant["file"]].append(mutant)
    return by_file


class Tree:
    """The tree with the mutants of some files. The numbers of mutants begin at 2."""

    def __init__(self, files, folders, crates):
        self.mutants = {}
        self.files = {}
        # The folders of the crates by file.
        self.folders = folders
        # The names of the crates by folder.
        self.crates = crates
        number = 2
        for file, mutants in files.items():
            numbered = list(enumerate(mutants, number))
            number += len(mutants)
            self.mutants.update(numbered)
            self.files[file] = schemata.File(file, (ROOT / file).read_bytes(), numbered)
        self.mutated = set(self.files)
        self.add_constants()
        self.unviable = {number for file in self.files.values() for number in file.impossible}
        self.inexpressible = {number for file in self.files.values() for number in file.inexpressible}
        self.texts = {}

    def add_constants(self):
        """Gives constants their twins. These are used in all files of a crate."""
        for folder in set(self.folders.values()):
            inside = [name for name in tracked(f"{folder}/src") if name.endswith(".rs")]
            for name in set(inside) - set(self.files):
                self.files[name] = schemata.File(name, (ROOT / name).read_bytes(), [])
            files = [self.files[name] for name in inside]
            mutated = {key for file in files for key in file.mutated_constants()}
            crate = self.crates[folder].replace("-", "_")
            others = {name: (ROOT / name).read_text() for name in tracked() if name.endswith(".rs") and name not in inside}
            elsewhere = "\n".join(text for name, text in others.items() if crate in text or name.startswith(f"{folder}/"))
            constants = Constants({file.path: file.tree for file in files}, mutated, elsewhere)
            for file in files:
                file.settle(constants)

    def write(self):
        crates = set(self.folders.values())
        heads = {f"{folder}/src/lib.rs" for folder in crates}
        switches = {f"{folder}/src/mutant.rs" for folder in crates}
        sync(heads | switches | set(self.files))
        for switch in switches:
            put(TREE / switch, (HERE / "mutant.rs").read_bytes())
        for file, schema in self.files.items():
            text = schema.write(self.unviable | self.inexpressible)
            self.texts[file] = schemata.Text(LINTS).add(text).add(b"\nmod mutant;\n") if file in heads else text
            put(TREE / file, self.texts[file].code)

    @contextmanager
    def alone(self, number):
        """The tree with a mutant that no switch expresses, active for good. Afterwards it is as it was, in cargo's eyes, too."""
        file = next(file for file in self.files.values() if number in file.nodes)
        path = TREE / file.path
        before, code = path.stat(), path.read_bytes()
        path.write_bytes(file.write(self.unviable | self.inexpressible, number).code)
        try:
            yield
        finally:
            path.write_bytes(code)
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    def refused(self, message):
        """The mutants that an error of the compiler is about."""
        spans = list(spans_of(message))
        primary = [span for span in spans if span["is_primary"]]
        for chosen, kind in ((primary, "branches"), (spans, "branches"), (primary, "places")):
            found, least = set(), None
            for span in chosen:
                text = self.texts.get(span["file_name"])
                for begin, end, mutants in getattr(text, kind, ()):
                    if begin <= span["byte_start"] and span["byte_end"] <= end:
                        if kind == "branches":
                            found.update(mutants)
                        elif least is None or end - begin < least:
                            found, least = set(mutants), end - begin
            if found:
                return found
        return set()

    def digest(self):
        """Of all that decides whether a mutant can be compiled."""
        digest = hashlib.sha256(repr([(number, mutant["name"]) for number, mutant in self.mutants.items()]).encode())
        for name in tracked():
            if name.endswith((".rs", ".toml", ".lock")):
                digest.update(name.encode() + (ROOT / name).read_bytes())
        for script in ("schemata.py", "constants.py", "mutant.rs"):
            digest.update((HERE / script).read_bytes())
        return digest.hexdigest()

    def make_viable(self, packages):
        """Leaves out the mutants that do not compile, until the rest does. On the same sources these are known, and the tree stays
        as it is."""
        known = json.loads(VIABLE.read_text()) if VIABLE.exists() else {}
        if known.get("of") == self.digest():
            self.unviable, self.inexpressible = set(known["unviable"]), set(known["inexpressible"])
        selected = [argument for package in packages for argument in ("-p", package)]
        while True:
            self.write()
            done = cargo("check", "--locked", "--lib", "--keep-going", "--message-format=json", *selected)
            messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            errors = [m["message"] for m in messages if m["reason"] == "compiler-message" and m["message"]["level"] == "error"]
            refused = {number: message["message"] for message in errors for number in self.refused(message)}
            if done.returncode == 0:
                known = {"of": self.digest(), "unviable": sorted(self.unviable), "inexpressible": sorted(self.inexpressible)}
                VIABLE.write_text(json.dumps(known))
                return
            if not refused:
                sys.exit("".join(message["rendered"] for message in errors) or done.stderr)
            # A value of another type may do where it stands, though not beside the one that was there, and a match may do without
            # one arm, though not without all.
            apart = {number for number, text in refused.items() if re.search("incompatible types|non-exhaustive", text)}
            self.inexpressible |= apart
            self.unviable |= refused.keys() - apart
            print(f"{len(refused) - len(apart)} mutants do not compile", flush=True)


def spans_of(message):
    """The places of an error in the sources, and those of the macros in which it lies. Notes and advice name others."""
    for span in message["spans"]:
        while span is not None:
            yield span
            span = span["expansion"] and span["expansion"]["span"]


def programs(packages, *options):
    """Compiles the tests of some packages. By (folder of the crate, `lib` or the name of the target): the path of the program, and
    the folder to run in. Nothing, and the errors, if they cannot be compiled."""
    selected = [argument for package in packages for argument in ("-p", package)]
    built = cargo("test", "--locked", "--no-run", "--message-format=json", *selected, *options)
    messages = [json.loads(line) for line in built.stdout.splitlines()]
    if built.returncode != 0:
        return None, "".join(m["message"]["rendered"] for m in messages if m["reason"] == "compiler-message") + built.stderr
    found = {}
    for message in messages:
        if message["reason"] == "compiler-artifact" and message["executable"] and message["profile"]["test"]:
            folder = Path(message["manifest_path"]).parent
            kind = "lib" if "lib" in message["target"]["kind"] else message["target"]["name"]
            found[str(folder.relative_to(TREE)), kind] = message["executable"], folder
    return found, ""

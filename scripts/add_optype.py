#!/usr/bin/env python3
"""Adds an optype to a copy of the repository, by the excerpts of docs/internals/adding-an-instruction.md, and asks which files changed.

The new optype computes what the page's example does, under a name of its own and without a reading. The committed facts of the
documents get it too, as if a document had it. What a program writes anew does not count: the facts, snapshots, the pages of the
manual. Every other changed file must be a place of the page.

Usage: add_optype.py add COPY | add_optype.py check COPY
"""

import json
import re
import subprocess
import sys
from pathlib import Path

PAGE = "docs/internals/adding-an-instruction.md"
OLD, NEW = "UIABS", "UITWIN"
# Function names of the excerpts, which two definitions in one file cannot share.
RENAMED = {OLD: NEW, OLD.lower(): NEW.lower(), "absolute": "twin"}
FACTS = "harness/lab/documents/fixture/facts.json"
NUMBERS = "harness/isa/src/numbers.toml"
VECTORS = f"vectors/data/{OLD.lower()}.yaml"
WRITTEN = re.compile(rf"^({re.escape(FACTS)}|docs/(instructions|reference)/.*|.*/snapshots/.*\.snap)$")
# The example has a reading. A new optype has none, until an erratum touches it: the lines of its second setting go.
WITHOUT_READING = [
    (re.compile(r"^.*Reads\(E129, 2\).*\n", re.M), ""),
    (re.compile(r"    let magnitude = (.*);\n.*Reading::E129.*\n"), r"    let _ = k;\n    \1\n"),
    (re.compile(r"if question\.reads\(Reading::E129, 2\) \{.*?\} else \{ (.*?) \}"), r"\1"),
    (re.compile(r"^\[E129=2\].*\n", re.M), ""),
    (re.compile(r"^\[E129=1\] ", re.M), ""),
    (re.compile(r" \(E129\)"), ""),
]


def excerpts(page):
    """Each excerpt of the places: its file and its text."""
    places = page[page.index("## 1. ") : page.index("## 10. ")]
    path = None
    for text, fence in re.findall(r"(.*?)^```\w+\n(.*?)^```$", places, re.M | re.S):
        paths = re.findall(r"`([\w./-]+\.(?:rs|toml|yaml))`", text)
        path = paths[-1] if paths else path
        yield path, fence


def renamed(text):
    for pattern, by in WITHOUT_READING:
        text = pattern.sub(by, text)
    return re.sub(r"\b(" + "|".join(RENAMED) + r")\b", lambda word: RENAMED[word[0]], text)


def insert(copy, path, excerpt):
    """Puts the new optype's excerpt behind that of the example."""
    file = copy / path
    text = file.read_text()
    lines = excerpt.rstrip("\n").split("\n")
    found = re.search(r"\n".join(r"[ ]*" + re.escape(line) for line in lines) + r"\n", text)
    if found is None:
        sys.exit(f"{path} does not have the excerpt that begins with `{lines[0]}`")
    indent = re.match(" *", found[0])[0]
    new = "".join(indent + line + "\n" if line else "\n" for line in renamed(excerpt).rstrip("\n").split("\n"))
    blank = "\n" if len(lines) > 2 else ""
    file.write_text(text[: found.end()] + blank + new + text[found.end() :])


def add_code(copy):
    """The next free code, as the page says."""
    file = copy / NUMBERS
    text = file.read_text()
    start = text.rindex("[", 0, text.index(f"\n{OLD} = "))
    end = text.find("\n\n", start)
    end = end if end > 0 else len(text.rstrip())
    free = 1 + max(int(code, 0) for code in re.findall(r"^\w+ = (\w+)$", text[start:end], re.M))
    file.write_text(f"{text[:end]}\n{NEW} = {free:#04x}{text[end:]}")


def add_facts(copy):
    """What reading a document with the optype would write."""
    file = copy / FACTS
    lines = []
    for line in file.read_text().splitlines():
        lines.append(line)
        if f'"name":"{OLD}"' in line or f'"parent":"{OLD}"' in line:
            lines.append(line.replace(OLD, NEW))
    # The twin's lines follow each other, as the form's do.
    mine = [line for line in lines if NEW in line]
    rest = [line for line in lines if NEW not in line]
    behind = max(place for place, line in enumerate(rest) if f'"parent":"{OLD}"' in line) + 1
    text = "\n".join(rest[:behind] + mine + rest[behind:]) + "\n"
    json.loads(text)
    file.write_text(text)


def add(copy):
    page = (copy / PAGE).read_text()
    for path, excerpt in excerpts(page):
        if path == NUMBERS:
            add_code(copy)
        elif path == VECTORS:
            # The excerpt is one case of many.
            new = renamed((copy / VECTORS).read_text())
            (copy / "vectors/data" / f"{NEW.lower()}.yaml").write_text(new)
        else:
            insert(copy, path, excerpt)
    add_facts(copy)


def check(copy):
    """Says which files changed. More than the places of the page is a failure."""
    places = {path.replace(OLD.lower(), NEW.lower()) for path, _ in excerpts((copy / PAGE).read_text())}
    status = subprocess.run(["git", "-C", copy, "status", "--porcelain", "-uall"], check=True, capture_output=True, text=True)
    changed = {line[3:] for line in status.stdout.splitlines()}
    by_hand = {path for path in changed if not WRITTEN.match(path)}
    print(f"{len(by_hand)} files changed by hand, {len(changed - by_hand)} written by a program")
    others = sorted(by_hand - places)
    if others:
        sys.exit("changed, and no place of the page: " + ", ".join(others))
    if places - by_hand:
        sys.exit("a place of the page, and not changed: " + ", ".join(sorted(places - by_hand)))


if __name__ == "__main__":
    commands = {"add": add, "check": check}
    if len(sys.argv) != 3 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    commands[sys.argv[1]](Path(sys.argv[2]))

#!/usr/bin/env python3
"""Writes a page for each implementation, and the table of docs/third-party.md, from the last run of run.py."""

import json
import sys
import textwrap

import run

PAGES = run.HERE / "pages"
TABLE = run.ROOT / "docs" / "third-party.md"


def wrapped(text, indent=""):
    return textwrap.fill(text, 100, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def case(known):
    inputs = ", ".join(f"{place} = {value}" for place, value in known["inputs"].items())
    actual, expect = (next(iter(known[key].values())) for key in ("actual", "expect"))
    return [f"* Smallest case: `{known['asm']}` with {inputs}.",
            f"* Result: `{actual}`. MPFR: `{expect}`.",
            wrapped(f"* Also with the right result: {', '.join(known['witnesses'])}.", "  "),
            wrapped(f"* What states it: {known['document']}.".replace("..", "."), "  ")]




def accuracy(measured):
    """A table of the errors that the run measured, in units of the last place."""
    lines = []
    for function, figures in sorted(measured.items()):
        if figures.get("measured"):
            least, greatest = (figures[end]["error"] / 2**32 for end in ("least", "greatest"))
            share = 100 * figures["correctly_rounded"] / figures["measured"]
            lines.append(f"| {function} | {figures['measured']:,} | {least:.9g} | {greatest:.9g} | {share:.3f} |")
    head = ["## Errors", "", "In ulp, over all finite results.", "",
            "| function | inputs | least | greatest | correctly rounded, % |", "|---|---|---|---|---|"]
    return [*head, *lines, ""] if lines else []


def page(entry, row, details):
    known = run.known_of(entry["name"])
    lines = [f"# {entry['name']}", "", wrapped(f"{entry['origin']}, version {entry['version']}, licence {entry['licence']}."), "",
             wrapped(f"Judged: {entry['about']}."), ""]
    if entry["kind"] == "processor":
        facts = dict(line.split(":", 1) for line in open("/proc/cpuinfo") if ":" in line)
        family, model = (next(v.strip() for k, v in facts.items() if k.strip() == name) for name in ("cpu family", "model"))
        vendor = next(v.strip() for k, v in facts.items() if k.strip() == "vendor_id")
        lines += [f"The processor of this run: {vendor}, family {family}, model {model}.", ""]
    if row["skipped"]:
        return [*lines, wrapped(f"Skipped: {row['skipped']}."), ""]
    lines += [wrapped(f"{row['cases']:,} cases, under the profile [{entry['profile']}](../profiles/{entry['profile']}.yaml). "
                      f"Every divergence is of a defect or a convention below." if known else
                      f"{row['cases']:,} cases, under the profile [{entry['profile']}](../profiles/{entry['profile']}.yaml). "
                      "No divergence."), ""]
    for defect in (k for k in known if k["class"] == "defect"):
        lines += [f"## {defect['id']}", "", wrapped(f"What is wrong: {defect['about']}."), "", *case(defect)]
        lines += [f"* A program that shows it: [{defect['draft']}](../drafts/{defect['draft']})."]
        if source := defect.get("tracker") or run_known(defect).get("tracker"):
            how = "known before the campaign" if "known" in defect else "found in the tracker of a relative after the campaign"
            lines += [f"* {how[0].upper() + how[1:]}: <{source}>."]
        lines.append("")
    missed = [k for k in run.load("known.toml", "known") if k["implementation"] == entry["name"] and "why" in k]
    if missed:
        lines += ["## Known, and not found", ""]
        lines += [wrapped(f"* {k['about']} ({k['tracker']}): {k['why']}.", "  ") for k in missed] + [""]
    conventions = [(k["about"], k["document"]) for k in known if k["class"] == "convention"]
    conventions += [(text, "") for text in entry.get("conventions", [])]
    if conventions:
        lines += ["## Conventions", "", *(wrapped(f"* {a}{': ' + b if b else ''}.", "  ") for a, b in conventions), ""]
    return lines + accuracy(details.get("accuracy", {}))


def run_known(defect):
    return next((k for k in run.load("known.toml", "known") if k["id"] == defect.get("known")), {})


def main():
    summary = json.loads((run.OUT / "summary.json").read_text())
    details = json.loads((run.OUT / "details.json").read_text())
    if {row["name"] for row in summary} != set(run.MANIFEST):
        sys.exit("the last run was of a part of the collection: run run.py without names first")
    PAGES.mkdir(exist_ok=True)
    table = ["| implementation | version | kind | cases | defects | conventions |", "|---|---|---|---|---|---|"]
    for row in summary:
        entry = run.MANIFEST[row["name"]]
        (PAGES / f"{row['name']}.md").write_text("\n".join(page(entry, row, details.get(row["name"], {}))).rstrip() + "\n")
        cases = "skipped" if row["skipped"] else f"{row['cases']:,}"
        link = f"[{row['name']}](../harness/lab/third-party/pages/{row['name']}.md)"
        table.append(f"| {link} | {row['version']} | {row['kind']} | {cases} | {row['defects']} | {row['conventions']} |")
    begin, end = "<!-- collection -->\n", "<!-- /collection -->"
    text = TABLE.read_text()
    head, rest = text.split(begin)
    TABLE.write_text(head + begin + "\n".join(table) + "\n" + end + rest.split(end)[1])


if __name__ == "__main__":
    main()

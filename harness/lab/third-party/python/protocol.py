"""The protocol of a device under test, for implementations that Python calls: docs/device-under-test.md."""

import json
import re
import sys

SIGN, INF, NAN = 0x80000000, 0x7F800000, 0x7FFFFFFF
OPERAND = re.compile(r"^(-?)([~!]?)(\|?)(U?[RP](?:\d+|[ZT]))\|?$")


def is_nan(bits):
    return bits & ~SIGN > INF


class Operand:
    """Where the value of an operand comes from, and its prefixes. Only registers and predicates are supported."""

    def __init__(self, text):
        self.negated, self.inverted, self.absolute, self.name = OPERAND.match(text).groups()

    def column(self, inputs, lanes):
        """Its values, prefixes applied."""
        values = inputs.get(self.name, [int(self.name.endswith("T"))] * lanes)
        if self.name.lstrip("U").startswith("P"):
            return [int(bool(v) != bool(self.inverted)) for v in values]
        if self.absolute:
            values = [v & ~SIGN for v in values]
        if self.inverted:
            values = [v ^ 0xFFFFFFFF for v in values]
        return [v ^ SIGN for v in values] if self.negated else values


def serve(name, version, modes, compute):
    """Answers batches until the input ends.

    `compute(optype, modifiers, columns)` takes the values of the sources and returns those of the destination. A NaN
    is written as 0x7FFFFFFF, whatever its pattern.
    """

    def say(message):
        sys.stdout.write(json.dumps(message, separators=(",", ":")) + "\n")
        sys.stdout.flush()

    sys.stdin.readline()
    say({"protocol": 2, "name": name, "version": version, "modes": modes, "framing": "json"})
    for line in sys.stdin:
        batch = json.loads(line)
        inputs, lanes = batch["inputs"], batch["lanes"]
        text = batch["asm"].split("$")[0].split(None, 1)
        guard = None
        if text[0].startswith("@"):
            guard = Operand(text[0][1:]).column(inputs, lanes)
            text = text[1].split(None, 1)
        optype, *modifiers = text[0].split(".")
        target, *sources = [part.strip() for part in text[1].split(",")]
        columns = [Operand(source).column(inputs, lanes) for source in sources]
        results = list(compute(optype, modifiers, columns)) if lanes else []
        if optype.startswith(("F", "M")):
            results = [NAN if is_nan(r) else r for r in results]
        if guard is not None:
            results = [r if g else None for r, g in zip(results, guard)]
        say({"id": batch["id"], "writes": {} if target in ("RZ", "URZ") else {target: results}})

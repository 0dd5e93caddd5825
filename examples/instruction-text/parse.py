"""Splits the text of instructions into its parts: docs/instruction-text.md.

Reads instructions, one in a line, and writes for each: guard, optype, modifiers and operands,
separated by tabs.
"""
import re
import sys


def parse(text):
    """Returns guard, optype, modifiers and operands. The guard is empty if the text has none."""
    text = text.split(" $")[0]  # The scheduling field changes no result.
    guard, name, rest = re.fullmatch(r"(?:@(\S+) )?(\S+) ?(.*)", text).groups("")
    optype, *modifiers = name.split(".")
    return guard, optype, modifiers, [operand(one) for one in rest.split(", ") if one]


def operand(text):
    """Returns prefixes, locations and the selected half or byte. A literal is a number."""
    sign, bar, name, select = re.fullmatch(r"([-~!]?)(\|?)(.+?)\|?(?:\.([HB]\d))?", text).groups("")
    return sign + bar, locations(name), select


def locations(name):
    """Returns the locations of an operand, named as in the inputs of a case."""
    if name in ("RZ", "URZ", "SRZ", "PT", "UPT"):
        return []
    if name == "UPR":
        return [f"UP{number}" for number in range(7)]
    if name.startswith(("0x", "0f")):
        return int(name[2:], 16)
    if several := re.fullmatch(r"(U?R)\[(\d+):(\d+)\]", name):
        return [f"{several[1]}{number}" for number in range(int(several[2]), int(several[3]) + 1)]
    if constant := re.fullmatch(r"c\[(0x\w+)\]\[(0x\w+)\]", name):
        return [f"c[{int(constant[1], 16)}][{constant[2]}]"]
    return [name]


def main():
    for line in sys.stdin:
        guard, optype, modifiers, operands = parse(line.rstrip("\n"))
        fields = [guard, optype, ".".join(modifiers)]
        for prefixes, where, select in operands:
            where = f"{where:#x}" if isinstance(where, int) else "+".join(where)
            fields.append(prefixes + where + (f".{select}" if select else ""))
        print("\t".join(fields))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A device under test in Python, with nothing but the standard library.

It speaks the protocol of assay in JSON lines: see docs/device-under-test.md. Sums and products are computed with
integers of any size, which are exact, and rounded once at the end. --bug NAME plants a mistake that real units have had.
"""

import argparse
import json
import re
import sys

BUGS = {
    "sticky": "FFMA forgets what it shifted out of the product's low end",
    "ftz-output": "FADD.FTZ keeps a subnormal result",
    "negative-zero": "x - x is -0 when rounding toward zero",
    "crash": "FMUL ends the process at -Inf times zero",
    "hang": "POPC never comes back from 0xffffffff",
}

NAN, INF, ONE = 0x7FFFFFFF, 0x7F800000, 0x3F800000
SIGN = 0x80000000


# --- Operands ---------------------------------------------------------------------------------------------------------

OPERAND = re.compile(r"^(?P<neg>-?)(?P<not>[~!]?)(?P<abs>\|?)(?P<name>[^|]+)\|?$")
PLACE = re.compile(r"^(R\d+|UR\d+|P\d+|UP\d+|c\[0x[0-9a-f]+\]\[0x[0-9a-f]+\])$")


class Operand:
    """Where the value of an operand comes from, and its prefixes."""

    def __init__(self, text, word):
        parts = OPERAND.match(text)
        self.negated, self.absolute = bool(parts["neg"]), bool(parts["abs"])
        self.inverted = bool(parts["not"])
        name = parts["name"]
        self.place, self.constant = None, 0
        if PLACE.match(name):
            bank = re.match(r"c\[(0x[0-9a-f]+)\]\[(0x[0-9a-f]+)\]", name)
            # The text says c[0x0][0x160], a location is c[0][0x160].
            self.place = f"c[{int(bank[1], 16)}][{int(bank[2], 16):#x}]" if bank else name
        elif name in ("PT", "UPT"):
            self.constant = 1
        elif name not in ("RZ", "URZ"):
            # An immediate. The word has its bits, whatever way it is written.
            self.constant = word >> 32 & 0xFFFFFFFF
            self.negated = self.absolute = self.inverted = False

    def bits(self, inputs, lane):
        return self.constant if self.place is None else inputs[self.place][lane]

    def float(self, inputs, lane):
        bits = self.bits(inputs, lane)
        if self.absolute:
            bits &= ~SIGN
        return bits ^ SIGN if self.negated else bits

    def integer(self, inputs, lane):
        bits = self.bits(inputs, lane)
        return bits ^ 0xFFFFFFFF if self.inverted else bits

    def predicate(self, inputs, lane):
        return bool(self.bits(inputs, lane)) != self.inverted


class Instruction:
    """An instruction, read from its text."""

    def __init__(self, text, word):
        words = text.split("$")[0].split(None, 1)
        self.guard = None
        if words[0].startswith("@"):
            self.guard = Operand(words[0][1:], word)
            words = words[1].split(None, 1)
        self.optype, *modifiers = words[0].split(".")
        self.modifiers = set(modifiers)
        operands = words[1].split(",") if len(words) > 1 else [""]
        self.target, *sources = [operand.strip() for operand in operands]
        self.sources = [Operand(source, word) for source in sources]
        self.rounding = next((mode for mode in ("RM", "RP", "RZ") if mode in self.modifiers), "RN")


# --- Floats -----------------------------------------------------------------------------------------------------------


def is_nan(bits):
    return bits & ~SIGN > INF


def is_inf(bits):
    return bits & ~SIGN == INF


def flush(bits):
    """A subnormal becomes the zero of its sign."""
    return bits & SIGN if bits & INF == 0 else bits


def value(bits):
    """The number that the bits of a finite float stand for: an integer, and the power of two that it counts."""
    exponent, fraction = bits >> 23 & 0xFF, bits & 0x7FFFFF
    magnitude = fraction | (1 << 23 if exponent else 0)
    return (-magnitude if bits & SIGN else magnitude), max(exponent, 1) - 150


def multiple(exact, shift, is_negative, rounding):
    """The integer that exact / 2**shift is rounded to; exact is the magnitude of a number with a sign."""
    if shift <= 0:
        return exact << -shift
    result, rest, half = exact >> shift, exact & (1 << shift) - 1, 1 << shift - 1
    if rounding == "RN":
        return result + (rest > half or rest == half and result & 1)
    return result + (rounding == ("RM" if is_negative else "RP") and rest > 0)


def rounded(exact, power, rounding):
    """The float that exact * 2**power is rounded to; exact is not 0."""
    sign, exact = (SIGN, -exact) if exact < 0 else (0, exact)
    unit = max(power + exact.bit_length() - 1, -126) - 23
    significand = multiple(exact, unit - power, sign, rounding)
    # A carry out of the significand goes into the exponent by itself.
    bits = significand if unit == -149 else (unit + 149 << 23) + significand
    if bits >= INF:
        to_inf = rounding == "RN" or rounding == ("RM" if sign else "RP")
        bits = INF if to_inf else INF - 1
    return sign | bits


def is_tiny(exact, power, rounding):
    """Whether exact * 2**power, rounded to 24 bits with no least exponent, is below 2**-126; exact is not 0."""
    top = power + abs(exact).bit_length() - 1
    return top < -127 or top == -127 and multiple(abs(exact), top - 23 - power, exact < 0, rounding) < 1 << 24


def fused(a, b, c, instruction, device):
    """a * b + c, rounded once."""
    modifiers, rounding, bug, tiny = instruction.modifiers, instruction.rounding, device.bug, False
    if "FTZ" in modifiers:
        a, b, c = flush(a), flush(b), flush(c)
    product_sign = (a ^ b) & SIGN
    if any(map(is_nan, (a, b, c))):
        result = NAN
    elif is_inf(a) or is_inf(b):
        against = is_inf(c) and (c ^ product_sign) & SIGN
        zero = not (a & ~SIGN and b & ~SIGN)
        if zero and bug == "crash" and instruction.optype == "FMUL" and a == SIGN | INF:
            sys.exit("assertion failed: is_finite(product)")
        result = NAN if zero or against else product_sign | INF
    elif is_inf(c):
        result = c
    else:
        (a, a_power), (b, b_power), (addend, power) = value(a), value(b), value(c)
        product, product_power = a * b, a_power + b_power
        if bug == "sticky" and instruction.optype == "FFMA":
            product = shortened(product)
        low = min(product_power, power)
        exact = (product << product_power - low) + (addend << power - low)
        if exact:
            result = rounded(exact, low, rounding)
            # The documents flush a result that is subnormal, hardware one that is tiny (assay errata show E173).
            tiny = device.readings.get("E173") == 2 and is_tiny(exact, low, rounding)
        else:
            both_negative = product_sign and c & SIGN
            different = bool(product_sign) != bool(c & SIGN)
            negative = both_negative or different and rounding == ("RZ" if bug == "negative-zero" else "RM")
            result = SIGN if negative else 0
    return finished(result, modifiers, tiny, bug == "ftz-output" and instruction.optype == "FADD")


def shortened(product):
    """The leading 28 bits of a product of 48: the mistake of a datapath that has no sticky bit."""
    surplus = max(product.bit_length() - 28, 0)
    shortened = abs(product) >> surplus << surplus
    return -shortened if product < 0 else shortened


def finished(bits, modifiers, tiny, keeps_subnormals):
    if "SAT" in modifiers:
        if is_nan(bits) or bits & SIGN:
            bits = 0
        bits = min(bits, ONE)
    if "FTZ" not in modifiers or keeps_subnormals:
        return bits
    return bits & SIGN if tiny else flush(bits)


# --- Instructions -----------------------------------------------------------------------------------------------------


def fadd(instruction, inputs, lane, device):
    a, b = (source.float(inputs, lane) for source in instruction.sources)
    return fused(a, ONE, b, instruction, device)


def fmul(instruction, inputs, lane, device):
    a, b = (source.float(inputs, lane) for source in instruction.sources)
    # Adding the zero of the product's sign changes nothing, whichever way it is rounded.
    return fused(a, b, (a ^ b) & SIGN, instruction, device)


def ffma(instruction, inputs, lane, device):
    a, b, c = (source.float(inputs, lane) for source in instruction.sources)
    return fused(a, b, c, instruction, device)


def popc(instruction, inputs, lane, device):
    bits = instruction.sources[0].integer(inputs, lane)
    while device.bug == "hang" and bits == 0xFFFFFFFF:
        pass
    return bin(bits).count("1")


def brev(instruction, inputs, lane, device):
    bits = instruction.sources[0].integer(inputs, lane)
    # The documents can be read in two ways (assay errata show E056); the host says which one counts.
    return bits ^ 0xFFFFFFFF if device.readings.get("E056") == 1 else int(f"{bits:032b}"[::-1], 2)


# What this device supports. It has no FMUL with a scale; the last pattern that matches decides.
MODES = ["FADD", "FMUL", "!FMUL*.[DM][248]*", "FFMA", "POPC", "UPOPC", "BREV", "UBREV"]
OPTYPES = {"FADD": fadd, "FMUL": fmul, "FFMA": ffma, "POPC": popc, "UPOPC": popc, "BREV": brev, "UBREV": brev}


class Device:
    def __init__(self, hello, bug):
        self.readings, self.bug = hello["readings"], bug

    def execute(self, batch):
        """The answer to a batch, but for its number."""
        instruction = Instruction(batch["asm"], int(batch["word"], 16))
        operation = OPTYPES[instruction.optype]
        inputs, lanes, guard = batch["inputs"], range(batch["lanes"]), instruction.guard
        column = [
            operation(instruction, inputs, lane, self) if guard is None or guard.predicate(inputs, lane) else None
            for lane in lanes
        ]
        # RZ and URZ hold nothing, so nothing is written there.
        is_zero = instruction.target in ("RZ", "URZ")
        return {"writes": {} if is_zero else {instruction.target: column}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bug", choices=BUGS, help="; ".join(f"{name}: {what}" for name, what in BUGS.items()))
    bug = parser.parse_args().bug

    def say(message):
        sys.stdout.write(json.dumps(message, separators=(",", ":")) + "\n")
        sys.stdout.flush()

    hello = json.loads(sys.stdin.readline())
    if 2 not in hello.get("protocols", []):
        sys.exit("the host does not speak version 2 of the protocol, and this device speaks no other")
    device = Device(hello, bug)
    say({
        "protocol": 2, "name": "python-example", "version": "1.0", "modes": MODES,
        "profile": hello["profile"], "ftz": "modifier", "framing": "json",
    })
    for line in sys.stdin:
        batch = json.loads(line)
        say({"id": batch["id"], **device.execute(batch)})


if __name__ == "__main__":
    main()

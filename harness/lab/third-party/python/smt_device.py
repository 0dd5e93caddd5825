"""An SMT solver's theory of floats and of bit vectors, on constants.

The first argument names the solver: z3, whose `simplify` prints a term's value, or cvc5, whose `get-value` does.
fp.min and fp.max are left out: of two zeros SMT-LIB leaves the result open, and Z3 leaves the term as it is.
"""

import re
import subprocess
import sys

import protocol

WHICH = sys.argv[1]
COMMAND = {"z3": ["z3", "-in"], "cvc5": ["cvc5", "--incremental", "--lang=smt2", "--fp-exp", "--dag-thresh=0", "-q"]}[WHICH]
MODES = ["FADD_RR", "FMUL_RR", "!FMUL*.[DM][248]*", "FFMA_RRR", "!F*.SAT*", "!F*.FTZ*", "MUFU_R.SQRT.F32"]
ROUNDING = {"RM": "RTN", "RP": "RTP", "RZ": "RTZ"}
VALUE = re.compile(r"\(fp (#\S+) (#\S+) (#[^)\s]+)\)|\(_ ([+-]zero|[+-]oo|NaN) 8 24\)")
PART = 200
SPECIAL = {"+zero": 0, "-zero": 0x80000000, "+oo": 0x7F800000, "-oo": 0xFF800000, "NaN": protocol.NAN}

solver = subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def send(text):
    solver.stdin.write(text)
    solver.stdin.flush()


def constant(bits):
    return f"(fp #b{bits >> 31:01b} #b{bits >> 23 & 255:08b} #b{bits & 0x7FFFFF:023b})"


def number(text):
    return int(text[2:], 16 if text[1] == "x" else 2)


def value(parts):
    if parts[3]:
        return SPECIAL[parts[3]]
    return number(parts[0]) << 31 | number(parts[1]) << 23 | number(parts[2])


def values(terms):
    """The values of ground terms, each a float."""
    if WHICH == "z3":
        send("".join(f"(simplify {term})\n" for term in terms) + '(echo "end")\n')
    else:
        send(f"(check-sat)\n(get-value ({' '.join(terms)}))\n(echo \"end\")\n")
    lines = []
    while (line := solver.stdout.readline()).strip().strip('"') != "end":
        if not line:
            sys.exit(f"{WHICH} ended after: {lines[-3:]}")
        lines.append(line)
    text = "".join(lines)
    if "(error" in text:
        sys.exit(text[:300])
    # `get-value` of cvc5 repeats each term before its value: the value is the last float of its pair.
    return [value(parts) for parts in VALUE.findall(text)]


def compute(optype, modifiers, columns):
    rounding = next((ROUNDING[m] for m in modifiers if m in ROUNDING), "RNE")
    rows = list(zip(*columns))
    name = {"FADD": "add", "FMUL": "mul", "FFMA": "fma", "MUFU": "sqrt"}[optype]
    terms = [f"(fp.{name} {rounding} {' '.join(map(constant, row))})" for row in rows]
    # In parts: a solver that waits for its answers to be read does not read on.
    found = [value for start in range(0, len(terms), PART) for value in values(terms[start : start + PART])]
    if WHICH == "z3":
        return found
    width = len(VALUE.findall(terms[0])) + 1
    return found[width - 1 :: width]


if WHICH == "cvc5":
    send("(set-logic QF_FP)\n(set-option :produce-models true)\n")
version = subprocess.run([WHICH, "--version"], stdout=subprocess.PIPE, text=True).stdout.split()
protocol.serve(WHICH, next(word for word in version if word[0].isdigit()), MODES, compute)

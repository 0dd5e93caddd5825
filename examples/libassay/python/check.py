"""Holds functions written in Python against the truth: python3 check.py PATH/libassay.so

A population count that is right, a float adder that is right, and one that forgets to round to even.
"""

import struct
import sys

import assay


def popcount(value):
    return bin(value).count("1")


def number(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def bits(value):
    return struct.unpack("<I", struct.pack("<f", value))[0]


def add(a, b):
    """Python adds in binary64; for these operands the rounding to binary32 that follows is the only one."""
    return bits(number(a) + number(b))


def add_truncated(a, b):
    """The same, but a tie is rounded toward zero."""
    exact, rounded = number(a) + number(b), add(a, b)
    return rounded - 1 if abs(number(rounded)) > abs(exact) else rounded


def held(library, instruction, device, columns):
    """Judges a device on columns of operands and prints the verdicts. Returns the number of divergences."""
    with assay.Session(library, instruction) as session:
        results = [[device(*operands) for operands in zip(*columns)]]
        verdicts = session.judge(columns, results)
        wrong = [lane for lane, (code, _, _) in enumerate(verdicts) if code == assay.DIVERGED]
        print(f"{instruction}: {session.inputs} -> {session.outputs}, {len(verdicts)} cases, {len(wrong)} diverged")
        for lane in wrong[:2]:
            state, low, high = session.truth(columns)[0][lane]
            operands = " ".join(f"{column[lane]:#010x}" for column in columns)
            print(f"  {operands}: {results[0][lane]:#010x}, {verdicts[lane][2]}; the truth {low:#010x}..{high:#010x}")
        assert session.execute(columns) == [[low for _, low, _ in session.truth(columns)[0]]], "model and oracle"
        return len(wrong)


def refused(call):
    """Calls a function that must be refused, and prints why."""
    try:
        call()
    except assay.Refused as refusal:
        print(f"refused: {refusal}")
    else:
        raise AssertionError("it was not refused")


def main():
    library = assay.load(sys.argv[1])
    assert library.assay_api_version() == assay.API_VERSION
    patterns = [0x9E3779B9 * n & 0xFFFFFFFF for n in range(1, 1000)]
    # Numbers of one binade and halves of their last place, so that sums tie.
    a = [0x3F800000 + n for n in range(1, 1000)]
    b = [0x33800000] * len(a)
    assert held(library, "POPC R0, R1", popcount, [patterns]) == 0
    assert held(library, "FADD R0, R1, R2", add, [a, b]) == 0
    assert held(library, "FADD R0, R1, R2", add_truncated, [a, b]) > 0
    with assay.Session(library, "MUFU.RCP.F32 R0, R1") as session:
        third = 0x40400000
        state, low, high = session.truth([[third]])[0][0]
        assert state == assay.SPAN and low < high, "a bound allows several values"
        ((code, ulp, words),) = session.judge([[third]], [[low]])
        assert code == assay.WITHIN and ulp < 0
        print(f"MUFU.RCP.F32 of 3: {low:#010x}..{high:#010x}; {low:#010x} is {words}")
    with assay.Session(library, "UIADD UR0, UR1, UR2") as session:
        for results in ([[2**32]], [[]], [[1, 2]], [[1], [2]]):
            refused(lambda: session.judge([[2**32 - 1], [1]], results))
    refused(lambda: assay.Session(library, "FROB R0"))
    print("all as it should be")


main()

"""A C compiler's constant folding: each batch is a program of constant expressions, compiled with -O2 and read back.

The first argument is the compiler. An expression that it leaves to the run time would be computed by this processor,
so the device ends if the compiler folded none of a batch, and reports the share that it folded when it ends.
"""

import atexit
import ctypes
import os
import subprocess
import sys
import tempfile

import protocol

COMPILER = sys.argv[1]
CLANG = "clang" in COMPILER
MODES = ["FADD_RR", "FMUL_RR", "!FMUL*.[DM][248]*", "FFMA_RRR", "!F*.R[MPZ]*", "!F*.SAT*", "FMNMX_RR", "!FMNMX*.NAN*", "!F*.FTZ*", "POPC_R"]
MODES += ["BREV_R"] if CLANG else []
folder = tempfile.TemporaryDirectory()
counts = {"folded": 0, "left": 0}
batches = 0


def constant(bits):
    """A C expression for a float, which every compiler folds first."""
    sign, exponent, fraction = "-" if bits >> 31 else "", bits >> 23 & 255, bits & 0x7FFFFF
    if exponent == 255 and fraction:
        quiet = fraction >> 22
        return f'({sign}__builtin_nan{"" if quiet else "s"}f("{fraction & 0x3FFFFF:#x}"))'
    if exponent == 255:
        return f"({sign}__builtin_inff())"
    return f"({sign}0x{1 if exponent else 0}.{fraction << 1:06x}p{(exponent or 1) - 127}f)"


def expression(optype, row):
    if optype in ("POPC", "BREV"):
        return f"__builtin_{'popcount' if optype == 'POPC' else 'bitreverse32'}({row[0]}u)"
    if optype == "FMNMX":
        return f"__builtin_f{'min' if row[2] else 'max'}f({constant(row[0])}, {constant(row[1])})"
    values = [constant(bits) for bits in row]
    return {"FADD": "{} + {}", "FMUL": "{} * {}", "FFMA": "__builtin_fmaf({}, {}, {})"}[optype].format(*values)


def compute(optype, modifiers, columns):
    global batches
    rows = list(zip(*columns))
    kind = "unsigned" if optype in ("POPC", "BREV") else "float"
    source = os.path.join(folder.name, "fold.c")
    batches += 1
    library = os.path.join(folder.name, f"fold{batches}.so")
    with open(source, "w") as file:
        for lane, row in enumerate(rows):
            file.write(f"void f{lane}({kind} *out, unsigned *folded) {{ out[{lane}] = {expression(optype, row)};")
            file.write(f" folded[{lane}] = __builtin_constant_p({expression(optype, row)}); }}\n")
        calls = "".join(f"f{lane}(out, folded);" for lane in range(len(rows)))
        file.write(f"void all({kind} *out, unsigned *folded) {{ {calls} }}\n")
    options = ["-O1", "-w", "-fno-inline", "-mfma", "-ffp-contract=off", "-fsignaling-nans"][: 5 if CLANG else 6]
    subprocess.run([COMPILER, *options, "-shared", "-fPIC", "-o", library, source], check=True)
    out, folded = (ctypes.c_uint32 * len(rows))(), (ctypes.c_uint32 * len(rows))()
    handle = ctypes.CDLL(library)
    handle["all"](out, folded)
    ctypes.CDLL(None).dlclose(ctypes.c_void_p(handle._handle))
    os.unlink(library)
    counts["folded"] += sum(folded)
    counts["left"] += len(rows) - sum(folded)
    return list(out)


@atexit.register
def report():
    with open(os.environ.get("FOLDED", os.devnull), "w") as file:
        print(counts, file=file)


version = subprocess.run([COMPILER, "-dumpfullversion" if not CLANG else "-dumpversion"], stdout=subprocess.PIPE, text=True)
protocol.serve(os.path.basename(COMPILER) + "-folding", version.stdout.strip(), MODES, compute)

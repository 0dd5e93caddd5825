#!/usr/bin/env python3
# Holds every lowering to what the vendor's assembler makes of it, and writes the table of them.
# Usage: check_lowering.py BIN LOWERINGS TABLE [--keep DIR]: BIN has ptxas and nvdisasm, LOWERINGS is what the example
#        prints; --keep leaves the machine code in a folder.
#        check_lowering.py BIN LOWERINGS --code DIR: holds machine code that a driver made of the same kernels to it.
#
# A kernel and what is expected of it are both executed on symbols: each register holds the term that made it. What a
# kernel stores must be the very terms that the expected instructions make of its loads. So nothing has to be known of
# the instructions around them, and none can be missing, left over, or have a modifier or prefix that is not expected.
# Only the conversions between a predicate and a word of 0 or 1 count for nothing.
#
# Bits that are to be replaced in the machine code are replaced before it is disassembled: the expected instructions are
# those that will run. The disassembler does not show what waits for a result that comes late, so that is read from the bits.

import argparse
import collections
import json
import operator
import re
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CHUNK = 400
# One kernel of so many tries the checker itself, which takes longer than the check.
TRIED = 4
NOTHING = ("RZ", "URZ", "PT", "UPT")
# What goes elsewhere: a kernel may leave before its first load, and ends after its last store.
JUMPS = ("BRA", "BRX", "JMP", "CALL", "RET", "BSSY", "BSYNC", "BREAK", "WARPSYNC")
INSTRUCTION = 16
# How the disassembler names all predicates of the uniform datapath, and which these are.
ALL, PREDICATES = "UPR", [f"UP{number}" for number in range(7)]
# Where the barrier is that an instruction sets when its result is there, and the mask of those that it waits for.
SETS, NO_BARRIER, WAITS = 110, 7, 116
COMPARE = {"EQ": operator.eq, "NE": operator.ne, "LT": operator.lt, "LE": operator.le, "GT": operator.gt, "GE": operator.ge}


class Mismatch(Exception):
    """A kernel that is not what is expected."""


# ---- terms

def split(instruction):
    """The base of the mnemonic, its modifiers, and the operands."""
    mnemonic, _, rest = instruction.strip().partition(" ")
    base, *modifiers = mnemonic.split(".")
    return base, frozenset(modifiers), [o.strip().replace(".reuse", "") for o in rest.split(",") if o.strip()]


def negated(term):
    return term[1] if term[0] == "not" else ("not", term)


def in_lanes(base):
    """An instruction of the uniform datapath by the name of its counterpart in the lanes."""
    return base.removeprefix("U")


def source_count(base, modifiers, operands):
    """How many operands are read: the others, before them, are written."""
    base = in_lanes(base)
    if base in ("FSETP", "ISETP", "PLOP3"):
        return len(operands) - 2
    extended = "X" in modifiers
    counts = {"IADD3": 3 + 2 * extended, "IMAD": 3 + extended, "LEA": 3 + ("HI" in modifiers) - ("SX32" in modifiers) + extended, "LOP3": 5}
    return counts.get(base, len(operands) - 1)


def as_bit(term):
    """The value that a literal or RZ has, if it is 0 or 1."""
    return {("RZ",): 0, ("literal", 0.0): 0, ("literal", 1.0): 1}.get(term)


def conversion(base, modifiers, written, sources):
    """The term of a predicate, or of a word of 0 or 1, that an instruction only turns into the other."""
    base = in_lanes(base)
    if base == "ISETP" and "EX" not in modifiers and {"U32", "AND"} < modifiers and sources[2] == ("PT",):
        a, b = sources[:2]
        x = a if a[0] == "input" else b
        (name,) = modifiers - {"U32", "AND"}
        values = [[bit if s == x else as_bit(s) for s in (a, b)] for bit in (0, 1)]
        if x[0] == "input" and a != b and all(v is not None for pair in values for v in pair):
            outcome = [COMPARE[name](*pair) for pair in values]
            return {(False, True): x, (True, False): negated(x)}.get(tuple(outcome))
    if base == "SEL" and sources[:2] == [("RZ",), ("literal", 1.0)]:
        return negated(sources[2])
    return None


class Machine:
    """Registers that hold terms."""

    def __init__(self, registers=()):
        self.registers, self.stored, self.loads = dict(registers), [], 0

    def read(self, text, pair=False):
        """The term of an operand, with its prefixes as they are written."""
        if text.startswith("!"):
            return negated(self.read(text[1:]))
        for prefix, name in (("-", "neg"), ("~", "complement")):
            if text.startswith(prefix) and not re.match(r"-[\d.]", text):
                return (name, self.read(text[1:], pair))
        if text.startswith("|"):
            return ("abs", self.read(text.strip("|")))
        if text.endswith(".H1"):
            return ("high half", self.read(text.removesuffix(".H1")))
        if byte := re.fullmatch(r"(.*)\.(B[1-3])", text):
            return (byte[2], self.read(byte[1]))
        if pair and text not in NOTHING:
            return ("pair", *map(self.read, words(text)))
        if text == ALL or text.count(":") == len(PREDICATES) - 1:
            return ("all", *map(self.read, PREDICATES if text == ALL else text.split(":")))
        if text in NOTHING:
            return (text.removeprefix("U"),)
        if text in self.registers:
            return self.registers[text]
        if re.fullmatch(r"-?0x[0-9a-f]+", text):
            return ("literal", float(int(text, 16)))
        if re.fullmatch(r"[-+]?\d[\d.]*(e[-+]?\d+)?", text):
            return ("literal", float(text))
        return ("place", text)

    def write(self, text, term):
        if text not in NOTHING:
            self.registers[text] = term

    def execute(self, instruction):
        base, modifiers, operands = split(instruction)
        if base.startswith("@"):
            guard, _, guarded = instruction.partition(" ")
            self.guarded(guard.removeprefix("@"), guarded)
        elif base == "LDG":
            self.load(modifiers, operands, instruction)
        elif base == "STG":
            self.stored.append(self.read(operands[1]))
        elif base in ("MOV", "UMOV", "R2UR") and not modifiers:
            self.write(operands[0], self.read(operands[1]))
        elif base in JUMPS or base == "EXIT":
            raise Mismatch(f"a kernel that does not go straight on, {instruction}")
        elif base != "NOP":
            self.compute(base, modifiers, operands)

    def guarded(self, guard, instruction):
        """Each register holds the old or the new term."""
        other = Machine(self.registers)
        other.execute(instruction)
        if other.loads or other.stored:
            raise Mismatch(f"guarded access to memory, {instruction}")
        for name, term in other.registers.items():
            if term is not self.registers.get(name):
                self.registers[name] = ("either", self.read(guard), term, self.registers.get(name))

    def load(self, modifiers, operands, instruction):
        """Loads are volatile, so they stay in their order; one may fetch just the half that is looked at."""
        term = ("input", self.loads)
        if modifiers == {"E", "U16", "STRONG", "SYS"}:
            term = ("high half", term) if "+0x2]" in operands[1] else term
        elif modifiers not in ({"E", "STRONG", "SYS"}, {"E"}):
            raise Mismatch(f"a load of another kind, {instruction}")
        self.loads += 1
        self.write(operands[0], term)

    def compute(self, base, modifiers, operands):
        if base == "UR2UP":
            self.to_predicates(modifiers, operands)
            return
        count = source_count(base, modifiers, operands)
        written, read = operands[: len(operands) - count], operands[len(operands) - count :]
        lanes = in_lanes(base)
        wide = lanes == "IMAD" and "WIDE" in modifiers
        sources = [self.read(text, wide and place == 2) for place, text in enumerate(read)]
        term = conversion(base, modifiers, written, sources)
        if term:
            for name in written:
                self.write(name, term)
            return
        term = (base, modifiers, tuple(sources))
        two = {"FSETP": (0, 1), "ISETP": (0, 1), "PLOP3": (0, 1), "FCHK": (0,)}
        predicates = two.get(lanes, range(1, len(written)))
        if lanes == "LOP3" and len(written) == 2:
            predicates = (0,)
        for place, name in enumerate(written):
            if place in predicates:
                self.write(name, ("predicate", base.endswith(("SETP", "PLOP3")) and place, term))
            elif wide:
                for half, word in zip(("low", "high"), words(name)):
                    self.write(word, (half, term))
            else:
                self.write(name, term)

    def to_predicates(self, modifiers, operands):
        """All predicates at once. The disassembler does not show that those stay which the mask leaves out, nor a mask of all ones."""
        written, *read = operands
        read = [ALL, *read] if written == ALL else read
        term = ("UR2UP", modifiers, tuple(map(self.read, read)))
        for place, name in enumerate(PREDICATES if written == ALL else written.split(":")):
            self.write(name, ("predicate", place, term))


def words(pair):
    """The two registers of a pair; none is no register twice."""
    if pair in NOTHING:
        return pair, pair
    return pair.split(":") if ":" in pair else (pair, f"{pair.rstrip('0123456789')}{int(re.search(r'[0-9]+$', pair)[0]) + 1}")


def expected(entry, sass):
    """What a kernel should store, by the instructions that are expected."""
    machine = Machine((f"%i{n}", ("input", n)) for n in range(entry["inputs"]))
    for instruction in sass:
        machine.execute(instruction)
    return [machine.registers.get(f"%o{n}") for n in range(entry["outputs"])]


def found(entry, code):
    """What a kernel stores."""
    machine, place = Machine(), 0
    for place, instruction in enumerate(code):
        base = split(instruction)[0]
        if base == "EXIT":
            break
        # Threads beyond the last one leave at once.
        if not (base.startswith("@") and instruction.endswith(" EXIT") and machine.loads == 0):
            machine.execute(instruction)
    if any(split(instruction)[0] not in ("BRA", "NOP") for instruction in code[place + 1 :]):
        raise Mismatch("instructions after the end")
    if (machine.loads, len(machine.stored)) != (entry["inputs"], entry["outputs"]):
        raise Mismatch(f"{machine.loads} loads and {len(machine.stored)} stores")
    return machine.stored


def is_early(code, bits):
    """Why the result of an FCHK may be read too early, if so: an instruction must wait for the barrier that it sets."""
    for place, instruction in enumerate(code):
        base, _, operands = split(instruction)
        if base != "FCHK":
            continue
        barrier = bits[place] >> SETS & 7
        waiting = [at for at in range(place + 1, len(code)) if bits[at] >> WAITS >> barrier & 1]
        if barrier == NO_BARRIER or not waiting:
            return "an FCHK that nothing waits for"
        # Until then it may also read its operands, which may be the upper halves of pairs.
        sources = [int(number) for operand in operands[1:] for number in re.findall(r"R(\d+)", operand)]
        used = {operands[0]} | {f"R{number - half}" for number in sources for half in (0, 1)}
        for between in code[place + 1 : waiting[0]]:
            if used & set(re.findall(r"\b[RP]\d+\b", between)):
                return f"{between} before an FCHK is done"
    return None


def is_same(wanted, term, counted):
    """Whether a term is what is wanted; where the input is counted up, `counted` collects what stands for it."""
    if counted is not None and wanted == ("input", 0):
        counted.append(term)
        return term == counted[0]
    if not (isinstance(wanted, tuple) and isinstance(term, tuple)):
        return wanted == term
    return len(wanted) == len(term) and all(is_same(w, t, counted) for w, t in zip(wanted, term))


def is_sum_of_input(term):
    """Whether a term adds the input to something, by any of the instructions that do."""
    base, modifiers, sources = term if len(term) == 3 else (None, (), ())
    return (base in ("IADD3", "VIADD") or base == "IMAD" and "IADD" in modifiers) and ("input", 0) in sources


def differs(entry, sass, code, bits):
    """Why a kernel is not what is expected, if so."""
    counted = [] if entry["counts"] else None
    try:
        stored = found(entry, code)
    except Mismatch as why:
        return str(why)
    if not all(is_same(*pair, counted) for pair in zip(expected(entry, sass), stored)):
        return "other instructions"
    if counted and not is_sum_of_input(counted[0]):
        return "an input that is not counted up"
    return is_early(code, bits)


# ---- the checker itself

def wrongs(sass):
    """Expectations that are wrong in one thing each."""
    for place, line in enumerate(sass):
        guard, mnemonic, operands = re.fullmatch(r"(@\S+ )?(\S+) (.*)", line).groups(default="")
        changed = [f"{guard}{mnemonic}.Q {operands}"]
        if "." in mnemonic:
            changed.append(f"{guard}{mnemonic.rpartition('.')[0]} {operands}")
        if guard:
            opposite = guard.replace("@!", "@") if "!" in guard else guard.replace("@", "@!")
            changed += [f"{mnemonic} {operands}", f"{opposite}{mnemonic} {operands}"]
        changed += [line[: m.start()] + line[m.end() :] for m in re.finditer(r"[-~!](?=[%|])", line)]
        changed += [line[: m.start()] + m[1] + line[m.end() :] for m in re.finditer(r"\|(.*?)\|", line)]
        changed += [line[: m.start()] + sign + line[m.start() :] for m in re.finditer(r"(?<![-~!|:])%i\d", line) for sign in "-|"]
        changed.append(re.sub(r"%i([01])", lambda m: f"%i{1 - int(m[1])}", line))
        for other in changed:
            if other != line:
                yield sass[:place] + [other] + sass[place + 1 :]
        yield sass[:place] + sass[place + 1 :]
        if "%o0" in line:
            yield sass[:place] + [line.replace("%o0", "%s"), "FADD %o0, %s, RZ"] + sass[place + 1 :]


def try_checker(entry, code, bits):
    """Every wrong expectation must be reported, and every result that is not waited for; returns how many there were."""
    count = 0
    for sass in wrongs(entry["sass"]):
        count += 1
        if differs(entry, sass, code, bits) is None:
            sys.exit(f"the checker takes {sass} for {code}")
    for jump in ("@P2 BRA `(.L_x_0)", "@P2 EXIT", "EXIT"):
        count += 1
        at = next(place for place, instruction in enumerate(code) if instruction.startswith("STG"))
        if differs(entry, entry["sass"], code[:at] + [jump] + code[at:], bits) is None:
            sys.exit(f"the checker takes {jump} before a store of {code}")
    if any(split(instruction)[0] == "FCHK" for instruction in code):
        count += 1
        if differs(entry, entry["sass"], code, [word & ~(0x3F << WAITS) for word in bits]) is None:
            sys.exit(f"the checker takes {code} where nothing waits")
    return count


# ---- the vendor's tools

def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def sections(image):
    """Offset and size of each section of an ELF file of 64 bits, by name."""
    (table,) = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", image, table + n * size) for n in range(count)]
    start = headers[names][4]
    name = lambda at: image[start + at : image.index(0, start + at)].decode()
    return {name(header[0]): header[4:6] for header in headers}


def instructions(image, section):
    """The instructions of a section, by their places."""
    offset, size = section
    places = range(offset, offset + size, INSTRUCTION)
    return {at: int.from_bytes(image[at : at + INSTRUCTION], "little") for at in places}


def patch(image, section, replacement):
    """Replaces bits of the one instruction that is found by others."""
    (mask, value), (new_mask, new) = ([int(bits, 16) for bits in replacement[name]] for name in ("found", "replaced"))
    found = {at: word for at, word in instructions(image, section).items() if word & mask == value}
    if len(found) != 1:
        raise Mismatch(f"{replacement['name']} occurs {len(found)} times")
    ((at, word),) = found.items()
    image[at : at + INSTRUCTION] = (word & ~new_mask | new).to_bytes(INSTRUCTION, "little")


def assemble(tools, head, entries, binary):
    """Machine code of the entries, in a file."""
    source = binary.with_suffix(".ptx")
    source.write_text(head["header"] + "\n".join(entry["ptx"] for entry in entries))
    run(tools / "ptxas", f"-arch={head['target']}", source, "-o", binary)
    source.unlink()


def disassemble(tools, entries, binary):
    """The instructions of each entry that is in a file, as text and as bits, after what is to be replaced in them was."""
    image, code, bits = bytearray(binary.read_bytes()), {}, {}
    found = sections(image)
    for entry in entries:
        if section := found.get(f".text.{entry['name']}"):
            for replacement in entry["patches"]:
                patch(image, section, replacement)
            bits[entry["name"]] = list(instructions(image, section).values())
    with tempfile.NamedTemporaryFile(suffix=".cubin") as patched:
        patched.write(image)
        patched.flush()
        lines = run(tools / "nvdisasm", "-c", patched.name).splitlines()
    for line in lines:
        if label := re.match(r"\.text\.(\w+):", line):
            current = code.setdefault(label[1], [])
        elif instruction := re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;", line):
            # A guard and what it guards stay one word, the mnemonic.
            current.append(re.sub(r"^(@!?U?P\d) ", r"\1 ", instruction[1]))
    for name, words in bits.items():
        if len(words) != len(code.get(name, [])):
            raise Mismatch(f"{name} is not disassembled instruction by instruction")
    return code, bits


def check(tools, entries, binary):
    """Holds the entries in a file to what is expected: the mismatches, their names, and how many wrong expectations were refused."""
    try:
        code, bits = disassemble(tools, entries, binary)
    except (Mismatch, ValueError, IndexError, struct.error) as error:
        sys.exit(f"{binary}: {error}")
    mismatches, refused = [], 0
    entries = [entry for entry in entries if entry["name"] in code]
    for place, entry in enumerate(entries):
        kernel = code[entry["name"]], bits[entry["name"]]
        if why := differs(entry, entry["sass"], *kernel):
            mismatches.append((entry, why, kernel[0]))
        elif place % TRIED == 0:
            refused += try_checker(entry, *kernel)
    return mismatches, [entry["name"] for entry in entries], refused


# ---- the table

def cell(lines):
    return "<br>".join(f"`{line.rstrip(';')}`" for line in lines).replace("|", "\\|")


def table(version, target, entries, reasons):
    """The page, from what matched and what cannot be said."""
    groups = collections.defaultdict(list)
    for entry in entries:
        bases = tuple(split(line)[0] for line in entry["sass"])
        replaced = tuple(replacement["name"] for replacement in entry["patches"])
        groups[entry["family"], bases, entry["outputs"], replaced].append(entry)
    lines = [HEAD.format(version=version, target=target, lowerings=len(entries), groups=len(groups))]
    lines += ["| instruction | for example | PTX | SASS | lowerings |", "|---|---|---|---|---|"]
    for (family, *_), group in groups.items():
        first = group[0]
        body = [line for line in first["body"] if not line.startswith(("setp.ne.u32 %p", "selp.u32 %o"))]
        body = [f"{len(body)} × mad.lo.u32"] if first["uniform"] else body
        lines.append(f"| {family} | {cell([first['example']])} | {cell(body)} | {cell(first['sass'])} | {len(group)} |")
    lines += ["", "## What no PTX stands for", "", TAIL, "", "| instruction | why not | for example | instructions |", "|---|---|---|---|"]
    shared = collections.defaultdict(list)
    for reason in reasons:
        shared[reason["why"]].append(reason)
    for why, alike in shared.items():
        optypes = " ".join(reason["optype"] for reason in alike)
        lines.append(f"| {optypes} | {why} | {cell([alike[0]['example']])} | {sum(reason['count'] for reason in alike)} |")
    return "\n".join(lines) + "\n"


HEAD = """# Lowerings

Which PTX stands for which instruction (`oracles/hardware/src/ptx`), and what `ptxas` {version} makes of it for `{target}`.
`just check-lowering` writes this page: it assembles every lowering that the tables allow for, each combination of
modifiers, prefixes, truth tables and amounts, and fails if one is not exactly the SASS that is expected. All {lowerings}
match, in {groups} groups below, each with one of its lowerings for an example. Forms share lowerings, for a kernel has its
operands in registers wherever the instruction has them.

`%i0`, `%i1` … are the inputs, `%o0`, `%o1` … the outputs. A predicate is a word of 0 or 1 outside: the PTX that converts it
is left out here, and SASS has it under the name of the word.

* An instruction of the uniform datapath runs on the unit itself. Its PTX is a chain of IMAD, each of which becomes an
  instruction in the machine code: R2UR brings an input to the unit, UISETP makes a predicate of a word, the instruction
  follows, USEL makes a word of a predicate, and MOV brings a result back. A block of such a kernel has one thread.
* UIABS, UIMNMX, UF2FP, UIMUL.HI and the modes of UPRMT the unit does not have. They become their counterparts in the lanes.
* The argument of a sine or cosine is multiplied by 1/2π, which is replaced by 1 in the machine code (E035).
* Some instructions PTX cannot express, and others `ptxas` does not make: their PTX is that of an instruction that differs from
  them by some bits, and these are replaced in the machine code (`replaced`). Where a second predicate is written, a LOP3 behind
  the comparison is made the SEL that makes a word of it. The instruction that reads the result of FCHK is made to wait for it.
* A guarded instruction finds in its result what stood there before: a MOV, or for a predicate a comparison.
* The SASS here is that after the replacements.
* Where just one half of a register counts, the kernel may load that half alone; then `.H1` is a matter of the load.
* Two halves become two MUFU, so that nothing can be learnt about E037. The low word of bfloat16 is cut out by a LOP3.
* UPRMT keeps the places that its operands have in the word; the unit has the selector second (E160).
"""

TAIL = """Counted are the instructions in which each operand is a register of its own, or none. Not here is what the machine code has
once bits of it are replaced."""


def read(lowerings):
    """The head, each kernel, each lowering, and each reason why there is none."""
    head, *everything = [json.loads(line) for line in lowerings.read_text().splitlines()]
    entries = [entry for entry in everything if "ptx" in entry]
    kernels = [entry | {"counts": False} for entry in entries]
    for entry in filter(operator.itemgetter("slices"), entries):
        kernels.append(entry | {"counts": True, "ptx": entry["slices"], "name": "s" + entry["name"][1:]})
    if not entries:
        sys.exit("there is no lowering to check")
    return head, kernels, entries, [entry for entry in everything if "why" in entry]


def hold(tools, kernels, binaries):
    """Holds all kernels, in whatever files they are; returns how many wrong expectations were refused."""
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda binary: check(tools, *binary), binaries))
    mismatches = [mismatch for found, _, _ in results for mismatch in found]
    for entry, why, code in mismatches[:20]:
        code = [line for line in code if line != "NOP"]
        print(f"{entry['example']}: {why}\n  expected {entry['sass']}\n  found    {code}", file=sys.stderr)
    if mismatches:
        optypes = collections.Counter(entry["optype"] for entry, _, _ in mismatches)
        sys.exit(f"{len(mismatches)} of {len(kernels)} kernels do not match: {dict(optypes)}")
    found = collections.Counter(name for _, names, _ in results for name in names)
    if len(found) != len(kernels):
        sys.exit(f"{len(found)} of {len(kernels)} kernels were found: what is missing cannot be held to anything")
    if twice := [name for name, times in found.items() if times > 1]:
        sys.exit(f"{len(twice)} kernels are there twice, {twice[0]} for one: which of them ran cannot be told")
    return sum(count for _, _, count in results)


def main():
    parser = argparse.ArgumentParser()
    for name in ("tools", "lowerings"):
        parser.add_argument(name, type=Path)
    parser.add_argument("table", type=Path, nargs="?")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--code", type=Path)
    options = parser.parse_args()
    tools = options.tools
    head, kernels, entries, reasons = read(options.lowerings)
    if options.code:
        # Whatever kernels a file has, by their names.
        refused = hold(tools, kernels, [(kernels, binary) for binary in sorted(options.code.glob("*.cubin"))])
        print(f"{len(kernels)} kernels that a driver assembled match; {refused} wrong expectations were refused")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        chunks = [kernels[at : at + CHUNK] for at in range(0, len(kernels), CHUNK)]
        binaries = [(chunk, folder / f"{number:04}.cubin") for number, chunk in enumerate(chunks)]
        with ThreadPoolExecutor() as pool:
            list(pool.map(lambda binary: assemble(tools, head, *binary), binaries))
        refused = hold(tools, kernels, binaries)
    version = re.search(r"release [\d.]+, V([\d.]+)", run(tools / "ptxas", "--version"))[1]
    options.table.write_text(table(version, head["target"], entries, reasons))
    print(f"{len(entries)} lowerings in {len(kernels)} kernels match; {refused} wrong expectations were refused")


if __name__ == "__main__":
    main()

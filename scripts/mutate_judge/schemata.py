"""Writes all mutants of a source file into one text, each behind a switch at run time: `crate::mutant::is(ID)`.

`L + R` becomes `(if crate::mutant::is(7) { L - R } else { L + R })`. One mutant is active at a time, so a mutated branch holds the
operands as they were, and only the last branch holds the other mutants. A function begins with a return for each of its values.
"""

from collections import defaultdict
from dataclasses import dataclass, field

import tree_sitter_rust
from tree_sitter import Language, Parser

from constants import constant_around, parents

PARSER = Parser(Language(tree_sitter_rust.language()))


@dataclass
class Text:
    """A piece of output, with the mutants in it: (begin, end, mutants). `branches` are what a mutant alone holds; `places` are what
    it was put into, whole."""

    code: bytes = b""
    branches: list = field(default_factory=list)
    places: list = field(default_factory=list)

    def add(self, other):
        if isinstance(other, bytes):
            self.code += other
            return self
        offset = len(self.code)
        self.code += other.code
        self.branches += [(begin + offset, end + offset, ids) for begin, end, ids in other.branches]
        self.places += [(begin + offset, end + offset, ids) for begin, end, ids in other.places]
        return self

    def branch(self, code, mutant):
        self.branches.append((len(self.code), len(self.code) + len(code), [mutant]))
        return self.add(code)


def active(mutant):
    return b"crate::mutant::is(%d)" % mutant


def offsets(source, span):
    """Where a span of cargo-mutants lies: it counts lines and characters from 1."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def offset(place):
        line = lines[place["line"] - 1].decode()
        return starts[place["line"] - 1] + len(line[: place["column"] - 1].encode())

    return offset(span["start"]), offset(span["end"])


def iterator_of(block):
    """The iterator that a function returns, if its type has no name: another one has another type."""
    result = block.parent.child_by_field_name("return_type")
    return result.text.removeprefix(b"impl ") if result is not None and result.text.startswith(b"impl Iterator") else None


class File:
    """A source file with its mutants, each `(number, mutant as cargo-mutants lists it)`."""

    def __init__(self, path, source, mutants):
        self.path, self.source, self.mutants = path, source, mutants
        self.tree = PARSER.parse(source)
        self.nodes = {
            number: self.find(mutant["genre"], *offsets(source, mutant["span"])) for number, mutant in mutants
        }
        if lost := [mutant["name"] for number, mutant in mutants if self.nodes[number] is None]:
            raise SystemExit(f"no part of the source is what these mutants change: {lost}")

    def mutated_constants(self):
        """The constants, by file and name, that hold mutants."""
        for node in self.nodes.values():
            if (item := constant_around(node)):
                yield self.path, item.child_by_field_name("name").text.decode()

    def settle(self, constants):
        """Decides which mutants get a switch, given the constants that have twins."""
        self.constants = constants
        # By node: the mutants.
        self.at = defaultdict(list)
        # Mutants that a switch cannot express.
        self.inexpressible = []
        # Mutants that cannot be compiled: `&&` between the parts of `if let … && …` has no other form.
        self.impossible = []
        # Where something is to be written: a node without one in it stays as it is.
        self.anchors = [(begin, end) for file, begin, end in constants.at if file == self.path]
        twins = [constants.items[key] for key in constants.twins if key[0] == self.path]
        self.anchors += [(item.start_byte, item.end_byte) for item in twins]
        for number, mutant in self.mutants:
            node = self.nodes[number]
            if node.type == "let_chain":
                self.impossible.append(number)
            elif not self.has_switch(node):
                self.inexpressible.append(number)
                self.anchors.append((node.start_byte, node.end_byte))
            else:
                self.at[(node.start_byte, node.end_byte, node.type)].append((number, mutant))
                self.anchors.append((node.start_byte, node.end_byte))

    def has_switch(self, node):
        item = constant_around(node)
        return item is None or (item is not False and self.constants.key_of(item, self.path) in self.constants.twins)

    def find(self, genre, begin, end):
        """The node that a mutant changes; none where the parser knows none."""
        node = self.tree.root_node.descendant_for_byte_range(begin, max(begin, end - 1))
        kinds = {
            "FnValue": ("block",),
            "BinaryOperator": ("binary_expression", "compound_assignment_expr", "let_chain"),
            "UnaryOperator": ("unary_expression",),
            "MatchArm": ("match_arm",),
            "MatchArmGuard": ("match_pattern",),
            "StructField": ("struct_expression",),
        }[genre]
        while node is not None and node.type not in kinds:
            node = node.parent
        if genre == "FnValue":
            while node is not None and (node.parent is None or node.parent.type != "function_item"):
                node = node.parent
        if node is None:
            return None
        if genre == "BinaryOperator" and node.type != "let_chain":
            operator = node.child_by_field_name("operator")
            return node if (operator.start_byte, operator.end_byte) == (begin, end) else None
        return node

    def raw(self, node):
        return self.source[node.start_byte : node.end_byte]

    def write(self, left_out, always=None):
        """The text with all mutants but those left out, and where each is. A mutant that no switch expresses can be active always."""
        self.always = self.nodes[always] if always else None
        self.always_as = dict(self.mutants).get(always)
        return self.emit(self.tree.root_node, left_out)

    def emit(self, node, left_out, twin=False):
        here = self.at.get((node.start_byte, node.end_byte, node.type), [])
        here = [(number, mutant) for number, mutant in here if number not in left_out]
        if not any(node.start_byte <= begin and end <= node.end_byte for begin, end in self.anchors):
            return Text(self.raw(node))
        if node == self.always:
            return self.alone(node, self.always_as["replacement"].encode())
        if used := self.constants.at.get((self.path, node.start_byte, node.end_byte)):
            return Text(self.constants.use(used))
        if not twin and (key := self.constants.twin_of(node, self.path)):
            return self.with_twin(node, key, left_out)
        text = Text()
        if not here:
            self.children(node, left_out, text)
            if arms := self.arms_of(node, left_out):
                text.places.append((0, len(text.code), arms))
            return text
        if node.type == "block":
            return self.block(node, here, left_out)
        if node.type == "match_arm":
            return self.arm(node, here, left_out)
        if node.type == "match_pattern":
            return self.guard(node, here, left_out)
        text.add(b"(")
        for number, mutant in here:
            text.add(b"if " + active(number) + b" { ")
            text.branch(self.mutated(node, mutant), number)
            text.add(b" } else ")
        text.add(b"{ ")
        self.children(node, left_out, text)
        text.add(b" })")
        text.places.append((0, len(text.code), [number for number, _ in here]))
        return text

    def alone(self, node, replacement):
        """A node as the mutant that is active always has it."""
        if node.type == "block":
            return Text(b"{ %s }" % replacement)
        if node.type == "match_arm":
            return Text()
        if node.type == "match_pattern":
            condition = node.child_by_field_name("condition")
            return Text(self.source[node.start_byte : condition.start_byte] + replacement)
        return Text(b"(%s)" % self.mutated(node, self.always_as))

    def children(self, node, left_out, text, until=None):
        """The node's text, up to a child if one is given."""
        place = node.start_byte
        for child in node.children:
            text.add(self.source[place : child.start_byte])
            place = child.start_byte
            if until is not None and child.id == until.id:
                return text
            text.add(self.emit(child, left_out))
            place = child.end_byte
        return text.add(self.source[place : node.end_byte])

    def with_twin(self, node, key, left_out):
        """A constant or a const function, and its twin."""
        head, tail = self.constants.twin(key)
        body = node.child_by_field_name("body" if node.type == "function_item" else "value")
        return Text(self.raw(node)).add(head).add(self.emit(body, left_out, twin=True)).add(tail)

    def mutated(self, node, mutant):
        """An expression as one mutant has it."""
        if node.type == "unary_expression":
            return b"(" + self.raw(node.named_children[-1]) + b")"
        if node.type in ("struct_expression", "let_chain"):
            # A field that goes, or an operator of a chain, which has no left and right side.
            begin, end = offsets(self.source, mutant["span"])
            instead = mutant["replacement"].encode() if node.type == "let_chain" else b""
            return self.source[node.start_byte : begin] + instead + self.source[end : node.end_byte]
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = b" " + mutant["replacement"].encode() + b" "
        if node.type == "compound_assignment_expr":
            return self.raw(left) + operator + self.raw(right)
        return b"(" + self.raw(left) + b")" + operator + b"(" + self.raw(right) + b")"

    def block(self, node, here, left_out):
        """A function's body, before it a return for each mutant. An iterator without a name is put into a box with all others."""
        boxed = iterator_of(node)
        text = Text(b"{ let iterator: Box<dyn %s + '_> = " % boxed if boxed else b"{ ")
        for number, mutant in here:
            value = mutant["replacement"].encode()
            text.add(b"if %s { " % active(number) if boxed else b"if %s { return " % active(number))
            text.branch(b"Box::new(%s)" % value if boxed else value, number).add(b" } else " if boxed else b"; } ")
        body = self.children(node, left_out, Text())
        if boxed:
            return text.add(b"{ Box::new(").add(body).add(b") }; iterator }")
        return text.add(body).add(b" }")

    def arm(self, node, here, left_out):
        pattern, text = node.child_by_field_name("pattern"), Text()
        self.children(node, left_out, text, until=pattern)
        text.add(self.emit(pattern, left_out))
        text.add(b" if " + b" && ".join(b"!" + active(number) for number, _ in here))
        place = pattern.end_byte
        for child in node.children:
            if child.start_byte >= pattern.end_byte:
                text.add(self.source[place : child.start_byte]).add(self.emit(child, left_out))
                place = child.end_byte
        text.add(self.source[place : node.end_byte])
        return text

    def arms_of(self, node, left_out):
        """The mutants that delete arms of a match: what is wrong without them shows at the match."""
        if node.type != "match_expression":
            return []
        arms = node.child_by_field_name("body").named_children
        deleted = [pair for arm in arms for pair in self.at.get((arm.start_byte, arm.end_byte, arm.type), [])]
        return [number for number, _ in deleted if number not in left_out]

    def guard(self, node, here, left_out):
        condition, text = node.child_by_field_name("condition"), Text()
        self.children(node, left_out, text, until=condition)
        begin = len(text.code)
        text.add(b"(")
        for number, mutant in here:
            text.add(b"if " + active(number) + b" { ")
            text.branch(mutant["replacement"].encode(), number)
            text.add(b" } else ")
        text.add(b"{ ").add(self.emit(condition, left_out)).add(b" })")
        text.places.append((begin, len(text.code), [number for number, _ in here]))
        return text

"""Gives constants and const functions with mutants a twin that is computed at run time, where a switch can be asked.

The constant stays for what the compiler needs it for. All else in its crate, tests included, uses the twin: a lazy static, or a
function. Where that cannot be, the mutants of a constant are compiled one by one.
"""

import re

# Places whose value is needed at compile time.
COMPILED = ("const_block", "array_type", "enum_variant", "type_arguments", "match_pattern", "tuple_struct_pattern", "tuple_pattern")


def parents(node):
    while node is not None and (node := node.parent) is not None:
        yield node


def is_const_function(node):
    return node.type == "function_item" and any(
        child.type == "function_modifiers" and b"const" in child.text.split() for child in node.children
    )


def constant_around(node):
    """What is computed at compile time around a node: a constant or a const function at the top of its file, something else that
    has no twin (`False`), or nothing."""
    inner = node
    for parent in parents(node):
        if parent.type == "match_pattern" and inner == parent.child_by_field_name("condition"):
            pass
        elif parent.type in COMPILED:
            return False
        elif parent.type == "array_expression" and inner == parent.child_by_field_name("length"):
            return False
        elif parent.type in ("const_item", "static_item") or is_const_function(parent):
            has_name = parent.child_by_field_name("name").text != b"_"
            return parent if has_name and parent.parent.type == "source_file" else False
        inner = parent
    return None


def module_of(file):
    """The path of a file's module in its crate."""
    parts = file.split("/src/", 1)[1].removesuffix(".rs").split("/")
    return [part for part in parts if part not in ("mod", "lib")]


class Constants:
    """The constants of a crate that have twins. `trees` are its files, parsed; `mutated` names the constants with mutants, by file;
    `elsewhere` is the text of the other crates, which may use them."""

    def __init__(self, trees, mutated, elsewhere):
        self.trees = trees
        # By (file, name): the item.
        self.items = {}
        for file, tree in trees.items():
            for item in tree.root_node.children:
                if item.type in ("const_item", "static_item") or is_const_function(item):
                    self.items[file, item.child_by_field_name("name").text.decode()] = item
        self.uses = list(self.all_uses())
        # A value that the compiler or another crate needs, and what it is computed from.
        words = set(re.findall(r"\w+", elsewhere))
        self.fixed = {used for file, node, used in self.uses if constant_around(node) is False}
        self.fixed |= {key for key in self.items if key[1] in words and self.is_public(key)}
        self.spread(self.fixed, lambda user, used: user in self.fixed and used)
        # Those with mutants, and what is computed from them.
        self.twins = set(mutated) - self.fixed
        self.spread(self.twins, lambda user, used: used in self.twins and user)
        self.at = {
            (file, node.start_byte, node.end_byte): used for file, node, used in self.uses if used in self.twins
        }

    def spread(self, keys, choose):
        """Adds to some constants what is chosen of each pair of one constant that uses another."""
        within = [(constant_around(node), file, used) for file, node, used in self.uses]
        pairs = {(self.key_of(item, file), used) for item, file, used in within if item}
        while more := {key for user, used in pairs if (key := choose(user, used))} - keys:
            keys |= more

    def key_of(self, item, file):
        return file, item.child_by_field_name("name").text.decode()

    def is_public(self, key):
        return self.items[key].children[0].type == "visibility_modifier"

    def all_uses(self):
        """Each use of a constant: the file, the node, and the constant."""
        by_name = {}
        for file, name in self.items:
            by_name.setdefault(name, []).append(file)
        for file, tree in self.trees.items():
            imports = b" ".join(node.text for node in walk(tree.root_node, "use_declaration")).decode()
            for node in walk(tree.root_node, "identifier"):
                name = node.text.decode()
                is_path = node.prev_sibling is not None and node.prev_sibling.type == "::" and node.parent.type == "token_tree"
                if name not in by_name or is_path or self.is_declared(node):
                    continue
                whole = node
                while whole.parent.type == "scoped_identifier" and whole == whole.parent.child_by_field_name("name"):
                    whole = whole.parent
                path = whole.text.decode().split("::")[:-1]
                for home in by_name[name]:
                    module = module_of(home)
                    is_here = file == home and not path
                    is_imported = not path and (re.search(rf"\b{name}\b", imports) or re.search(r"\*;", imports)) and (file, name) not in self.items
                    is_scoped = path and module and path[-1] == module[-1]
                    if is_here or is_imported or is_scoped:
                        if not name.islower() or (whole.parent.type == "call_expression" and whole == whole.parent.child_by_field_name("function")):
                            yield file, whole, (home, name)
                        break

    def is_declared(self, node):
        parent = node.parent
        if parent.type in ("const_item", "static_item", "function_item") and node == parent.child_by_field_name("name"):
            return True
        return any(one.type == "use_declaration" for one in parents(node))

    def use(self, key):
        """How the twin of a constant is used."""
        file, name = key
        path = "::".join(["crate", *module_of(file), f"{name}__"])
        return (path if self.items[key].type == "function_item" else f"(*{path})").encode()

    def twin_of(self, node, file):
        """The constant that a node declares, if it has a twin."""
        is_item = node.parent is not None and node.parent.type == "source_file" and node.child_by_field_name("name")
        key = is_item and self.key_of(node, file)
        return key if key in self.twins and self.items[key] == node else None

    def twin(self, key):
        """What is written before and behind the value or the body of a twin."""
        item, name = self.items[key], key[1].encode()
        if item.type != "function_item":
            head = b"\npub(crate) static %s__: std::sync::LazyLock<%s> = std::sync::LazyLock::new(|| "
            return head % (name, item.child_by_field_name("type").text), b");"
        parts = [item.child_by_field_name(part) for part in ("type_parameters", "parameters", "return_type")]
        generics, parameters, result = (part.text if part else b"" for part in parts)
        return b"\npub(crate) fn %s__%s%s -> %s " % (name, generics, parameters, result or b"()"), b""


def walk(node, kind):
    if node.type == kind:
        yield node
    for child in node.children:
        yield from walk(child, kind)

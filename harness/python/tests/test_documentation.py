"""The examples in the documentation show what is returned, and every public name is documented."""

import doctest
import os
import pathlib
import types

import assay
import numpy as np

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run(test):
    lines = []
    outcome = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=lines.append)
    assert outcome.failed == 0, "".join(lines)
    return outcome.attempted


def test_the_examples_of_docstrings():
    tests = doctest.DocTestFinder().find(assay, "assay", globs={"assay": assay, "np": np})
    # The functions of a session are documented with those of the module.
    assert sum(run(test) for test in tests) > 15


def test_the_examples_of_the_page():
    root = pathlib.Path(os.environ.get("ASSAY_ROOT", pathlib.Path(__file__).parents[3]))
    page = (root / "docs/python.md").read_text(encoding="utf-8")
    blocks = [part.split("\n```")[0] for part in page.split("```pycon\n")[1:]]
    text = "\n\n".join(blocks) + "\n"
    assert run(doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", "docs/python.md", 0)) > 30


def test_every_public_name_is_documented():
    for name in assay.__all__:
        value = getattr(assay, name)
        assert isinstance(value, str) or value.__doc__, name
        if isinstance(value, type):
            methods = [part for part in vars(value).values() if isinstance(part, types.FunctionType)]
            public = [method for method in methods if not method.__name__.startswith("_")]
            assert all(method.__doc__ for method in public), name

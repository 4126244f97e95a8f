#!/usr/bin/env python3
"""Executes the cells of a notebook in order: notebook.py [--write] NOTEBOOK, in the root of the project.

Prints what differs from the stored outputs, and exits with 1 then; --write stores the new ones. Jupyter is not needed.

SPDX-License-Identifier: Apache-2.0"""
import argparse
import ast
import contextlib
import difflib
import io
import json
import pathlib
import sys


def execute(source, names):
    """What a cell prints, and the text of its last expression, in Jupyter's form."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)  # noqa: S102
        value = eval(compile(last, "cell", "eval"), names) if last else None  # noqa: S307
    outputs = []
    if printed.getvalue():
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        outputs.append({"data": {"text/plain": repr(value).splitlines(True)}, "metadata": {}, "output_type": "execute_result"})
    return outputs


def executed(text):
    """The notebook with the outputs of its cells."""
    notebook, names = json.loads(text), {}
    codes = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(codes, 1):
        cell["outputs"] = execute("".join(cell["source"]), names)
        cell["execution_count"] = number
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = number
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("notebook", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    stored = arguments.notebook.read_text(encoding="utf-8")
    now = executed(stored)
    if arguments.write:
        arguments.notebook.write_text(now, encoding="utf-8")
        return 0
    sys.stdout.writelines(difflib.unified_diff(stored.splitlines(True), now.splitlines(True), "stored", "now"))
    return int(stored != now)


if __name__ == "__main__":
    sys.exit(main())

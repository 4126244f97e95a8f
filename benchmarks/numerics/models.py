"""Public .tflite models: does Quern compile them, and give what LiteRT's reference kernels give?

Every different model below a folder is run on one random input by LiteRT with its reference resolver, in a process of its own,
and by Quern as machine code; every element of every output is compared. The folder is the user's: no model is part of the
project. Each row has the result of one model. The last lines count the results, and list the reasons of rejections.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import collections
import hashlib
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

import numpy as np

from runtimes import by_tool
from tally import differing

TIMEOUT = 900  # seconds for one run of a runtime

# Run on its own: a runtime that takes its process down takes down only that.
REFERENCE = """
import pickle, sys
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
model, seed, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
interpreter = Interpreter(model_path=model, experimental_op_resolver_type=OpResolverType.BUILTIN_REF, num_threads=1)
interpreter.allocate_tensors()
rng, inputs = np.random.default_rng(seed), []
stated = {}  # a shape that the graph takes as an input
for op in interpreter._get_ops_details():
    if op["op_name"] == "TRANSPOSE_CONV":
        stated[op["inputs"][0]] = interpreter._get_tensor_details(op["outputs"][0], 0)["shape"]
for detail in interpreter.get_input_details():
    kind, shape = detail["dtype"], detail["shape"]
    if detail["index"] in stated:
        values = np.asarray(stated[detail["index"]], kind)
    elif kind == np.float32:
        values = rng.normal(0, 1, shape).astype(kind)
    elif kind == np.bool_:
        values = rng.integers(0, 2, shape).astype(kind)
    elif np.dtype(kind).itemsize > 2:
        values = rng.integers(0, 100, shape).astype(kind)
    else:
        values = rng.integers(np.iinfo(kind).min, np.iinfo(kind).max + 1, shape).astype(kind)
    inputs.append(values)
    interpreter.set_tensor(detail["index"], values)
with open(path, "wb") as file:
    pickle.dump((inputs, None), file)
interpreter.invoke()
outputs = [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]
with open(path, "wb") as file:
    pickle.dump((inputs, outputs), file)
"""


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def by_reference(model, seed, folder):
    """Inputs, outputs (None: the reference does not run it) and why not. A pickle of our own making."""
    path = os.path.join(folder, "reference")
    done = subprocess.run([sys.executable, "-c", REFERENCE, model, str(seed), path], capture_output=True, text=True,
                          timeout=TIMEOUT, check=False)
    if not os.path.exists(path):
        return None, None, last_line(done.stderr)
    with open(path, "rb") as file:
        inputs, outputs = pickle.load(file)
    return inputs, outputs, last_line(done.stderr)


def compiles(quern, model):
    done = subprocess.run([quern, "compile", model, "-o", os.devnull, "--emit", "integer"], capture_output=True, text=True,
                          timeout=TIMEOUT, check=False)
    errors = [line for line in done.stderr.splitlines() if "error" in line]
    return None if done.returncode == 0 else (errors or [last_line(done.stderr)])[0]


def check(quern, model, seed):
    """What became of it, and the reason."""
    with tempfile.TemporaryDirectory() as folder:
        error = compiles(quern, model)
        if error:
            return "unsupported", error.split("error: ", 1)[-1] + "  [" + error.split(": error", 1)[0].split(": ", 1)[-1] + "]"
        inputs, outputs, problem = by_reference(model, seed, folder)
        if outputs is None:
            return "compiled, no reference", problem
        os.symlink(os.path.abspath(model), os.path.join(folder, "m.tflite"))
        got = by_tool(quern, folder, inputs, len(outputs), "jit")
        if isinstance(got, str):
            return "failed", got
        count = sum(differing(y, q) for y, q in zip(outputs, got))
        size = sum(y.size for y in outputs)
        if count == 0:
            return "equal", ""
        only_floats = all(y.dtype.kind == "f" for y in outputs)
        distance = max(float(np.max(np.abs(y.astype(np.float64) - q), initial=0)) for y, q in zip(outputs, got)
                       if y.shape == q.shape)
        return "floats differ" if only_floats else "integers differ", f"{count} of {size} elements, by {distance:.3g}"


def different(folder):
    seen = set()
    for path in sorted(pathlib.Path(folder).rglob("*.tflite")):
        digest = hashlib.sha256(path.read_bytes()).digest()
        if digest not in seen:
            seen.add(digest)
            yield path


def main():
    parser = argparse.ArgumentParser(description="public models: LiteRT's reference kernels against Quern")
    parser.add_argument("folder", help="with .tflite files at any depth")
    parser.add_argument("--quern", required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="models whose path contains this")
    arguments = parser.parse_args()
    became, reasons = collections.Counter(), collections.Counter()
    print("| model | became | reason |\n|---|---|---|")
    for path in different(arguments.folder):
        if arguments.only not in str(path):
            continue
        try:
            state, reason = check(arguments.quern, str(path), arguments.seed)
        except subprocess.TimeoutExpired:
            state, reason = "failed", f"not done within {TIMEOUT} s"
        became[state] += 1
        if reason:
            reasons[f"{state}: {reason}"] += 1
        print(f"| {path.relative_to(arguments.folder)} | {state} | {reason or '-'} |", flush=True)
    print("\n| became | models |\n|---|---|")
    for state, count in became.most_common():
        print(f"| {state} | {count} |")
    print("\n| reason | models |\n|---|---|")
    for reason, count in reasons.most_common():
        print(f"| {reason} | {count} |")
    return 1 if became["integers differ"] or became["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())

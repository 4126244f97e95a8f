"""Random models of a single operator: LiteRT's kernels against Quern, element by element.

For each operator and type so many models are drawn (shapes, scales, options, constants), written as .tflite, and run on one
random input by LiteRT (--kernels: its reference kernels, if not said otherwise) and by Quern (--numerics: in their profile) in the
interpreter at the stage of the model and as machine code. The table counts models and elements, elements that differ, and what either side refuses. Elements of float operators
that LiteRT leaves to libm may differ; integers may not.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import collections
import os
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert import schema_py_generated as s
from ai_edge_litert.interpreter import Interpreter

from dump_litert import RESOLVERS
import single_cells  # noqa: F401 (registers its generators)
import single_customs  # noqa: F401 (registers its generators)
import single_windows  # noqa: F401 (registers its generators)
from single_operators import GENERATORS, Unsuitable

WAYS = {"model": ["--engine", "interpreter", "--stage", "model"], "jit": ["--engine", "jit"]}


def by_litert(content, inputs, kernels):
    interpreter = Interpreter(model_content=content, experimental_op_resolver_type=RESOLVERS[kernels], num_threads=1)
    interpreter.allocate_tensors()
    for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def by_micro(content, inputs):
    """tflite-micro's reference kernels."""
    from tflite_micro.python.tflite_micro import runtime
    interpreter = runtime.Interpreter.from_bytes(content, arena_size=16 << 20)
    for k, array in enumerate(inputs):
        interpreter.set_input(np.ascontiguousarray(array), k)
    interpreter.invoke()
    return [np.array(interpreter.get_output(i)) for i in range(outputs_of(content))]


def outputs_of(content):
    return s.ModelT.InitFromPackedBuf(content, 0).subgraphs[0].outputs.size


def signless(array):
    """Unsigned integers of more than 8 bits have the bits of signed ones with Quern."""
    return array.view(array.dtype.str.replace("u", "i")) if array.dtype.kind == "u" and array.itemsize > 1 else array


def by_quern(quern, folder, inputs, outputs, way, numerics="litert-ref"):
    """The outputs, or the first line of the message."""
    command = [quern, "run", os.path.join(folder, "m.tflite"), "--numerics", numerics, "--save", folder, *WAYS[way]]
    for i, array in enumerate(inputs):
        path = os.path.join(folder, f"in{i}.npy")
        np.save(path, signless(array))
        command += ["--input", "@" + path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        return (errors or done.stderr.splitlines() or ["no message"])[0]
    return [np.load(os.path.join(folder, f"out{i}.npy")) for i in range(outputs)]


def differing(a, b):
    a = signless(a)
    if a.dtype != b.dtype or a.shape != b.shape:
        return max(a.size, 1)
    same = a == b
    if a.dtype.kind == "f":
        same |= np.isnan(a) & np.isnan(b)
    return int(np.count_nonzero(~same))


class Row:
    def __init__(self):
        self.models = self.elements = 0
        self.differ = collections.Counter()
        self.refused = collections.Counter()


def check_model(row, label, model, folder, options):
    """Counts what differs of (content, inputs); whether something does. What it has to say begins with the label. Options: quern,
    kernels, numerics, verbose."""
    content, inputs = model

    def say(text):
        if options.verbose:
            print(f"{label}: {text}", file=sys.stderr)

    try:
        micro = options.kernels == "tflm"
        expected = by_micro(content, inputs) if micro else by_litert(content, inputs, options.kernels)
    except (RuntimeError, ValueError) as error:
        row.refused["litert"] += 1
        say(f"litert: {str(error).splitlines()[0]}")
        return False
    written = getattr(model, "written", lambda outputs: None)(expected)
    if written is not None:
        for y in expected[:-1]:
            y[:, written:] = 0
    with open(os.path.join(folder, "m.tflite"), "wb") as file:
        file.write(content)
    row.models += 1
    row.elements += sum(y.size for y in expected)
    found = 0
    for way in WAYS:
        got = by_quern(options.quern, folder, inputs, len(expected), way, options.numerics)
        if isinstance(got, str):
            row.refused[way] += 1
            say(f"{way}: {got}")
            continue
        counts = [differing(y, q) for y, q in zip(expected, got)]
        row.differ[way] += sum(counts)
        found += sum(counts)
        if sum(counts):
            say(f"{way}: elements that differ per output: {counts}")
    return found > 0


def check(row, name, seed, folder, options):
    try:
        model = GENERATORS[name](np.random.default_rng(seed))
    except Unsuitable:
        return
    check_model(row, f"{name} {seed}", model, folder, options)


def parser_of(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--quern", required=True)
    parser.add_argument("--kernels", choices=[*RESOLVERS, "tflm"], default="reference",
                        help="of LiteRT (reference), or of tflite-micro: tflm")
    parser.add_argument("--numerics", default="litert-ref", help="Quern's profile (litert-ref)")
    parser.add_argument("--seed", type=int, default=1, help="the first (1)")
    return parser


def main():
    parser = parser_of("single operators: LiteRT's kernels against Quern")
    parser.add_argument("--models", type=int, default=20, help="of each operator and type (20)")
    parser.add_argument("--only", default="", help="operators whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="say which seeds differ or are refused")
    arguments = parser.parse_args()
    total = Row()
    print("| operator | models | elements | model differs | jit differs | refused |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(GENERATORS):
            if arguments.only not in name:
                continue
            row = Row()
            for seed in range(arguments.seed, arguments.seed + arguments.models):
                check(row, name, seed, folder, arguments)
            refused = ", ".join(f"{who} {count}" for who, count in row.refused.items()) or "-"
            print(f"| {name} | {row.models} | {row.elements} | {row.differ['model']} | {row.differ['jit']} | {refused} |",
                  flush=True)
            total.models += row.models
            total.elements += row.elements
            total.differ += row.differ
            total.refused += row.refused
    refused = ", ".join(f"{who} {count}" for who, count in total.refused.items()) or "-"
    print(f"| all | {total.models} | {total.elements} | {total.differ['model']} | {total.differ['jit']} | {refused} |")
    return 1 if sum(total.differ.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

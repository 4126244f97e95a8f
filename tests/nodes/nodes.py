#!/usr/bin/env python3
"""The node tests that the package onnx generates, by Quern.

  nodes.py QUERN [--table FILE] [--engine ENGINE] [--jobs N] [--keep DIR] [PATTERN...]

Needs the packages onnx and numpy. Each test is a model of one operator, or of the function that the
standard defines it by, with inputs and expected outputs. Integers have to be equal, floats within the
tolerance of the test. Inputs that say sizes, axes or parameters are bound as constants where Quern asks
for constants. A test has one of these results:

  pass         the outputs are those expected
  rejected     Quern says that it does not support the model (exit code 4, or 3 or 5 for limits), and why
  wrong        other outputs, another shape or type, or no outputs: an error of Quern's
  crashed      an exit code that no command has: an error of Quern's

The exit code is 1 if a test is wrong or crashed, or, with --least N, when fewer than N pass.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import concurrent.futures
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
import warnings

import numpy
import onnx
from onnx import numpy_helper

REJECTED = (3, 4, 5)
SECONDS = 60


def collect():
    warnings.filterwarnings("ignore")
    from onnx.backend.test.case.node import collect_testcases
    return sorted(collect_testcases(), key=lambda case: case.name)


class Unsupported(Exception):
    """What no .npy file can have."""


def array_of(value):
    if isinstance(value, onnx.TensorProto):
        value = numpy_helper.to_array(value)
    if value is None or isinstance(value, (list, dict)):
        raise Unsupported("an input or output is a sequence, a map or an optional value")
    value = numpy.asarray(value)
    if value.dtype.name in ("int4", "int2", "uint4", "uint2"):  # a byte each at the interface
        value = value.astype(numpy.int8 if value.dtype.name[0] == "i" else numpy.uint8)
    if value.dtype.kind not in "biuf" or value.dtype.itemsize > 8 or value.dtype.name.startswith(("bfloat", "float8", "float4", "int4", "uint4", "int2", "uint2")):
        raise Unsupported(f"an input or output of type {value.dtype}")
    return numpy.require(value, requirements="C")


def bindings(model, inputs):
    """Which inputs are bound as constants, in the order in which that is tried: none, integers that are not the first
    input, all but the first, all."""
    yield ()
    names = [i.name for i in model.graph.input]
    integers = tuple(n for n, a in list(zip(names, inputs))[1:] if a.dtype.kind == "i" and a.ndim < 2)
    parameters = tuple(names[1:])
    known = {()}
    for chosen in (integers, parameters, tuple(names)):
        if chosen not in known and (chosen != tuple(names) or len(names) == 1 or all(a.ndim < 2 for a in inputs)):
            known.add(chosen)
            yield chosen


def message_of(text):
    """The first error, without the place."""
    text = re.sub(r"\S*/given\d+\.npy: ", "an input: ", text)
    for line in text.splitlines():
        if "error: " in line:
            return line.split("error: ", 1)[1]
    return text.strip().splitlines()[-1] if text.strip() else "no message"


def run(quern, engine, folder, model, inputs, constants):
    path = os.path.join(folder, "m.onnx")
    with open(path, "wb") as file:
        file.write(model)
    command = [quern, "run", path, "--save", folder, "--max-memory", "4G"] + engine
    for name, array, index in inputs:
        file = os.path.join(folder, f"given{index}.npy")
        numpy.save(file, array)
        command += ["--constant", f"{name}={file}"] if name in constants else ["--input", f"{name}=@{file}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return None, f"no end within {SECONDS} s"
    return done.returncode, done.stderr


def differs(case, index, got, wanted):
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"output {index} is {got.dtype}{list(got.shape)}, not {wanted.dtype}{list(wanted.shape)}"
    if wanted.dtype.kind != "f":
        count = int((got != wanted).sum())
        return f"{count} of {wanted.size} integers of output {index} differ" if count else None
    good = numpy.isclose(got, wanted, rtol=case.rtol, atol=case.atol, equal_nan=True)
    return None if good.all() else f"{int((~good).sum())} of {wanted.size} floats of output {index} differ"


def try_set(case, quern, engine, folder, inputs, outputs):
    names = [i.name for i in case.model.graph.input]
    given = [(name, array_of(value), i) for i, (name, value) in enumerate(zip(names, inputs))]
    wanted = [array_of(value) for value in outputs]
    model = case.model.SerializeToString()
    for constants in bindings(case.model, [array for _, array, _ in given]):
        code, text = run(quern, engine, folder, model, given, constants)
        if code in REJECTED and "a model without inputs" not in text:
            last = message_of(text)
            continue
        if code is None or code in REJECTED or code != 0:
            return ("wrong" if code is None else "crashed"), message_of(text), constants
        for i, array in enumerate(wanted):
            file = os.path.join(folder, f"out{i}.npy")
            problem = differs(case, i, numpy.load(file), array) if os.path.exists(file) else f"no output {i}"
            if problem:
                return "wrong", problem, constants
        return "pass", "", constants
    return "rejected", last, ()


def judge(case, quern, engine, keep):
    with tempfile.TemporaryDirectory() as folder:
        if keep:
            folder = os.path.join(keep, case.name)
            os.makedirs(folder, exist_ok=True)
        try:
            for inputs, outputs in case.data_sets:
                result = try_set(case, quern, engine, folder, inputs, outputs)
                if result[0] != "pass":
                    break
            return result
        except Unsupported as why:
            return "rejected", str(why), ()


def reason_of(text):
    """One reason of many messages: without names and numbers."""
    text = re.sub(r"'[^']*'", "it", text)
    return re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", text)


def write_table(path, results):
    groups = {}
    for name, (result, text, _) in results.items():
        if result != "pass":
            groups.setdefault((result, text), []).append(name)
    with open(path, "w", encoding="utf-8") as file:
        passed = sum(result == "pass" for result, _, _ in results.values())
        bound = sum(result == "pass" and bool(constants) for result, _, constants in results.values())
        file.write("# Node tests of the ONNX standard\n\n")
        file.write(f"Written by `tests/nodes/nodes.py` with onnx {onnx.__version__}: {passed} of {len(results)} tests pass, ")
        file.write(f"{bound} of them with inputs bound as constants. The others are rejected, for these reasons.\n\n")
        file.write("| tests | reason |\n|---:|---|\n")
        for (result, text), names in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
            shown = text.replace("|", "\\|")
            listed = ", ".join(f"`{name.removeprefix('test_')}`" for name in sorted(names))
            file.write(f"| {len(names)} | {'' if result == 'rejected' else result + ': '}{shown}: {listed} |\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("quern")
    parser.add_argument("patterns", nargs="*", help="of names, such as 'test_add*'; without any, all tests")
    parser.add_argument("--table", help="Markdown file of what does not pass, and why")
    parser.add_argument("--engine", default="interpreter", choices=("interpreter", "jit"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="folder for models, inputs and outputs")
    parser.add_argument("--least", type=int, default=0, help="tests that have to pass")
    parser.add_argument("--reasons", action="store_true", help="print how many tests each reason has")
    arguments = parser.parse_args()
    cases = [case for case in collect()
             if not arguments.patterns or any(fnmatch.fnmatch(case.name, p) for p in arguments.patterns)]
    engine = ["--engine", arguments.engine]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        judged = pool.map(lambda case: judge(case, arguments.quern, engine, arguments.keep), cases)
        results = {case.name: result for case, result in zip(cases, judged)}
    counts = {}
    for name, (result, text, constants) in results.items():
        counts[result] = counts.get(result, 0) + 1
        if result in ("wrong", "crashed") or (arguments.patterns and len(cases) < 100):
            print(f"{name}: {result}{': ' if text else ''}{text}{' with constant ' if constants else ''}{', '.join(constants)}")
    if arguments.reasons:
        reasons = {}
        for result, text, _ in results.values():
            if result != "pass":
                reasons[reason_of(text)] = reasons.get(reason_of(text), 0) + 1
        for text, count in sorted(reasons.items(), key=lambda item: -item[1]):
            print(f"{count:5} {text}")
    print(", ".join(f"{count} {result}" for result, count in sorted(counts.items())) + f" of {len(results)}")
    if arguments.table:
        write_table(arguments.table, results)
    good = not counts.get("wrong") and not counts.get("crashed") and counts.get("pass", 0) >= arguments.least
    return 0 if good else 1


sys.exit(main())

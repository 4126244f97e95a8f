#!/usr/bin/env python3
"""Random quantized graphs by Quern, under the profile ort, and by onnxruntime.

  compare.py QUERN [--seeds A-B] [--jobs N] [--keep DIR] [--engine ENGINE]

Needs the packages onnxruntime, onnx and numpy, and a CPU with VNNI, without which onnxruntime's products
saturate; exit code 77 without them. Each tensor whose operands are equal in both is judged:

  exact   written by an integer kernel of onnxruntime, or a quantized input: each element must be equal
  band    computed in float by onnxruntime, and then quantized: at most one step apart. Each element of 8 bits that
          differs must be a tie: its exact result, recomputed (exact.py), is within TIE steps of the middle of two
          integers, so that the rounding of onnxruntime's floats decides it, and Quern has the nearer integer. In all
          graphs together at most 5e-3 of the elements of 16 bits differ
  float   float results: within 1e-4 of the largest value

onnxruntime's tensors are those of its optimized graph, run once more with all its tensors as outputs; its
results must be those of the original session, else the graph is counted and not compared. What only one side
computes is counted, too: tensors of the file that are left inside of a kernel, and those that onnxruntime adds.
Graphs that Quern or onnxruntime rejects are counted with the reason.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

try:
    import numpy
    import onnx
    import onnxruntime
    from onnx import numpy_helper
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

import draw
import exact

REJECTED = 4
TIE = 2e-4
MOVED = ("MaxPool", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Slice")
NUMBER = r"\d+(\.\d+)?(e[-+]?\d+)?"
CLOSED_FORMS = ("DequantizeLinear", "MatMulIntegerToFloat", "QGemm", "DynamicQuantizeMatMul")
LEVEL = onnxruntime.GraphOptimizationLevel
onnxruntime.set_default_logger_severity(4)


def has_vnni():
    try:
        with open("/proc/cpuinfo", encoding="ascii") as file:
            return "vnni" in file.read()
    except OSError:
        return False


# ---- onnxruntime ----

def session(model, level, path=None):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = level
    options.intra_op_num_threads = 1
    if path:
        options.optimized_model_filepath = path
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def quantizer_after(node, readers):
    """The QuantizeLinear that an operator's result reaches, over clamps that have one reader each."""
    while node is not None and node.op_type != "QuantizeLinear":
        node = next(iter(readers.get(node.output[0], [])), None)
        if node is not None and node.op_type not in ("QuantizeLinear", "Relu", "Clip"):
            return None
    return node


def observe(model, given, folder):
    """Results; per tensor of the file its elements in onnxruntime, whether it was computed in float, the operator
    that wrote it, and the scale and zero point of a QuantizeLinear that replaces two (onnxruntime merges pairs between
    which nothing is left), else None; and the constants of the optimized model."""
    results = session(model, LEVEL.ORT_ENABLE_ALL).run(None, given)
    path = os.path.join(folder, "optimized.onnx")
    session(model, LEVEL.ORT_ENABLE_EXTENDED, path)
    optimized = onnx.load(path)
    seen = {o.name for o in optimized.graph.output}
    for node in optimized.graph.node:
        for name in node.output:
            if name and name not in seen:
                optimized.graph.output.append(onnx.ValueInfoProto(name=name))
                seen.add(name)
    kept = [i for i in optimized.graph.input if i.name in given]  # old files list initializers, which may be gone
    del optimized.graph.input[:]
    optimized.graph.input.extend(kept)
    again = session(optimized, LEVEL.ORT_DISABLE_ALL)
    names = [o.name for o in again.get_outputs()]
    values = dict(zip(names, again.run(names, given)))
    if not all(numpy.array_equal(values[o.name], r, equal_nan=True) for o, r in zip(model.graph.output, results)):
        return results, None, {}
    constants = {t.name: numpy_helper.to_array(t) for t in optimized.graph.initializer}
    return results, tensors_of(model, optimized, values), constants


def merged_parameters(node):
    is_merged = node.op_type == "QuantizeLinear" and "DoubleQDQRemoved" in node.input[1]
    return list(node.input[1:3]) if is_merged else None


def tensors_of(model, optimized, values):
    written = {name for node in model.graph.node for name in node.output}
    by_name = {node.name: node for node in model.graph.node}
    types = {t.name: t.data_type for t in model.graph.initializer}
    readers, writers, found, unseen = {}, {}, {}, set()  # unseen: quantized floats without a name in the file
    for node in model.graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    for node in optimized.graph.node:
        for name in node.output:
            writers[name] = node
    for node in optimized.graph.node:
        source = writers.get(node.input[0]) if node.input else None
        in_float = node.op_type == "QuantizeLinear" and source is not None
        if node.op_type == "DequantizeLinear" and source is not None:
            in_float = found[node.input[0]][1] if node.input[0] in found else False
        if node.op_type in MOVED and node.input[0] in unseen:
            in_float = True
        for name in node.output:
            if name not in values:
                continue
            value, target = values[name], name
            if name not in written and value.dtype == numpy.uint8:  # int8 as uint8, plus 128
                start = by_name.get(node.name)
                if start is None and node.op_type == "QuantizeLinear":
                    start = next((n for n in readers.get(node.input[0], []) if n.op_type == "QuantizeLinear"), None)
                moved = start is not None and start.op_type == "QuantizeLinear" and start.input[0] != node.input[0]
                quantizer = None if moved and node.op_type == "QuantizeLinear" else quantizer_after(start, readers)
                is_other = quantizer is not None and quantizer.output[0] in writers  # after a clamp that stays
                if quantizer is None or is_other or types.get(quantizer.input[2]) != onnx.TensorProto.INT8:
                    unseen.update([name] if in_float else [])
                    continue
                value, target = (value.astype(numpy.int16) - 128).astype(numpy.int8), quantizer.output[0]
            if target in written and target not in found:
                found[target] = (value, in_float, node.op_type, merged_parameters(node))
            elif in_float and target not in written:
                unseen.add(name)
    return found


# ---- Quern ----

def run(quern, engine, folder, model, given):
    path = os.path.join(folder, "m.onnx")
    onnx.save(model, path)
    command = [quern, "run", path, "--numerics", "ort", "--save", folder, "--cache", "off", *engine]
    for i, (name, value) in enumerate(given.items()):
        numpy.save(os.path.join(folder, f"given{i}.npy"), value)
        command += ["--input", f"{name}=@{folder}/given{i}.npy"]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)


def dumped(model, folder):
    """Tensors by name, and scale and zero point of those with one scale."""
    names = [name for node in model.graph.node for name in node.output]
    with open(os.path.join(folder, "dump", "index.json"), encoding="utf-8") as file:
        index = json.load(file)
    rows = {names[row["tensor"]]: row for row in index["tensors"] if row["tensor"] < len(names)}
    quantized = {name: (row["scales"][0], row["zero_points"][0]) for name, row in rows.items() if len(row["scales"]) == 1}
    return {name: numpy.load(os.path.join(folder, "dump", row["file"])) for name, row in rows.items()}, quantized


def as_floats(elements, scale, zero):
    """What DequantizeLinear gives: float32[elements.shape]."""
    return (elements.astype(numpy.int32) - zero).astype(numpy.float32) * numpy.float32(scale)


# ---- judgement ----

class Report:
    def __init__(self):
        self.counts = collections.Counter()
        self.problems = []
        self.farthest = 0.0

    def problem(self, seed, model, text):
        self.problems.append(f"seed {seed}: {text}: {draw.describe(model)}")


def differing(a, b):
    return ~((a == b) | (numpy.isnan(a) & numpy.isnan(b))) if a.dtype.kind == "f" else a != b


def scale_of(model, node):
    """The scale of a DequantizeLinear."""
    if node.op_type == "DequantizeLinear":
        for t in model.graph.initializer:
            if t.name == node.input[1] and list(t.dims) in ([], [1]):
                return float(numpy_helper.to_array(t).item())
    return 1.0


def judge_ties(report, name, got, wanted, quantizer, steps):
    """Text of a problem, or None: whether 8-bit elements that differ are ties, and `got` is right."""
    at = differing(got, wanted)
    if steps is None or steps.shape != got.shape:
        report.counts["differing elements of 8 bits without an exact result"] += int(at.sum())
        return f"{int(at.sum())} elements of {name} differ, and their exact results are unknown"
    zero = quantizer.astype(numpy.float64)
    ends = numpy.iinfo(got.dtype)
    exact_results = numpy.clip(steps[at] + zero, ends.min, ends.max)
    distance = numpy.abs(numpy.abs(exact_results - numpy.floor(exact_results)) - .5)
    report.farthest = max(report.farthest, float(distance.max()))
    far = int((distance > TIE).sum())
    wrong = int((numpy.abs(got[at] - exact_results) > .5 + 1e-9).sum())
    return f"{far} of {int(at.sum())} elements of {name} that differ are no ties, {wrong} are wrong" if far or wrong else None


def judge_tensor(report, name, got, wanted, in_float, kind, scale=1.0, exactly=None):
    """Text of a problem, or None. `exactly` gives the zero point and the exact results of a QuantizeLinear."""
    if got.shape != wanted.shape or got.dtype != wanted.dtype:
        return f"{name} is {got.dtype}{list(got.shape)}, not {wanted.dtype}{list(wanted.shape)}"
    count = int(differing(got, wanted).sum())
    if wanted.dtype.kind == "f" and kind not in CLOSED_FORMS:
        report.counts["float tensors"] += 1
        limit = 1e-4 * max(1e-6, float(numpy.nanmax(numpy.abs(wanted), initial=0)))
        far = int((numpy.abs(got - wanted) > limit).sum())
        return f"{far} of {wanted.size} floats of {name} ({kind}) differ" if far else None
    if not in_float:
        report.counts["exact elements"] += wanted.size
        return f"{count} of {wanted.size} elements of {name} ({kind}) differ" if count else None
    bits = 8 * wanted.dtype.itemsize
    if wanted.dtype.kind == "f":  # dequantized: in steps
        got, wanted = (numpy.rint(a.astype(numpy.float64) / scale) for a in (got, wanted))
        bits = 16
    report.counts[f"band elements of {bits} bits"] += wanted.size
    report.counts[f"band elements of {bits} bits that differ"] += count
    most = int(numpy.abs(got.astype(numpy.int64) - wanted.astype(numpy.int64)).max(initial=0))
    if most > 1:
        return f"{count} of {wanted.size} elements of {name} ({kind}) differ, by up to {most}"
    return judge_ties(report, name, got, wanted, *exactly()) if count and exactly and bits == 8 else None


def judge_tensors(report, seed, model, dump, theirs, optimized, given):
    ours, quantized = dump
    tainted = set()  # tensors that differ, and what is computed from them
    constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    integers = {**given, **{name: row[0] for name, row in theirs.items()}, **ours}  # Quern has equal tensors once

    def exactly(quantizer, merged):
        """The exact result of the unit that a node quantizes, with its own parameters or those of a merged pair."""
        if quantizer.op_type != "QuantizeLinear":
            return None
        scale, zero = (optimized[name] for name in merged) if merged else (constants[name] for name in quantizer.input[1:3])
        if zero.dtype == numpy.uint8 and constants[quantizer.input[2]].dtype == numpy.int8:  # int8 as uint8
            zero = zero.astype(numpy.int16) - 128
        return lambda: (zero, exact.steps_of(model, quantizer, scale, integers, optimized))

    for node in model.graph.node:
        spoiled = any(i in tainted for i in node.input if i not in constants)
        for output in node.output:
            if spoiled:
                tainted.add(output)
            elif output in theirs and output in ours:
                value, in_float, kind, merged = theirs[output]
                got = ours[output]
                if value.dtype == numpy.float32 and got.dtype.kind != "f" and output in quantized:
                    got = as_floats(got, *quantized[output])  # moved after a DequantizeLinear, by Quern before it
                text = judge_tensor(report, output, got, value, in_float, kind, scale_of(model, node), exactly(node, merged))
                if text:
                    report.problem(seed, model, text)
                if got.shape != value.shape or differing(got, value).any():
                    tainted.add(output)
            elif output in theirs or output in ours:
                report.counts[f"tensors that only {'onnxruntime' if output in theirs else 'Quern'} computes"] += 1
    return tainted


def judge(report, seed, quern, engine, folder):
    model, given = draw.model(seed)
    if model is None:
        report.counts["no graph"] += 1
        return
    try:
        results, theirs, optimized = observe(model, given, folder)
    except Exception as problem:  # onnxruntime rejects the graph, and its exceptions have no common class
        reason = re.sub(r"Node \(\w+\)", "Node (...)", str(problem))
        report.counts[f"rejected by onnxruntime: {reason[:150]!r}"] += 1
        report.counts["rejected by onnxruntime"] += 1
        return
    done = run(quern, engine, folder, model, given)
    if done.returncode == REJECTED:
        reason = next((line.split("error: ", 1)[1] for line in done.stderr.splitlines() if "error: " in line), "?")
        report.counts[f"rejected by Quern: {re.sub(NUMBER, 'N', reason)}"] += 1
        report.counts["rejected by Quern"] += 1
        return
    if done.returncode != 0:
        report.problem(seed, model, f"exit code {done.returncode}: {done.stderr.strip()[:300]}")
        return
    if theirs is None:
        report.counts["graphs whose observation changes them, not compared"] += 1
        return
    report.counts["graphs compared"] += 1
    tainted = set()
    if "--dump" in engine:
        tainted = judge_tensors(report, seed, model, dumped(model, folder), theirs, optimized, given)
    for i, (output, wanted) in enumerate(zip(model.graph.output, results)):
        got = numpy.load(os.path.join(folder, f"out{i}.npy"))
        _, in_float, kind, _ = theirs.get(output.name, (None, True, "?", None))
        if output.name in tainted or ("--dump" not in engine and in_float):
            report.counts["outputs after a difference"] += 1
            continue
        node = next(n for n in model.graph.node if output.name in n.output)
        text = judge_tensor(report, output.name, got, wanted, in_float, kind, scale_of(model, node))
        if text:
            report.problem(seed, model, "output " + text)


def judge_many(seeds, quern, engine, keep):
    report = Report()
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            if keep:
                folder = os.path.join(keep, str(seed))
                os.makedirs(folder, exist_ok=True)
            dumping = ["--dump", os.path.join(folder, "dump")] if "interpreter" in engine else []
            judge(report, seed, quern, engine + dumping, folder)
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("quern")
    parser.add_argument("--seeds", default="1-5000", help="the first and the last seed, or one")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--engine", default="interpreter", choices=("interpreter", "jit"))
    parser.add_argument("--keep", help="folder for models, inputs and outputs")
    arguments = parser.parse_args()
    if not has_vnni():
        print("skipped: onnxruntime's integer products saturate on CPUs without VNNI")
        return 77
    first, _, last = arguments.seeds.partition("-")
    seeds = range(int(first), int(last or first) + 1)
    engine = ["--engine", arguments.engine]
    parts = [seeds[i::arguments.jobs] for i in range(arguments.jobs)]
    total = Report()
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs) as pool:
        for report in pool.map(judge_many, parts, *[[value] * len(parts) for value in (arguments.quern, engine, arguments.keep)]):
            total.counts.update(report.counts)
            total.problems += report.problems
            total.farthest = max(total.farthest, report.farthest)
    for line in sorted(total.problems):
        print(line)
    for name, count in sorted(total.counts.items()):
        print(f"{count:9} {name}")
    good = not total.problems
    count, share = total.counts["band elements of 16 bits that differ"], 5e-3
    if count > max(3, share * total.counts["band elements of 16 bits"]):
        print(f"{count} elements of 16 bits differ: more than a share of {share}")
        good = False
    print(f"exact results of elements of 8 bits that differ are at most {total.farthest:.1e} steps from a tie")
    print(f"{len(total.problems)} problems; onnxruntime {onnxruntime.__version__}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

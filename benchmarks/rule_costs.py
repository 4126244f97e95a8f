#!/usr/bin/env python3
"""Measures what ops cost, for rules that apply only where that is cheaper: src/rules/cost/measured.def.

    rule_costs.py QUERN > src/rules/cost/measured.def

Each op is timed alone at several sizes, as `quern bench` does it: the tenth percentile of all runs on one
thread, several times, the least. Two numbers are fitted to that, what a call takes and what a unit of work
takes, so that the sum of squared relative errors is least. A unit is a multiplication of ops that sum
products, a tap of ops with a window, and an element of the larger of operand and result elsewhere.
SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import re
import subprocess
import sys
import tempfile

CODES = "!quant.uniform<i8:f32, 0.5:3>"
OTHER = "!quant.uniform<i8:f32, 0.25:-4>"
SHARES = "!quant.uniform<i8:f32, 0.00390625:-128>"
WEIGHTS = "!quant.uniform<i8:f32, 0.125>"
BIAS = "!quant.uniform<i32:f32, 0.0625>"
REPEATS = 3


def tensor(dims, element):
    return "tensor<" + "".join(f"{d}x" for d in dims) + element + ">"


def count(dims):
    total = 1
    for d in dims:
        total *= d
    return total


def module(arguments, result, body):
    """A function of one op; body gives what it returns as %r."""
    args = ", ".join(f"%a{i}: {t}" for i, t in enumerate(arguments))
    return (f'module attributes {{quern.numerics = "litert-ref"}} {{\nfunc.func @main({args}) -> {result} {{\n'
            f"{body}\nreturn %r : {result}\n}}\n}}\n")


def plain(name, operands, dims, element, attributes="", result=None, out=None):
    types = [tensor(d, element) for d in operands]
    result = tensor(out or dims, result or element)
    names = ", ".join(f"%a{i}" for i in range(len(types)))
    body = f'%r = "{name}"({names}) {{{attributes}}} : ({", ".join(types)}) -> {result}'
    return module(types, result, body)


def constant(name, dims, element, value):
    stored = re.sub(r"!quant.uniform<(i\d+):.*", r"\1", element)
    return (f'%{name} = "ml.const"() {{value = dense<{value}> : {tensor(dims, stored)}}} : () -> '
            f"{tensor(dims, element)}\n")


def weighted(name, x, w, y, element, attributes):
    real = element == "f32"
    we, be = ("f32", "f32") if real else (WEIGHTS, BIAS)
    body = constant("w", w, we, "0.5" if real else "3")
    body += constant("b", [y[-1]], be, "0.5" if real else "7")
    body += (f'%r = "{name}"(%a0, %w, %b) {{{attributes}}} : ({tensor(x, element)}, {tensor(w, we)}, '
             f"{tensor([y[-1]], be)}) -> {tensor(y, element)}")
    return module([tensor(x, element)], tensor(y, element), body)


SHAPES = [[1, 4, 4, 16], [1, 8, 8, 64], [1, 28, 28, 32], [1, 56, 56, 64]]
CONV = "activation = \"none\", dilations = array<i64: 1, 1>, pad = array<i64: {p}, {p}, {p}, {p}>, strides = array<i64: 1, 1>"


def conv(x, element):
    for k in (1, 3):
        w = [x[3], k, k, x[3]]
        yield count(x) * k * k * x[3], weighted("ml.conv", x, w, x, element, CONV.format(p=k // 2) + ", groups = 1 : i64")


def depthwise(x, element):
    yield count(x) * 9, weighted("ml.depthwise_conv", x, [1, 3, 3, x[3]], x, element, CONV.format(p=1))


def linear(x, element):
    n = min(count(x), 4096)
    yield n * 64, weighted("ml.linear", [1, n], [64, n], [1, 64], element, 'activation = "none"')


def pool(name):
    def make(x, element):
        for k in (2, 3):
            a = f'activation = "none", kernel_sizes = array<i64: {k}, {k}>, pad = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>'
            y = [1, x[1] - k + 1, x[2] - k + 1, x[3]]
            yield count(y) * k * k, plain(name, [x], x, element, a, out=y)
    return make


def two(name):
    return lambda x, element: [(count(x), plain(name, [x, x], x, element, 'activation = "none"'))]


def one(name, attributes="", result=None):
    return lambda x, element: [(count(x), plain(name, [x], x, element, attributes, result=result))]


def concat(x, element):
    y = x[:3] + [2 * x[3]]
    yield count(y), plain("ml.concat", [x, x], x, element, "axis = 3 : i64", out=y)


def cut(x, element):
    y = x[:3] + [x[3] // 2]
    ends = ", ".join(map(str, y))
    a = f"begin = array<i64: 0, 0, 0, 0>, end = array<i64: {ends}>, stride = array<i64: 1, 1, 1, 1>"
    yield count(x), plain("ml.slice_by_index", [x], x, element, a, out=y)


def pad(x, element):
    y = [1, x[1] + 2, x[2] + 2, x[3]]
    yield count(y), plain("ml.pad", [x], x, element, "pad = array<i64: 0, 0, 1, 1, 1, 1, 0, 0>", out=y)


def transpose(x, element):
    y = [x[0], x[3], x[1], x[2]]
    yield count(y), plain("ml.transpose", [x], x, element, "perm = array<i64: 0, 3, 1, 2>", out=y)


def typed(text):
    """An op whose syntax is the type's: quant.qcast and quant.dcast."""
    name, source, target = text
    def make(x, element):
        del element
        a, b = tensor(x, source), tensor(x, target)
        yield count(x), module([a], b, f"%r = {name} %a0 : {a} to {b}")
    return make


BOTH = ("CODES", "REALS")
OPS = [
    ("ML_CONV", BOTH, conv), ("ML_DEPTHWISE_CONV", BOTH, depthwise), ("ML_LINEAR", BOTH, linear),
    ("ML_MAX_POOL", BOTH, pool("ml.max_pool")), ("ML_AVG_POOL", BOTH, pool("ml.avg_pool")),
    ("ML_ADD", BOTH, two("ml.add")), ("ML_SUB", BOTH, two("ml.sub")), ("ML_MUL", BOTH, two("ml.mul")),
    ("ML_REAL_DIV", ("REALS",), two("ml.real_div")),
    ("ML_RELU", BOTH, one("ml.relu")), ("ML_RELU6", BOTH, one("ml.relu6")),
    ("ML_SIGMOID", BOTH, one("ml.sigmoid")), ("ML_TANH", BOTH, one("ml.tanh")),
    ("ML_SOFTMAX", ("CODES",), one("ml.softmax", "beta = 1.0 : f32", SHARES)),
    ("ML_SOFTMAX", ("REALS",), one("ml.softmax", "beta = 1.0 : f32")),
    ("ML_REQUANTIZE", ("CODES",), one("ml.requantize", "", OTHER)),
    ("QUANT_QCAST", ("CODES",), typed(("quant.qcast", "f32", CODES))),
    ("QUANT_DCAST", ("REALS",), typed(("quant.dcast", CODES, "f32"))),
    ("ML_CONCAT", BOTH, concat), ("ML_SLICE_BY_INDEX", BOTH, cut), ("ML_PAD", BOTH, pad),
    ("ML_TRANSPOSE", BOTH, transpose),
]
# Tensors share memory there (lower/loops/memory/plan.h), so that between other ops there is no kernel.
FREE = [
    ("ML_RESHAPE", "ALWAYS"), ("ML_SQUEEZE", "ALWAYS"), ("ML_EXPAND_DIMS", "ALWAYS"), ("QUANT_SCAST", "ALWAYS"),
    ("ML_CONCAT", "ONE_RUN"), ("ML_SPLIT", "ONE_RUN"), ("ML_SLICE_BY_INDEX", "ONE_RUN"),
]


def seconds(quern, text):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir", delete=False) as file:
        file.write(text)
    best, level = None, None
    try:
        for _ in range(REPEATS):
            done = subprocess.run([quern, "bench", file.name, "--json", "--runs", "300"], capture_output=True, text=True)
            if done.returncode != 0:
                return None, done.stderr.strip().splitlines()[0] if done.stderr else "?"
            result = json.loads(done.stdout)
            level = result["level"]
            best = min(best or 1, result["p10_seconds"])
    finally:
        os.unlink(file.name)
    return best, level


def fit(points):
    """call and unit >= 0 with the least sum of ((call + unit * work - time) / time)^2."""
    a = b = c = d = e = 0.0
    for work, time in points:
        x, y = 1 / time, work / time
        a, b, c, d, e = a + x * x, b + x * y, c + y * y, d + x, e + y
    det = a * c - b * b
    call, unit = ((d * c - b * e) / det, (a * e - b * d) / det) if det > 0 else (d / a, 0.0)
    if unit < 0:
        return d / a, 0.0
    return (call, unit) if call >= 0 else (0.0, e / c)


def main(quern):
    rows, level = [], "?"
    for kind, kinds, make in OPS:
        for element in kinds:
            points = []
            for shape in SHAPES:
                for work, text in make(shape, CODES if element == "CODES" else "f32"):
                    time, said = seconds(quern, text)
                    if time is None:
                        print(f"{kind} {element}: {said}", file=sys.stderr)
                        continue
                    level = said
                    points.append((work, time))
            if points:
                call, unit = fit(points)
                worst = max(abs(call + unit * w - t) / t for w, t in points)
                rows.append((kind, element, call * 1e9, unit * 1e12))
                print(f"{kind} {element}: {call * 1e9:.0f} ns + {unit * 1e12:.2f} ps, off by {worst:.0%}", file=sys.stderr)
    name = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "?")
    print("/* Measured costs of ops. Made by benchmarks/rule_costs.py, which explains the method; run it to measure again.\n"
          f" * {name}, level {level}, one thread.\n *\n"
          " *   COST(KIND, elements of the result, nanoseconds of a call, picoseconds of a unit of work)\n *\n"
          " *   FREE(KIND, when the memory plan leaves nothing to do: ALWAYS, or if parts are stored in ONE_RUN)\n *\n"
          " * The includer defines both and undefines them. SPDX-License-Identifier: Apache-2.0 */")
    for kind, element, call, unit in rows:
        print(f"COST({kind}, {element}, {call:.0f}, {unit:.1f})")
    for kind, when in FREE:
        print(f"FREE({kind}, {when})")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

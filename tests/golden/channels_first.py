#!/usr/bin/env python3
"""A float network in the manner of MobileNetV2 with channels first, batch norms, pads and transposes ends, with
graph-default, as the same ops as its clean form with channels last, and computes the same.

  channels_first.py QUERN

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import re
import subprocess
import sys
import tempfile

TO_LAST, TO_FIRST = [0, 2, 3, 1], [0, 3, 1, 2]


def tensor(dims):
    return "tensor<" + "".join(f"{d}x" for d in dims) + "f32>"


def array(values):
    return "array<i64: " + ", ".join(map(str, values)) + ">"


class Text:
    """A function under construction; every value has the dimensions that it has in the text."""

    def __init__(self, dims):
        self.lines, self.dims, self.seed = [], {"%x": dims}, 1

    def op(self, name, operands, dims, attrs=""):
        value = f"%{len(self.lines)}"
        types = ", ".join(tensor(self.dims[o]) for o in operands)
        attrs = " {" + attrs + "}" if attrs else ""
        self.lines.append(f'  {value} = "ml.{name}"({", ".join(operands)}){attrs} : ({types}) -> {tensor(dims)}')
        self.dims[value] = dims
        return value

    def nested(self, dims, low, high):
        if not dims:
            self.seed = (self.seed * 1103515245 + 12345) % 2**31
            return f"{low + (self.seed >> 16) % 101 / 100 * (high - low):.4f}"
        return "[" + ", ".join(self.nested(dims[1:], low, high) for _ in range(dims[0])) + "]"

    def const(self, dims, low=-0.5, high=0.5):
        return self.op("const", [], dims, f"value = dense<{self.nested(dims, low, high)}> : {tensor(dims)}")

    def transpose(self, x, perm):
        return self.op("transpose", [x], [self.dims[x][p] for p in perm], f"perm = {array(perm)}")

    def window(self, x, weights, out, stride, pad, bias=None):
        """A convolution, or one filter per channel, on channels last."""
        name = "depthwise_conv" if self.dims[weights][0] == 1 and self.dims[weights][1] == 3 else "conv"
        groups = "" if name == "depthwise_conv" else ", groups = 1 : i64"
        kernel = self.dims[weights][1]
        sizes = [(self.dims[x][i] + 2 * pad - kernel) // stride + 1 for i in (1, 2)]
        attrs = f"strides = {array([stride] * 2)}, dilations = {array([1, 1])}, pad = {array([pad] * 4)}{groups}"
        return self.op(name, [x, weights] + ([bias] if bias else []), [1, *sizes, out], attrs)

    def text(self, result):
        head = f"func.func @main(%x: {tensor(self.dims['%x'])}) -> {tensor(self.dims[result])} {{"
        return "\n".join([head, *self.lines, f"  return {result} : {tensor(self.dims[result])}", "}", ""])


class First(Text):
    """As a framework with channels first writes it: pads, norms and biases apart, transposes around windows."""

    channels, places = 1, [2, 3]

    def layer(self, x, dims, stride, clamp):
        out, kernel = (dims[3] if dims[0] == 1 and dims[1] == 3 else dims[0]), dims[1]
        if kernel > 1:
            pads = [0, 0, 0, 0, 1, 1, 1, 1]
            padded = self.dims[x][:2] + [d + 2 for d in self.dims[x][2:]]
            x = self.op("pad", [x], padded, f"pad = {array(pads)}")
        x = self.window(self.transpose(x, TO_LAST), self.const(dims), out, stride, 0)
        x = self.transpose(x, TO_FIRST)
        norm = [x, self.const([out]), self.const([out], 0.5, 1.5), self.const([out], 0.5, 1.5), self.const([out])]
        x = self.op("batch_norm", norm, self.dims[x], "axis = 1 : i64, epsilon = 0.001 : f64")
        return self.op("relu6", [x], self.dims[x]) if clamp else x


class Last(Text):
    """The same with channels last and nothing to do."""

    channels, places = 3, [1, 2]

    def layer(self, x, dims, stride, clamp):
        out = dims[3] if dims[0] == 1 and dims[1] == 3 else dims[0]
        x = self.window(x, self.const(dims), out, stride, dims[1] // 2, self.const([out]))
        return self.op("relu6", [x], self.dims[x]) if clamp else x


def block(t, x, out, stride):
    """Expansion, a window per channel, projection; and around them all, where the shape stays."""
    within = t.dims[x][t.channels]
    y = t.layer(x, [2 * within, 1, 1, within], 1, True)
    y = t.layer(y, [1, 3, 3, 2 * within], stride, True)
    y = t.layer(y, [out, 1, 1, 2 * within], 1, False)
    return t.op("add", [x, y], t.dims[x]) if t.dims[y] == t.dims[x] else y


def network(t):
    x = t.layer("%x", [8, 3, 3, 3], 2, True)
    for out, stride in [(8, 1), (12, 2), (12, 1)]:
        x = block(t, x, out, stride)
    x = t.layer(x, [16, 1, 1, 12], 1, True)
    x = t.op("reduce_mean", [x], [1, 16], f"axes = {array(t.places)}, keep_dims = false")
    weights = t.const([5, 16])
    if isinstance(t, Last):
        return t.text(t.op("linear", [x, weights, t.const([5])], [1, 5]))
    product = t.op("linear", [x, weights], [1, 5])
    return t.text(t.op("add", [product, t.const([5])], [1, 5]))


def main():
    quern = sys.argv[1]

    def opt(text, *flags):
        path = pathlib.Path(folder) / "graph.mlir"
        path.write_text(text)
        done = subprocess.run([quern, "opt", path, *flags], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"quern opt {' '.join(flags)} fails:\n{done.stderr}")
        return done.stdout

    def ops(text):
        """Kinds, attributes and types, whatever the values and the constants' elements; constants aside."""
        function = text[: text.index("\n  }\n")]
        plain = [re.sub(r"%[\w#]+", "%", line).strip() for line in function.splitlines()]
        return [line for line in plain if line and "ml.const" not in line]

    with tempfile.TemporaryDirectory() as folder:
        first, last = network(First([1, 3, 16, 16])), network(Last([1, 16, 16, 3]))
        done = opt(first, "--graph-default")
        clean = opt(last, "--image-input-preprocess=inputs=0", "--graph-default")
        if ops(done) != ops(clean):
            sys.exit("channels first ends as other ops:\n" + "\n".join(ops(done)) + "\nclean:\n" + "\n".join(ops(clean)))
        if ops(opt(clean, "--graph-default")) != ops(clean):
            sys.exit("the clean form is not clean")
        values = ",".join(str(i * 37 % 101 / 50 - 1) for i in range(3 * 16 * 16))
        results = []
        for text in (first, done):
            said = opt(text, "--emit=interpret", "--input", "1x3x16x16xf32=" + values)
            results.append([float(v) for v in re.findall(r"-?\d+\.\d+(?:e[-+]\d+)?", said.split(">")[0])])
        if len(results[0]) != 5 or any(abs(a - b) > 1e-4 * max(1, abs(a)) for a, b in zip(*results)):
            sys.exit(f"the results differ: {results}")
        print(f"{len(ops(opt(first)))} lines of ops became {len(ops(done))}")


main()

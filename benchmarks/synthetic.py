#!/usr/bin/env python3
"""Writes models with published layer shapes and random weights, to measure speed without the original files.

    synthetic.py DIRECTORY [MODEL...]      writes DIRECTORY/MODEL.tflite

The bytes are the same in every run. Only Python is required. Weights are normally distributed, and each channel is
scaled to a maximum magnitude of 127 with its own scale, because speed and exactness depend on this distribution.
Scales of activations are chosen so that results use the whole range of 8 bits.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import collections
import math
import os
import random
import struct

from flatbuffer import Table, Text, Vector, refer

# BuiltinOperator
ADD, CONCAT, CONV, DEPTHWISE, DEQUANTIZE, FULLY_CONNECTED, SIGMOID, MAX_POOL, MUL, RESHAPE = 0, 2, 3, 4, 6, 9, 14, 17, 18, 22
SOFTMAX, TRANSPOSE, MEAN, SUB, CONV_TRANSPOSE, RSQRT, RESIZE, SQUARED_DIFFERENCE = 25, 39, 40, 41, 67, 76, 97, 99
QUANTIZE, HARD_SWISH, MATMUL, GELU = 114, 117, 126, 150
OPTIONS = {CONV: 1, DEPTHWISE: 2, MAX_POOL: 5, FULLY_CONNECTED: 8, SOFTMAX: 9, CONCAT: 10, ADD: 11, RESHAPE: 17, MUL: 21, TRANSPOSE: 26,
           MEAN: 27, SUB: 28, CONV_TRANSPOSE: 49, SQUARED_DIFFERENCE: 66, RESIZE: 74, HARD_SWISH: 90, MATMUL: 101, GELU: 116,
           QUANTIZE: 0, DEQUANTIZE: 0, SIGMOID: 0, RSQRT: 0}  # BuiltinOptions
VERSIONS = {CONV: 3, DEPTHWISE: 3, FULLY_CONNECTED: 4, RESHAPE: 1, CONV_TRANSPOSE: 3, SQUARED_DIFFERENCE: 1, HARD_SWISH: 1, QUANTIZE: 1,
            RSQRT: 1, **dict.fromkeys((ADD, CONCAT, MAX_POOL, SOFTMAX, MEAN, DEQUANTIZE, SIGMOID, MUL, SUB, TRANSPOSE, RESIZE, MATMUL,
                                       GELU), 2)}
FLOAT32, INT32, INT64, INT16, INT8 = 0, 2, 4, 7, 9  # TensorType
NONE, RELU, RELU6 = 0, 1, 3  # ActivationFunctionType
SAME = 0
CHANNELS_IN_POOL = 64  # different ones per length; others are these, turned

# What activations, weights and biases are, the struct code of the last two, and steps of an activation per 8-bit step.
Types = collections.namedtuple("Types", "activation weights weights_code bias bias_code steps")
BYTES = Types(INT8, INT8, "b", INT32, "i", 1)
WORDS = Types(INT16, INT8, "b", INT64, "q", 256)
FLOATS = Types(FLOAT32, FLOAT32, "f", FLOAT32, "f", 1)
HYBRID = Types(FLOAT32, INT8, "b", FLOAT32, "f", 1)  # inputs are quantized when the model runs


# ---- a model under construction ----


class Model:
    def __init__(self, name, types=BYTES):
        self.name, self.random, self.types = name, random.Random(name), types
        self.tensors, self.buffers, self.operators, self.codes = [], [Table()], [], []
        self.pools, self.scales, self.shapes = {}, [], []

    def tensor(self, shape, kind, scales, zero_point=0, data=None):
        buffer = 0
        if data is not None:
            buffer = len(self.buffers)
            self.buffers.append(Table((0, "*", Vector("B", data))))
        quantization = [] if scales is None or kind == FLOAT32 else [(4, "*", Table(
            (2, "*", Vector("f", scales)), (3, "*", Vector("q", [zero_point] * len(scales))),
            (6, "i", shape.index(len(scales)) if len(scales) > 1 else 0)))]
        self.tensors.append(Table((0, "*", Vector("i", shape)), (1, "b", kind), (2, "I", buffer),
                                  (3, "*", Text(f"t{len(self.tensors)}")), *quantization))
        self.scales.append(scales)
        self.shapes.append(shape)
        return len(self.tensors) - 1

    def activation(self, shape, scale, fused=NONE):
        """An activation tensor with the given scale. If its type has a zero point, a tensor after a rectifier uses the whole
        range for values >= 0."""
        zero_point = -128 if fused != NONE and self.types is BYTES else 0
        return self.tensor(shape, self.types.activation, [scale], zero_point)

    def image(self, height, width):
        return self.activation([1, height, width, 3], 1 / 64 / self.types.steps)

    def operator(self, kind, inputs, output, *options):
        if kind not in self.codes:
            self.codes.append(kind)
        self.operators.append(Table((0, "I", self.codes.index(kind)), (1, "*", Vector("i", inputs)),
                                    (2, "*", Vector("i", [output])), (3, "B", OPTIONS[kind]),
                                    (4, "*", Table(*options))))
        return output

    def channel(self, length):
        """Bytes of the weights of one output channel, and the mean of their squares."""
        if length not in self.pools:
            pool = []
            for _ in range(CHANNELS_IN_POOL):
                draws = [self.random.gauss(0, 1) for _ in range(length)]
                most = max(map(abs, draws))
                weights = [round(127 * d / most) for d in draws]
                pool.append((struct.pack(f"{length}b", *weights), sum(w * w for w in weights) / length))
            self.pools[length] = pool
        weights, square = self.random.choice(self.pools[length])
        turn = self.random.randrange(length)
        return weights[turn:] + weights[:turn], square

    def weighted(self, kind, x, weights_shape, taps, channels, out_shape, fused, *options, before=None,
                 scale=None):
        """An operator with weights [channels][taps], or for depthwise [taps][channels], and a bias. Transposed convolutions
        have an operand `before` the weights, and x after them."""
        drawn = [self.channel(taps) for _ in range(channels)]
        weights = b"".join(d[0] for d in drawn)
        square = sum(d[1] for d in drawn) / channels
        steps = 45 / (60 * math.sqrt(taps * square))  # of results per step of sums; x is about 60 bytes' steps off its zero
        x_scale = self.scales[x][0]
        scale = scale or x_scale
        w_scale = [steps * self.random.uniform(0.7, 1.4) for _ in range(channels)]
        bias = [int(self.types.steps * self.random.gauss(0, 10 / steps)) for _ in range(channels)]
        if self.types is FLOATS:
            weights = [w * w_scale[i // taps] for i, w in enumerate(struct.unpack(f"{channels * taps}b", weights))]
        if self.types.bias == FLOAT32:
            bias = [b * x_scale * w for b, w in zip(bias, w_scale)]
        if kind == DEPTHWISE:
            weights = [weights[c * taps + t] for t in range(taps) for c in range(channels)]
        if self.types is FLOATS or kind == DEPTHWISE:
            code = self.types.weights_code if self.types is FLOATS else "B"  # bytes without their signs
            weights = struct.pack(f"<{len(weights)}{code}", *weights)
        inputs = [x, self.tensor(weights_shape, self.types.weights, w_scale, 0, weights)]
        if before:
            inputs = before + inputs[::-1]
        inputs.append(self.tensor([channels], self.types.bias, [x_scale * w for w in w_scale], 0,
                                  struct.pack(f"<{channels}{self.types.bias_code}", *bias)))
        return self.operator(kind, inputs, self.activation(out_shape, scale, fused), *options)

    def conv(self, x, channels, kernel=1, stride=1, fused=RELU, groups=1):
        """A convolution with windows of kernel x kernel, or kernel[0] x kernel[1]; its groups divide the channels of x and of the result."""
        _, height, width, depth = self.shapes[x]
        rows, columns = kernel if isinstance(kernel, tuple) else (kernel, kernel)
        out = [1, -(-height // stride), -(-width // stride), channels]
        depth //= groups
        return self.weighted(CONV, x, [channels, rows, columns, depth], rows * columns * depth, channels, out, fused,
                             (0, "b", SAME), (1, "i", stride), (2, "i", stride), (3, "b", fused),
                             (4, "i", 1), (5, "i", 1))

    def conv_transpose(self, x, y):
        """Doubles rows and columns of x, halves its channels; the result has the scale of y, to be joined with it."""
        _, height, width, depth = self.shapes[x]
        out = [1, 2 * height, 2 * width, depth // 2]
        shape = self.tensor([4], INT32, None, 0, struct.pack("<4i", *out))
        return self.weighted(CONV_TRANSPOSE, x, [depth // 2, 2, 2, depth], 4 * depth, depth // 2, out, RELU,
                             (0, "b", SAME), (1, "i", 2), (2, "i", 2), before=[shape], scale=self.scales[y][0])

    def concat(self, x, y):
        shape = self.shapes[x][:3] + [self.shapes[x][3] + self.shapes[y][3]]
        return self.operator(CONCAT, [x, y], self.activation(shape, self.scales[x][0], RELU), (0, "i", 3))

    def depthwise(self, x, stride, kernel=3, fused=RELU6):
        _, height, width, depth = self.shapes[x]
        out = [1, -(-height // stride), -(-width // stride), depth]
        return self.weighted(DEPTHWISE, x, [1, kernel, kernel, depth], kernel * kernel, depth, out, fused, (0, "b", SAME),
                             (1, "i", stride), (2, "i", stride), (3, "i", 1), (4, "b", fused), (5, "i", 1), (6, "i", 1))

    def linear(self, x, units, fused=NONE):
        rows, depth = self.shapes[x]
        return self.weighted(FULLY_CONNECTED, x, [units, depth], depth, units, [rows, units], fused, (0, "b", fused))

    def add(self, x, y, fused=NONE):
        scale = math.hypot(self.scales[x][0], self.scales[y][0])
        return self.operator(ADD, [x, y], self.activation(self.shapes[x], scale, fused), (0, "b", fused))

    def max_pool(self, x):
        _, height, width, depth = self.shapes[x]
        y = self.activation([1, -(-height // 2), -(-width // 2), depth], self.scales[x][0], RELU)
        return self.operator(MAX_POOL, [x], y, (0, "b", SAME), (1, "i", 2), (2, "i", 2), (3, "i", 3), (4, "i", 3))

    def classify(self, x, classes):
        axes = self.tensor([2], INT32, None, 0, struct.pack("<2i", 1, 2))
        mean = self.activation([1, self.shapes[x][3]], self.scales[x][0] / 2, RELU)
        self.operator(MEAN, [x, axes], mean)
        logits = self.linear(mean, classes)
        scale, zero_point = (1 / 32768, 0) if self.types is WORDS else (1 / 256, -128)
        odds = self.tensor([1, classes], self.types.activation, [scale], zero_point)
        return self.operator(SOFTMAX, [logits], odds, (0, "f", 1.0))

    # ---- operators on floats, of any model ----

    def floats(self, shape, values=None):
        """A tensor of floats, constant if there are values."""
        data = None if values is None else struct.pack(f"<{len(values)}f", *values)
        return self.tensor(shape, FLOAT32, [1 / 64], 0, data)

    def ints(self, values):
        return self.tensor([len(values)], INT32, None, 0, struct.pack(f"<{len(values)}i", *values))

    def step(self, kind, inputs, shape, *options):
        return self.operator(kind, inputs, self.floats(shape), *options)

    def float_norm(self, x, factors, terms, epsilon):
        """A layer norm of rows, of several operators, as TensorFlow writes it."""
        rows, width = self.shapes[x]
        axis, column, keeps, plain = self.ints([1]), [rows, 1], (0, "b", 1), (0, "b", NONE)
        mean = self.step(MEAN, [x, axis], column, keeps)
        square = self.step(SQUARED_DIFFERENCE, [x, mean], [rows, width])
        variance = self.step(MEAN, [square, axis], column, keeps)
        variance = self.step(ADD, [variance, self.floats([1], [epsilon])], column, plain)
        factor = self.step(MUL, [self.step(RSQRT, [variance], column), self.floats([width], factors)], [rows, width], plain)
        part = self.step(MUL, [mean, factor], [rows, width], plain)
        part = self.step(SUB, [self.floats([width], terms), part], [rows, width], plain)
        return self.step(ADD, [self.step(MUL, [x, factor], [rows, width], plain), part], [rows, width], plain)

    def file(self, inputs, outputs):
        codes = [Table((0, "b", min(code, 127)), (2, "i", VERSIONS[code]), (3, "i", code)) for code in self.codes]
        graph = Table((0, "*", Vector("*", self.tensors)), (1, "*", Vector("i", inputs)),
                      (2, "*", Vector("i", outputs)), (3, "*", Vector("*", self.operators)), (4, "*", Text("main")))
        root = Table((0, "I", 3), (1, "*", Vector("*", codes)), (2, "*", Vector("*", [graph])),
                     (3, "*", Text(self.name)), (4, "*", Vector("*", self.buffers)))
        out = bytearray(b"\0\0\0\0TFL3")
        refer(out, 0, root)
        return bytes(out)


# ---- published shapes ----


def resnet_50(m):
    """Version 1.5: strides are in the 3x3 layers."""
    image = m.image(224, 224)
    x = m.max_pool(m.conv(image, 64, kernel=7, stride=2))
    for stage, blocks in enumerate((3, 4, 6, 3)):
        width = 64 << stage
        for block in range(blocks):
            stride = 2 if block == 0 and stage > 0 else 1
            past = m.conv(x, 4 * width, stride=stride, fused=NONE) if block == 0 else x
            y = m.conv(m.conv(m.conv(x, width), width, kernel=3, stride=stride), 4 * width, fused=NONE)
            x = m.add(y, past, RELU)
    return m.file([image], [m.classify(x, 1000)])


def resnet_8(m):
    """The model of MLPerf Tiny, for images of 32 x 32."""
    image = m.image(32, 32)
    x = m.conv(image, 16, kernel=3)
    for channels, stride in ((16, 1), (32, 2), (64, 2)):
        past = m.conv(x, channels, stride=stride, fused=NONE) if stride > 1 else x
        y = m.conv(m.conv(x, channels, kernel=3, stride=stride), channels, kernel=3, fused=NONE)
        x = m.add(y, past, RELU)
    return m.file([image], [m.classify(x, 10)])


def mobilenet_v1(m):
    image = m.image(224, 224)
    x = m.conv(image, 32, kernel=3, stride=2, fused=RELU6)
    for channels, stride in ((64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *((512, 1),) * 5, (1024, 2),
                             (1024, 1)):
        x = m.conv(m.depthwise(x, stride), channels, fused=RELU6)
    return m.file([image], [m.classify(x, 1001)])


def mobilenet_v2(m):
    image = m.image(224, 224)
    x = m.conv(image, 32, kernel=3, stride=2, fused=RELU6)
    for factor, channels, blocks, first in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                            (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(blocks):
            stride = first if block == 0 else 1
            y = m.conv(x, factor * m.shapes[x][3], fused=RELU6) if factor > 1 else x
            y = m.conv(m.depthwise(y, stride), channels, fused=NONE)
            x = m.add(y, x) if block > 0 else y
    return m.file([image], [m.classify(m.conv(x, 1280, fused=RELU6), 1001)])


def toy_car(m):
    """The autoencoder of MLPerf Tiny, without its normalizations."""
    x = first = m.activation([1, 640], 1 / 64)
    for units in (128, 128, 128, 128, 8, 128, 128, 128, 128):
        x = m.linear(x, units, RELU)
    return m.file([first], [m.linear(x, 640)])


def keywords(m):
    """The shapes of MLPerf Tiny's keyword spotting, with a first kernel of 4 x 4 instead of 10 x 4."""
    x = first = m.activation([1, 49, 10, 1], 1 / 64)
    x = m.conv(x, 64, kernel=4, stride=2)
    for _ in range(4):
        x = m.conv(m.depthwise(x, 1), 64)
    return m.file([first], [m.classify(x, 12)])


def bert_layers(m, layers=4, tokens=128, width=768):
    """The products with weights of an encoder: attention itself, which has none, is a sum here."""
    tokens_in = x = m.activation([tokens, width], 1 / 64)
    for _ in range(layers):
        query, key, value = (m.linear(x, width) for _ in range(3))
        x = m.add(m.linear(m.add(m.add(query, key), value), width), x)
        x = m.add(m.linear(m.linear(x, 4 * width, RELU), width), x)
    return m.file([tokens_in], [x])


def u_net(m, depth=4):
    """For images of 256 x 256, with 32 channels in the first layers."""
    image = x = m.image(256, 256)
    past = []
    for level in range(depth + 1):
        if level > 0:
            x = m.max_pool(x)
        x = m.conv(m.conv(x, 32 << level, kernel=3), 32 << level, kernel=3)
        past.append(x)
    for level in reversed(range(depth)):
        y = m.concat(m.conv_transpose(x, past[level]), past[level])
        x = m.conv(m.conv(y, 32 << level, kernel=3), 32 << level, kernel=3)
    return m.file([image], [m.conv(x, 2, fused=NONE)])


def linear_4096(rows):
    def make(m):
        x = m.activation([rows, 4096], 1 / 64)
        return m.file([x], [m.linear(x, 4096)])
    return make


MODELS = {  # what makes it, and of which types
    "resnet_50_224": (resnet_50, BYTES), "mobilenet_v1_1.0_224": (mobilenet_v1, BYTES),
    "bert_base_4x128": (bert_layers, BYTES), "resnet_8_32_int16": (resnet_8, WORDS),
    "mobilenet_v1_1.0_224_float": (mobilenet_v1, FLOATS), "mobilenet_v1_1.0_224_hybrid": (mobilenet_v1, HYBRID),
    "linear_4096_hybrid_1": (linear_4096(1), HYBRID), "linear_4096_hybrid_16": (linear_4096(16), HYBRID),
    "linear_4096_hybrid_128": (linear_4096(128), HYBRID), "mobilenet_v2_1.0_224_float": (mobilenet_v2, FLOATS),
    "mobilenet_v2_1.0_224_hybrid": (mobilenet_v2, HYBRID), "toy_car_hybrid": (toy_car, HYBRID), "kws_hybrid": (keywords, HYBRID), "u_net_256": (u_net, BYTES), "u_net_256_float": (u_net, FLOATS),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(MODELS)}; all of them without one")
    options = parser.parse_args()
    unknown = [name for name in options.models if name not in MODELS]
    if unknown:
        parser.error(f"no model '{unknown[0]}'; there are {', '.join(MODELS)}")
    os.makedirs(options.folder, exist_ok=True)
    for name in options.models or MODELS:
        path = os.path.join(options.folder, name + ".tflite")
        network, types = MODELS[name]
        content = network(Model(name, types))
        with open(path, "wb") as file:
            file.write(content)
        print(f"{path}: {len(content)} bytes")


if __name__ == "__main__":
    main()

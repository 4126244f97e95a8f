#!/usr/bin/env python3
"""Writes networks with published layer shapes and random weights twice: as .onnx in the form of quantizers (QDQ), and as
.tflite.

    qdq.py DIRECTORY [MODEL...]      writes DIRECTORY/MODEL.onnx and DIRECTORY/MODEL.tflite

Both files have the same weights and scales, and float inputs and outputs. The .onnx file is what the static quantizers of
onnxruntime and NNCF write: images are NCHW, weights and activations are int8 (uint8 with --unsigned), and DequantizeLinear and
QuantizeLinear are around every operator. synthetic.py chooses weights and scales. Required packages: numpy, onnx.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import pathlib

import numpy as np
from onnx import TensorProto, helper, numpy_helper

import synthetic
from flatbuffer import Vector
from synthetic import (DEQUANTIZE, FLOAT32, GELU, INT32, INT8, MATMUL, MUL, NONE, QUANTIZE, RELU, RELU6, RESHAPE, RESIZE, SAME, SIGMOID,
                       TRANSPOSE)

OPSET, IR_VERSION, EPSILON = 21, 10, 1e-5


class Twin(synthetic.Model):
    """The .tflite file: int8 inside, float inputs and outputs."""

    def __init__(self, name):
        super().__init__(name)
        self.zeros, self.kinds, self.ports = [], [], {}

    def tensor(self, shape, kind, scales, zero_point=0, data=None):
        self.zeros.append(zero_point)
        self.kinds.append(kind)
        return super().tensor(shape, kind, scales, zero_point, data)

    def input(self, shape, scale):
        given = self.floats(shape)
        x = self.operator(QUANTIZE, [given], self.tensor(shape, INT8, [scale]))
        self.ports[x] = given
        return x

    def image(self, height, width):
        return self.input([1, height, width, 3], 1 / 64)

    def tokens(self, rows, width):
        return self.input([rows, width], 1 / 64)

    def file(self, inputs, outputs):
        for x in outputs:
            self.ports[x] = self.operator(DEQUANTIZE, [x], self.floats(self.shapes[x]))
        return super().file([self.ports[x] for x in inputs], [self.ports[x] for x in outputs])

    # ---- layers that synthetic.py does not have ----

    def like(self, x, shape=None):
        """A tensor with the scale and zero point of x."""
        return self.tensor(shape or self.shapes[x], INT8, self.scales[x], self.zeros[x])

    def above(self, x, depth):
        """A tensor like x, for numbers that are not below -depth."""
        scale = self.scales[x][0]
        return self.tensor(self.shapes[x], INT8, [scale], -128 + round(depth / scale))

    def silu(self, x):
        sigmoid = self.operator(SIGMOID, [x], self.tensor(self.shapes[x], INT8, [1 / 256], -128))
        return self.operator(MUL, [x, sigmoid], self.above(x, 0.28), (0, "b", NONE))

    def gelu(self, x):
        return self.operator(GELU, [x], self.above(x, 0.17))

    def pool(self, x, size):
        """The maximum of windows of size x size around each element."""
        return self.operator(synthetic.MAX_POOL, [x], self.like(x), (0, "b", SAME), (1, "i", 1), (2, "i", 1), (3, "i", size),
                             (4, "i", size))

    def upsample(self, x):
        n, height, width, depth = self.shapes[x]
        return self.operator(RESIZE, [x, self.ints([2 * height, 2 * width])], self.like(x, [n, 2 * height, 2 * width, depth]))

    def join(self, *parts):
        """Along channels. The result has a scale of its own, so that parts have to be rescaled."""
        shape = self.shapes[parts[0]][:3] + [sum(self.shapes[x][3] for x in parts)]
        y = self.tensor(shape, INT8, [max(self.scales[x][0] for x in parts)], max(self.zeros[x] for x in parts))
        return self.operator(synthetic.CONCAT, [self.rescaled(x, y) for x in parts], y, (0, "i", 3))

    def rescaled(self, x, y):
        """x with the scale and zero point of y, which TensorFlow Lite requires of its operands."""
        if (self.scales[x], self.zeros[x]) == (self.scales[y], self.zeros[y]):
            return x
        return self.operator(QUANTIZE, [x], self.like(y, self.shapes[x]))

    def reshape(self, x, shape):
        return self.operator(RESHAPE, [x, self.ints(shape)], self.like(x, shape), (0, "*", Vector("i", shape)))

    def transpose(self, x, perm):
        return self.operator(TRANSPOSE, [x, self.ints(perm)], self.like(x, [self.shapes[x][i] for i in perm]))

    def matmul(self, x, y, scale, zero_point=0):
        shape = self.shapes[x][:2] + [self.shapes[y][2]]
        return self.operator(MATMUL, [x, y], self.tensor(shape, INT8, [scale], zero_point), (0, "b", 0), (1, "b", 0))

    def softmax(self, x):
        return self.operator(synthetic.SOFTMAX, [x], self.tensor(self.shapes[x], INT8, [1 / 256], -128), (0, "f", 1.0))

    def norm_factors(self, width):
        return [[self.random.uniform(0.5, 1.5) for _ in range(width)], [self.random.gauss(0, 0.1) for _ in range(width)]]

    def layer_norm(self, x):
        rows, width = self.shapes[x]
        factors, terms = self.norm_factors(width)
        y = self.float_norm(self.step(DEQUANTIZE, [x], [rows, width]), factors, terms, EPSILON)
        return self.operator(QUANTIZE, [y], self.tensor([rows, width], INT8, [1 / 32]))


class Qdq(Twin):
    """The .onnx file. Images, of rank 4, are NCHW there."""

    def __init__(self, name, is_unsigned):
        super().__init__(name)
        self.is_unsigned = is_unsigned
        self.nodes, self.constants, self.data, self.reals, self.inputs = [], {}, {}, {}, []

    def tensor(self, shape, kind, scales, zero_point=0, data=None):
        number = super().tensor(shape, kind, scales, zero_point, data)
        if data is not None:
            dtype = {FLOAT32: "<f4", INT32: "<i4", INT8: "i1"}[kind]
            self.data[number] = np.frombuffer(bytes(data), dtype).reshape(shape)
        return number

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=f"{kind}_{output}", **attributes))
        return output

    def parameters(self, x):
        """Names of scale and zero point of an activation."""
        dtype, shift = (np.uint8, 128) if self.is_unsigned else (np.int8, 0)
        return [self.constant(f"t{x}_scale", np.float32(self.scales[x][0])),
                self.constant(f"t{x}_zero", dtype(self.zeros[x] + shift))]

    def quantize(self, real, x):
        """Activation x, which is quantized from the float tensor named."""
        self.node("QuantizeLinear", [real, *self.parameters(x)], f"t{x}")
        self.reals[x] = self.node("DequantizeLinear", [f"t{x}", *self.parameters(x)], f"t{x}_real")
        return x

    def weights(self, x, order=None, axis=0):
        values = self.data[x] if order is None else self.data[x].transpose(order)
        scale = [self.constant(f"w{x}_scale", np.float32(self.scales[x])),
                 self.constant(f"w{x}_zero", np.zeros(len(self.scales[x]), values.dtype))]
        return self.node("DequantizeLinear", [self.constant(f"w{x}", values), *scale], f"w{x}_real", axis=axis)

    def port(self, name, x):
        shape = self.shapes[x]
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, [shape[0], shape[3], *shape[1:3]] if len(shape) == 4 else shape)

    def input(self, shape, scale):
        x = Twin.tensor(self, shape, INT8, [scale])
        self.inputs.append(self.port(f"input{len(self.inputs)}", x))
        return self.quantize(self.inputs[-1].name, x)

    def operator(self, kind, inputs, output, *options):
        options = {number: value for number, _, value in options}
        activation = options.get({synthetic.CONV: 3, synthetic.DEPTHWISE: 4, synthetic.FULLY_CONNECTED: 0, synthetic.ADD: 0}.get(kind))
        name = self.float_operator(kind, inputs, f"t{output}_float", options)
        if activation == RELU:
            name = self.node("Relu", [name], f"{name}_relu")
        elif activation == RELU6:
            name = self.node("Clip", [name, self.constant("zero", np.float32(0)), self.constant("six", np.float32(6))], f"{name}_clip")
        return self.quantize(name, output)

    def float_operator(self, kind, inputs, y, options):
        reals = [self.reals[x] for x in inputs if x in self.reals]
        if kind in (synthetic.CONV, synthetic.DEPTHWISE):
            order = (3, 0, 1, 2) if kind == synthetic.DEPTHWISE else (0, 3, 1, 2)
            group = self.shapes[inputs[1]][3] if kind == synthetic.DEPTHWISE else 1
            stride, kernel = options[1], self.shapes[inputs[1]][1]
            total = kernel - (1 if self.shapes[inputs[0]][1] % stride else stride)
            before = max(total, 0) // 2
            pads = [before, before, max(total, 0) - before, max(total, 0) - before]
            return self.node("Conv", [*reals, self.weights(inputs[1], order), self.weights(inputs[2])], y, group=group, pads=pads,
                             kernel_shape=[kernel, kernel], strides=[stride, stride])
        if kind == synthetic.FULLY_CONNECTED:
            return self.node("Gemm", [*reals, self.weights(inputs[1]), self.weights(inputs[2])], y, transB=1)
        if kind == synthetic.MAX_POOL:
            return self.node("MaxPool", reals, y, auto_pad="SAME_UPPER", kernel_shape=[options[4], options[3]],
                             strides=[options[2], options[1]])
        if kind == synthetic.MEAN:
            return self.node("Flatten", [self.node("GlobalAveragePool", reals, f"{y}_pool")], y)
        if kind == RESIZE:
            return self.node("Resize", [*reals, "", self.constant("twice", np.float32([1, 1, 2, 2]))], y, mode="nearest",
                             coordinate_transformation_mode="asymmetric", nearest_mode="floor")
        if kind == RESHAPE:
            return self.node("Reshape", [*reals, self.constant(f"{y}_shape", self.data[inputs[1]].astype(np.int64))], y)
        if kind == TRANSPOSE:
            return self.node("Transpose", reals, y, perm=self.data[inputs[1]].tolist())
        attributes = {synthetic.CONCAT: {"axis": 1}, synthetic.SOFTMAX: {"axis": -1}}.get(kind, {})
        name = {synthetic.ADD: "Add", synthetic.CONCAT: "Concat", synthetic.SOFTMAX: "Softmax", SIGMOID: "Sigmoid", MUL: "Mul",
                MATMUL: "MatMul", GELU: "Gelu"}[kind]
        return self.node(name, reals, y, **attributes)

    def rescaled(self, x, y):
        return x

    def layer_norm(self, x):
        width = self.shapes[x][-1]
        factors, terms = [self.constant(f"n{x}_{i}", np.float32(v)) for i, v in enumerate(self.norm_factors(width))]
        y = Twin.tensor(self, self.shapes[x], INT8, [1 / 32])
        return self.quantize(self.node("LayerNormalization", [self.reals[x], factors, terms], f"t{y}_float", epsilon=EPSILON), y)

    def file(self, inputs, outputs):
        results = [self.port(self.reals[x], x) for x in outputs]
        graph = helper.make_graph(self.nodes, self.name, self.inputs, results, list(self.constants.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="qdq.py")
        return model.SerializeToString()


# ---- published shapes ----


def mobilenet_v2(m):
    image = m.image(224, 224)
    x = m.conv(image, 32, kernel=3, stride=2, fused=RELU6)
    for factor, channels, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1),
                                            (6, 160, 3, 2), (6, 320, 1, 1)):
        for block in range(count):
            past, depth = x, m.shapes[x][3]
            y = m.conv(x, factor * depth, fused=RELU6) if factor > 1 else x
            x = m.conv(m.depthwise(y, stride if block == 0 else 1), channels, fused=NONE)
            if block > 0:
                x = m.add(x, past)
    return m.file([image], [m.classify(m.conv(x, 1280, fused=RELU6), 1000)])


def encoder(m, layers=4, tokens=128, width=768, heads=12):
    """Layers of BERT-base. The factor of the scores is in the weights of the queries."""
    def split(x, perm):
        return m.transpose(m.reshape(x, [tokens, heads, width // heads]), perm)
    first = x = m.tokens(tokens, width)
    for _ in range(layers):
        query, key, value = (m.linear(x, width) for _ in range(3))
        scores = m.matmul(split(query, [1, 0, 2]), split(key, [1, 2, 0]), 1 / 16)
        mixed = m.matmul(m.softmax(scores), split(value, [1, 0, 2]), 1 / 128)
        mixed = m.reshape(m.transpose(mixed, [1, 0, 2]), [tokens, width])
        x = m.layer_norm(m.add(m.linear(mixed, width), x))
        x = m.layer_norm(m.add(m.linear(m.gelu(m.linear(x, 4 * width)), width), x))
    return m.file([first], [x])


def yolo(m):
    """Like YOLOv5n: convolutions with SiLU, residual blocks beside a shortcut, a pyramid up and down, three heads."""
    def conv(x, channels, kernel=1, stride=1):
        return m.silu(m.conv(x, channels, kernel, stride, fused=NONE))

    def blocks(x, channels, count, adds=True):
        y, half = conv(x, channels // 2), channels // 2
        for _ in range(count):
            z = conv(conv(y, half), half, kernel=3)
            y = m.add(z, y) if adds else z
        return conv(m.join(y, conv(x, half)), channels)
    image = m.image(320, 320)
    x = conv(conv(image, 16, kernel=6, stride=2), 32, kernel=3, stride=2)
    x = conv(blocks(x, 32, 1), 64, kernel=3, stride=2)
    small = blocks(x, 64, 2)
    middle = blocks(conv(small, 128, kernel=3, stride=2), 128, 3)
    x = blocks(conv(middle, 256, kernel=3, stride=2), 256, 1)
    pools = [conv(x, 128)]
    for _ in range(3):
        pools.append(m.pool(pools[-1], 5))
    top = conv(conv(m.join(*pools), 256), 128)
    x = conv(blocks(m.join(m.upsample(top), middle), 128, 1, False), 64)
    low = blocks(m.join(m.upsample(x), small), 64, 1, False)
    mid = blocks(m.join(conv(low, 64, kernel=3, stride=2), x), 128, 1, False)
    high = blocks(m.join(conv(mid, 128, kernel=3, stride=2), top), 256, 1, False)
    return m.file([image], [m.conv(x, 255, fused=NONE) for x in (low, mid, high)])


MODELS = {"resnet_50": synthetic.resnet_50, "mobilenet_v2": mobilenet_v2, "bert_encoder_4x128": encoder, "yolo_320": yolo}


def write(folder, name, is_unsigned=False):
    """Writes both files of a model, and returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for end, model in ((".onnx", Qdq(name, is_unsigned)), (".tflite", Twin(name))):
        paths.append(folder / (name + end))
        paths[-1].write_bytes(MODELS[name](model))
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(MODELS)}; all of them without one")
    parser.add_argument("--unsigned", action="store_true", help="activations of the .onnx files are uint8")
    options = parser.parse_args()
    unknown = [name for name in options.models if name not in MODELS]
    if unknown:
        parser.error(f"no model '{unknown[0]}'; there are {', '.join(MODELS)}")
    for name in options.models or MODELS:
        for path in write(options.folder, name, options.unsigned):
            print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()

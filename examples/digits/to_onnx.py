#!/usr/bin/env python3
"""Writes the classifier of digits_int8.tflite as digits_qdq.onnx: the same weights and scales, in the form of
onnxruntime's quantizer, DequantizeLinear and QuantizeLinear around float operators.

    python3 -m venv /tmp/onnx && /tmp/onnx/bin/pip install onnx==1.23.2
    /tmp/onnx/bin/python to_onnx.py
    /tmp/onnx/bin/python to_onnx.py MODEL.tflite MODEL.onnx     # other int8 models of these operators, such as
                                                                # resnet_50 of benchmarks/synthetic.py

The image stays [batch, 8, 8, 1]; a Transpose makes it NCHW, the layout of ONNX, and weights are transposed here. onnxruntime
and Quern drop the clamps, since the range of each QuantizeLinear ends where they do, or before.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import pathlib
import struct

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

HERE = pathlib.Path(__file__).resolve().parent
ADD, CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, MAX_POOL_2D, SOFTMAX, MEAN = 0, 3, 4, 9, 17, 25, 40
ACTIVATION = {ADD: 0, CONV_2D: 3, DEPTHWISE_CONV_2D: 4, FULLY_CONNECTED: 0, MAX_POOL_2D: 5}  # field of the options
RELU, RELU6 = 1, 3
OPSET, IR_VERSION = 17, 8


class Table:
    """A table of a FlatBuffer; fields are named by their index in TensorFlow Lite's schema."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def _field(self, index):
        table = self.at - struct.unpack_from("<i", self.data, self.at)[0]
        size = struct.unpack_from("<H", self.data, table)[0]
        offset = struct.unpack_from("<H", self.data, table + 4 + 2 * index)[0] if 4 + 2 * index < size else 0
        return self.at + offset if offset else None

    def number(self, index, kind="i"):
        at = self._field(index)
        return struct.unpack_from("<" + kind, self.data, at)[0] if at else 0

    def _to(self, at):
        return at + struct.unpack_from("<I", self.data, at)[0]

    def table(self, index):
        at = self._field(index)
        return Table(self.data, self._to(at)) if at else None

    def array(self, index, dtype):
        at = self._field(index)
        at = self._to(at) if at else None
        return np.frombuffer(self.data, dtype, struct.unpack_from("<I", self.data, at)[0], at + 4) if at else np.zeros(0, dtype)

    def tables(self, index):
        at = self._to(self._field(index))
        count = struct.unpack_from("<I", self.data, at)[0]
        return [Table(self.data, self._to(at + 4 + 4 * i)) for i in range(count)]


class Tensor:
    def __init__(self, table, buffers):
        self.shape = table.array(0, "<i4")
        dtype = {2: "<i4", 9: "i1"}[table.number(1, "b")]
        quantization = table.table(4)
        self.scales = quantization.array(2, "<f4") if quantization else None
        self.zero = int(quantization.array(3, "<i8")[0]) if quantization and len(quantization.array(3, "<i8")) else 0
        values = buffers[table.number(2, "I")].array(0, "u1")
        self.values = values.view(dtype).reshape(self.shape) if len(values) else None


class Graph:
    """Nodes and constants; a tensor of the .tflite file is named by its index."""

    def __init__(self):
        self.nodes, self.constants = [], {}

    def constant(self, name, value):
        self.constants[name] = numpy_helper.from_array(np.array(value, order="C"), name)
        return name

    def node(self, kind, inputs, output, **attributes):
        self.nodes.append(helper.make_node(kind, inputs, [output], name=f"{kind}_{output}", **attributes))
        return output

    def parameters(self, name, tensor, dtype=np.int8):
        several = len(tensor.scales) > 1
        scale = tensor.scales if several else tensor.scales[0]
        zero = np.full(len(scale), tensor.zero, dtype) if several else dtype(tensor.zero)
        return [self.constant(f"{name}_scale", scale), self.constant(f"{name}_zero", zero)]

    def weights(self, name, tensor, values, dtype=np.int8):
        inputs = [self.constant(name, values), *self.parameters(name, tensor, dtype)]
        return self.node("DequantizeLinear", inputs, f"{name}_real", **({"axis": 0} if len(tensor.scales) > 1 else {}))


def activated(graph, code, options, real):
    """The result after the activation of the operator."""
    activation = options.number(ACTIVATION[code], "b") if options and code in ACTIVATION else 0
    if activation == RELU:
        return graph.node("Relu", [real], f"{real}_relu")
    if activation == RELU6:
        bounds = [graph.constant("zero", np.float32(0)), graph.constant("six", np.float32(6))]
        return graph.node("Clip", [real, *bounds], f"{real}_clip")
    return real


def layer(graph, code, options, inputs, tensors, reals, y):
    """The float operator of an operator of the .tflite file; `reals` are its operands that are not constant."""
    x = reals[0]
    if code == ADD:
        return graph.node("Add", reals, f"{y}_add")
    if code == MEAN:
        return graph.node("Flatten", [graph.node("GlobalAveragePool", [x], f"{y}_pool")], f"{y}_flat")
    if code == SOFTMAX:
        return graph.node("Softmax", [x], f"{y}_softmax", axis=-1)
    if code == MAX_POOL_2D:
        window = {"kernel_shape": [options.number(4), options.number(3)], "strides": [options.number(2), options.number(1)]}
        return graph.node("MaxPool", [x], f"{y}_max", auto_pad="SAME_UPPER", **window)
    w, b = (tensors[i] for i in inputs[1:3])
    order = {CONV_2D: (0, 3, 1, 2), DEPTHWISE_CONV_2D: (3, 0, 1, 2), FULLY_CONNECTED: (0, 1)}[code]
    operands = [x, graph.weights(f"w{inputs[1]}", w, w.values.transpose(order)), graph.weights(f"b{inputs[2]}", b, b.values, np.int32)]
    if code == FULLY_CONNECTED:
        return graph.node("Gemm", operands, f"{y}_gemm", transB=1)
    group = w.shape[3] if code == DEPTHWISE_CONV_2D else 1
    strides = [options.number(2), options.number(1)]
    return graph.node("Conv", operands, f"{y}_conv", group=int(group), strides=strides, auto_pad="SAME_UPPER")


def converted(data):
    """The model of the bytes of a .tflite file."""
    file = Table(data, struct.unpack_from("<I", data)[0])
    codes = [max(c.number(0, "b"), c.number(3)) for c in file.tables(1)]
    main_graph, buffers = file.tables(2)[0], file.tables(4)
    tensors = [Tensor(t, buffers) for t in main_graph.tables(0)]
    graph, first, last = Graph(), main_graph.array(1, "<i4")[0], main_graph.array(2, "<i4")[0]
    names = {first: "image"}
    for op in main_graph.tables(3):
        inputs, y = [int(i) for i in op.array(1, "<i4")], int(op.array(2, "<i4")[0])
        reals = []
        for i in inputs:
            if tensors[i].values is not None:
                continue
            operands = [names[i], *graph.parameters(f"t{i}", tensors[i])]
            reals.append(graph.node("DequantizeLinear", operands, f"{names[i]}_for_{y}_{len(reals)}"))
            if i == first and len(tensors[i].shape) == 4:
                reals[-1] = graph.node("Transpose", [reals[-1]], f"image_nchw_{y}", perm=[0, 3, 1, 2])
        code = codes[op.number(0, "I")]
        real = activated(graph, code, op.table(4), layer(graph, code, op.table(4), inputs, tensors, reals, f"t{y}"))
        names[y] = graph.node("QuantizeLinear", [real, *graph.parameters(f"t{y}", tensors[y])], f"t{y}")
    graph.node("DequantizeLinear", [names[last], *graph.parameters(f"t{last}", tensors[last])], "scores")
    image = helper.make_tensor_value_info("image", TensorProto.INT8, ["batch", *map(int, tensors[first].shape[1:])])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", *map(int, tensors[last].shape[1:])])
    made = helper.make_graph(graph.nodes, "converted", [image], [scores], list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="to_onnx.py")
    checker.check_model(model, full_check=True)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?", type=pathlib.Path, default=HERE / "digits_int8.tflite")
    parser.add_argument("output", nargs="?", type=pathlib.Path, default=HERE / "digits_qdq.onnx")
    arguments = parser.parse_args()
    save(converted(arguments.model.read_bytes()), arguments.output)
    print(f"{arguments.output.name}: {arguments.output.stat().st_size} bytes")


if __name__ == "__main__":
    main()

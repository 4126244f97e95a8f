#!/usr/bin/env python3
"""Writes the classifier of digits_int8.tflite as digits_qdq.onnx: the same weights and scales, in the form of
onnxruntime's quantizer, DequantizeLinear and QuantizeLinear around float operators.

    python3 -m venv /tmp/onnx && /tmp/onnx/bin/pip install onnx==1.23.2
    /tmp/onnx/bin/python to_onnx.py

The image stays [batch, 8, 8, 1]; a Transpose makes it NCHW, the layout of ONNX, and weights are transposed here. Clamps
need no node: the range of each QuantizeLinear ends where ReLU6 does, or before.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import struct

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

HERE = pathlib.Path(__file__).resolve().parent
CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, SOFTMAX, MEAN = 3, 4, 9, 25, 40
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
        self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
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


def layer(graph, code, options, inputs, tensors, x, y):
    """The float operator of an operator of the .tflite file."""
    if code == MEAN:
        return graph.node("Flatten", [graph.node("GlobalAveragePool", [x], f"{y}_pool")], f"{y}_flat")
    if code == SOFTMAX:
        return graph.node("Softmax", [x], f"{y}_softmax", axis=-1)
    w, b = (tensors[i] for i in inputs[1:3])
    order = {CONV_2D: (0, 3, 1, 2), DEPTHWISE_CONV_2D: (3, 0, 1, 2), FULLY_CONNECTED: (0, 1)}[code]
    operands = [x, graph.weights(f"w{inputs[1]}", w, w.values.transpose(order)), graph.weights(f"b{inputs[2]}", b, b.values, np.int32)]
    if code == FULLY_CONNECTED:
        return graph.node("Gemm", operands, f"{y}_gemm", transB=1)
    group = w.shape[3] if code == DEPTHWISE_CONV_2D else 1
    strides = [options.number(2), options.number(1)]
    return graph.node("Conv", operands, f"{y}_conv", group=int(group), strides=strides, auto_pad="SAME_UPPER")


def main():
    data = (HERE / "digits_int8.tflite").read_bytes()
    file = Table(data, struct.unpack_from("<I", data)[0])
    codes = [max(c.number(0, "b"), c.number(3)) for c in file.tables(1)]
    main_graph, buffers = file.tables(2)[0], file.tables(4)
    tensors = [Tensor(t, buffers) for t in main_graph.tables(0)]
    graph, first, last = Graph(), main_graph.array(1, "<i4")[0], main_graph.array(2, "<i4")[0]
    names = {first: "image"}
    for op in main_graph.tables(3):
        inputs, y = [int(i) for i in op.array(1, "<i4")], int(op.array(2, "<i4")[0])
        x = names[inputs[0]]
        real = graph.node("DequantizeLinear", [x, *graph.parameters(f"t{inputs[0]}", tensors[inputs[0]])], f"{x}_for_{y}")
        if inputs[0] == first:
            real = graph.node("Transpose", [real], "image_nchw", perm=[0, 3, 1, 2])
        real = layer(graph, codes[op.number(0, "I")], op.table(4), inputs, tensors, real, f"t{y}")
        names[y] = graph.node("QuantizeLinear", [real, *graph.parameters(f"t{y}", tensors[y])], f"t{y}")
    graph.node("DequantizeLinear", [names[last], *graph.parameters(f"t{last}", tensors[last])], "scores")
    image = helper.make_tensor_value_info("image", TensorProto.INT8, ["batch", 8, 8, 1])
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", 10])
    made = helper.make_graph(graph.nodes, "digits", [image], [scores], list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="to_onnx.py")
    checker.check_model(model, full_check=True)
    save(model, HERE / "digits_qdq.onnx")
    print(f"digits_qdq.onnx: {(HERE / 'digits_qdq.onnx').stat().st_size} bytes")


if __name__ == "__main__":
    main()

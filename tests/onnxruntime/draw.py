"""Whole random graphs (graphs.py, operators.py), as models.

SPDX-License-Identifier: Apache-2.0
"""

import math

import numpy
import onnx
from onnx import TensorProto as T
from onnx import helper

import operators
from graphs import MICROSOFT, RANGES, Graph, extent

LARGEST = 6000  # elements of an activation


def first(g, dtype):
    """Inputs of the model: float32 that is quantized, or integers."""
    shape = g.pick((1, g.whole(1, 8), g.whole(3, 9), g.whole(3, 9)), (g.whole(1, 2), g.whole(1, 6), g.whole(4, 8), g.whole(4, 8)),
                   (g.whole(1, 4), g.whole(2, 24)), (1, g.whole(2, 6), g.whole(2, 12)),
                   (1, g.whole(1, 4), g.whole(2, 5), g.whole(2, 5), g.whole(2, 5)))
    values = []
    for _ in range(g.pick(1, 1, 2)):
        amplitude = float(g.pick(1, 1, 4, .1))
        if g.chance(.7):
            x = g.quantize(g.input(T.FLOAT, shape), shape, amplitude, dtype)
        else:
            scale, zero, names = g.parameters(dtype, amplitude)
            x = operators.Quantized(g.input(dtype, shape), shape, dtype, scale, zero, amplitude, names)
        values.append(x)
    return values


def chain(g, kinds, steps):
    values = first(g, g.dtype)
    written = []
    while len(written) < steps:
        y = kinds[g.whole(0, len(kinds) - 1)](g, values)
        if y is None or math.prod(y.shape) > LARGEST:
            if y is not None:
                return values, written
            continue
        written.append(y)
        values = values + [y, y] if g.chance(.7) else [y]  # newer ones more often
    return values, written


def qdq(g):
    _, written = chain(g, operators.QDQ, g.whole(1, 6))
    outputs = [written[-1]] if written else []
    outputs += [y for y in written[:-1] if g.chance(.1)]
    result = []
    for y in outputs:
        result.append((g.real(y), T.FLOAT, y.shape) if not y.name or g.chance(.3) else (y.name, y.dtype, y.shape))
    return result


def qoperator(g):
    g.dtype = g.pick(T.UINT8, T.UINT8, T.INT8)
    _, written = chain(g, operators.QOPERATOR, g.whole(1, 5))
    outputs = written[-1:] + [y for y in written[:-1] if g.chance(.2)]
    return [(y.name, y.dtype, y.shape) for y in outputs]


def zero_point(g, dtype, shape=()):
    low, high = RANGES[dtype]
    return g.constant(g.random.integers(low, high + 1, shape), dtype)


def dynamic(g):
    """Quantized while the model runs, or integers alone."""
    images = g.chance(.5)
    shape = (1, g.whole(1, 6), g.whole(3, 8), g.whole(3, 8)) if images else g.pick((g.whole(1, 4), g.whole(2, 16)), (2, 3, g.whole(2, 8)))
    dtype = g.pick(T.INT8, T.UINT8)
    if g.chance(.6):
        x, scale, zero = g.node("DynamicQuantizeLinear", [g.input(T.FLOAT, shape)], 3)
    else:
        kind = g.pick(T.INT8, T.UINT8)
        x, scale, zero = g.input(kind, shape), "", zero_point(g, kind) if g.chance(.8) else ""
        if kind == T.INT8:
            dtype = T.INT8
    low, high = RANGES[dtype]
    if images:
        attributes = g.window(shape)
        filters = (g.whole(1, 5), shape[1], *attributes["kernel_shape"])
        inputs = [x, g.constant(g.random.integers(low, high + 1, filters), dtype), zero, zero_point(g, dtype) if g.chance(.6) else ""]
        y, result = g.node("ConvInteger", inputs, **attributes), (1, filters[0], *extent(shape, attributes))
    else:
        weights = (shape[-1], g.whole(1, 8))
        many = g.chance(.3)
        inputs = [x, g.constant(g.random.integers(low, high + 1, weights), dtype), zero,
                  zero_point(g, dtype, weights[1:] if many else ()) if g.chance(.6) else ""]
        y, result = g.node("MatMulInteger", inputs), (*shape[:-1], weights[1])
    if not scale:
        return [(y, T.INT32, result)]
    y = g.node("Cast", [y], to=T.FLOAT)
    factor = g.node("Mul", [scale, g.constant(g.random.uniform(.001, .01), T.FLOAT)])
    y = g.node("Mul", [y, factor])
    if g.chance(.5) and not images:
        y = g.node("Add", [y, g.constant(g.random.standard_normal(result[-1]), T.FLOAT)])
    if g.chance(.3):
        y = g.node("Relu", [y])
    return [(y, T.FLOAT, result)]


def add_unused(g):
    """A node whose result is not used."""
    x = g.inputs[0]
    if x[1] == T.FLOAT:
        g.node("Exp", [x[0]])


def model(seed):
    """The model and its inputs; None if the seed gives no graph."""
    g = Graph(seed)
    way = g.pick(qdq, qdq, qdq, qoperator, qoperator, dynamic)
    outputs = way(g)
    if not outputs:
        return None, None
    if g.chance(.15):
        add_unused(g)
    inputs = [helper.make_tensor_value_info(name, dtype, shape) for name, dtype, shape in g.inputs]
    version = 8 if g.opset < 21 else 10
    if g.chance(.1) and g.opset < 15:  # as old files have it
        version = 3
        inputs += [helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in g.initializers]
    names = {}
    for name, dtype, shape in outputs:
        names.setdefault(name, helper.make_tensor_value_info(name, dtype, shape))
    graph = helper.make_graph(g.nodes, "random", inputs, list(names.values()), g.initializers)
    imports = [helper.make_opsetid("", g.opset), helper.make_opsetid(MICROSOFT, 1)]
    built = helper.make_model(graph, opset_imports=imports, ir_version=version, producer_name="tests", doc_string=g.scales)
    given = {}
    for name, dtype, shape in g.inputs:
        if dtype == T.FLOAT:
            given[name] = (g.random.standard_normal(shape) * g.pick(1, 1, 4)).astype(numpy.float32)
        else:
            low, high = RANGES[dtype]
            given[name] = g.random.integers(low, high + 1, shape).astype(helper.tensor_dtype_to_np_dtype(dtype))
    return built, given


def describe(built):
    return " ".join(n.op_type for n in built.graph.node if n.op_type not in ("QuantizeLinear", "DequantizeLinear"))

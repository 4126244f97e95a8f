"""The exact results of units, in float64 by the reference implementation of the package onnx.

SPDX-License-Identifier: Apache-2.0
"""

import numpy
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator


def along(parameter, axis, rank):
    """A scale or zero point per index of an axis, for broadcasting."""
    return parameter.reshape([-1 if i == axis % rank else 1 for i in range(rank)]) if parameter.ndim == 1 and parameter.size > 1 else parameter


def attribute(node, name, default):
    return next((helper.get_attribute_value(a) for a in node.attribute if a.name == name), default)


def dequantized(node, constants, integers):
    """The result of a DequantizeLinear, or None if its operand is unknown."""
    x = constants.get(node.input[0], integers.get(node.input[0]))
    if x is None:
        return None
    axis = attribute(node, "axis", 1)
    scale = along(constants[node.input[1]].astype(numpy.float64), axis, x.ndim)
    zero = along(constants[node.input[2]].astype(numpy.float64), axis, x.ndim) if len(node.input) > 2 else 0
    return (x.astype(numpy.float64) - zero) * scale


def rounded_parameters(node, optimized):
    """Float weights and the bias of a Conv or Gemm, as onnxruntime quantizes them when it optimizes the model."""
    given = {}
    weights, bias = (optimized.get(f"{node.name}_{name}") for name in ("weight_q", "bias_int32"))
    if weights is not None:
        scale, zero = (optimized[f"{node.name}_weight_{name}"].astype(numpy.float64) for name in ("scale", "zp"))
        given[node.input[1]] = (weights.astype(numpy.float64) - zero) * scale
    if bias is not None:
        given[node.input[2]] = bias.astype(numpy.float64)  # in steps, see steps_of
    return given


def steps_of(model, quantizer, scale, integers, optimized):
    """What a QuantizeLinear rounds, in steps of `scale` and before its zero point; None if it has no exact units."""
    constants = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    writers = {name: node for node in model.graph.node for name in node.output}
    given, nodes, open_names = {}, [], [quantizer.input[0]]
    while open_names:
        name = open_names.pop()
        if not name or name in given:
            continue
        node = writers.get(name)
        if node is None:
            value = constants.get(name, integers.get(name))
            if value is None:
                return None
            given[name] = value.astype(numpy.float64) if value.dtype.kind == "f" else value
        elif node.op_type == "DequantizeLinear":
            given[name] = dequantized(node, constants, integers)
            if given[name] is None:
                return None
        elif node not in nodes:
            nodes.append(node)
            open_names += node.input
            rounded = rounded_parameters(node, optimized)
            if len(node.input) > 2 and node.input[2] in rounded:
                of_weights = optimized.get(f"{node.name}_weight_scale")
                weights, x = writers.get(node.input[1]), writers.get(node.input[0])
                while x.op_type != "DequantizeLinear":  # onnxruntime moves it
                    x = writers.get(x.input[0])
                of_weights = constants[weights.input[1]] if of_weights is None else of_weights
                rounded[node.input[2]] *= (constants[x.input[1]] * of_weights).astype(numpy.float64)
            given.update(rounded)
    nodes = [n for n in model.graph.node if any(n is m for m in nodes)]
    used = {i for n in nodes for i in n.input}
    inputs = [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(v.dtype), v.shape) for name, v in given.items() if name in used]
    output = helper.make_tensor_value_info(quantizer.input[0], onnx.TensorProto.DOUBLE, None)
    graph = helper.make_graph(nodes, "unit", inputs, [output])
    unit = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    try:
        real = ReferenceEvaluator(unit).run(None, {name: v for name, v in given.items() if name in used})[0] if nodes else given[quantizer.input[0]]
    except Exception:  # the reference has not all operators in float64, and its exceptions have no common class
        return None
    return real / along(scale.astype(numpy.float64), attribute(quantizer, "axis", 1), real.ndim)

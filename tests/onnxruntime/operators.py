"""The operators that random graphs are drawn from: each function adds one to a graph, and returns the new
activation, or None if it does not fit the activations that there are.

SPDX-License-Identifier: Apache-2.0
"""

import math

from onnx import TensorProto as T

from graphs import MICROSOFT, RANGES, Quantized, extent


def operand(g, values, test=lambda x: True):
    fitting = [x for x in values if test(x)]
    return fitting[g.whole(0, len(fitting) - 1)] if fitting else None


def is_image(x):
    return len(x.shape) == 4 and min(x.shape[2:]) >= 2


def is_spatial(x):
    """Images, sequences and volumes."""
    return 3 <= len(x.shape) <= 5 and min(x.shape[2:]) >= 2


def activated(g, real):
    """The real result, sometimes clamped."""
    if g.chance(.25):
        return g.node("Relu", [real])
    if g.chance(.1):
        return g.node("Clip", [real, g.constant(0, T.FLOAT), g.constant(6, T.FLOAT)])
    return real


# ---- QDQ ----

def conv(g, values):
    x = operand(g, values, is_spatial)
    if not x:
        return None
    channels = x.shape[1]
    group = g.pick(1, 1, 1, channels, 2 if channels % 2 == 0 else 1)
    count = group * g.whole(1, 4) if group < channels or group == 1 else channels * g.pick(1, 1, 2)
    attributes = g.window(x.shape)
    shape = (count, channels // group, *attributes["kernel_shape"])
    weights, scales, per_channel = g.float_weights(shape, 0)
    inputs = [g.real(x), weights]
    if g.chance(.7):
        inputs.append(g.bias(x, scales, count, per_channel))
    if g.chance(.3) and "auto_pad" not in attributes and "pads" not in attributes:
        del attributes["kernel_shape"]
        y = extent(x.shape, {**attributes, "kernel_shape": shape[2:]})
    else:
        y = extent(x.shape, attributes)
    real = g.node("Conv", inputs, group=group, **attributes)
    return g.quantize(activated(g, real), (x.shape[0], count, *y), x.amplitude * .5 * math.sqrt(math.prod(shape[1:])))


def conv_transpose(g, values):
    x = operand(g, values, is_spatial)
    if not x:
        return None
    channels, ways = x.shape[1], len(x.shape) - 2
    group = g.pick(1, 1, 1, channels)
    count = group * g.whole(1, 3)
    kernel, strides = ([g.whole(1, most) for _ in range(ways)] for most in (3, 2))
    pads = [g.whole(0, n - 1) if g.chance(.4) else 0 for n in kernel + kernel]
    y = [(d - 1) * s + k - a - b for d, s, k, a, b in zip(x.shape[2:], strides, kernel, pads, pads[ways:])]
    if min(y) < 1:
        return None
    weights, scales, _ = g.float_weights((channels, count // group, *kernel), 1, per_channel=False)
    inputs = [g.real(x), weights]
    if g.chance(.5):
        inputs.append(g.bias(x, scales, count, False))
    real = g.node("ConvTranspose", inputs, group=group, kernel_shape=kernel, strides=strides, pads=pads)
    return g.quantize(activated(g, real), (x.shape[0], count, *y), x.amplitude * .5 * math.sqrt(math.prod(kernel) * channels / group))


def gemm(g, values):
    x = operand(g, values, lambda x: len(x.shape) == 2)
    if not x:
        return None
    turned, count = g.chance(.2), g.whole(1, 8)
    k, rows = (x.shape[0], x.shape[1]) if turned else (x.shape[1], x.shape[0])
    transposed = g.chance(.5)
    weights, scales, per_channel = g.float_weights((count, k) if transposed else (k, count), 0 if transposed else 1)
    inputs = [g.real(x), weights]
    if g.chance(.7):
        inputs.append(g.bias(x, scales, count, per_channel))
    attributes = {}
    if g.chance(.15):
        attributes["alpha"] = float(g.pick(.5, .7, 2))
    real = g.node("Gemm", inputs, transA=int(turned), transB=int(transposed), **attributes)
    return g.quantize(activated(g, real), (rows, count), x.amplitude * .5 * math.sqrt(k))


def matmul(g, values):
    x = operand(g, values, lambda x: 2 <= len(x.shape) <= 4)
    if not x:
        return None
    k, count = x.shape[-1], g.whole(1, 8)
    other = operand(g, values, lambda y: y is not x and len(y.shape) == len(x.shape) and y.shape[-2] == k and y.shape[:-2] == x.shape[:-2])
    if other and g.chance(.6):
        real = g.node("MatMul", [g.real(x), g.real(other)])
        return g.quantize(real, (*x.shape[:-1], other.shape[-1]), x.amplitude * other.amplitude * math.sqrt(k))
    weights, _, _ = g.real_weights((k, count), 1)
    real = g.node("MatMul", [g.real(x), weights])
    return g.quantize(activated(g, real), (*x.shape[:-1], count), x.amplitude * .5 * math.sqrt(k))


def partner(g, values, x):
    """The second operand of an elementwise operator: its real name and amplitude."""
    other = operand(g, values, lambda y: y.shape == x.shape)
    way = g.pick("other", "other", "constant", "channels", "number")
    if way == "other":
        return g.real(other), other.amplitude
    if way == "number":
        value = float(g.pick(.5, 1, 2, 3, g.random.uniform(.1, 3)))
        return g.constant(value, T.FLOAT), value
    shape = (1, x.shape[1], *[1] * (len(x.shape) - 2)) if way == "channels" and len(x.shape) > 1 else g.pick((), x.shape)
    dtype = x.dtype
    scale, zero, names = g.parameters(dtype, 1.0)
    low, high = RANGES[dtype]
    name = g.constant(g.random.integers(low, high + 1, shape), dtype)
    return g.node("DequantizeLinear", [name, *names], domain=g.domain(dtype)), 1.0


def binary(kind, amplitude):
    def add(g, values):
        x = operand(g, values)
        real, other = partner(g, values, x)
        operands = [g.real(x), real]
        if g.chance(.3):
            operands.reverse()
        return g.quantize(activated(g, g.node(kind, operands)), x.shape, amplitude(x.amplitude, other))
    return add


def unary(kind, amplitude, opset=7, **drawn):
    def add(g, values):
        x = operand(g, values)
        if g.opset < opset:
            return None
        real = g.node(kind, [g.real(x)], **{name: draw(g) for name, draw in drawn.items()})
        return g.quantize(real, x.shape, amplitude(x.amplitude))
    return add


def softmax(g, values):
    x = operand(g, values, lambda x: len(x.shape) >= 2)
    if not x:
        return None
    axis = g.pick(-1, len(x.shape) - 1, 1)
    return g.quantize(g.node("Softmax", [g.real(x)], axis=axis), x.shape, .3)


def average_pool(g, values):
    x = operand(g, values, is_image)
    if not x:
        return None
    attributes = g.window(x.shape, dilates=False)
    ceil = g.chance(.2) and "auto_pad" not in attributes
    if ceil:
        attributes["ceil_mode"] = 1
    if g.chance(.3):
        attributes["count_include_pad"] = 1
    y = (*x.shape[:2], *extent(x.shape, attributes, ceil))
    return g.quantize(g.node("AveragePool", [g.real(x)], **attributes), y, x.amplitude, like=x if g.chance(.4) else None)


def max_pool(g, values):
    x = operand(g, values, is_image)
    if not x:
        return None
    attributes = g.window(x.shape)
    ceil = g.chance(.2) and "auto_pad" not in attributes
    if ceil:
        attributes["ceil_mode"] = 1
    y = (*x.shape[:2], *extent(x.shape, attributes, ceil))
    return g.quantize(g.node("MaxPool", [g.real(x)], **attributes), y, x.amplitude, like=x if g.chance(.6) else None)


def global_pool(g, values):
    x = operand(g, values, is_image)
    return x and g.quantize(g.node("GlobalAveragePool", [g.real(x)]), (*x.shape[:2], 1, 1), x.amplitude, like=x if g.chance(.3) else None)


def reduce_mean(g, values):
    x = operand(g, values, lambda x: len(x.shape) >= 2)
    if not x or g.opset >= 18:
        return None
    axis = g.whole(1, len(x.shape) - 1)
    shape = tuple(1 if i == axis else d for i, d in enumerate(x.shape))
    return g.quantize(g.node("ReduceMean", [g.real(x)], axes=[axis]), shape, x.amplitude)


def concat(g, values):
    x = operand(g, values, lambda x: len(x.shape) >= 2)
    if not x:
        return None
    axis = g.whole(0, len(x.shape) - 1)
    rest = lambda y: y.shape[:axis] + y.shape[axis + 1:]
    parts = [x] + [operand(g, values, lambda y: len(y.shape) == len(x.shape) and rest(y) == rest(x)) for _ in range(g.whole(1, 2))]
    shape = list(x.shape)
    shape[axis] = sum(y.shape[axis] for y in parts)
    if math.prod(shape) > 20000:
        return None
    return g.quantize(g.node("Concat", [g.real(y) for y in parts], axis=axis), shape, max(y.amplitude for y in parts), like=x if g.chance(.5) else None)


def resize(g, values):
    x = operand(g, values, lambda x: is_image(x) and math.prod(x.shape) < 2000)
    if not x:
        return None
    mode = g.pick("nearest", "nearest", "linear")
    attributes = {"mode": mode, "coordinate_transformation_mode": g.pick("half_pixel", "asymmetric", "align_corners")}
    if mode == "nearest":
        attributes["nearest_mode"] = g.pick("floor", "round_prefer_floor")
    shape = (*x.shape[:2], x.shape[2] * 2, x.shape[3] * 2)
    real = g.node("Resize", [g.real(x), g.constant([], T.FLOAT), g.constant([1, 1, 2, 2], T.FLOAT)], **attributes)
    return g.quantize(real, shape, x.amplitude, like=x if g.chance(.7) else None)


def arranged(arrange, build):
    """An operator on one operand; `arrange` gives further inputs, attributes and the shape, or None."""
    def add(g, values):
        x = operand(g, values)
        found = arrange(g, x)
        return build(g, x, *found) if found else None
    return add


def moved(kind, arrange):
    """An operator that only moves elements."""
    def build(g, x, inputs, attributes, shape):
        real = g.node(kind, [g.real(x), *inputs], **attributes)
        return g.quantize(real, shape, x.amplitude, like=x if g.chance(.7) else None)
    return arranged(arrange, build)


def bare(kind, arrange):
    """The same without a QuantizeLinear: the readers get moved floats."""
    def build(g, x, inputs, attributes, shape):
        real = g.node(kind, [g.real(x), *inputs], **attributes)
        return Quantized("", tuple(shape), x.dtype, x.scale, x.zero, x.amplitude, x.parameters, real)
    return arranged(arrange, build)


def windowed(g, x):
    if not is_image(x):
        return None
    attributes = g.window(x.shape)
    return [], attributes, (*x.shape[:2], *extent(x.shape, attributes))


def transpose(g, x):
    order = [int(i) for i in g.random.permutation(len(x.shape))]
    return [], {"perm": order}, tuple(x.shape[i] for i in order)


def reshape(g, x):
    shape = (x.shape[0], math.prod(x.shape[1:])) if g.chance(.7) else (1, math.prod(x.shape[:-1]), x.shape[-1])
    return [g.constant(shape, T.INT64)], {}, shape


def flatten(g, x):
    return [], {}, (x.shape[0], math.prod(x.shape[1:]))


def unsqueeze(g, x):
    if len(x.shape) > 3 or g.opset < 13:
        return None
    return [g.constant([0], T.INT64)], {}, (1, *x.shape)


def squeeze(g, x):
    if len(x.shape) < 3 or x.shape[0] != 1 or g.opset < 13:
        return None
    return [g.constant([0], T.INT64)], {}, x.shape[1:]


def cut(g, x):
    axis = g.whole(0, len(x.shape) - 1)
    if x.shape[axis] < 2:
        return None
    step = g.pick(1, 1, 2)
    shape = list(x.shape)
    shape[axis] = -(-(x.shape[axis] - 1) // step)
    return [g.constant([n], T.INT64) for n in (1, x.shape[axis], axis, step)], {}, tuple(shape)


def gather(g, x):
    axis = g.whole(0, len(x.shape) - 1)
    count = g.whole(1, 4)
    shape = list(x.shape)
    shape[axis] = count
    return [g.constant(g.random.integers(0, x.shape[axis], count), T.INT64)], {"axis": axis}, tuple(shape)


def tile(g, x):
    if math.prod(x.shape) > 2000:
        return None
    times = [1] * len(x.shape)
    times[g.whole(0, len(times) - 1)] = 2
    return [g.constant(times, T.INT64)], {}, tuple(a * b for a, b in zip(x.shape, times))


def expand(g, x):
    shape = (2, *x.shape)
    return ([g.constant(shape, T.INT64)], {}, shape) if len(x.shape) < 4 else None


def pad(g, x):
    pads = [g.whole(0, 1) for _ in range(2 * len(x.shape))]
    return [g.constant(pads, T.INT64)], {}, tuple(d + a + b for d, a, b in zip(x.shape, pads, pads[len(x.shape):]))


def reduce_max(g, x):
    axis = len(x.shape) - 1
    return ([], {"axes": [axis]}, (*x.shape[:-1], 1)) if g.opset < 18 else None


def relu(g, x):
    return [], {}, x.shape


def clip(g, x):
    return [g.constant(-1, T.FLOAT), g.constant(g.pick(1.0, 3.0), T.FLOAT)], {}, x.shape


def layer_norm(g, values):
    x = operand(g, values, lambda x: len(x.shape) >= 2 and x.shape[-1] > 1)
    if not x or g.opset < 17:
        return None
    inputs = [g.real(x), g.constant(g.random.uniform(.5, 1.5, x.shape[-1]), T.FLOAT), g.constant(g.random.standard_normal(x.shape[-1]), T.FLOAT)]
    return g.quantize(g.node("LayerNormalization", inputs), x.shape, 1.5)


QDQ = [
    *[conv] * 8, *[conv_transpose] * 2, *[matmul] * 5, *[gemm] * 4, *[softmax] * 2, *[average_pool] * 3, *[max_pool] * 2, *[global_pool] * 2, *[concat] * 3, *[resize] * 2,
    reduce_mean, layer_norm,
    *[binary("Add", lambda a, b: a + b)] * 4, *[binary("Mul", lambda a, b: a * b)] * 3, binary("Sub", lambda a, b: a + b),
    *[unary("Sigmoid", lambda a: .5)] * 2, unary("Tanh", lambda a: .6),
    *[unary("LeakyRelu", lambda a: a, alpha=lambda g: float(g.pick(.01, .1, .25, .5)))] * 2,
    unary("HardSwish", lambda a: a, 14), unary("HardSigmoid", lambda a: .5), unary("Gelu", lambda a: a, 20), unary("Elu", lambda a: a),
    moved("Relu", relu), moved("Clip", clip), moved("Transpose", transpose), moved("Transpose", transpose), moved("Reshape", reshape),
    moved("Reshape", reshape), moved("Flatten", flatten), moved("Unsqueeze", unsqueeze), moved("Squeeze", squeeze), moved("Slice", cut),
    bare("Transpose", transpose), bare("Reshape", reshape), bare("Slice", cut), bare("MaxPool", windowed), bare("Squeeze", squeeze),
    bare("Unsqueeze", unsqueeze), bare("Flatten", flatten), bare("Gather", gather),
    moved("Gather", gather), moved("Tile", tile), moved("Expand", expand), moved("Pad", pad), moved("ReduceMax", reduce_max),
]


# ---- QOperator ----

def result(g, name, shape, dtype, found, amplitude):
    scale, zero, names = found
    return Quantized(name, tuple(shape), dtype, scale, zero, amplitude, names)


def qlinear_conv(g, values):
    x = operand(g, values, is_spatial)
    if not x:
        return None
    channels = x.shape[1]
    group = g.pick(1, 1, channels, 2 if channels % 2 == 0 else 1)
    count = group * g.whole(1, 3)
    attributes = g.window(x.shape)
    shape = (count, channels // group, *attributes["kernel_shape"])
    kind = T.INT8 if x.dtype == T.INT8 else None
    weights, scales, names, per_channel, _ = g.weights(shape, 0, kind)
    amplitude = x.amplitude * .5 * math.sqrt(math.prod(shape[1:]))
    found = g.parameters(x.dtype, amplitude)
    inputs = [x.name, *x.parameters, weights, *names, *found[2]]
    if g.chance(.7):
        inputs.append(g.constant(g.random.integers(-500, 501, count), T.INT32))
    y = (x.shape[0], count, *extent(x.shape, attributes))
    return result(g, g.node("QLinearConv", inputs, group=group, **attributes), y, x.dtype, found, amplitude)


def qlinear_matmul(g, values):
    x = operand(g, values, lambda x: 2 <= len(x.shape) <= 4)
    if not x:
        return None
    k, count = x.shape[-1], g.whole(1, 8)
    weights, _, names, _, _ = g.weights((k, count), 1, T.INT8 if x.dtype == T.INT8 else None)
    amplitude = x.amplitude * .5 * math.sqrt(k)
    found = g.parameters(x.dtype, amplitude)
    name = g.node("QLinearMatMul", [x.name, *x.parameters, weights, *names, *found[2]])
    return result(g, name, (*x.shape[:-1], count), x.dtype, found, amplitude)


def qgemm(g, values):
    x = operand(g, values, lambda x: len(x.shape) == 2)
    if not x:
        return None
    k, count = x.shape[1], g.whole(1, 8)
    transposed = g.chance(.5)
    weights, _, names, _, _ = g.weights((count, k) if transposed else (k, count), 0 if transposed else 1, T.INT8 if x.dtype == T.INT8 else None)
    amplitude = x.amplitude * .5 * math.sqrt(k)
    found = g.parameters(x.dtype, amplitude)
    bias = g.constant(g.random.integers(-500, 501, count), T.INT32) if g.chance(.7) else ""
    alpha = float(g.pick(1, 1, .5, .7))
    name = g.node("QGemm", [x.name, *x.parameters, weights, *names, bias, *found[2]], domain=MICROSOFT, transB=int(transposed), alpha=alpha)
    return result(g, name, (x.shape[0], count), x.dtype, found, amplitude)


def qlinear_binary(kind, amplitude):
    def add(g, values):
        x = operand(g, values)
        other = operand(g, values, lambda y: y.shape == x.shape)
        if g.chance(.3):
            low, high = RANGES[x.dtype]
            scale, zero, names = g.parameters(x.dtype, 1.0)
            shape = g.pick((), x.shape[-1:], x.shape)
            other = Quantized(g.constant(g.random.integers(low, high + 1, shape), x.dtype), shape, x.dtype, scale, zero, 1.0, names)
        a = amplitude(x.amplitude, other.amplitude)
        found = g.parameters(x.dtype, a)
        operands = [x, other]
        if g.chance(.3):
            operands.reverse()
        inputs = [n for y in operands for n in (y.name, *y.parameters)]
        return result(g, g.node(kind, [*inputs, *found[2]], domain=MICROSOFT), x.shape, x.dtype, found, a)
    return add


def qlinear_unary(kind, amplitude, **drawn):
    def add(g, values):
        x = operand(g, values)
        a = amplitude(x.amplitude)
        found = g.parameters(x.dtype, a)
        name = g.node(kind, [x.name, *x.parameters, *found[2]], domain=MICROSOFT, **{n: draw(g) for n, draw in drawn.items()})
        return result(g, name, x.shape, x.dtype, found, a)
    return add


def qlinear_softmax(g, values):
    x = operand(g, values, lambda x: len(x.shape) >= 2)
    if not x:
        return None
    found = g.parameters(x.dtype, .3)
    name = g.node("QLinearSoftmax", [x.name, *x.parameters, *found[2]], domain=MICROSOFT, axis=g.pick(-1, 1), opset=g.pick(11, 13))
    return result(g, name, x.shape, x.dtype, found, .3)


def qlinear_pool(g, values):
    x = operand(g, values, is_image)
    if not x:
        return None
    found = g.parameters(x.dtype, x.amplitude)
    if g.chance(.3):
        name = g.node("QLinearGlobalAveragePool", [x.name, *x.parameters, *found[2]], domain=MICROSOFT, channels_last=0)
        return result(g, name, (*x.shape[:2], 1, 1), x.dtype, found, x.amplitude)
    attributes = g.window(x.shape, dilates=False)
    if g.chance(.3):
        attributes["count_include_pad"] = 1
    y = (*x.shape[:2], *extent(x.shape, attributes))
    return result(g, g.node("QLinearAveragePool", [x.name, *x.parameters, *found[2]], domain=MICROSOFT, **attributes), y, x.dtype, found, x.amplitude)


def qlinear_concat(g, values):
    x = operand(g, values, lambda x: len(x.shape) >= 2)
    if not x:
        return None
    parts = [x, operand(g, values, lambda y: y.shape == x.shape)]
    shape = list(x.shape)
    shape[1] *= 2
    if math.prod(shape) > 20000:
        return None
    found = g.parameters(x.dtype, x.amplitude)
    inputs = [*found[2], *[n for y in parts for n in (y.name, *y.parameters)]]
    return result(g, g.node("QLinearConcat", inputs, domain=MICROSOFT, axis=1), shape, x.dtype, found, x.amplitude)


def plain(kind, arrange):
    """An operator on the integers themselves."""
    def build(g, x, inputs, attributes, shape):
        return Quantized(g.node(kind, [x.name, *inputs], **attributes), tuple(shape), x.dtype, x.scale, x.zero, x.amplitude, x.parameters)
    return arranged(arrange, build)


QOPERATOR = [
    *[qlinear_conv] * 8, *[qlinear_matmul] * 4, *[qgemm] * 4, *[qlinear_pool] * 4, *[qlinear_concat] * 2, *[qlinear_softmax] * 2,
    *[qlinear_binary("QLinearAdd", lambda a, b: a + b)] * 4, *[qlinear_binary("QLinearMul", lambda a, b: a * b)] * 3,
    qlinear_unary("QLinearSigmoid", lambda a: .5), qlinear_unary("QLinearLeakyRelu", lambda a: a, alpha=lambda g: float(g.pick(.01, .1, .25))),
    plain("MaxPool", windowed), plain("Transpose", transpose), plain("Reshape", reshape), plain("Slice", cut), plain("Gather", gather),
]

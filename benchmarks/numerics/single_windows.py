"""Generators of random models of one operator, beside those of single_operators.py: convolutions and products with weights of 8
bits, pools, softmax, the sigmoidal functions, quantizing, joins. Scales are drawn so that results fill their range.

SPDX-License-Identifier: Apache-2.0"""

import numpy as np
from ai_edge_litert import schema_py_generated as s

from single_operators import QUANTIZED, generator, shape_of

WEIGHTS = {"i8": "i8", "u8": "u8", "i16": "i8"}


def weights(m, kind, shape, axis, per_channel):
    """Returns the scales; uint8 weights have a zero point, signed ones none."""
    stored = WEIGHTS[kind]
    scales = np.exp(m.rng.uniform(-7, -3, shape[axis] if per_channel else 1)).astype(np.float32)
    zero = int(m.rng.integers(100, 156)) if stored == "u8" else 0
    m.constant(stored, m.values(stored, shape) if stored == "u8" else m.rng.integers(-127, 128, shape), (1.0, zero))
    quantization = m.tensors[-1].quantization
    quantization.scale, quantization.zeroPoint = [float(x) for x in scales], [zero] * len(scales)
    quantization.quantizedDimension = axis if per_channel else 0
    return scales


def bias(m, kind, count, x, scales, options, wide=None):
    """32 bits, beside activations of 16 also 64; without the option LiteRT reads 64."""
    wide = kind == "i16" and (m.rng.random() < 0.5 if wide is None else wide)
    if kind == "i16" and not wide:
        options.quantizedBiasType = s.TensorType.INT32
    m.operands.append(m.tensor("i64" if wide else "i32", [count], None, m.rng.integers(-9000, 9000, count)))
    quantization = m.tensors[-1].quantization = s.QuantizationParametersT()
    quantization.scale = [float(np.float32(x) * w) for w in scales]
    quantization.zeroPoint = [0] * len(scales)


def result_of(m, kind, x, scales, taps):
    """A quantization that a sum of so many products about fills."""
    spread = float(x) * float(np.max(scales)) * 40 * np.sqrt(taps) * float(np.exp(m.rng.uniform(-1, 2)))
    return m.quantization(kind, scale=spread)


def activation(m, options):
    options.fusedActivationFunction = int(m.rng.choice([0, 1, 3]))
    return options


def window(m, options):
    options.padding = int(m.rng.integers(0, 2))
    options.strideH, options.strideW = (int(n) for n in m.rng.integers(1, 4, 2))
    return options


def extents(options, sizes, kernel, dilations=(1, 1)):
    out = []
    for n, k, step, d in zip(sizes, kernel, (options.strideH, options.strideW), dilations):
        reach = (k - 1) * d + 1
        out.append(-(-n // step) if options.padding == 0 else max(0, (n - reach) // step + 1))
    return out


@generator("CONV_2D", "i8", "u8", "i16")
def conv(m, kind, code):
    n, h, w, cin, cout, kh, kw = (int(m.rng.integers(1, top)) for top in (3, 12, 12, 20, 20, 4, 4))
    h, w = max(h, kh), max(w, kw)
    x, options = m.quantization(kind), window(m, s.Conv2DOptionsT())
    options.dilationHFactor = options.dilationWFactor = 1
    m.input(kind, [n, h, w, cin], x)
    scales = weights(m, kind, [cout, kh, kw, cin], 0, kind != "u8" and m.rng.random() < 0.7)
    bias(m, kind, cout, x[0], scales, options)
    rows, columns = extents(options, (h, w), (kh, kw))
    y = result_of(m, kind, x[0], scales, kh * kw * cin)
    return m.finish(code, [(kind, [n, rows, columns, cout], y)], activation(m, options), 8)


@generator("DEPTHWISE_CONV_2D", "i8", "u8", "i16")
def depthwise(m, kind, code):
    n, h, w, c, times, kh, kw = (int(m.rng.integers(1, top)) for top in (3, 12, 12, 20, 3, 4, 4))
    h, w = max(h, kh), max(w, kw)
    x, options = m.quantization(kind), window(m, s.DepthwiseConv2DOptionsT())
    options.depthMultiplier, options.dilationHFactor, options.dilationWFactor = times, 1, 1
    m.input(kind, [n, h, w, c], x)
    scales = weights(m, kind, [1, kh, kw, c * times], 3, kind != "u8" and m.rng.random() < 0.7)
    bias(m, kind, c * times, x[0], scales, options, True)
    rows, columns = extents(options, (h, w), (kh, kw))
    y = result_of(m, kind, x[0], scales, kh * kw)
    return m.finish(code, [(kind, [n, rows, columns, c * times], y)], activation(m, options), 3)


@generator("FULLY_CONNECTED", "i8 of zero 0", "u8 of its own", "i16")
def linear(m, kind, code):
    kind = kind.split()[0]
    rows, k, units = (int(m.rng.integers(1, top)) for top in (6, 300, 40))
    x, options = m.quantization(kind), s.FullyConnectedOptionsT()
    m.input(kind, [rows, k], x)
    scales = weights(m, kind, [units, k], 0, False)
    bias(m, kind, units, x[0], scales, options)
    return m.finish(code, [(kind, [rows, units], result_of(m, kind, x[0], scales, k))], activation(m, options), 11)


@generator("AVERAGE_POOL_2D", "i8", "u8", "i16")
@generator("MAX_POOL_2D", "i8", "u8", "i16")
def pool(m, kind, code):
    n, h, w, c, kh, kw = (int(m.rng.integers(1, top)) for top in (3, 12, 12, 20, 5, 5))
    h, w = max(h, kh), max(w, kw)
    x, options = m.quantization(kind), window(m, s.Pool2DOptionsT())
    options.filterHeight, options.filterWidth = kh, kw
    m.input(kind, [n, h, w, c], x)
    rows, columns = extents(options, (h, w), (kh, kw))
    return m.finish(code, [(kind, [n, rows, columns, c], x)], activation(m, options), 3)


@generator("SOFTMAX", "i8", "u8", "i16")
def softmax(m, kind, code):
    options, shape = s.SoftmaxOptionsT(), shape_of(m, most=3) + [int(m.rng.integers(1, 200))]
    options.beta = 1.0
    scale = np.exp(m.rng.uniform(-5, 0)) / (256 if kind == "i16" else 1)
    m.input(kind, shape, m.quantization(kind, scale=scale))
    y = {"i8": (1 / 256, -128), "u8": (1 / 256, 0), "i16": (1 / 32768, 0)}[kind]
    return m.finish(code, [(kind, shape, y)], options, 3)


def sigmoidal(m, kind, code, scale, zero_points):
    shape = shape_of(m)
    of_input = 2.0 ** -12 if kind == "i16" else None
    if kind == "i16" and m.scales != "uniform":  # what kernels treat apart, and others
        of_input = float(m.rng.choice([2.0 ** -12, 2.0 ** -11, 2.0 ** -13, 2.0 ** -12 * 1.0005, m.scale() / 256]))
    m.input(kind, shape, m.quantization(kind, scale=of_input))
    return m.finish(code, [(kind, shape, (2.0 ** -15 if kind == "i16" else scale, zero_points.get(kind, 0)))], None, 3)


generator("LOGISTIC", "i8", "u8", "i16")(lambda m, kind, code: sigmoidal(m, kind, code, 1 / 256, {"i8": -128}))
generator("TANH", "i8", "u8", "i16")(lambda m, kind, code: sigmoidal(m, kind, code, 1 / 128, {"u8": 128}))


@generator("QUANTIZE", "f32", "i8", "u8", "i16")
def quantize(m, kind, code):
    shape, to = shape_of(m), str(m.rng.choice([k for k in QUANTIZED if (k == "i16") == (kind == "i16") or kind == "f32"]))
    x = m.quantization(kind) if kind in QUANTIZED else None
    m.input(kind, shape, x)
    scale = x[0] * float(np.exp(m.rng.uniform(-1.5, 1.5))) if x else None
    return m.finish(code, [(to, shape, m.quantization(to, scale=scale))], None, 3)


@generator("DEQUANTIZE", "i8", "u8", "i16")
def dequantize(m, kind, code):
    shape = shape_of(m)
    m.input(kind, shape)
    return m.finish(code, [("f32", shape, None)], None, 3)


@generator("CONCATENATION", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def join(m, kind, code):
    """uint8 tensors may have different scales, others have one."""
    shape, options = shape_of(m), s.ConcatenationOptionsT()
    options.axis = int(m.rng.integers(0, len(shape)))
    y = m.quantization(kind) if kind in QUANTIZED else None
    total = 0
    for _ in range(int(m.rng.integers(1, 5))):
        part = list(shape)
        part[options.axis] = int(m.rng.integers(1, 9))
        total += part[options.axis]
        m.input(kind, part, None if kind == "u8" and m.rng.random() < 0.5 else y)
    shape[options.axis] = total
    return m.finish(code, [(kind, shape, y)], options, 3)

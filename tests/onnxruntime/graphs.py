"""Random quantized graphs: QDQ, QOperator and dynamic, each decided by a seed.

Activations that a graph has are quantized tensors with a scale, a zero point, and a rough amplitude of
their real values, by which the next scale is chosen. Scales are of three kinds: any, powers of two, and
few bits. The last two make exact ties frequent.

SPDX-License-Identifier: Apache-2.0
"""

import dataclasses

import numpy
import onnx
from onnx import TensorProto as T
from onnx import helper, numpy_helper

MICROSOFT = "com.microsoft"
RANGES = {T.UINT8: (0, 255), T.INT8: (-128, 127), T.UINT16: (0, 65535), T.INT16: (-32768, 32767), T.UINT4: (0, 15), T.INT4: (-8, 7)}
WIDE = (T.UINT16, T.INT16, T.UINT4, T.INT4)


@dataclasses.dataclass
class Quantized:
    """A quantized activation of the graph; without a name, the floats `dequantized` that have its encoding."""
    name: str
    shape: tuple
    dtype: int
    scale: float
    zero: int
    amplitude: float
    parameters: tuple  # names of scale and zero point
    dequantized: str = ""  # its floats, which readers may share


class Graph:
    def __init__(self, seed):
        self.random = numpy.random.default_rng(seed)
        self.nodes, self.initializers, self.inputs, self.outputs = [], [], [], []
        self.count = 0
        self.scales = self.pick("any", "any", "power", "few")
        self.symmetric = self.chance(.3)
        self.opset = self.pick(12, 13, 13, 17, 19, 21, 21)
        self.dtype = self.pick(T.UINT8, T.UINT8, T.INT8, T.INT8, T.UINT16, T.INT16)
        self.shares = self.chance(.3)
        self.lists = self.chance(.15)  # parameters of activations are lists of one

    # ---- choices ----

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return choices[int(self.random.integers(len(choices)))]

    def whole(self, low, high):
        return int(self.random.integers(low, high + 1))

    # ---- building ----

    def name(self, kind):
        self.count += 1
        return f"{kind.lower()}{self.count}"

    def constant(self, array, dtype=None):
        name = self.name("c")
        if dtype in (T.INT4, T.UINT4):
            self.initializers.append(helper.make_tensor(name, dtype, numpy.shape(array), numpy.asarray(array).flatten().tolist()))
        else:
            array = numpy.asarray(array) if dtype is None else numpy.asarray(array, helper.tensor_dtype_to_np_dtype(dtype))
            self.initializers.append(numpy_helper.from_array(array, name))
        return name

    def node(self, kind, inputs, results=1, domain="", **attributes):
        names = [self.name(kind) for _ in range(results)]
        self.nodes.append(helper.make_node(kind, inputs, names, name=f"{kind}_{self.count}", domain=domain, **attributes))
        return names[0] if results == 1 else names

    def input(self, dtype, shape):
        name = self.name("x")
        self.inputs.append((name, dtype, tuple(shape)))
        return name

    # ---- quantization ----

    def round_scale(self, scale):
        if self.scales == "power":
            scale = 2.0 ** round(numpy.log2(scale))
        elif self.scales == "few":
            exponent = numpy.floor(numpy.log2(scale)) - 2
            scale = round(scale / 2**exponent) * 2**exponent
        return float(numpy.float32(scale))

    def parameters(self, dtype, amplitude):
        low, high = RANGES[dtype]
        span = amplitude * self.random.uniform(1.5, 6)
        scale = self.round_scale(span / (high - low))
        zero = (low + high + 1) // 2 if self.symmetric else self.whole(low, high) if self.chance(.6) else self.pick(low, high, (low + high + 1) // 2)
        shape = [1] if self.lists else []
        return scale, zero, (self.constant(numpy.full(shape, scale), T.FLOAT), self.constant(numpy.full(shape, zero), dtype))

    def domain(self, dtype):
        """16 and 4 bits are in the standard's operators from 21 on."""
        return MICROSOFT if dtype in WIDE and self.opset < 21 or self.chance(.03) else ""

    def quantize(self, real, shape, amplitude, dtype=None, like=None):
        dtype = dtype or self.dtype
        if like:
            dtype = like.dtype
            scale, zero, names = like.scale, like.zero, like.parameters
        else:
            scale, zero, names = self.parameters(dtype, amplitude)
        name = self.node("QuantizeLinear", [real, *names], domain=self.domain(dtype))
        return Quantized(name, tuple(shape), dtype, scale, zero, amplitude, names)

    def real(self, x):
        """The floats of an activation: the result of a DequantizeLinear, perhaps moved."""
        if not x.name or (self.shares and x.dequantized):
            return x.dequantized
        x.dequantized = self.node("DequantizeLinear", [x.name, *x.parameters], domain=self.domain(x.dtype))
        return x.dequantized

    def weights(self, shape, axis, dtype=None, per_channel=None):
        """Constant weights: name, scales, names of the parameters, whether a scale per index of `axis`."""
        dtype = dtype or self.pick(T.INT8, T.INT8, T.INT8, T.UINT8)
        low, high = RANGES[dtype]
        per_channel = (self.chance(.5) if per_channel is None else per_channel) and self.opset >= 13
        count = shape[axis] if per_channel else 1
        scales = [self.round_scale(self.random.uniform(.2, 1.5) / high) for _ in range(count)]
        zeros = [0 if low < 0 else (low + high + 1) // 2 if self.chance(.7) else self.whole(low, high)] * count
        name = self.constant(self.random.integers(low, high + 1, shape), dtype)
        if not per_channel:
            return name, scales, (self.constant(scales[0], T.FLOAT), self.constant(zeros[0], dtype)), False, dtype
        return name, scales, (self.constant(scales, T.FLOAT), self.constant(zeros, dtype)), True, dtype

    def float_weights(self, shape, axis, per_channel=None):
        """Weights of a Conv, ConvTranspose or Gemm: float constants sometimes."""
        if self.chance(.88):
            return self.real_weights(shape, axis, per_channel)
        values = self.random.uniform(self.pick(-1, -.3, 0), self.pick(1, 1, .2, 0), shape).astype(numpy.float32)
        return self.constant(values), [1.0], False

    def real_weights(self, shape, axis, per_channel=None):
        dtype = self.pick(T.INT4, T.UINT4) if self.chance(.08) else None
        name, scales, names, per_channel, dtype = self.weights(shape, axis, dtype, per_channel)
        attributes = {"axis": axis} if per_channel and (axis != 1 or self.chance(.5)) else {}
        return self.node("DequantizeLinear", [name, *names], domain=self.domain(dtype), **attributes), scales, per_channel

    def bias(self, x, scales, channels, per_channel):
        """An int32 bias as a DequantizeLinear, or a float constant."""
        amplitude = 300 if self.chance(.7) else 3000
        if self.chance(.25):
            return self.constant(self.random.standard_normal(channels).astype(numpy.float32))
        values = self.random.integers(-amplitude, amplitude + 1, channels).astype(numpy.int32)
        products = (numpy.float32(x.scale) * numpy.asarray(scales, numpy.float32)).astype(numpy.float32)
        scale = self.constant(products) if per_channel else self.constant(products[0], T.FLOAT)
        zero = [] if self.chance(.7) else [self.constant(numpy.zeros(products.shape if per_channel else (), numpy.int32))]
        attributes = {"axis": 0} if per_channel else {}
        return self.node("DequantizeLinear", [self.constant(values), scale, *zero], **attributes)

    # ---- windows ----

    def window(self, shape, largest=3, dilates=True):
        """Attributes of a window that fits an image, or None."""
        k = [min(self.whole(1, largest), d) for d in shape[2:]]
        attributes = {"kernel_shape": k}
        if self.chance(.6):
            attributes["strides"] = [self.whole(1, 2) for _ in k]
        if dilates and self.chance(.2):
            d = [2 if 2 * (n - 1) + 1 <= size else 1 for n, size in zip(k, shape[2:])]
            attributes["dilations"] = d
        way = self.pick("none", "pads", "pads", "auto")
        if way == "auto" and "dilations" in attributes:  # onnxruntime has no such kernel
            way = "pads"
        if way == "pads":
            attributes["pads"] = [self.whole(0, n - 1) for n in k + k]
        elif way == "auto":
            attributes["auto_pad"] = self.pick("SAME_UPPER", "SAME_LOWER", "VALID")
        return attributes


def extent(shape, attributes, ceil=False):
    """The spatial result of a window."""
    result = []
    for i, size in enumerate(shape[2:]):
        k = attributes["kernel_shape"][i]
        stride = attributes.get("strides", [1] * len(shape[2:]))[i]
        reach = attributes.get("dilations", [1] * len(shape[2:]))[i] * (k - 1) + 1
        if attributes.get("auto_pad", "NOTSET").startswith("SAME"):
            result.append(-(-size // stride))
            continue
        pads = attributes.get("pads", [0] * 2 * len(shape[2:]))
        room = size + pads[i] + pads[i + len(shape) - 2] - reach
        out = (-(-room // stride) if ceil else room // stride) + 1
        if ceil and (out - 1) * stride >= size + pads[i]:
            out -= 1
        result.append(out)
    return result

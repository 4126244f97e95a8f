"""Generators of random .tflite models of one operator, by "OPERATOR type". Each draws from a numpy generator and gives the
file and its inputs.

SPDX-License-Identifier: Apache-2.0"""

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as s
from flatbuffers import flexbuffers

TYPES = {"f32": (s.TensorType.FLOAT32, np.float32), "i8": (s.TensorType.INT8, np.int8), "u8": (s.TensorType.UINT8, np.uint8),
         "i32": (s.TensorType.INT32, np.int32), "i64": (s.TensorType.INT64, np.int64), "bool": (s.TensorType.BOOL, np.bool_),
         "i16": (s.TensorType.INT16, np.int16), "i4": (s.TensorType.INT4, np.int8), "f16": (s.TensorType.FLOAT16, np.float16),
         "u16": (s.TensorType.UINT16, np.uint16), "u32": (s.TensorType.UINT32, np.uint32), "u64": (s.TensorType.UINT64, np.uint64)}
QUANTIZED = ("i8", "u8", "i16")
GENERATORS = {}


class Unsuitable(Exception):
    """The draw gives no model that is defined."""


class Made(tuple):
    """A model and its inputs; `written`, of the outputs, says how many of their second dimension LiteRT has written."""
    written = staticmethod(lambda outputs: None)


SCALES = ("uniform", "powers", "ties", "calibrated", "mixed", "extreme", "overflow")
LARGE = np.array([2, 1e20, 1e25, 3e38], np.float32)


class Single:
    """A model of one operator under construction. `scales` selects how scales are drawn: log-uniform in [e^-5, 1] (uniform);
    powers of 2; multiples of one scale by 2^k or 3 * 2^k, so that many results are halfway between two integers (ties); from
    ranges as calibration gives them; one of these three for each model (mixed); e^-45 to e^45 (extreme). Floats of `overflow` are
    positive and large, so that sums and products exceed float32 in any order."""
    scales = "uniform"

    def __init__(self, rng):
        self.rng, self.tensors, self.buffers = rng, [], [s.BufferT()]
        self.inputs, self.operands, self.intermediates = [], [], []
        if self.scales == "mixed":
            self.scales = str(rng.choice(["powers", "ties", "calibrated"]))
        self.unit = float(np.float32(np.exp(rng.uniform(-5, 0)))) if self.scales == "ties" else 1.0

    def scale(self):
        if self.scales == "powers":
            return 2.0 ** int(self.rng.integers(-9, 2))
        if self.scales == "ties":
            return self.unit * float(self.rng.choice([1, 1, 2, 0.5, 0.25, 3, 1.5, 0.75, 0.125]))
        if self.scales == "calibrated":
            return float(self.rng.choice([1, 2, 6, 8, 12, self.rng.uniform(0.1, 30)])) / float(self.rng.choice([255, 256, 127, 128]))
        return np.exp(self.rng.uniform(-45, 45) if self.scales == "extreme" else self.rng.uniform(-5, 0))

    def near(self, scale):
        """A scale of about this size, of those that are drawn."""
        if self.scales == "powers":
            return 2.0 ** round(np.log2(scale))
        if self.scales == "ties" and np.log2(scale) % 1:  # what operators demand are powers of 2
            return self.unit * 2.0 ** round(np.log2(scale / self.unit))
        return self.scale() if self.scales == "extreme" and np.log2(scale) % 1 else scale

    def quantization(self, kind, scale=None, zero_point=None):
        lo, hi = {"i8": (-128, 127), "u8": (0, 255), "i16": (0, 0)}[kind]
        scale = np.float32(self.scale() if scale is None else self.near(scale))
        zero_point = int(self.rng.integers(lo, hi + 1)) if zero_point is None else zero_point
        return float(scale), zero_point

    def tensor(self, kind, shape, quantization=None, data=None):
        t = s.TensorT()
        t.name, t.type, t.shape, t.buffer = f"t{len(self.tensors)}".encode(), TYPES[kind][0], list(shape), 0
        if (kind in QUANTIZED or kind == "i4") and quantization != "plain":
            scale, zero_point = quantization or self.quantization(kind)
            t.quantization = s.QuantizationParametersT()
            t.quantization.scale, t.quantization.zeroPoint = [scale], [zero_point]
        if data is not None:
            buffer = s.BufferT()
            data = np.ascontiguousarray(data, TYPES[kind][1])
            if kind == "i4":  # two to a byte, the low half first
                flat = np.append(data.reshape(-1), np.zeros(data.size % 2, np.int8)) & 15
                data = (flat[0::2] | flat[1::2] << 4).astype(np.uint8)
            buffer.data = list(data.tobytes())
            t.buffer = len(self.buffers)
            self.buffers.append(buffer)
        self.tensors.append(t)
        return len(self.tensors) - 1

    def values(self, kind, shape):
        if kind == "f32" and self.scales in ("powers", "ties"):
            return (self.rng.integers(-600, 600, shape) * (self.unit / 128)).astype(np.float32)
        if kind == "f32" and self.scales == "overflow":
            return self.rng.choice(LARGE, shape)
        if kind == "f32":
            return self.rng.normal(0, 3, shape).astype(np.float32)
        if kind == "bool":
            return self.rng.integers(0, 2, shape).astype(np.bool_)
        if kind in QUANTIZED:
            info = np.iinfo(TYPES[kind][1])
            return self.rng.integers(info.min, info.max + 1, shape).astype(TYPES[kind][1])
        return self.rng.integers(-1000, 1000, shape).astype(TYPES[kind][1])

    def input(self, kind, shape, quantization=None, values=None):
        index = self.tensor(kind, shape, quantization)
        self.inputs.append((index, self.values(kind, shape) if values is None else values))
        self.operands.append(index)

    def constant(self, kind, values, quantization=None):
        values = np.asarray(values, TYPES[kind][1])
        self.operands.append(self.tensor(kind, values.shape, quantization, values))

    def absent(self):
        self.operands.append(-1)

    def state(self, kind, shape, quantization=None):
        self.operands.append(self.tensor(kind, shape, quantization))
        self.tensors[-1].isVariable = True

    def intermediate(self, kind, quantization):
        """A tensor for its parameters only."""
        self.intermediates.append(self.tensor(kind, [0], quantization))

    def finish(self, code, outputs, options=None, version=1):
        """`outputs`: (kind, shape, quantization) each. Options of a custom operator are a dictionary."""
        results = [self.tensor(*o) for o in outputs]
        operator, opcode, graph, model = s.OperatorT(), s.OperatorCodeT(), s.SubGraphT(), s.ModelT()
        custom = isinstance(options, dict)
        number = s.BuiltinOperator.CUSTOM if custom else getattr(s.BuiltinOperator, code)
        opcode.deprecatedBuiltinCode, opcode.builtinCode, opcode.version = min(number, 127), number, version
        operator.opcodeIndex, operator.inputs, operator.outputs = 0, self.operands, results
        operator.intermediates = self.intermediates
        if custom:
            opcode.customCode, operator.customOptions = code.encode(), list(flexbuffers.Dumps(options))
        elif options is not None:
            operator.builtinOptionsType = getattr(s.BuiltinOptions, type(options).__name__[:-1])
            operator.builtinOptions = options
        graph.tensors, graph.inputs, graph.outputs = self.tensors, [i for i, _ in self.inputs], results
        graph.operators, graph.name = [operator], b"main"
        model.version, model.subgraphs, model.operatorCodes, model.buffers = 3, [graph], [opcode], self.buffers
        builder = flatbuffers.Builder(1 << 16)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output()), [values for _, values in self.inputs]


def generator(code, *kinds):
    """Registers a function (model, kind) -> finished model for each of the types."""
    def register(function):
        for kind in kinds:
            GENERATORS[f"{code} {kind}"] = lambda rng, kind=kind: function(Single(rng), kind, code)
        return function
    return register


def shape_of(m, least=1, most=4):
    return [int(n) for n in m.rng.integers(1, 9, int(m.rng.integers(least, most + 1)))]


def broadcastable(m, shape):
    part = [1 if m.rng.random() < 0.3 else n for n in shape]
    return part[int(m.rng.integers(0, len(shape))):] if m.rng.random() < 0.4 else part


# ---- functions of one tensor ----

def unary(m, kind, code, options=None, output=None, version=1, values=None):
    shape = shape_of(m)
    m.input(kind, shape, values=None if values is None else values(shape))
    return m.finish(code, [(kind, shape, output)], options, version)


for plain_code, kinds in {"ABS": ("f32", "i32"), "NEG": ("f32", "i32", "i64", "i8", "i16"), "SQUARE": ("f32",), "SQRT": ("f32",),
                          "RSQRT": ("f32",), "FLOOR": ("f32",), "CEIL": ("f32",), "ROUND": ("f32",), "EXP": ("f32", "i8", "i16"), "SIN": ("f32",),
                          "COS": ("f32",), "LOG": ("f32", "i8", "i16"),
                          "HARD_SWISH": ("f32", "i8", "u8"), "ELU": ("f32", "i8"), "RELU_N1_TO_1": ("f32", "i8", "u8"), "RELU_0_TO_1": ("f32", "i8", "u8"),
                          "RELU": ("f32", "i8", "u8", "i16"), "RELU6": ("f32", "i8", "u8", "i16"), "LOGICAL_NOT": ("bool",)}.items():
    generator(plain_code, *kinds)(lambda m, kind, code: unary(m, kind, code))


@generator("SQRT", "i8", "i16")
def root(m, kind, code):
    shape, quantization = shape_of(m), m.quantization(kind, zero_point=-128 if kind == "i8" else 0)
    m.input(kind, shape, quantization, np.abs(m.values(kind, shape)) if kind == "i16" else None)
    return m.finish(code, [(kind, shape, None)])


@generator("ABS", "i8", "i16")
def absolute(m, kind, code):
    return unary(m, kind, code, version=2)


@generator("RSQRT", "i8", "i16")
def inverse_root(m, kind, code):
    shape, quantization = shape_of(m), m.quantization(kind, zero_point=-128 if kind == "i8" else 0)
    m.input(kind, shape, quantization, np.maximum(np.abs(m.values(kind, shape)), 1) if kind == "i16" else None)
    return m.finish(code, [(kind, shape, None)], version=2)


@generator("LEAKY_RELU", "f32", "i8", "u8", "i16")
def leaky(m, kind, code):
    options = s.LeakyReluOptionsT()
    options.alpha = float(np.float32(m.rng.uniform(-0.5, 1.5)))
    return unary(m, kind, code, options)


@generator("GELU", "f32", "i8", "u8", "i16")
def gelu(m, kind, code):
    options = s.GeluOptionsT()
    options.approximate = bool(m.rng.integers(0, 2))
    return unary(m, kind, code, options)


@generator("CAST", "f32", "i32", "i64", "bool", "i8", "u8", "i16")
def cast(m, kind, code):
    to = str(m.rng.choice([k for k in ("f32", "i32", "i64", "bool", "i8", "u8", "i16") if k != kind]))
    shape = shape_of(m)
    values = m.rng.uniform(0, 120, shape).astype(TYPES[kind][1]) if to in QUANTIZED else None
    m.input(kind, shape, "plain", values)
    options = s.CastOptionsT()
    options.inDataType, options.outDataType = TYPES[kind][0], TYPES[to][0]
    return m.finish(code, [(to, shape, "plain")], options)


# ---- several tensors ----

def pair(m, kind, code, result=None, options=None, same=False, second=None):
    shape = shape_of(m)
    quantization = m.quantization(kind) if kind in QUANTIZED and same else None
    m.input(kind, shape, quantization)
    other = broadcastable(m, shape)
    values = m.values(kind, other) if second is None else second(other)
    if m.rng.random() < 0.5:
        m.input(kind, other, quantization, values)
    else:
        m.constant(kind, values, quantization)
    return m.finish(code, [(result or kind, shape, quantization)], options)


for pair_code in ("MAXIMUM", "MINIMUM"):
    generator(pair_code, "f32", "i32", "i64", "i8", "u8", "i16")(lambda m, kind, code: pair(m, kind, code, same=True))
for pair_code in ("EQUAL", "NOT_EQUAL", "LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL"):
    generator(pair_code, "f32", "i32", "i64", "i8", "u8", "i16")(lambda m, kind, code: pair(m, kind, code, "bool"))
for pair_code in ("EQUAL", "NOT_EQUAL"):
    generator(pair_code, "bool")(lambda m, kind, code: pair(m, kind, code, "bool"))
for pair_code in ("LOGICAL_AND", "LOGICAL_OR"):
    generator(pair_code, "bool")(lambda m, kind, code: pair(m, kind, code))
for pair_code in ("ADD", "SUB", "MUL"):
    def arithmetic(m, kind, code):
        options = getattr(s, code.capitalize() + "OptionsT")()
        options.fusedActivationFunction = int(m.rng.choice([0, 1, 3]))
        return pair(m, kind, code, options=options)
    generator(pair_code, "f32", "i32", "i64", "i8", "u8", "i16")(arithmetic)
generator("SQUARED_DIFFERENCE", "f32", "i32", "i8")(lambda m, kind, code: pair(m, kind, code))
generator("PRELU", "f32", "i8", "u8")(lambda m, kind, code: pair(m, kind, code))


@generator("PRELU", "i16")
def wide_prelu(m, kind, code):
    shape = shape_of(m)
    m.input(kind, shape)
    m.constant("i8", m.values("i8", broadcastable(m, shape)), m.quantization("i8"))
    return m.finish(code, [(kind, shape, None)])


def divisors(m, kind):
    def draw(shape):
        values = m.rng.integers(1, 50, shape) * m.rng.choice([-1, 1], shape)
        return values.astype(TYPES[kind][1])
    return draw


for pair_code in ("FLOOR_DIV", "FLOOR_MOD"):
    generator(pair_code, *(("i32", "f32", "i8", "i16") + (() if pair_code == "FLOOR_DIV" else ("i64",))))(
        lambda m, kind, code: pair(m, kind, code, second=divisors(m, kind)))
generator("DIV", "f32", "i32")(
    lambda m, kind, code: pair(m, kind, code, options=s.DivOptionsT(), second=divisors(m, kind)))


generator("BITWISE_XOR", "i8 plain", "u8 plain", "i16 plain", "i32", "u16", "u32")(lambda m, kind, code: bits(m, kind, code, None))
generator("RIGHT_SHIFT", "i8 plain", "u8 plain", "i16 plain", "i32", "u16", "u32")(lambda m, kind, code: bits(m, kind, code, 40))


def bits(m, kind, code, shifts):
    """Numbers without a scale, of all bits; shifts also by less than 0 and by more than there are."""
    kind = kind.split()[0]
    info, shape = np.iinfo(TYPES[kind][1]), shape_of(m)
    low, high = (max(info.min, -5), shifts) if shifts else (info.min, info.max + 1)
    m.input(kind, shape, "plain", m.rng.integers(info.min, info.max + 1, shape).astype(info.dtype))
    m.input(kind, broadcastable(m, shape), "plain", None)
    index, values = m.inputs[-1]
    m.inputs[-1] = index, m.rng.integers(low, high, values.shape).astype(info.dtype)
    return m.finish(code, [(kind, shape, "plain")])


@generator("BITCAST", "f32", "i64", "i32", "u32", "i16", "u16", "i8", "u8", "i8 plain", "u8 plain", "bool")
def bitcast(m, kind, code):
    """Of all bits, but of booleans; to a type of any width."""
    kind, quantization = kind.split()[0], "plain" if "plain" in kind or kind not in QUANTIZED else None
    to = str(m.rng.choice(["f32", "i64", "i32", "u32", "i16", "i8", "u8"]))
    shape, a, b = shape_of(m, 0, 3), np.dtype(TYPES[kind][1]).itemsize, np.dtype(TYPES[to][1]).itemsize
    result = shape + ([a // b] if a > b else [])
    shape = shape + ([b // a] if b > a else [])
    bits = m.rng.integers(0, 2 if kind == "bool" else 256, shape + [a]).astype(np.uint8)
    m.input(kind, shape, quantization, bits.view(TYPES[kind][1]).reshape(shape))
    return m.finish(code, [(to, result, "plain" if m.rng.random() < 0.5 or to not in QUANTIZED else None)], s.BitcastOptionsT())


@generator("WHERE", "bool", "f32", "i32", "i64", "i8", "u8", "u32")
def places(m, kind, code):
    """Of a constant; the model has to have an input all the same."""
    values = m.rng.integers(0, 2, shape_of(m)).astype(TYPES[kind][1])
    m.constant(kind, values, "plain")
    m.inputs.append((m.tensor("f32", [1]), np.zeros(1, np.float32)))
    return m.finish(code, [("i64", [int(np.count_nonzero(values)), values.ndim])])


@generator("ATAN2", "f32")
def angle(m, kind, code):
    """With zeros and infinities of both signs."""
    shape = shape_of(m)
    for _ in range(2):
        values = m.values(kind, shape) * np.exp(m.rng.normal(0, 20, shape)).astype(np.float32)
        special = m.rng.choice(np.float32([0, -0.0, np.inf, -np.inf, 1e-42]), shape)
        m.input(kind, shape, values=np.where(m.rng.random(shape) < 0.2, special, values).astype(np.float32))
    return m.finish(code, [(kind, shape)], s.Atan2OptionsT() if hasattr(s, "Atan2OptionsT") else None)


@generator("POW", "i32")
def whole_power(m, kind, code):
    """The kernel rejects exponents less than 0."""
    shape = shape_of(m)
    m.input(kind, shape, None, m.rng.integers(-20, 21, shape).astype(np.int32))
    m.input(kind, shape, None, m.rng.integers(0, 40, shape).astype(np.int32))
    return m.finish(code, [(kind, shape)])


@generator("BUCKETIZE", "f32", "i32", "i64")
def bucketize(m, kind, code):
    options = s.BucketizeOptionsT()
    options.boundaries = [float(b) for b in np.unique(np.round(m.rng.normal(0, 4, int(m.rng.integers(1, 9)))).astype(np.float32))]
    shape = shape_of(m)
    m.input(kind, shape, None, np.round(m.rng.normal(0, 5, shape)).astype(TYPES[kind][1]))
    return m.finish(code, [("i32", shape)], options)


@generator("FLOOR_MOD", "f32 far")
def far_rest(m, kind, code):
    """Of numbers of any size, and of both signs."""
    shape = shape_of(m)
    m.input("f32", shape, None, np.ldexp(m.values("f32", shape), m.rng.integers(-60, 60, shape)).astype(np.float32))
    m.input("f32", shape, None, np.ldexp(m.values("f32", shape), m.rng.integers(-60, 60, shape)).astype(np.float32))
    return m.finish(code, [("f32", shape)])


@generator("DIV", "i8", "u8", "i16")
def quotient(m, kind, code):
    """Divisors are not their zero point, where the kernels fail."""
    shape, other = shape_of(m), m.quantization(kind)
    values = m.values(kind, shape)
    values = np.where(values == other[1], values ^ 1, values).astype(TYPES[kind][1])
    above = m.values(kind, shape)
    m.input(kind, shape, values=above >> m.rng.integers(0, 16, shape).astype(np.int16) if kind == "i16" else above)
    m.input(kind, shape, other, values)
    options = s.DivOptionsT()
    options.fusedActivationFunction = int(m.rng.choice([0, 1, 3]))
    return m.finish(code, [(kind, shape, None)], options)


@generator("POW", "f32")
def power(m, kind, code):
    shape = shape_of(m)
    m.input(kind, shape, values=np.abs(m.values(kind, shape)))
    m.input(kind, broadcastable(m, shape))
    return m.finish(code, [(kind, shape, None)])


@generator("SELECT_V2", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def select(m, kind, code):
    shape = shape_of(m)
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    m.input("bool", broadcastable(m, shape))
    m.input(kind, shape, quantization)
    m.input(kind, broadcastable(m, shape), quantization)
    return m.finish(code, [(kind, shape, quantization)])


# ---- along axes ----

def reduction(m, kind, code, same):
    shape = shape_of(m, most=3 if code == "REDUCE_PROD" else 4)
    axes = sorted(m.rng.choice(len(shape), int(m.rng.integers(1, len(shape) + 1)), replace=False).tolist())
    keep = bool(m.rng.integers(0, 2))
    quantization = m.quantization(kind) if kind in QUANTIZED and same else None
    m.input(kind, shape, quantization)
    m.constant("i32", [a - len(shape) if m.rng.random() < 0.3 else a for a in axes])
    result = [1 if i in axes else n for i, n in enumerate(shape) if keep or i not in axes]
    options = s.ReducerOptionsT()
    options.keepDims = keep
    return m.finish(code, [(kind, result, quantization)], options)


for reduction_code in ("REDUCE_MAX", "REDUCE_MIN"):
    generator(reduction_code, "f32", "i32", "i64", "i8", "u8", "i16", "bool")(
        lambda m, kind, code: reduction(m, kind, code, True))
generator("SUM", "f32", "i32", "i64", "i8", "u8", "i16")(lambda m, kind, code: reduction(m, kind, code, False))
generator("REDUCE_PROD", "f32", "i32", "i64", "i8", "i16")(lambda m, kind, code: reduction(m, kind, code, False))
generator("MEAN", "f32", "i8", "u8", "i16", "i32", "i64")(lambda m, kind, code: reduction(m, kind, code, False))
for reduction_code in ("REDUCE_ANY", "REDUCE_ALL"):
    generator(reduction_code, "bool")(lambda m, kind, code: reduction(m, kind, code, True))


def place(m, kind, code):
    shape = shape_of(m)
    axis, to = int(m.rng.integers(0, len(shape))), str(m.rng.choice(["i32", "i64"]))
    m.input(kind, shape)
    m.constant("i32", axis)
    options = s.ArgMaxOptionsT() if code == "ARG_MAX" else s.ArgMinOptionsT()
    options.outputType = TYPES[to][0]
    return m.finish(code, [(to, shape[:axis] + shape[axis + 1:], None)], options)


for place_code in ("ARG_MAX", "ARG_MIN"):
    generator(place_code, "f32", "i8", "u8", "i32", "bool")(place)


# ---- resizing ----

def resize(m, kind, code):
    n, h, w, c = (int(x) for x in m.rng.integers(1, 9, 4))
    size = [int(x) for x in m.rng.integers(1, 20, 2)]
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    m.input(kind, [n, h, w, c], quantization)
    m.constant("i32", size)
    options = s.ResizeBilinearOptionsT() if code == "RESIZE_BILINEAR" else s.ResizeNearestNeighborOptionsT()
    mode = int(m.rng.integers(0, 3))
    options.alignCorners, options.halfPixelCenters = mode == 1, mode == 2
    return m.finish(code, [(kind, [n, *size, c], quantization)], options, 3)


generator("RESIZE_BILINEAR", "f32", "i8", "u8", "i16")(resize)
generator("RESIZE_NEAREST_NEIGHBOR", "f32", "i32", "i8", "u8", "i16", "bool")(resize)


# ---- arrangement ----

def moved(m, kind, code, shape, operands, result, options=None, version=1):
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    m.input(kind, shape, quantization)
    for values in operands:
        m.constant("i32", values)
    return m.finish(code, [(kind, r, quantization) for r in result], options, version)


@generator("TILE", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def tile(m, kind, code):
    shape = shape_of(m, most=3)
    reps = [int(n) for n in m.rng.integers(1, 4, len(shape))]
    return moved(m, kind, code, shape, [reps], [[a * b for a, b in zip(shape, reps)]])


@generator("REVERSE_V2", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def reverse(m, kind, code):
    shape = shape_of(m)
    return moved(m, kind, code, shape, [[int(m.rng.integers(0, len(shape)))]], [shape])


@generator("MIRROR_PAD", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def mirror(m, kind, code):
    shape, options = shape_of(m), s.MirrorPadOptionsT()
    options.mode = int(m.rng.integers(0, 2))
    pads = [[int(x) for x in m.rng.integers(0, n + options.mode, 2)] for n in shape]
    return moved(m, kind, code, shape, [pads], [[n + a + b for n, (a, b) in zip(shape, pads)]], options)


@generator("SPACE_TO_DEPTH", "f32", "i32", "i64", "i8", "u8")
def to_depth(m, kind, code):
    block, options = int(m.rng.integers(1, 4)), s.SpaceToDepthOptionsT()
    n, h, w, c = (int(x) for x in m.rng.integers(1, 5, 4))
    options.blockSize = block
    return moved(m, kind, code, [n, h * block, w * block, c], [], [[n, h, w, c * block * block]], options)


@generator("DEPTH_TO_SPACE", "f32", "i32", "i64", "i8", "u8")
def to_space(m, kind, code):
    block, options = int(m.rng.integers(1, 4)), s.DepthToSpaceOptionsT()
    n, h, w, c = (int(x) for x in m.rng.integers(1, 5, 4))
    options.blockSize = block
    return moved(m, kind, code, [n, h, w, c * block * block], [], [[n, h * block, w * block, c]], options)


@generator("SPACE_TO_BATCH_ND", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def to_batch(m, kind, code):
    block = [int(x) for x in m.rng.integers(1, 4, 2)]
    n, h, w, c = (int(x) for x in m.rng.integers(1, 6, 4))
    pads = [[int(m.rng.integers(0, b)), 0] for b in block]
    for i, size in enumerate((h, w)):
        pads[i][1] = -(size + pads[i][0]) % block[i]
    out = [n * block[0] * block[1], (h + sum(pads[0])) // block[0], (w + sum(pads[1])) // block[1], c]
    return moved(m, kind, code, [n, h, w, c], [block, pads], [out])


@generator("BATCH_TO_SPACE_ND", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def from_batch(m, kind, code):
    block = [int(x) for x in m.rng.integers(1, 4, 2)]
    n, h, w, c = (int(x) for x in m.rng.integers(1, 6, 4))
    crops = [[int(m.rng.integers(0, (size * b + 1) // 2)), 0] for size, b in zip((h, w), block)]
    out = [n, h * block[0] - crops[0][0], w * block[1] - crops[1][0], c]
    return moved(m, kind, code, [n * block[0] * block[1], h, w, c], [block, crops], [out])


@generator("SLICE", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def cut(m, kind, code):
    shape = shape_of(m)
    begin = [int(m.rng.integers(0, n)) for n in shape]
    size = [int(m.rng.integers(1, n - b + 1)) for n, b in zip(shape, begin)]
    stated = [-1 if b + k == n and m.rng.random() < 0.5 else k for n, b, k in zip(shape, begin, size)]
    return moved(m, kind, code, shape, [begin, stated], [size])


@generator("SPLIT_V", "f32", "i32", "i64", "i8", "u8", "i16")
def split(m, kind, code):
    shape = shape_of(m)
    axis = int(m.rng.integers(0, len(shape)))
    first = int(m.rng.integers(1, shape[axis] + 1))
    sizes = [first] + ([shape[axis] - first] if first < shape[axis] else [])
    options = s.SplitVOptionsT()
    options.numSplits = len(sizes)
    results = [shape[:axis] + [n] + shape[axis + 1:] for n in sizes]
    return moved(m, kind, code, shape, [sizes, axis], results, options)


@generator("PACK", "f32", "i32", "i64", "i8", "u8", "i16")
def pack(m, kind, code):
    shape, count, options = shape_of(m, most=3), int(m.rng.integers(1, 4)), s.PackOptionsT()
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    for _ in range(count):
        m.input(kind, shape, quantization)
    axis = int(m.rng.integers(0, len(shape) + 1))
    options.valuesCount, options.axis = count, axis
    return m.finish(code, [(kind, shape[:axis] + [count] + shape[axis:], quantization)], options)


@generator("UNPACK", "f32", "i32", "i8", "u8", "i16", "bool")
def unpack(m, kind, code):
    shape, options = shape_of(m, least=2), s.UnpackOptionsT()
    axis = int(m.rng.integers(0, len(shape)))
    options.num, options.axis = shape[axis], axis
    return moved(m, kind, code, shape, [], [shape[:axis] + shape[axis + 1:]] * shape[axis], options)


@generator("GATHER", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def gather(m, kind, code):
    shape, options = shape_of(m), s.GatherOptionsT()
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    axis = int(m.rng.integers(0, len(shape)))
    batch = int(m.rng.integers(0, min(axis, 2) + 1))
    rest = [int(n) for n in m.rng.integers(1, 4, int(m.rng.integers(0, 2)) + 1)]
    indices = m.rng.integers(0, shape[axis], shape[:batch] + rest).astype(np.int32)
    m.input(kind, shape, quantization)
    if m.rng.random() < 0.5:
        m.input("i32", list(indices.shape), None, indices)
    else:
        m.constant("i32", indices)
    options.axis, options.batchDims = axis, batch
    return m.finish(code, [(kind, shape[:axis] + rest + shape[axis + 1:], quantization)], options)


@generator("GATHER_ND", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def gather_nd(m, kind, code):
    shape = shape_of(m)
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    k, rows = int(m.rng.integers(1, len(shape) + 1)), int(m.rng.integers(1, 5))
    indices = np.stack([m.rng.integers(0, n, rows) for n in shape[:k]], -1).astype(np.int32)
    m.input(kind, shape, quantization)
    m.input("i32", [rows, k], None, indices)
    return m.finish(code, [(kind, [rows] + shape[k:], quantization)])


@generator("BROADCAST_TO", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def broadcast(m, kind, code):
    shape = shape_of(m)
    return moved(m, kind, code, broadcastable(m, shape), [shape], [shape], version=2)


@generator("TRANSPOSE_CONV", "f32", "i8", "u8", "i16")
def transpose_conv(m, kind, code):
    n, h, w, cin, cout, kh, kw, sh, sw = (int(m.rng.integers(1, top)) for top in (3, 6, 6, 9, 9, 5, 5, 4, 4))
    same, options = bool(m.rng.integers(0, 2)), s.TransposeConvOptionsT()
    options.padding, options.strideH, options.strideW = 0 if same else 1, sh, sw
    if same and (kh < sh or kw < sw):
        raise Unsuitable
    out = [n, h * sh, w * sw, cout] if same else [n, (h - 1) * sh + max(kh, sh), (w - 1) * sw + max(kw, sw), cout]
    if not same and (kh < sh or kw < sw):
        raise Unsuitable
    stored = "i8" if kind == "i16" else kind
    weights = m.values(stored, [cout, kh, kw, cin])
    m.constant("i32", out)
    if kind == "f32":
        m.constant(kind, weights)
        m.input(kind, [n, h, w, cin])
        return m.finish(code, [(kind, out, None)], options)
    x, scale = m.quantization(kind), float(np.float32(m.rng.uniform(0.002, 0.02)))
    m.constant(stored, np.maximum(weights, -127) if stored == "i8" else weights, (scale, 0 if stored == "i8" else 130))
    m.input(kind, [n, h, w, cin], x)
    if m.rng.random() < 0.5:
        wide = "i64" if kind == "i16" else "i32"
        m.operands.append(m.tensor(wide, [cout], None, m.rng.integers(-2000, 2000, cout)))
        bias = m.tensors[-1]
        bias.quantization = s.QuantizationParametersT()
        bias.quantization.scale, bias.quantization.zeroPoint = [float(np.float32(x[0]) * np.float32(scale))], [0]
    y = m.quantization(kind, scale=x[0] * scale * 2000)
    return m.finish(code, [(kind, out, y)], options, 3)


def volume(m, transposed):
    options = s.Conv3DOptionsT()
    options.padding, options.dilationDFactor, options.dilationHFactor, options.dilationWFactor = int(m.rng.integers(0, 2)), 1, 1, 1
    strides = [int(m.rng.integers(1, 4)) for _ in range(3)]
    options.strideD, options.strideH, options.strideW = strides
    kernel = [int(m.rng.integers(1, 4)) for _ in range(3)]
    x = [int(m.rng.integers(1, 3))] + [int(m.rng.integers(1, 6)) for _ in range(3)] + [int(m.rng.integers(1, 5))]
    same, out = options.padding == 0, int(m.rng.integers(1, 5))
    if transposed:
        sizes = [n * t if same else (n - 1) * t + max(k, t) for n, t, k in zip(x[1:], strides, kernel)]
        if any(k < t for k, t in zip(kernel, strides)):
            raise Unsuitable
    else:
        sizes = [-(-n // t) if same else (n - k) // t + 1 for n, t, k in zip(x[1:], strides, kernel)]
    if min(sizes) < 1:
        raise Unsuitable
    return options, kernel, x, out, [x[0]] + sizes + [out]


@generator("CONV_3D", "f32")
def conv_3d(m, kind, code):
    options, kernel, x, out, y = volume(m, False)
    m.input(kind, x)
    m.constant(kind, m.values(kind, kernel + [x[4], out]))
    if m.rng.random() < 0.5:
        m.constant(kind, m.values(kind, [out]))
    return m.finish(code, [(kind, y, None)], options)


@generator("CONV_3D_TRANSPOSE", "f32")
def conv_3d_transpose(m, kind, code):
    options, kernel, x, out, y = volume(m, True)
    m.constant("i32", y)
    m.constant(kind, m.values(kind, kernel + [out, x[4]]))
    m.input(kind, x)
    if m.rng.random() < 0.5:
        m.constant(kind, m.values(kind, [out]))
    return m.finish(code, [(kind, y, None)], options)


# ---- floats beside weights of 8 bits ----

def hybrid_weights(m, shape, axis, per_channel, stored="i8"):
    most = 127 if stored == "i8" else 7
    m.constant(stored, m.rng.integers(-most, most + 1, shape), (float(np.float32(m.rng.uniform(0.001, 0.1))), 0))
    if per_channel:
        q = m.tensors[-1].quantization
        q.scale = [float(np.float32(x)) for x in m.rng.uniform(0.001, 0.1, shape[axis])]
        q.zeroPoint, q.quantizedDimension = [0] * shape[axis], axis


def sometimes_bias(m, count):
    if m.rng.random() < 0.7:
        m.constant("f32", m.values("f32", [count]))


@generator("FULLY_CONNECTED", "hybrid", "hybrid per channel", "hybrid by i4")
def hybrid_linear(m, kind, code):
    rows, units, k = (int(m.rng.integers(1, top)) for top in (5, 20, 1500 if m.rng.random() < 0.1 else 80))
    m.input("f32", [rows, k], values=m.values("f32", [rows, k]) * (m.rng.random() < 0.95))
    hybrid_weights(m, [units, k], 0, kind.endswith("channel"), "i4" if kind.endswith("i4") else "i8")
    sometimes_bias(m, units)
    options = s.FullyConnectedOptionsT()
    options.asymmetricQuantizeInputs = bool(m.rng.integers(0, 2))
    options.fusedActivationFunction = int(m.rng.choice([0, 1, 3]))
    return m.finish(code, [("f32", [rows, units])], options, 9)


@generator("CONV_2D", "hybrid", "hybrid per channel", "hybrid by i4")
def hybrid_conv(m, kind, code):
    n, h, w, cin, cout, kh, kw, sh, sw = (int(m.rng.integers(1, top)) for top in (3, 9, 9, 9, 9, 4, 4, 3, 3))
    m.input("f32", [n, h, w, cin])
    hybrid_weights(m, [cout, kh, kw, cin], 0, kind.endswith("channel"), "i4" if kind.endswith("i4") else "i8")
    m.constant("f32", m.values("f32", [cout]))
    options = s.Conv2DOptionsT()
    options.padding, options.strideH, options.strideW = 0, sh, sw
    options.dilationHFactor = options.dilationWFactor = 1
    options.fusedActivationFunction = int(m.rng.choice([0, 1, 3]))
    return m.finish(code, [("f32", [n, -(-h // sh), -(-w // sw), cout])], options, 5)


@generator("DEPTHWISE_CONV_2D", "hybrid per channel")
def hybrid_depthwise(m, kind, code):
    n, h, w, c, times, kh, kw, stride = (int(m.rng.integers(1, top)) for top in (3, 9, 9, 9, 3, 4, 4, 3))
    m.input("f32", [n, h, w, c])
    hybrid_weights(m, [1, kh, kw, c * times], 3, True)
    m.constant("f32", m.values("f32", [c * times]))
    options = s.DepthwiseConv2DOptionsT()
    options.padding, options.strideH, options.strideW, options.depthMultiplier = 0, stride, stride, times
    options.dilationHFactor = options.dilationWFactor = 1
    return m.finish(code, [("f32", [n, -(-h // stride), -(-w // stride), c * times])], options, 6)


@generator("BATCH_MATMUL", "f32", "i8", "i16")
def matmul(m, kind, code):
    rows, columns, k = (int(n) for n in m.rng.integers(1, 9, 3))
    batch = shape_of(m, 0, 2)
    options = s.BatchMatMulOptionsT()
    options.adjX, options.adjY = bool(m.rng.integers(0, 2)), bool(m.rng.integers(0, 2))
    x, y = m.quantization(kind) if kind != "f32" else None, m.quantization(kind) if kind != "f32" else None
    m.input(kind, batch + ([k, rows] if options.adjX else [rows, k]), x)
    shape = broadcastable(m, batch) if batch else []
    shape += [columns, k] if options.adjY else [k, columns]
    if m.rng.random() < 0.5:
        m.input(kind, shape, y)
    else:
        m.constant(kind, m.values(kind, shape), y)
    return m.finish(code, [(kind, batch + [rows, columns], None)], options, 2)


@generator("BATCH_MATMUL", "i8 to i32", "hybrid", "hybrid per channel")
def wide_matmul(m, kind, code):
    """What is summed and not rescaled; floats times a constant matrix of 8 bits."""
    rows, columns, k = (int(n) for n in m.rng.integers(1, 30, 3))
    batch = shape_of(m, 0, 2)
    options = s.BatchMatMulOptionsT()
    options.adjX, options.adjY = bool(m.rng.integers(0, 2)), bool(m.rng.integers(0, 2))
    options.asymmetricQuantizeInputs = bool(m.rng.integers(0, 2)) and kind == "hybrid"
    hybrid = kind.startswith("hybrid")
    if hybrid and sum(n > 1 for n in batch) > 1:
        raise Unsuitable  # LiteRT scales rows by the ranges of others
    m.input("f32" if hybrid else "i8", batch + ([k, rows] if options.adjX else [rows, k]))
    shape = [columns, k] if options.adjY else [k, columns]
    if hybrid:
        hybrid_weights(m, shape, 0 if options.adjY else 1, kind.endswith("channel"))
    else:
        m.input("i8", shape, None)
    return m.finish(code, [("f32" if hybrid else "i32", batch + [rows, columns], None)], options, 4)


# ---- at the edge of what is accepted ----

@generator("PADV2", "f32", "i8", "u8", "i16", "i32", "i64", "bool")
def pad_with(m, kind, code):
    shape, quantization = shape_of(m), m.quantization(kind) if kind in QUANTIZED else None
    pads = [[int(x) for x in m.rng.integers(0, 4, 2)] for _ in shape]
    m.input(kind, shape, quantization)
    m.constant("i32", pads)
    if m.rng.random() < 0.5:
        m.input(kind, [], quantization)
    else:
        m.constant(kind, m.values(kind, ()), quantization)
    return m.finish(code, [(kind, [n + a + b for n, (a, b) in zip(shape, pads)], quantization)], s.PadV2OptionsT())


@generator("FULLY_CONNECTED", "i8", "u8")
def fully_connected(m, kind, code):
    """Weights of either 8-bit type, whose zero point may lie outside of the input's."""
    rows, depth, units = (int(m.rng.integers(1, top)) for top in (5, 70, 20))
    other, x, options = str(m.rng.choice(["i8", "u8"])), m.quantization(kind), s.FullyConnectedOptionsT()
    m.input(kind, [rows, depth], x)
    m.constant(other, m.values(other, [units, depth]), m.quantization(other, scale=0.02))
    m.operands.append(m.tensor("i32", [units], None, m.rng.integers(-3000, 3000, units)))
    bias = m.tensors[-1]
    bias.quantization = s.QuantizationParametersT()
    bias.quantization.scale, bias.quantization.zeroPoint = [float(np.float32(x[0]) * np.float32(0.02))], [0]
    return m.finish(code, [(kind, [rows, units], m.quantization(kind, scale=x[0] * depth))], options, 4)


# ---- by indices ----

@generator("ONE_HOT", "f32", "i32", "i64", "i8", "u8", "bool")
def one_hot(m, kind, code):
    shape, depth = shape_of(m, most=3), int(m.rng.integers(1, 9))
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    m.input("i32", shape, values=m.rng.integers(-1, depth + 1, shape).astype(np.int32))
    m.constant("i32", depth)
    m.constant(kind, m.values(kind, []), quantization)
    m.constant(kind, m.values(kind, []), quantization)
    options = s.OneHotOptionsT()
    options.axis = int(m.rng.integers(-1, len(shape) + 1))
    at = len(shape) if options.axis == -1 else options.axis
    return m.finish(code, [(kind, shape[:at] + [depth] + shape[at:], quantization)], options)


@generator("TOPK_V2", "f32", "i32", "i64", "i8", "u8", "i16")
def top(m, kind, code):
    shape = shape_of(m)
    k = int(m.rng.integers(1, shape[-1] + 1))
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    values = m.values(kind, shape)
    m.input(kind, shape, quantization, np.sort(values, -1)[..., :1].repeat(shape[-1], -1) if m.rng.random() < 0.2 else values)
    m.constant("i32", k)
    return m.finish(code, [(kind, shape[:-1] + [k], quantization), ("i32", shape[:-1] + [k])], s.TopKV2OptionsT())


@generator("SCATTER_ND", "f32", "i32", "i64", "i8", "u8", "bool")
def scatter(m, kind, code):
    shape, rows = shape_of(m), int(m.rng.integers(1, 7))
    k = int(m.rng.integers(1, len(shape) + 1))
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    m.input("i32", [rows, k], values=np.stack([m.rng.integers(0, n, rows) for n in shape[:k]], -1).astype(np.int32))
    m.input(kind, [rows] + shape[k:], quantization)
    m.constant("i32", shape)
    return m.finish(code, [(kind, shape, quantization)], s.ScatterNdOptionsT())


@generator("DYNAMIC_UPDATE_SLICE", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def update_slice(m, kind, code):
    shape = shape_of(m)
    part = [int(m.rng.integers(1, n + 1)) for n in shape]
    quantization = m.quantization(kind) if kind in QUANTIZED else None
    m.input(kind, shape, quantization)
    m.input(kind, part, quantization)
    starts = m.rng.integers(-2, 10, len(shape)).astype(np.int32)
    if m.rng.random() < 0.5:
        m.input("i32", [len(shape)], values=starts)
    else:
        m.constant("i32", starts)
    return m.finish(code, [(kind, shape, quantization)])


@generator("CUMSUM", "f32", "i32", "i64")
def cumulative(m, kind, code):
    shape, options = shape_of(m), s.CumsumOptionsT()
    options.exclusive, options.reverse = bool(m.rng.integers(0, 2)), bool(m.rng.integers(0, 2))
    m.input(kind, shape)
    m.constant("i32", int(m.rng.integers(-len(shape), len(shape))))
    return m.finish(code, [(kind, shape)], options)


# ---- rows ----

generator("LOG_SOFTMAX", "f32")(lambda m, kind, code: unary(m, kind, code, s.LogSoftmaxOptionsT()))
generator("L2_NORMALIZATION", "f32")(lambda m, kind, code: unary(m, kind, code, s.L2NormOptionsT()))
generator("LOG_SOFTMAX", "i8", "u8")(
    lambda m, kind, code: unary(m, kind, code, s.LogSoftmaxOptionsT(), (1 / 16, 127 if kind == "i8" else 255)))
generator("L2_NORMALIZATION", "i8", "u8")(
    lambda m, kind, code: unary(m, kind, code, s.L2NormOptionsT(), (1 / 128, 0 if kind == "i8" else 128)))


@generator("LOCAL_RESPONSE_NORMALIZATION", "f32")
def local_response(m, kind, code):
    shape, options = shape_of(m, 4), s.LocalResponseNormalizationOptionsT()
    options.radius, options.bias = int(m.rng.integers(0, 5)), float(np.float32(m.rng.uniform(0.5, 2)))
    options.alpha, options.beta = (float(np.float32(x)) for x in m.rng.uniform(0.1, 1, 2))
    m.input(kind, shape)
    return m.finish(code, [(kind, shape)], options)


# ---- by where elements are ----

@generator("MATRIX_DIAG", "f32", "i32", "i64", "i8", "u8", "i16")
def diagonal(m, kind, code):
    shape, quantization = shape_of(m, most=3), m.quantization(kind) if kind in QUANTIZED else None
    m.input(kind, shape, quantization)
    return m.finish(code, [(kind, shape + shape[-1:], quantization)], s.MatrixDiagOptionsT())


@generator("MATRIX_SET_DIAG", "f32", "i32", "i64", "i8", "u8", "i16")
def set_diagonal(m, kind, code):
    shape, quantization = shape_of(m, most=3), m.quantization(kind) if kind in QUANTIZED else None
    m.input(kind, shape + shape[-1:], quantization)
    m.input(kind, shape, quantization)
    return m.finish(code, [(kind, shape + shape[-1:], quantization)], s.MatrixSetDiagOptionsT())


@generator("REVERSE_SEQUENCE", "f32", "i32", "i64", "u8", "i16")
def reverse_sequence(m, kind, code):
    shape, quantization = shape_of(m, 2), m.quantization(kind) if kind in QUANTIZED else None
    along, batch = (int(n) for n in m.rng.choice(len(shape), 2, replace=False))
    index = str(m.rng.choice(["i32", "i64"]))
    m.input(kind, shape, quantization)
    lengths = m.rng.integers(1, shape[along] + 1, shape[batch]).astype(TYPES[index][1])
    m.input(index, [shape[batch]], None, lengths)
    options = s.ReverseSequenceOptionsT()
    options.seqDim, options.batchDim = along, batch
    return m.finish(code, [(kind, shape, quantization)], options)


@generator("SELECT", "f32", "i32", "i64", "i8", "u8", "i16", "bool")
def select_entries(m, kind, code):
    """By a condition for each entry, or each element."""
    shape, quantization = shape_of(m), m.quantization(kind) if kind in QUANTIZED else None
    m.input("bool", shape[:1] if m.rng.random() < 0.6 else shape)
    m.input(kind, shape, quantization)
    m.input(kind, shape, quantization)
    return m.finish(code, [(kind, shape, quantization)], s.SelectOptionsT())


def segments(m, kind, code):
    shape, count = shape_of(m), int(m.rng.integers(1, 6))
    lead = shape[:int(m.rng.integers(1, len(shape) + 1))]
    m.input(kind, shape)
    m.input("i32", lead, None, m.rng.integers(-1, count, lead).astype(np.int32))
    m.constant("i32", count)
    return m.finish(code, [(kind, [count] + shape[len(lead):])])


for segment_code in ("SUM", "PROD", "MAX", "MIN"):
    generator("UNSORTED_SEGMENT_" + segment_code, "f32", "i32")(segments)


@generator("SIGN", "f32", "i32")
def sign(m, kind, code):
    return unary(m, kind, code, s.SignOptionsT(), version=2 if kind == "i32" else 1)


@generator("L2_POOL_2D", "f32")
def root_pool(m, kind, code):
    n, h, w, c, fh, fw, stride = (int(m.rng.integers(1, top)) for top in (3, 9, 9, 9, 4, 4, 3))
    m.input(kind, [n, h, w, c])
    options = s.Pool2DOptionsT()
    options.padding, options.strideH, options.strideW = 0, stride, stride
    options.filterHeight, options.filterWidth = fh, fw
    return m.finish(code, [(kind, [n, -(-h // stride), -(-w // stride), c])], options)


# ---- 4 bits ----

def narrow(m, kind, code):
    """What LiteRT takes of int4 that is no constant. Rows are of whole bytes: it moves halves of them wrongly."""
    shape = shape_of(m, 2, 4)
    shape[-1] += shape[-1] % 2
    quantization = float(np.float32(np.exp(m.rng.uniform(-5, 0)))), int(m.rng.integers(-8, 8))
    values = m.rng.integers(-8, 8, shape).astype(np.int8)
    made = lambda y, options=None, version=1, kind="i4": m.finish(code, [(kind, y, quantization if kind == "i4" else None)], options, version)
    if code == "QUANTIZE" or kind == "f32 to i4":
        m.input("f32", shape, values=(values * quantization[0] * m.rng.normal(1, 0.3, shape)).astype(np.float32))
        return made(shape, s.CastOptionsT() if code == "CAST" else None, 6 if code == "CAST" else 4)
    if code == "GATHER" and m.rng.random() < 0.5:
        m.constant("i4", values, quantization)
    else:
        m.input("i4", shape, quantization, values)
    if code in ("CAST", "DEQUANTIZE"):
        return made(shape, s.CastOptionsT() if code == "CAST" else None, 6, "f32")
    if code == "RESHAPE":
        m.constant("i32", [shape[-1], -1])
        return made([shape[-1], int(np.prod(shape[:-1]))], s.ReshapeOptionsT())
    if code == "TRANSPOSE":
        m.constant("i32", list(range(len(shape)))[::-1])
        return made(shape[::-1], s.TransposeOptionsT())
    if code == "SLICE":
        begin = [int(m.rng.integers(0, n)) for n in shape]
        size = [int(m.rng.integers(1, n - b + 1)) for n, b in zip(shape, begin)]
        m.constant("i32", begin)
        m.constant("i32", size)
        return made(size, s.SliceOptionsT())
    if code == "EXPAND_DIMS":
        m.constant("i32", 0)
        return made([1] + shape, s.ExpandDimsOptionsT())
    if code == "GATHER":
        rows = m.rng.integers(0, shape[0], 3).astype(np.int32)
        m.input("i32", [3], values=rows)
        return made([3] + shape[1:], s.GatherOptionsT(), 6)
    m.input("i4", shape, quantization, m.rng.integers(-8, 8, shape).astype(np.int8))
    options = s.ConcatenationOptionsT()
    options.axis = len(shape) - 1
    return made(shape[:-1] + [2 * shape[-1]], options)


for narrow_code in ("DEQUANTIZE", "RESHAPE", "TRANSPOSE", "SLICE", "EXPAND_DIMS", "GATHER", "CONCATENATION"):
    generator(narrow_code, "i4")(narrow)
generator("QUANTIZE", "f32 to i4")(narrow)
generator("CAST", "i4 to f32", "f32 to i4")(narrow)


# ---- weights of 4 bits, and of float16 ----

def packed_bias(m, x, scale, count):
    m.operands.append(m.tensor("i32", [count], None, m.rng.integers(-2000, 2000, count)))
    bias = m.tensors[-1]
    bias.quantization = s.QuantizationParametersT()
    bias.quantization.scale, bias.quantization.zeroPoint = [float(np.float32(x[0]) * np.float32(scale))], [0]


def packed_layer(m, code, x_shape, w_shape, y_shape, channels, options, version, argument=False):
    x, scale = m.quantization("i8"), float(np.float32(m.rng.uniform(0.01, 0.2)))
    m.input("i8", x_shape, x)
    values = m.rng.integers(-8 if argument else -7, 8, w_shape)
    if argument:
        m.input("i4", w_shape, (scale, 0), values.astype(np.int8))
    else:
        m.constant("i4", values, (scale, 0))
    packed_bias(m, x, scale, channels)
    return m.finish(code, [("i8", y_shape, m.quantization("i8", scale=x[0] * scale * 60))], options, version)


@generator("FULLY_CONNECTED", "i8 by i4", "i8 by i4 argument")
def packed_linear(m, kind, code):
    rows, units, k = (int(m.rng.integers(1, top)) for top in (5, 20, 80))
    return packed_layer(m, code, [rows, k], [units, k], [rows, units], units, s.FullyConnectedOptionsT(), 7, kind.endswith("argument"))


@generator("CONV_2D", "i8 by i4")
def packed_conv(m, kind, code):
    n, h, w, cin, cout, kh, kw = (int(m.rng.integers(1, top)) for top in (3, 9, 9, 9, 9, 4, 4))
    options = s.Conv2DOptionsT()
    options.strideH = options.strideW = options.dilationHFactor = options.dilationWFactor = 1
    return packed_layer(m, code, [n, h, w, cin], [cout, kh, kw, cin], [n, h, w, cout], cout, options, 7)


@generator("DEPTHWISE_CONV_2D", "i8 by i4")
def packed_depthwise(m, kind, code):
    n, h, w, c, kh, kw = (int(m.rng.integers(1, top)) for top in (3, 9, 9, 9, 4, 4))
    options = s.DepthwiseConv2DOptionsT()
    options.strideH = options.strideW = options.dilationHFactor = options.dilationWFactor = options.depthMultiplier = 1
    return packed_layer(m, code, [n, h, w, c], [1, kh, kw, c], [n, h, w, c], c, options, 6)


@generator("DEQUANTIZE", "f16")
def half(m, kind, code):
    """A constant; the model has to have an input all the same."""
    shape = shape_of(m)
    m.constant(kind, m.values("f32", shape))
    m.inputs.append((m.tensor("f32", [1]), np.zeros(1, np.float32)))
    return m.finish(code, [("f32", shape)], version=3)

"""Random .tflite models of several operators, all quantized: chains that fuse, tensors that share memory, results that are used
twice, shapes that are no multiple of anything. `draw` gives the file and its inputs.

SPDX-License-Identifier: Apache-2.0"""

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as s

from single_operators import TYPES, Single, Unsuitable

MOST_ELEMENTS = 6000
STEPS = []


def step(weight=1, int16=True):
    """Registers a function that adds an operator to a graph and returns whether it could. `int16`: of 16 bits, too."""
    def register(function):
        STEPS.append((function, weight, int16))
        return function
    return register


class Graph(Single):
    """A model of many operators under construction. `pool` has the tensors of rank 4 that operators may read, the newest last."""

    def __init__(self, rng, kind):
        super().__init__(rng)
        self.kind, self.operators, self.codes, self.used, self.pool, self.known = kind, [], [], set(), [], {}

    def coin(self, share=0.5):
        return self.rng.random() < share

    def between(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def one_of(self, values):
        return values[self.between(0, len(values) - 1)]

    def remember(self, index, shape, quantization):
        self.known[index] = (list(shape), quantization)
        if len(shape) == 4:
            self.pool.append(index)
        return index

    def new_input(self, shape):
        quantization = self.quantization(self.kind)
        index = self.tensor(self.kind, shape, quantization)
        self.inputs.append((index, self.values(self.kind, shape)))
        return self.remember(index, shape, quantization)

    def operand(self):
        """A tensor with its shape and parameters; the newest ones more often."""
        index = self.pool[-1 - min(int(self.rng.exponential(1.5)), len(self.pool) - 1)]
        return index, *self.known[index]

    def fixed(self, kind, values, quantization=None):
        values = np.asarray(values, TYPES[kind][1])
        return self.tensor(kind, values.shape, quantization, values)

    def add(self, code, operands, outputs, options=None, version=1):
        """`outputs`: (shape, quantization) each. Returns the first."""
        for shape, _ in outputs:
            if int(np.prod(shape)) > MOST_ELEMENTS:
                raise Unsuitable
        number = getattr(s.BuiltinOperator, code)
        if (number, version) not in self.codes:
            self.codes.append((number, version))
        operator = s.OperatorT()
        results = [self.tensor(self.kind, *o) for o in outputs]
        operator.opcodeIndex, operator.inputs, operator.outputs = self.codes.index((number, version)), operands, results
        if options is not None:
            operator.builtinOptionsType = getattr(s.BuiltinOptions, type(options).__name__[:-1])
            operator.builtinOptions = options
        self.operators.append(operator)
        self.used.update(operands)
        for index, (shape, quantization) in zip(results, outputs):
            self.remember(index, shape, quantization)
        return results[0]

    def file(self):
        graph, model = s.SubGraphT(), s.ModelT()
        outputs = [i for o in self.operators for i in o.outputs if i not in self.used or self.coin(0.1)]
        graph.tensors, graph.inputs, graph.outputs = self.tensors, [i for i, _ in self.inputs], outputs
        graph.operators, graph.name = self.operators, b"main"
        for number, version in self.codes:
            code = s.OperatorCodeT()
            code.deprecatedBuiltinCode, code.builtinCode, code.version = min(number, 127), number, version
            model.operatorCodes = (model.operatorCodes or []) + [code]
        model.version, model.subgraphs, model.buffers = 3, [graph], self.buffers
        builder = flatbuffers.Builder(1 << 16)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output()), [values for _, values in self.inputs]

    # ---- weights ----

    def weights(self, shape, axis):
        """Of 8 bits, with one scale or one for each index of the axis; and the scales."""
        per_channel = self.kind != "u8" and self.coin(0.8)
        scales = np.exp(self.rng.uniform(-6, -2, shape[axis] if per_channel else 1)).astype(np.float32)
        kind = "u8" if self.kind == "u8" else "i8"
        values = self.values(kind, shape)
        if kind == "i8":
            values = np.maximum(values, -127)
        index = self.tensor(kind, shape, (1.0, self.between(0, 255) if kind == "u8" else 0), values)
        q = self.tensors[index].quantization
        q.scale, q.zeroPoint = [float(x) for x in scales], q.zeroPoint * len(scales)
        q.quantizedDimension = axis if per_channel else 0  # as converters write it
        return index, scales

    def bias(self, channels, x_scale, scales, needed=False):
        """A list of one operand, or none."""
        if not needed and self.coin(0.2):
            return []
        kind = "i64" if self.kind == "i16" else "i32"
        index = self.tensor(kind, [channels], None, self.rng.integers(-3000, 3000, channels))
        q = s.QuantizationParametersT()
        q.scale, q.zeroPoint = [float(np.float32(x_scale) * x) for x in scales], [0] * len(scales)
        q.quantizedDimension = 0
        self.tensors[index].quantization = q
        return [index]

    def after(self, x_scale, scales, taps):
        """Parameters of a result that mostly uses its range."""
        wide = 256 if self.kind == "i16" else 1
        spread = x_scale * float(np.max(scales)) * np.sqrt(taps) * self.rng.uniform(20, 90) * wide
        return self.quantization(self.kind, scale=max(spread / wide, 1e-6))

    def fused(self):
        return int(self.rng.choice([0, 0, 1, 3]))


# ---- matrices ----

def window(g, size, kernel, stride, same, dilation=1):
    reach = (kernel - 1) * dilation + 1
    if same:
        return -(-size // stride)
    if size < reach:
        raise Unsuitable
    return (size - reach) // stride + 1


def geometry(g, options, shape, kernel, dilates=True):
    """Strides, dilations and padding into the options; the rows and columns of the result."""
    stride = [g.one_of([1, 1, 2, 3]) for _ in range(2)]
    dilation = g.one_of([1, 1, 1, 2]) if dilates and stride == [1, 1] else 1
    same = g.coin()
    options.padding, options.strideH, options.strideW = 0 if same else 1, *stride
    if dilates:
        options.dilationHFactor = options.dilationWFactor = dilation
    return [window(g, shape[1 + i], kernel[i], stride[i], same, dilation) for i in range(2)]


@step(weight=4)
def convolution(g):
    x, shape, (scale, _) = g.operand()
    channels, kernel, options = g.between(1, 19), [g.one_of([1, 1, 2, 3]) for _ in range(2)], s.Conv2DOptionsT()
    rows = geometry(g, options, shape, kernel)
    w, scales = g.weights([channels, *kernel, shape[3]], 0)
    options.fusedActivationFunction = g.fused()
    taps = kernel[0] * kernel[1] * shape[3]
    return g.add("CONV_2D", [x, w, *g.bias(channels, scale, scales, needed=True)],
                 [([shape[0], *rows, channels], g.after(scale, scales, taps))], options, 3)


@step(weight=3)
def depthwise(g):
    x, shape, (scale, _) = g.operand()
    multiplier, kernel, options = g.one_of([1, 1, 2]), [g.one_of([1, 3, 3, 5]) for _ in range(2)], s.DepthwiseConv2DOptionsT()
    rows, channels = geometry(g, options, shape, kernel), shape[3] * multiplier
    w, scales = g.weights([1, *kernel, channels], 3)
    options.fusedActivationFunction, options.depthMultiplier = g.fused(), multiplier
    return g.add("DEPTHWISE_CONV_2D", [x, w, *g.bias(channels, scale, scales)],
                 [([shape[0], *rows, channels], g.after(scale, scales, kernel[0] * kernel[1]))], options, 3)


@step(weight=2)
def linear(g):
    x, shape, (scale, _) = g.operand()
    units, options = g.between(1, 20), s.FullyConnectedOptionsT()
    w, scales = g.weights([units, shape[3]], 0)
    if g.kind == "i16" and len(scales) > 1: # the kernels know one scale
        raise Unsuitable
    options.fusedActivationFunction, options.keepNumDims = g.fused(), True
    return g.add("FULLY_CONNECTED", [x, w, *g.bias(units, scale, scales)],
                 [(shape[:3] + [units], g.after(scale, scales, shape[3]))], options, 7)


# ---- elementwise ----

def alike(g, x, shape, quantization):
    """The tensor with these parameters: rescaled when it has others."""
    if g.known[x][1] == quantization:
        return x
    return g.add("QUANTIZE", [x], [(shape, quantization)], s.QuantizeOptionsT(), 2 if g.kind == "i16" else 1)


def partner(g, shape):
    """Another tensor that broadcasts with this shape: of the pool, or a constant."""
    fitting = [i for i in g.pool if all(n in (1, m) for n, m in zip(g.known[i][0], shape))]
    if fitting and g.coin(0.7):
        return g.one_of(fitting)
    other = [1 if g.coin(0.4) else n for n in shape]
    quantization = g.quantization(g.kind)
    index = g.tensor(g.kind, other, quantization, g.values(g.kind, other))
    g.known[index] = (other, quantization)
    return index


@step(weight=5)
def arithmetic(g):
    x, shape, (scale, _) = g.operand()
    y, code = partner(g, shape), g.one_of(["ADD", "ADD", "SUB", "MUL"])
    other, options = g.known[y][1][0], getattr(s, code.capitalize() + "OptionsT")()
    options.fusedActivationFunction = g.fused()
    if g.kind == "i16" and code != "MUL":
        options.potScaleInt16 = False
    result = (scale * other * g.rng.uniform(20, 120) if code == "MUL" else max(scale, other) * g.rng.uniform(0.6, 2.5))
    return g.add(code, [x, y] if g.coin() else [y, x], [(shape, g.quantization(g.kind, scale=result))], options,
                 2 if g.kind != "i16" or code == "MUL" else 3)


@step(int16=False)
def extremes(g):
    x, shape, quantization = g.operand()
    y = partner(g, shape)
    y = alike(g, y, g.known[y][0], quantization) if y in g.pool else g.tensor(g.kind, shape, quantization, g.values(g.kind, shape))
    return g.add(g.one_of(["MAXIMUM", "MINIMUM"]), [x, y], [(shape, quantization)], version=2)


@step(weight=2, int16=False)
def function(g):
    x, shape, (scale, _) = g.operand()
    code, options, quantization = g.one_of(["RELU", "RELU6", "HARD_SWISH", "LEAKY_RELU", "LOGISTIC", "TANH"]), None, None
    if code == "LEAKY_RELU":
        options = s.LeakyReluOptionsT()
        options.alpha = float(np.float32(g.rng.uniform(0.01, 0.9)))
    low = 0 if g.kind == "u8" else -128
    if code == "LOGISTIC":
        quantization = (1 / 256, low)
    elif code == "TANH":
        quantization = (1 / 128, low + 128)
    elif code == "HARD_SWISH":  # the kernels take no result that is much finer
        quantization = g.quantization(g.kind, scale=scale * g.rng.uniform(0.7, 1.5))
    return g.add(code, [x], [(shape, quantization or g.quantization(g.kind))], options, 2 if code != "HARD_SWISH" else 1)


@step(weight=2)
def curve16(g):
    """By a table, or in fixed point where a shift brings the scale to 2^-12."""
    x, shape, quantization = g.operand()
    if g.kind != "i16":
        raise Unsuitable
    x = alike(g, x, shape, (g.one_of([2.0 ** -10, 2.0 ** -11, 2.0 ** -12, 2.0 ** -13, quantization[0]]), 0))
    return g.add(g.one_of(["LOGISTIC", "TANH"]), [x], [(shape, (2.0 ** -15, 0))], None, 3)


@step()
def quotient(g):
    """The divisor is a constant, because divisors of 0 and -1 are rejected."""
    x, shape, quantization = g.operand()
    if g.kind != "i8" or quantization[1] != 0:
        raise Unsuitable
    by = g.values(g.kind, shape)
    return g.add("FLOOR_DIV", [x, g.fixed(g.kind, np.where((by == 0) | (by == -1), 3, by), quantization)], [(shape, quantization)],
                 s.FloorDivOptionsT(), 3)


@step()
def sums(g):
    x, shape, quantization = g.operand()
    axes, options = g.one_of([[1, 2], [3], [1]]), s.ReducerOptionsT()
    options.keepDims = True
    result = [1 if i in axes else n for i, n in enumerate(shape)]
    return g.add("SUM", [x, g.fixed("i32", axes)], [(result, g.quantization(g.kind, scale=quantization[0] * g.rng.uniform(1, 8)))],
                 options, 2)


@step(int16=False)
def logarithms(g):
    x, shape, _ = g.operand()
    if g.kind != "i8":
        raise Unsuitable
    return g.add("LOG_SOFTMAX", [x], [(shape, (1 / 16, 127))], s.LogSoftmaxOptionsT(), 2)


@step(int16=False)
def softmax(g):
    x, shape, _ = g.operand()
    options = s.SoftmaxOptionsT()
    options.beta = 1.0
    return g.add("SOFTMAX", [x], [(shape, (1 / 256, 0 if g.kind == "u8" else -128))], options, 2)


@step(weight=2)
def rescale(g):
    x, shape, _ = g.operand()
    return alike(g, x, shape, g.quantization(g.kind))


# ---- windows and means ----

@step(weight=2)
def pool(g):
    x, shape, quantization = g.operand()
    kernel, options = [g.one_of([1, 2, 3]) for _ in range(2)], s.Pool2DOptionsT()
    rows = geometry(g, options, shape, kernel, dilates=False)
    options.filterHeight, options.filterWidth = kernel
    options.fusedActivationFunction = g.fused()
    code = g.one_of(["AVERAGE_POOL_2D", "MAX_POOL_2D"])
    return g.add(code, [x], [([shape[0], *rows, shape[3]], quantization)], options, 3 if g.kind == "i16" else 2)


@step(int16=False)
def mean(g):
    x, shape, _ = g.operand()
    axes, options = g.one_of([[1, 2], [3], [1], [2, 3]]), s.ReducerOptionsT()
    options.keepDims = True
    result = [1 if i in axes else n for i, n in enumerate(shape)]
    return g.add("MEAN", [x, g.fixed("i32", axes)], [(result, g.quantization(g.kind))], options, 2)


# ---- movement ----

@step(weight=2)
def reshape(g):
    x, shape, quantization = g.operand()
    n, h, w, c = shape
    result = g.one_of([[n, h * w, 1, c], [n, w, h, c], [1, n * h, w, c], [n, 1, h, w * c], [n, h, w * c, 1]])
    return g.add("RESHAPE", [x, g.fixed("i32", result)], [(result, quantization)], s.ReshapeOptionsT())


@step()
def transpose(g):
    x, shape, quantization = g.operand()
    order = [int(i) for i in g.rng.permutation(4)]
    return g.add("TRANSPOSE", [x, g.fixed("i32", order)], [([shape[i] for i in order], quantization)],
                 s.TransposeOptionsT(), 4 if g.kind == "i16" else 2)


@step()
def pad(g):
    x, shape, quantization = g.operand()
    pads = [[0, 0], [g.between(0, 2), g.between(0, 2)], [g.between(0, 2), g.between(0, 1)], [0, g.between(0, 3)]]
    return g.add("PAD", [x, g.fixed("i32", pads)], [([n + a + b for n, (a, b) in zip(shape, pads)], quantization)],
                 s.PadOptionsT(), 2)


@step(weight=2)
def join(g):
    x, shape, quantization = g.operand()
    axis, options = g.between(1, 3), s.ConcatenationOptionsT()
    others = [i for i in g.pool if all(n == m or d == axis for d, (n, m) in enumerate(zip(g.known[i][0], shape)))]
    parts = [x] + [alike(g, y, g.known[y][0], quantization) for y in (g.one_of(others) for _ in range(g.between(1, 2)))]
    options.axis = axis - 4 if g.coin(0.3) else axis
    size = sum(g.known[i][0][axis] for i in parts)
    return g.add("CONCATENATION", parts, [(shape[:axis] + [size] + shape[axis + 1:], quantization)], options,
                 3 if g.kind == "i16" else 2)


@step()
def split(g):
    x, shape, quantization = g.operand()
    axis, options = g.between(1, 3), s.SplitOptionsT()
    ways = [n for n in (2, 3) if shape[axis] % n == 0]
    if not ways:
        raise Unsuitable
    options.numSplits = g.one_of(ways)
    part = shape[:axis] + [shape[axis] // options.numSplits] + shape[axis + 1:]
    return g.add("SPLIT", [g.fixed("i32", axis), x], [(part, quantization)] * options.numSplits, options,
                 4 if g.kind == "i16" else 2)


@step()
def cut(g):
    x, shape, quantization = g.operand()
    begin = [0] + [g.between(0, n - 1) for n in shape[1:]]
    end = [shape[0]] + [g.between(b + 1, n) for b, n in zip(begin[1:], shape[1:])]
    stride = [1] + [g.one_of([1, 1, 2]) for _ in range(3)]
    result = [-(-(e - b) // t) for b, e, t in zip(begin, end, stride)]
    operands = [x] + [g.fixed("i32", v) for v in (begin, end, stride)]
    return g.add("STRIDED_SLICE", operands, [(result, quantization)], s.StridedSliceOptionsT(), 4 if g.kind == "i16" else 2)


@step(int16=False)
def blocks(g):
    x, (n, h, w, c), quantization = g.operand()
    code, block = g.one_of(["SPACE_TO_DEPTH", "DEPTH_TO_SPACE"]), 2
    options = s.SpaceToDepthOptionsT() if code[0] == "S" else s.DepthToSpaceOptionsT()
    if (h % block or w % block) if code[0] == "S" else c % (block * block):
        raise Unsuitable
    options.blockSize = block
    result = [n, h // block, w // block, c * block * block] if code[0] == "S" else [n, h * block, w * block, c // block // block]
    return g.add(code, [x], [(result, quantization)], options, 2 if code[0] == "S" else 1)


@step(int16=False)
def resize(g):
    x, (n, h, w, c), quantization = g.operand()
    code, size = g.one_of(["RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR"]), [g.between(1, 12) for _ in range(2)]
    options = s.ResizeBilinearOptionsT() if code == "RESIZE_BILINEAR" else s.ResizeNearestNeighborOptionsT()
    options.alignCorners, options.halfPixelCenters = g.one_of([(False, False), (True, False), (False, True)])
    return g.add(code, [x, g.fixed("i32", size)], [([n, *size, c], quantization)], options, 3)


# ---- graphs ----

def draw(seed):
    """A model of one type with up to two inputs and about a dozen operators."""
    rng = np.random.default_rng(seed)
    g = Graph(rng, str(rng.choice(["i8", "i8", "u8", "i16"])))
    for _ in range(g.between(1, 2)):
        g.new_input([g.one_of([1, 1, 2]), g.between(1, 11), g.between(1, 11), g.between(1, 21)])
    steps = [entry for entry in STEPS if entry[2] or g.kind != "i16"]
    share = np.array([entry[1] for entry in steps], float)
    wanted = g.between(2, 14)
    for _ in range(4 * wanted):
        if len(g.operators) >= wanted:
            break
        try:
            steps[int(rng.choice(len(steps), p=share / share.sum()))][0](g)
        except Unsuitable:
            pass
    if not g.operators:
        raise Unsuitable
    return g.file()

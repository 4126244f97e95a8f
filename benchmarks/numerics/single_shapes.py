"""Generators of random models of one operator that moves elements or gives a shape, as single_operators.py has them of the
others.

SPDX-License-Identifier: Apache-2.0"""

import numpy as np
from ai_edge_litert import schema_py_generated as s

from single_operators import QUANTIZED, TYPES, Unsuitable, generator, moved, shape_of

WHOLE = ("i32", "i64", "i8", "u8", "i16", "bool")


def kept(m, kind):
    return m.quantization(kind) if kind in QUANTIZED else None


def factors(m, size):
    """A shape of so many elements."""
    shape, rest = [], size
    while rest > 1 and len(shape) < 4 and m.rng.random() < 0.8:
        shape.append(int(m.rng.choice([n for n in range(1, rest + 1) if rest % n == 0])))
        rest //= shape[-1]
    return [int(n) for n in m.rng.permutation([*shape, rest])]


@generator("RESHAPE", "f32", *WHOLE)
def reshape(m, kind, code):
    shape, options = shape_of(m), s.ReshapeOptionsT()
    to = factors(m, int(np.prod(shape)))
    stated = [-1 if i == 0 and m.rng.random() < 0.3 else n for i, n in enumerate(to)]
    options.newShape = stated
    return moved(m, kind, code, shape, [stated] if m.rng.random() < 0.7 else [], [to], options)


@generator("PAD", "f32", *WHOLE)
def pad(m, kind, code):
    shape, quantization, wide = shape_of(m), kept(m, kind), bool(m.rng.integers(0, 2))
    pads = [[int(x) for x in m.rng.integers(0, 4, 2)] for _ in shape]
    m.input(kind, shape, quantization)
    m.constant("i64" if wide else "i32", pads)
    return m.finish(code, [(kind, [n + a + b for n, (a, b) in zip(shape, pads)], quantization)], s.PadOptionsT())


@generator("TRANSPOSE", "f32", *WHOLE)
def transpose(m, kind, code):
    shape = shape_of(m, most=6)
    order = [int(n) for n in m.rng.permutation(len(shape))]
    stated = [n - len(shape) if m.rng.random() < 0.2 else n for n in order]
    return moved(m, kind, code, shape, [stated], [[shape[n] for n in order]], s.TransposeOptionsT())


@generator("SQUEEZE", "f32", *WHOLE)
def squeeze(m, kind, code):
    shape, options = [n if m.rng.random() < 0.6 else 1 for n in shape_of(m)], s.SqueezeOptionsT()
    ones = [i for i, n in enumerate(shape) if n == 1]
    gone = [i for i in ones if m.rng.random() < 0.6]
    options.squeezeDims = [i - len(shape) if m.rng.random() < 0.3 else i for i in gone]
    gone = gone or ones
    return moved(m, kind, code, shape, [], [[n for i, n in enumerate(shape) if i not in gone]], options)


@generator("EXPAND_DIMS", "f32", *WHOLE)
def expand(m, kind, code):
    shape = shape_of(m)
    axis = int(m.rng.integers(0, len(shape) + 1))
    stated = axis - len(shape) - 1 if m.rng.random() < 0.3 else axis
    return moved(m, kind, code, shape, [stated], [shape[:axis] + [1] + shape[axis:]], s.ExpandDimsOptionsT())


@generator("SPLIT", "f32", *(k for k in WHOLE if k != "bool"))
def split(m, kind, code):
    parts, shape, options = int(m.rng.integers(1, 5)), shape_of(m), s.SplitOptionsT()
    axis, quantization = int(m.rng.integers(0, len(shape))), kept(m, kind)
    part = list(shape)
    shape[axis] *= parts
    m.constant("i32", axis - len(shape) if m.rng.random() < 0.3 else axis)
    m.input(kind, shape, quantization)
    options.numSplits = parts
    return m.finish(code, [(kind, part, quantization)] * parts, options)


def bounds(m, n):
    """Begin, end and step of a slice that has elements, any of them also beyond what there is, and counted from the end."""
    while True:
        step = int(m.rng.choice([1, 1, 2, 3, -1, -2]))
        begin, end = (int(x) for x in m.rng.integers(-n - 2, n + 3, 2))
        if len(range(n)[begin:end:step]):
            return begin, end, step


@generator("STRIDED_SLICE", "f32", *WHOLE)
def strided_slice(m, kind, code):
    """Bits of all masks but the ellipsis, which stands for whole dimensions."""
    shape, options, result = shape_of(m), s.StridedSliceOptionsT(), []
    begins, ends, steps = [], [], []
    masks = {"begin": 0, "end": 0, "shrink": 0}
    for i, n in enumerate(shape):
        begin, end, step = bounds(m, n)
        free = [bool(m.rng.random() < 0.2) for _ in range(2)]
        if m.rng.random() < 0.15:
            begin, end, step, free = int(m.rng.integers(0, n)), 0, 1, [False, False]
            end = begin + 1
            masks["shrink"] |= 1 << i
        else:
            result.append(len(range(n)[None if free[0] else begin:None if free[1] else end:step]))
        masks["begin"] |= free[0] << i
        masks["end"] |= free[1] << i
        begins, ends, steps = [*begins, begin], [*ends, end], [*steps, step]
    options.beginMask, options.endMask, options.shrinkAxisMask = masks["begin"], masks["end"], masks["shrink"]
    return moved(m, kind, code, shape, [begins, ends, steps], [result], options, 4)


@generator("EMBEDDING_LOOKUP", "f32", "i8", "hybrid", "hybrid per row", "hybrid by i4")
def embedding(m, kind, code):
    shape, rows = shape_of(m, least=2), int(m.rng.integers(1, 9))
    m.input("i32", [rows], None, m.rng.integers(0, shape[0], rows).astype(np.int32))
    if kind == "f32":
        m.constant(kind, m.values(kind, shape))
        return m.finish(code, [(kind, [rows] + shape[1:], None)])
    if kind.endswith("i4") and np.prod(shape[1:]) % 2:
        raise Unsuitable  # LiteRT begins every row at a whole byte, where the one before has not ended
    stored, quantization = "i4" if kind.endswith("i4") else "i8", m.quantization("i8")
    quantization = quantization if kind == "i8" else (quantization[0], 0)
    m.constant(stored, m.rng.integers(-7, 8, shape) if stored == "i4" else m.values("i8", shape), quantization)
    if kind.endswith("row"):
        q = m.tensors[-1].quantization
        q.scale = [float(np.float32(x)) for x in m.rng.uniform(0.001, 0.1, shape[0])]
        q.zeroPoint, q.quantizedDimension = [0] * shape[0], 0
    if kind == "i8":
        return m.finish(code, [(kind, [rows] + shape[1:], quantization)], None, 2)
    return m.finish(code, [("f32", [rows] + shape[1:], None)], None, 4 if stored == "i4" else 3)


@generator("ADD_N", "f32", "i32")
def add_n(m, kind, code):
    shape, count = shape_of(m), int(m.rng.integers(2, 6))
    for _ in range(count):
        m.input(kind, shape)
    return m.finish(code, [(kind, shape, None)], s.AddNOptionsT())


# ---- what only shapes decide: results are constants for Quern ----

@generator("SHAPE", "f32", *WHOLE)
def shape_as_tensor(m, kind, code):
    shape, to, options = shape_of(m), str(m.rng.choice(["i32", "i64"])), s.ShapeOptionsT()
    options.outType = TYPES[to][0]
    m.input(kind, shape)
    return m.finish(code, [(to, [len(shape)], None)], options)


@generator("RANK", "f32", *WHOLE)
def rank(m, kind, code):
    m.input(kind, shape_of(m))
    return m.finish(code, [("i32", [], None)], s.RankOptionsT())


@generator("ZEROS_LIKE", "f32", "i32", "i64")
def zeros(m, kind, code):
    shape = shape_of(m)
    m.input(kind, shape)
    return m.finish(code, [(kind, shape, None)], s.ZerosLikeOptionsT())


def unread(m):
    """A model has an input all the same."""
    m.inputs.append((m.tensor("f32", [1]), np.zeros(1, np.float32)))


@generator("FILL", "f32", "i32", "i64", "i8", "i16", "bool")
def fill(m, kind, code):
    """With a constant, or with an input."""
    shape, quantization = shape_of(m), kept(m, kind)
    m.constant(str(m.rng.choice(["i32", "i64"])), shape)
    if m.rng.random() < 0.5:
        m.input(kind, [], quantization)
    else:
        m.constant(kind, m.values(kind, []), quantization)
        unread(m)
    return m.finish(code, [(kind, shape, quantization)], s.FillOptionsT(), 3)


@generator("RANGE", "f32", "i32", "i64")
def count(m, kind, code):
    step = m.rng.choice([-3, -1, 1, 2, 5]) * (0.375 if kind == "f32" else 1)
    first, size = m.rng.integers(-20, 20), int(m.rng.integers(1, 20))
    limit = first + step * size - (step / 2 if kind == "f32" else np.sign(step) * int(m.rng.integers(0, abs(step))))
    for value in (first, limit, step):
        m.constant(kind, value)
    unread(m)
    return m.finish(code, [(kind, [size], None)], s.RangeOptionsT())


@generator("BROADCAST_ARGS", "i32", "i64")
def broadcast_shapes(m, kind, code):
    shape = shape_of(m)
    part = [1 if m.rng.random() < 0.4 else n for n in shape][int(m.rng.integers(0, len(shape))):]
    first, second = (shape, part) if m.rng.random() < 0.5 else (part, shape)
    m.constant(kind, first)
    m.constant(kind, second)
    unread(m)
    return m.finish(code, [(kind, [len(shape)], None)])

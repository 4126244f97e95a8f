"""Generators of random .tflite models of one recurrent operator, as single_operators.py has them of the others.

SPDX-License-Identifier: Apache-2.0"""

import numpy as np
from ai_edge_litert import schema_py_generated as s

from single_operators import generator


def weights(m, kind, shape, scale=0.6):
    values = m.rng.normal(0, scale, shape).astype(np.float32)
    if kind == "f32":
        m.constant(kind, values)
    else:
        step = float(np.float32(np.abs(values).max() / 127 + 1e-6))
        m.constant("i8", np.clip(np.round(values / step), -127, 127), (step, 0))


def some_weights(m, kind, shape, there):
    weights(m, kind, shape) if there else m.absent()


def sizes(m):
    return (int(m.rng.integers(1, top)) for top in (4, 6, 12, 12))


def lstm_direction(m, kind, depth, units, coupled, peepholes, outputs):
    projected = outputs != units
    for columns in (depth, outputs):
        for gate in range(4):
            some_weights(m, kind, [units, columns], gate or not coupled)
    for gate in range(3):
        some_weights(m, kind, [units], peepholes and (gate or not coupled))
    for gate in range(4):
        some_weights(m, "f32", [units], gate or not coupled)
    some_weights(m, kind, [outputs, units], projected)
    some_weights(m, "f32", [outputs], projected and m.rng.random() < 0.5)


def clips(m, options):
    options.cellClip = float(np.float32(m.rng.choice([0, 0.5])))
    options.projClip = float(np.float32(m.rng.choice([0, 0.3])))
    options.fusedActivationFunction = int(m.rng.choice([1, 3, 4, 4]))


def shape_in(batch, steps, depth, time_major):
    return [steps, batch, depth] if time_major else [batch, steps, depth]


def drawn_lstm(m):
    coupled, peepholes = bool(m.rng.random() < 0.3), bool(m.rng.random() < 0.4)
    return coupled, peepholes


@generator("UNIDIRECTIONAL_SEQUENCE_LSTM", "f32", "hybrid")
def lstm(m, kind, code):
    """Layer normalization and what else there is."""
    batch, steps, depth, units = sizes(m)
    stored, options = "f32" if kind == "f32" else "i8", s.UnidirectionalSequenceLSTMOptionsT()
    coupled, peepholes = drawn_lstm(m)
    outputs = units + 1 if m.rng.random() < 0.3 else units
    normalized, options.timeMajor = bool(m.rng.random() < 0.3), bool(m.rng.integers(0, 2))
    clips(m, options)
    m.input("f32", shape_in(batch, steps, depth, options.timeMajor))
    lstm_direction(m, stored, depth, units, coupled, peepholes, outputs)
    m.state("f32", [batch, outputs])
    m.state("f32", [batch, units])
    for gate in range(4 if normalized else 0):
        some_weights(m, "f32", [units], gate or not coupled)
    return m.finish(code, [("f32", shape_in(batch, steps, outputs, options.timeMajor))], options, 3)


def stepped(m, low, high):
    """A scale between powers of 2."""
    return float(np.float32(2.0 ** m.rng.uniform(low, high)))


def some_words(m, kind, shape, scale, there):
    """Random constants of any stored value."""
    if not there:
        m.absent()
        return
    info = np.iinfo(np.int16 if kind == "i16" else np.int8)
    m.constant(kind, m.rng.integers(-info.max, info.max + 1, shape), (scale, 0))


def some_biases(m, shape, limit, there):
    m.constant("i32", m.rng.integers(-limit, limit + 1, shape)) if there else m.absent()


@generator("UNIDIRECTIONAL_SEQUENCE_LSTM", "i8")
def integer_lstm(m, kind, code):
    """Gates of 16 bits: weights of the cell, a coupled input gate, layer normalization, a projection, in all combinations.
    Some sums saturate."""
    batch, steps, depth, units = sizes(m)
    options, (coupled, peepholes) = s.UnidirectionalSequenceLSTMOptionsT(), drawn_lstm(m)
    normalized, projected = bool(m.rng.random() < 0.4), bool(m.rng.random() < 0.4)
    options.timeMajor, options.fusedActivationFunction = bool(m.rng.integers(0, 2)), 4
    outputs = int(m.rng.integers(1, units + (1 if peepholes else 6))) if projected else units
    if peepholes and outputs < units and options.timeMajor:
        batch = 1  # of further entries LiteRT mixes the weights of the cell up
    options.cellClip, options.projClip = float(m.rng.choice([0, 0.5])), float(m.rng.choice([0, 0.3]))
    hidden = stepped(m, -8, -6), int(m.rng.integers(-128, 128))
    product = (stepped(m, -9, -6), int(m.rng.integers(-128, 128))) if projected or m.rng.random() < 0.2 else hidden
    m.input("i8", shape_in(batch, steps, depth, options.timeMajor), (stepped(m, -8, -4), int(m.rng.integers(-128, 128))))
    for columns in (depth, outputs):
        for gate in range(4):
            some_words(m, "i8", [units, columns], stepped(m, -10, -4), gate or not coupled)
    cell = int(m.rng.integers(-15, -8))
    for gate in range(3):
        some_words(m, "i16", [units], stepped(m, -16, -12), peepholes and (gate or not coupled))
    for gate in range(4):
        some_biases(m, [units], 1 << 20 if normalized else 20000, gate or not coupled)
    some_words(m, "i8", [outputs, units], stepped(m, -10, -6), projected)
    some_biases(m, [outputs], 5000, projected and m.rng.random() < 0.5)
    m.state("i8", [batch, outputs], hidden)
    m.state("i16", [batch, units], (2.0 ** cell, 0))
    for gate in range(4):
        some_words(m, "i16", [units], stepped(m, -17, -13), normalized and (gate or not coupled))
    for gate in range(4):
        m.intermediate("i16", (stepped(m, -14, -9) if normalized else 2.0 ** -12, 0))
    m.intermediate("i8", product)
    results = [("i8", shape_in(batch, steps, outputs, options.timeMajor), hidden)]
    return m.finish(code, results, options, 3)


@generator("UNIDIRECTIONAL_SEQUENCE_LSTM", "i8 plain", "i16")
def plain_lstm(m, kind, code):
    """The cell that tflite-micro has, too, and alone of 16 bits."""
    kind = kind.split()[0]
    batch, steps, depth, units = sizes(m)
    options, wide = s.UnidirectionalSequenceLSTMOptionsT(), kind == "i16"
    options.timeMajor, options.fusedActivationFunction = bool(m.rng.integers(0, 2)), 4
    options.cellClip = float(m.rng.choice([0, 0.5]))
    if wide:
        hidden, given = (stepped(m, -17, -15), 0), (stepped(m, -17, -12), 0)
    else:
        hidden, given = (stepped(m, -8, -6), int(m.rng.integers(-128, 128))), (stepped(m, -8, -4), int(m.rng.integers(-128, 128)))
    m.input(kind, shape_in(batch, steps, depth, options.timeMajor), given)
    for columns in (depth, units):
        for _ in range(4):
            some_words(m, "i8", [units, columns], stepped(m, -10, -5), True)
    for _ in range(3):
        m.absent()
    for _ in range(4):
        m.constant("i64" if wide else "i32", m.rng.integers(-20000, 20000, [units]) * (200 if wide else 1))
    m.absent()
    m.absent()
    m.state(kind, [batch, units], hidden)
    m.state("i16", [batch, units], (2.0 ** int(m.rng.integers(-15, -8)), 0))
    for _ in range(4):
        m.absent()
    for _ in range(4):
        m.intermediate("i16", (2.0 ** -12, 0))
    m.intermediate(kind, hidden)
    return m.finish(code, [(kind, shape_in(batch, steps, units, options.timeMajor), hidden)], options, 3)


@generator("LSTM", "f32", "hybrid")
def lstm_step(m, kind, code):
    batch, _, depth, units = sizes(m)
    options, (coupled, peepholes) = s.LSTMOptionsT(), drawn_lstm(m)
    clips(m, options)
    m.input("f32", [batch, depth])
    lstm_direction(m, "f32" if kind == "f32" else "i8", depth, units, coupled, peepholes, units)
    m.state("f32", [batch, units])
    m.state("f32", [batch, units])
    return m.finish(code, [("f32", [batch, units])], options)


@generator("BIDIRECTIONAL_SEQUENCE_LSTM", "f32", "hybrid")
def lstm_both(m, kind, code):
    batch, steps, depth, units = sizes(m)
    stored, options, (coupled, peepholes) = "f32" if kind == "f32" else "i8", s.BidirectionalSequenceLSTMOptionsT(), drawn_lstm(m)
    options.timeMajor, options.mergeOutputs = bool(m.rng.integers(0, 2)), bool(m.rng.integers(0, 2))
    clips(m, options)
    if options.mergeOutputs and not options.timeMajor:
        batch = 1  # with a larger batch LiteRT reads beyond the end of the state
    m.input("f32", shape_in(batch, steps, depth, options.timeMajor))
    for _ in range(2):
        lstm_direction(m, stored, depth, units, coupled, peepholes, units)
    for _ in range(4):
        m.state("f32", [batch, units])
    for _ in range(9):
        m.absent()
    times = 2 if options.mergeOutputs else 1
    results = [("f32", shape_in(batch, steps, units * times, options.timeMajor))] * (3 - times)
    return m.finish(code, results, options, 2)


def rnn_direction(m, kind, depth, units, batch):
    weights(m, kind, [units, depth])
    weights(m, kind, [units, units])
    weights(m, "f32", [units])
    m.state("f32", [batch, units])


@generator("RNN", "f32", "hybrid")
def rnn_step(m, kind, code):
    batch, _, depth, units = sizes(m)
    options = s.RNNOptionsT()
    options.fusedActivationFunction = int(m.rng.choice([0, 1, 3, 4]))
    m.input("f32", [batch, depth])
    rnn_direction(m, "f32" if kind == "f32" else "i8", depth, units, batch)
    return m.finish(code, [("f32", [batch, units])], options, 2)


@generator("UNIDIRECTIONAL_SEQUENCE_RNN", "f32", "hybrid")
def rnn(m, kind, code):
    batch, steps, depth, units = sizes(m)
    options = s.SequenceRNNOptionsT()
    options.fusedActivationFunction, options.timeMajor = int(m.rng.choice([1, 3, 4])), bool(m.rng.integers(0, 2))
    m.input("f32", shape_in(batch, steps, depth, options.timeMajor))
    rnn_direction(m, "f32" if kind == "f32" else "i8", depth, units, batch)
    return m.finish(code, [("f32", shape_in(batch, steps, units, options.timeMajor))], options, 2)


@generator("BIDIRECTIONAL_SEQUENCE_RNN", "f32", "hybrid")
def rnn_both(m, kind, code):
    batch, steps, depth, units = sizes(m)
    options = s.BidirectionalSequenceRNNOptionsT()
    options.fusedActivationFunction, options.timeMajor = int(m.rng.choice([1, 3, 4])), bool(m.rng.integers(0, 2))
    options.mergeOutputs = bool(m.rng.integers(0, 2))
    if kind == "hybrid":
        options.timeMajor = False  # LiteRT runs through such a sequence as many times as it has steps
    m.input("f32", shape_in(batch, steps, depth, options.timeMajor))
    for _ in range(2):
        rnn_direction(m, "f32" if kind == "f32" else "i8", depth, units, batch)
    for _ in range(3):
        m.absent()
    times = 2 if options.mergeOutputs else 1
    results = [("f32", shape_in(batch, steps, units * times, options.timeMajor))] * (3 - times)
    return m.finish(code, results, options, 2)


@generator("SVDF", "f32", "hybrid")
def svdf(m, kind, code):
    batch, memory, depth, units = sizes(m)
    rank, options, stored = int(m.rng.integers(1, 4)), s.SVDFOptionsT(), "f32" if kind == "f32" else "i8"
    options.rank, options.fusedActivationFunction = rank, int(m.rng.choice([0, 1, 3]))
    m.input("f32", [batch, depth])
    weights(m, stored, [units * rank, depth])
    weights(m, stored, [units * rank, memory])
    some_weights(m, "f32", [units], m.rng.random() < 0.6)
    m.state("f32", [batch, units * rank * memory])
    return m.finish(code, [("f32", [batch, units])], options, 1 if kind == "f32" else 3)


@generator("SVDF", "i8")
def integer_svdf(m, kind, code):
    """A state of 16 bits."""
    batch, memory, depth, units = sizes(m)
    rank, options = int(m.rng.integers(1, 4)), s.SVDFOptionsT()
    options.rank, options.fusedActivationFunction = rank, 1  # the only one that the kernel takes
    x, features, times = stepped(m, -8, -4), stepped(m, -10, -5), stepped(m, -16, -12)
    state = float(np.float32(x * features * np.sqrt(depth) / 2 * 2.0 ** m.rng.uniform(-3, 1)))
    m.input("i8", [batch, depth], (x, int(m.rng.integers(-128, 128))))
    some_words(m, "i8", [units * rank, depth], features, True)
    some_words(m, "i16", [units * rank, memory], times, True)
    some_biases(m, [units], 1 << 20, m.rng.random() < 0.7)
    m.state("i16", [batch, units * rank * memory], (state, 0))
    spread = state * times * 2.0 ** float(m.rng.uniform(14, 22))
    return m.finish(code, [("i8", [batch, units], m.quantization("i8", scale=spread))], options, 3)

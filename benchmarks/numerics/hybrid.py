"""Random models of one operator on floats beside weights of 8 bits, against all three sets of LiteRT's kernels.

Inputs are rows on which roundings and conversions part: ties with and without a zero point, the float below a half, zeros, one sign,
constants, magnitudes down to denormals, in counts that are no whole blocks. "hybrid.py --library libquern.so" draws models of all
operators in turn, and prints elements that differ in the form of operators.py. Nothing may differ but in LSTM, whose gates are libm's;
there, an element that is not finite on one side is an error.

SPDX-License-Identifier: Apache-2.0"""

import sys
import tempfile

import numpy as np
from ai_edge_litert import schema_py_generated as s

from operators import Bench, drawn, parser_of, print_table
from single_operators import GENERATORS, generator, Unsuitable
from tally import Row

PROFILES = {"litert-ref": "reference", "litert-opt": "builtin", "xnnpack": "xnnpack"}
EXPONENTIALS = "LSTM"  # operators whose floats may differ by what libm's do
BELOW_HALF = np.nextafter(np.float32(0.5), np.float32(0))
registered = set(GENERATORS)


def special(rng, count, k):
    """Rows of floats."""
    x = (rng.normal(size=(count, k)) * np.exp(rng.uniform(-3, 3, (count, 1)))).astype(np.float32)
    for row, kind in zip(x, rng.integers(0, 13, count)):
        if kind == 0:
            np.abs(row, out=row)
        elif kind == 1:
            row[:] = -np.abs(row)
        elif kind == 2:
            row[:] = row[0]
        elif kind == 3:
            row[:] = 0
        elif kind == 4:  # ties without a zero point
            row[:] = rng.integers(1, 255, k) * 0.5
            row[0] = 127
        elif kind == 5:  # ties with one
            row[:] = rng.integers(-40, 300, k) * 0.5
            row[0], row[-1] = -20, 235
        elif kind == 6:
            row[:] = rng.integers(-255, 256, k) * (0.5 * 2.0 ** int(rng.integers(-5, 5)))
        elif kind == 7:
            row *= np.float32(10.0) ** np.float32(rng.integers(-44, -30))
        elif kind == 8:
            row[:] = BELOW_HALF * rng.choice([-1, 1], k)
            row[0] = 127
    return x * np.float32(rng.random() < 0.95)


def one_of(m, *values):
    return values[int(m.rng.integers(len(values)))]


def stored(m, shape, axis=None):
    """Weights; with a scale for each channel along `axis`."""
    wide = m.rng.random() < 0.05
    values = np.full(shape, 127) if wide else m.rng.integers(-127, 128, shape)
    m.constant("i8", values, (float(np.float32(m.rng.uniform(0.001, 0.02))), 0))
    if axis is not None:
        q = m.tensors[-1].quantization
        q.scale = [float(np.float32(x)) for x in m.rng.uniform(0.001, 0.02, shape[axis])]
        q.zeroPoint, q.quantizedDimension = [0] * shape[axis], axis


def biases(m, count):
    values = m.rng.normal(size=count).astype(np.float32)
    m.constant("f32", values * (m.rng.random(count) < 0.9))  # zeros of both signs


@generator("FULLY_CONNECTED", "rows", "rows, per channel")
def linear(m, kind, code):
    k, n, rows = one_of(m, 3, 8, 16, 31, 33, 64, 129, 256, 2500), one_of(m, 1, 4, 5, 16, 17, 64), one_of(m, 1, 4, 64)
    m.input("f32", [rows, k], values=special(m.rng, rows, k))
    stored(m, [n, k], 0 if kind.endswith("channel") else None)
    if m.rng.random() < 0.7:
        biases(m, n)
    options = s.FullyConnectedOptionsT()
    options.asymmetricQuantizeInputs = bool(m.rng.integers(0, 2))
    options.fusedActivationFunction = int(m.rng.integers(0, 4))
    return m.finish(code, [("f32", [rows, n])], options, 9)


def window(m, options, size, kernel):
    """Options of a window; the result's height and width."""
    stride, same = one_of(m, 1, 1, 2), bool(m.rng.integers(0, 2))
    dilation = one_of(m, 1, 1, 2) if stride == 1 else 1
    extent = (kernel - 1) * dilation + 1
    if extent > size:
        raise Unsuitable
    options.strideH = options.strideW = stride
    options.dilationHFactor = options.dilationWFactor = dilation
    options.padding, options.fusedActivationFunction = int(not same), int(m.rng.integers(0, 4))
    return -(-size // stride) if same else (size - extent) // stride + 1


@generator("CONV_2D", "entries", "entries, per channel", "entries, per channel, groups")
def conv(m, kind, code):
    batch, size, kernel = one_of(m, 1, 2, 5), int(m.rng.integers(3, 14)), one_of(m, 1, 1, 2, 3, 5)
    cin, cout, groups = one_of(m, 1, 3, 4, 8, 13, 16), one_of(m, 1, 5, 8, 16), 1
    if kind.endswith("groups"):
        groups, cin, cout = 2, cin * 2, cout * 2
    options = s.Conv2DOptionsT()
    out = window(m, options, size, kernel)
    m.input("f32", [batch, size, size, cin], values=special(m.rng, batch, size * size * cin).reshape(batch, size, size, cin))
    stored(m, [cout, kernel, kernel, cin // groups], 0 if "channel" in kind else None)
    biases(m, cout)
    return m.finish(code, [("f32", [batch, out, out, cout])], options, 5)


@generator("DEPTHWISE_CONV_2D", "entries, per channel")
def depthwise(m, kind, code):
    batch, size, kernel = one_of(m, 1, 2, 5), int(m.rng.integers(3, 14)), one_of(m, 1, 2, 3, 5)
    cin, times = one_of(m, 1, 3, 4, 8, 13, 16), one_of(m, 1, 1, 2)
    options = s.DepthwiseConv2DOptionsT()
    out, options.depthMultiplier = window(m, options, size, kernel), times
    m.input("f32", [batch, size, size, cin], values=special(m.rng, batch, size * size * cin).reshape(batch, size, size, cin))
    stored(m, [1, kernel, kernel, cin * times], 3)
    biases(m, cin * times)
    return m.finish(code, [("f32", [batch, out, out, cin * times])], options, 6)


@generator("BATCH_MATMUL", "rows", "rows, per channel")
def matmul(m, kind, code):
    k, n, rows = one_of(m, 3, 8, 16, 31, 64, 128, 1500), one_of(m, 4, 5, 16, 33), one_of(m, 1, 3, 16)
    batch = one_of(m, [], [2], [1, 3])
    options = s.BatchMatMulOptionsT()
    options.adjX, options.adjY = bool(m.rng.random() < 0.2), bool(m.rng.integers(0, 2))
    options.asymmetricQuantizeInputs = bool(m.rng.integers(0, 2))
    x = special(m.rng, int(np.prod(batch, dtype=int)) * rows, k).reshape(batch + [rows, k])
    x = np.ascontiguousarray(np.swapaxes(x, -1, -2)) if options.adjX else x
    m.input("f32", list(x.shape), values=x)
    axis = 0 if options.adjY else 1
    stored(m, [n, k] if options.adjY else [k, n], axis if kind.endswith("channel") else None)
    return m.finish(code, [("f32", batch + [rows, n])], options, 4)


@generator("UNIDIRECTIONAL_SEQUENCE_RNN", "rows")
def rnn(m, kind, code):
    batch, steps, depth, units = one_of(m, 1, 5, 16), int(m.rng.integers(1, 6)), one_of(m, 3, 8, 13, 40), one_of(m, 4, 11, 33)
    options = s.SequenceRNNOptionsT()
    options.fusedActivationFunction, options.timeMajor = int(m.rng.choice([1, 3])), bool(m.rng.integers(0, 2))
    options.asymmetricQuantizeInputs = bool(m.rng.integers(0, 2))
    shape = [steps, batch] if options.timeMajor else [batch, steps]
    m.input("f32", shape + [depth], values=special(m.rng, batch * steps, depth).reshape(shape + [depth]))
    stored(m, [units, depth])
    stored(m, [units, units])
    biases(m, units)
    m.state("f32", [batch, units])
    return m.finish(code, [("f32", shape + [units])], options, 3)


@generator("RNN", "rows")
def rnn_step(m, kind, code):
    batch, depth, units = one_of(m, 1, 5, 64), one_of(m, 3, 8, 13, 40), one_of(m, 4, 11, 33, 64)
    options = s.RNNOptionsT()
    options.fusedActivationFunction = int(m.rng.choice([0, 1, 3]))
    options.asymmetricQuantizeInputs = bool(m.rng.integers(0, 2))
    m.input("f32", [batch, depth], values=special(m.rng, batch, depth))
    stored(m, [units, depth])
    stored(m, [units, units])
    biases(m, units)
    m.state("f32", [batch, units])
    return m.finish(code, [("f32", [batch, units])], options, 3)


@generator("SVDF", "rows")
def svdf(m, kind, code):
    batch, depth, units = one_of(m, 1, 5, 64), one_of(m, 3, 8, 13, 40), one_of(m, 4, 11, 33)
    options = s.SVDFOptionsT()
    options.rank, options.fusedActivationFunction = 1, int(m.rng.choice([0, 1]))
    options.asymmetricQuantizeInputs = bool(m.rng.integers(0, 2))
    m.input("f32", [batch, depth], values=special(m.rng, batch, depth))
    stored(m, [units, depth])
    m.constant("i8", np.ones((units, 1)), (1.0, 0))
    biases(m, units)
    m.state("f32", [batch, units])
    return m.finish(code, [("f32", [batch, units])], options, 3)


@generator("UNIDIRECTIONAL_SEQUENCE_LSTM", "rows")
def lstm(m, kind, code):
    batch, steps, depth, units = one_of(m, 1, 5), int(m.rng.integers(1, 6)), one_of(m, 3, 8, 13), one_of(m, 4, 11)
    options = s.UnidirectionalSequenceLSTMOptionsT()
    options.fusedActivationFunction, options.timeMajor = 4, True
    options.asymmetricQuantizeInputs = bool(m.rng.integers(0, 2))
    m.input("f32", [steps, batch, depth], values=special(m.rng, batch * steps, depth).reshape(steps, batch, depth))
    for width in (depth, units):
        for _ in range(4):
            stored(m, [units, width])
    for _ in range(3):
        m.absent()
    for _ in range(4):
        biases(m, units)
    for _ in range(2):
        m.absent()
    m.state("f32", [batch, units])
    m.state("f32", [batch, units])
    for _ in range(4):
        m.absent()
    return m.finish(code, [("f32", [steps, batch, units])], options, 3)


def has_error(name, row):
    return np.isinf(row.by) if EXPONENTIALS in name else row.floats > 0


def main():
    parser = parser_of(__doc__.splitlines()[0])
    parser.add_argument("--models", type=int, default=50, help="of each operator and profile (50)")
    parser.add_argument("--only", default="", help="operators whose name contains this")
    parser.add_argument("--verbose", action="store_true", help="print the seeds that differ or are unsupported")
    options = parser.parse_args()
    names = sorted(name for name in set(GENERATORS) - registered if options.only in name)
    rows = {f"{name}, {profile}": Row() for name in names for profile in PROFILES}
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for seed in range(options.seed, options.seed + options.models):
            for name in names:
                try:
                    model = drawn(name, seed)
                except Unsuitable:
                    continue
                for options.numerics, options.kernels in PROFILES.items():
                    label = f"{name}, {options.numerics}"
                    bench.check(rows[label], f"{label}, {seed}", model)
    print_table(rows, sys.stdout)
    return 1 if any(has_error(name, row) for name, row in rows.items()) else 0


if __name__ == "__main__":
    sys.exit(main())

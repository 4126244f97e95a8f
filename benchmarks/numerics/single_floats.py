"""Generators of random models of one operator on float32 whose quantized kinds are in single_windows.py.

SPDX-License-Identifier: Apache-2.0"""

import numpy as np
from ai_edge_litert import schema_py_generated as s

from single_operators import generator, shape_of, sometimes_bias
from single_windows import activation, extents, window


@generator("CONV_2D", "f32")
def conv(m, kind, code):
    n, h, w, cin, cout, kh, kw = (int(m.rng.integers(1, top)) for top in (3, 12, 12, 20, 20, 4, 4))
    options, dilations = window(m, s.Conv2DOptionsT()), [int(d) for d in m.rng.integers(1, 3, 2)]
    h, w = max(h, (kh - 1) * dilations[0] + 1), max(w, (kw - 1) * dilations[1] + 1)
    options.dilationHFactor, options.dilationWFactor = dilations
    m.input(kind, [n, h, w, cin])
    m.constant(kind, m.values(kind, [cout, kh, kw, cin]))
    m.constant(kind, m.values(kind, [cout]))
    rows, columns = extents(options, (h, w), (kh, kw), dilations)
    return m.finish(code, [(kind, [n, rows, columns, cout], None)], activation(m, options), 3)


@generator("DEPTHWISE_CONV_2D", "f32")
def depthwise(m, kind, code):
    n, h, w, c, times, kh, kw = (int(m.rng.integers(1, top)) for top in (3, 12, 12, 20, 3, 4, 4))
    options, dilations = window(m, s.DepthwiseConv2DOptionsT()), [int(d) for d in m.rng.integers(1, 3, 2)]
    h, w = max(h, (kh - 1) * dilations[0] + 1), max(w, (kw - 1) * dilations[1] + 1)
    options.depthMultiplier, (options.dilationHFactor, options.dilationWFactor) = times, dilations
    m.input(kind, [n, h, w, c])
    m.constant(kind, m.values(kind, [1, kh, kw, c * times]))
    m.constant(kind, m.values(kind, [c * times]))
    rows, columns = extents(options, (h, w), (kh, kw), dilations)
    return m.finish(code, [(kind, [n, rows, columns, c * times], None)], activation(m, options), 2)


@generator("FULLY_CONNECTED", "f32")
def linear(m, kind, code):
    rows, k, units = (int(m.rng.integers(1, top)) for top in (6, 300, 40))
    m.input(kind, [rows, k])
    m.constant(kind, m.values(kind, [units, k]))
    sometimes_bias(m, units)
    return m.finish(code, [(kind, [rows, units], None)], activation(m, s.FullyConnectedOptionsT()))


@generator("AVERAGE_POOL_2D", "f32")
@generator("MAX_POOL_2D", "f32")
def pool(m, kind, code):
    n, h, w, c, kh, kw = (int(m.rng.integers(1, top)) for top in (3, 12, 12, 20, 5, 5))
    h, w, options = max(h, kh), max(w, kw), window(m, s.Pool2DOptionsT())
    options.filterHeight, options.filterWidth = kh, kw
    m.input(kind, [n, h, w, c])
    rows, columns = extents(options, (h, w), (kh, kw))
    return m.finish(code, [(kind, [n, rows, columns, c], None)], activation(m, options))


@generator("SOFTMAX", "f32")
def softmax(m, kind, code):
    options, shape = s.SoftmaxOptionsT(), shape_of(m, most=3) + [int(m.rng.integers(1, 200))]
    options.beta = float(np.float32(m.rng.uniform(0.5, 2)))
    m.input(kind, shape)
    return m.finish(code, [(kind, shape, None)], options)


@generator("LOGISTIC", "f32")
@generator("TANH", "f32")
def sigmoidal(m, kind, code):
    shape = shape_of(m)
    m.input(kind, shape)
    return m.finish(code, [(kind, shape, None)])

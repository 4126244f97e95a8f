"""Writes models of one operator, and inputs for which the rule of a profile and that of the reference kernels differ, with what LiteRT
makes of them: profile_models.py FOLDER. So the models `xnnpack-*` and `litert-opt-*` of tests/cli/single were made.

SPDX-License-Identifier: Apache-2.0"""

import os
import sys

import numpy as np
from ai_edge_litert import schema_py_generated as s

from runtimes import by_litert
from single_operators import TYPES, Single

KERNELS = {"xnnpack": "xnnpack", "litert-opt": "builtin"}


def quantize(kind):
    """Halves of a scale, where multiplying by its reciprocal and dividing round apart; two groups of eight, and some left over."""
    m, scale, count = Single(np.random.default_rng(1)), np.float32(0.0371), 21
    x = ((m.rng.integers(-100, 100, count) + 0.5) * np.float64(scale)).astype(np.float32)
    m.input("f32", [count], None, np.where(m.rng.random(count) < 0.5, x, np.nextafter(x, np.float32(9))))
    return m.finish("QUANTIZE", [(kind, [count], (float(scale), 0 if kind == "i16" else 3))], None, 3)


def curve(code, scale):
    m = Single(np.random.default_rng(2))
    m.input("i16", [40], (scale, 0))
    return m.finish(code, [("i16", [40], (2.0 ** -15, 0))], None, 3)


def linear():
    m, options = Single(np.random.default_rng(3)), s.FullyConnectedOptionsT()
    m.input("i16", [40, 16], (0.001, 0))
    m.constant("i8", m.rng.integers(-127, 128, [16, 16]), (0.01, 0))
    m.operands.append(m.tensor("i64", [16], None, m.rng.integers(-3000, 3000, 16)))
    return m.finish("FULLY_CONNECTED", [("i16", [40, 16], (0.0041, 0))], options, 11)  # as the reference kernels do


def softmax(kind, seed):
    m, options, scale = Single(np.random.default_rng(seed)), s.SoftmaxOptionsT(), 0.125
    options.beta = 1.0
    x = m.rng.integers(0, 120, [60000, 3])
    m.input(kind, [60000, 3], (scale, 0), (x - (128 if kind == "i8" else 0)).astype(TYPES[kind][1]))
    model = m.finish("SOFTMAX", [(kind, [60000, 3], (1 / 256, -128 if kind == "i8" else 0))], options, 3)
    where = np.any(by_litert(*model, "builtin")[0] != by_litert(*model, "reference")[0], axis=1)
    rows = np.flatnonzero(where)[:2].tolist() + [0, 1]  # few tell
    m = Single(np.random.default_rng(seed))
    m.input(kind, [len(rows), 3], (scale, 0), model[1][0][rows])
    return m.finish("SOFTMAX", [(kind, [len(rows), 3], (1 / 256, -128 if kind == "i8" else 0))], options, 3)


MODELS = {"QUANTIZE_f32_to_i8": lambda: quantize("i8"), "QUANTIZE_f32_to_u8": lambda: quantize("u8"),
          "QUANTIZE_f32_to_i16": lambda: quantize("i16"), "LOGISTIC_i16": lambda: curve("LOGISTIC", 2.0 ** -12),
          "TANH_i16": lambda: curve("TANH", 2.0 ** -12), "TANH_i16_doubled": lambda: curve("TANH", 2.0 ** -11),
          "FULLY_CONNECTED_i16": linear, "SOFTMAX_i8": lambda: softmax("i8", 4), "SOFTMAX_u8": lambda: softmax("u8", 5)}


def main(folder):
    for profile, kernels in KERNELS.items():
        for name, make in MODELS.items():
            content, inputs = make()
            stem, y = os.path.join(folder, f"{profile}-{name}"), by_litert(content, inputs, kernels)[0]
            with open(stem + ".tflite", "wb") as file:
                file.write(content)
            np.save(stem + "_in0.npy", inputs[0])
            np.save(stem + "_out0.npy", y)
            print(stem, np.count_nonzero(y != by_litert(content, inputs, "reference")[0]), "of", y.size, "unlike the reference kernels")


if __name__ == "__main__":
    main(sys.argv[1])

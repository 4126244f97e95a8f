"""What the tests share. SPDX-License-Identifier: Apache-2.0"""
from pathlib import Path

import numpy as np
import pytest

import quern

ROOT = Path(__file__).resolve().parents[2]
DIGITS = ROOT / "examples/digits/digits_int8.tflite"


def codes(port, count=1, seed=1):
    """Random stored values for an input."""
    chance = np.random.default_rng(seed)
    shape = (port.shape[0] * count, *port.shape[1:])
    if port.dtype.kind == "f":
        return chance.uniform(-1, 1, shape).astype(port.dtype)
    limits = np.iinfo(port.dtype)
    return chance.integers(limits.min, limits.max, shape, port.dtype, endpoint=True)


@pytest.fixture(scope="session")
def digits_path():
    return DIGITS


@pytest.fixture
def digits():
    return quern.load(DIGITS)


@pytest.fixture
def compiled(digits):
    return digits.compile()


SUM = """!q = !quant.uniform<i8:f32, 0.5:0>
module attributes {quern.numerics = "litert-ref"} {
func.func @main(%s: tensor<1x4x!q> {quern.role = "state", quern.name = "sum",
                                    quern.initial = dense<3> : tensor<1x4xi8>},
                %x: tensor<1x4x!q> {quern.name = "x"}) -> (tensor<1x4x!q> {quern.role = "state"}, tensor<1x4x!q>) {
  %t = "ml.add"(%s, %x) : (tensor<1x4x!q>, tensor<1x4x!q>) -> tensor<1x4x!q>
  return %t, %t : tensor<1x4x!q>, tensor<1x4x!q>
}
}
"""
SIZED = """!q = !quant.uniform<i8:f32, 0.5:0>
module attributes {quern.numerics = "litert-ref"} {
func.func @main(%x: tensor<7x5x!q> {quern.sizes = ["n"]}) -> tensor<7x5x!q> {
  %y = "ml.add"(%x, %x) : (tensor<7x5x!q>, tensor<7x5x!q>) -> tensor<7x5x!q>
  return %y : tensor<7x5x!q>
}
}
"""
TWO = """!q = !quant.uniform<i8:f32, 0.5:3>
module attributes {quern.numerics = "litert-ref"} {
func.func @main(%a: tensor<2x3x!q> {quern.name = "a", quern.scale = 0.5 : f64, quern.zero_point = 3 : i64},
                %b: tensor<2x3x!q> {quern.name = "b", quern.scale = 0.5 : f64, quern.zero_point = 3 : i64})
    -> (tensor<2x3x!q> {quern.name = "sum", quern.scale = 0.5 : f64, quern.zero_point = 3 : i64},
        tensor<2x3x!q> {quern.name = "clamped", quern.scale = 0.5 : f64, quern.zero_point = 3 : i64}) {
  %s = "ml.add"(%a, %b) : (tensor<2x3x!q>, tensor<2x3x!q>) -> tensor<2x3x!q>
  %t = "ml.relu"(%s) : (tensor<2x3x!q>) -> tensor<2x3x!q>
  return %s, %t : tensor<2x3x!q>, tensor<2x3x!q>
}
}
"""

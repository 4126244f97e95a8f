"""Comparisons. SPDX-License-Identifier: Apache-2.0"""
import numpy as np
import pytest
from conftest import DIGITS, ROOT

import quern

THEIRS = ROOT / "examples/digits/litert_xnnpack"


def test_the_readme_example(digits):
    found = quern.compare(THEIRS, digits, isolate=True)
    assert not found and not found.equal
    assert found.first.index == 19 and found.first.differing == 4 and found.first.alone == 4
    assert found.first.at == (0, 1, 3, 1) and (found.first.a, found.first.b) == (-128, -127)
    assert found.answers == {
        "litert-ref": -127,
        "tflm": -127,
        "xnnpack": -128,
        "litert-opt": -127,
        "onnx": -128,
        "ort": -128,
        "cmsis-nn-single": -128,
        "cmsis-nn": -127,
    }
    assert found.worst.snr_db == min(one.snr_db for one in found.tensors if one.differs)
    assert "DEPTHWISE_CONV_2D" in found.table() and len(repr(found).splitlines()) <= 20
    assert "iframe" in found._repr_html_()


def test_models_by_bytes_and_their_profiles():
    bytes_ = DIGITS.read_bytes()
    a = np.full((1, 8, 8, 1), 3, np.int8)
    assert quern.compare(quern.load(bytes_), quern.load(DIGITS, numerics="tflm"), inputs=a)
    assert not quern.compare(quern.load(bytes_), quern.load(DIGITS, numerics="xnnpack"), inputs=[a])


def test_what_can_not_be_compared(digits, tmp_path):
    with pytest.raises(quern.Error, match="no-such-folder"):
        quern.compare(tmp_path / "no-such-folder", digits)
    with pytest.raises(quern.Invalid, match="batch"):
        quern.compare(quern.load(DIGITS, batch=2), quern.load(DIGITS, batch=3))
    digits.close()
    with pytest.raises(quern.Invalid, match="closed"):
        quern.compare(digits, digits)

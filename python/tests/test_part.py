"""Parts of a model. SPDX-License-Identifier: Apache-2.0"""
import pytest
from conftest import DIGITS, codes

import quern


@pytest.mark.parametrize("cut", range(1, 10))
def test_two_parts_are_the_model(digits, cut):
    a = codes(digits.inputs[0])
    front, back = quern.load(DIGITS, operators=range(cut)), quern.load(DIGITS, operators=range(cut, 10))
    assert {op.number for op in front.operators} == set(range(cut))
    assert {op.number for op in back.operators} == set(range(cut, 10))
    assert [port.index for port in front.outputs] == [port.index for port in back.inputs]
    assert (back.compile()(front.compile()(a)) == digits.compile()(a)).all()


def test_tensors_of_the_border_can_be_said(digits):
    part = quern.load(DIGITS, operators=[2, 3], inputs=[19], outputs=[21, 20])
    assert [port.index for port in part.inputs] == [19] and [port.index for port in part.outputs] == [21, 20]
    x = digits.compile(keep_tensors=True)
    x(codes(digits.inputs[0]))
    kept = {tensor.index: tensor.data for tensor in x.tensors()}
    first, second = part.compile()(kept[19])
    assert (first == kept[21]).all() and (second == kept[20]).all()


def test_cached_code_is_that_of_the_part(digits, tmp_path):
    a = codes(digits.inputs[0])
    for cut in (3, 4, 3):
        made = quern.load(DIGITS, operators=range(cut)).compile(cache=tmp_path)(a)
        assert (made == quern.load(DIGITS, operators=range(cut)).compile()(a)).all()


@pytest.mark.parametrize("operators, inputs, outputs, said", [
    ([10], (), (), "operator 10 is wanted, but there are 10"), ([3, 2], (), (), "out of order"),
    ([2, 2], (), (), "out of order"), ([2], [1000], [20], "tensor 1000"), ([2], [19], [1000], "tensor 1000"),
    ([2], [], [20], "written|value|tensor"), ([2], [19], [25], "written|value|tensor"), ([2], [19, 19], [20], "twice"),
])
def test_what_is_no_part(operators, inputs, outputs, said):
    with pytest.raises(quern.Error, match=said):
        quern.load(DIGITS, operators=operators, inputs=inputs, outputs=outputs).compile()
    with pytest.raises(ValueError):
        quern.load(DIGITS, operators=[-1])
    with pytest.raises(quern.NotFound, match="operators"):
        quern.load(b"func.func @main() { return }", operators=[1])


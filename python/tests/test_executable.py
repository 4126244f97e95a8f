"""Running models. SPDX-License-Identifier: Apache-2.0"""
import threading

import numpy as np
import pytest
from conftest import SIZED, SUM, TWO, codes

import quern


def test_call_run_and_out_agree(compiled):
    port = compiled.inputs[0]
    a = codes(port)
    want = compiled(a)
    assert want.dtype == np.int8 and want.shape == (1, 10)
    name = compiled.outputs[0].name
    assert (compiled.run(a)[name] == want).all()
    assert (compiled.run({port.name: a})[name] == want).all()
    assert (compiled.run([a])[name] == want).all()
    out = np.empty((1, 10), np.int8)
    assert compiled.run(a, out={name: out})[name] is out and (out == want).all()
    assert (compiled(a.tobytes() and memoryview(a)) == want).all()


@pytest.mark.parametrize("threads", [1, 2])
def test_many_entries_are_as_many_calls(compiled, threads):
    compiled.threads = threads
    many = codes(compiled.inputs[0], 70)
    name = compiled.outputs[0].name
    want = np.concatenate([compiled(many[i:i + 1]) for i in range(70)])
    assert (compiled.run(many)[name] == want).all()
    assert (compiled.run(many[::2])[name] == want[::2]).all()
    assert (compiled.run(many[::-1])[name] == want[::-1]).all()
    out = np.zeros((140, 10), np.int8)
    compiled.run(many, out=out[::2])
    assert (out[::2] == want).all() and (out[1::2] == 0).all()
    told = []
    assert (compiled.run(many, progress=lambda *now: told.append(now))[name] == want).all()


def test_two_inputs_two_outputs():
    x = quern.load(TWO.encode()).compile()
    a, b = codes(x.inputs[0], 5, 1), codes(x.inputs[1], 5, 2)
    first = x(a[:2], b[:2])
    assert isinstance(first, tuple) and len(first) == 2
    made = x.run({"b": b, "a": a})
    assert list(made) == ["sum", "clamped"]
    assert (made["sum"][:2] == first[0]).all() and (made["clamped"][:2] == first[1]).all()
    one = x.run([a, b[:2]])  # one entry stands for all
    assert (one["sum"][8:] == x(a[8:], b[:2])[0]).all()
    with pytest.raises(quern.NotFound, match="there is no"):
        x.run({"a": a, "c": b})
    with pytest.raises(quern.Invalid, match="different numbers"):
        x.run([a, b[:4]])
    with pytest.raises(quern.Invalid, match="2 inputs"):
        x(a[:2])


def test_reals_at_the_borders():
    x = quern.load(TWO.encode()).compile()
    a, b = np.float32([[1, 2, 3], [-4, 500, 0.24]]), np.float32([[0.5, 0, -1], [1, 1, 0.26]])
    made = x.run([a, b], real=True)["sum"]
    assert made.dtype == np.float32
    assert made.tolist() == [[1.5, 2, 2], [-3, 62, 0.5]]
    out = np.empty((2, 3), np.float32)
    x.run([a, b], real=True, out=[out, np.empty_like(out)])
    assert (out == made).all()
    many = x.run([np.repeat(a, 3, 0), b], real=True)["sum"]
    assert many.shape == (6, 3)
    with pytest.raises(quern.Invalid, match="NaN"):
        x.run([a * np.nan, b], real=True)
    with pytest.raises(quern.Invalid, match="reals"):
        x.run([a.astype(complex), b], real=True)


def test_half_steps_go_away_from_zero():
    port = quern.load(TWO.encode()).inputs[0]
    assert port.quantize([0.25, -0.25, 0.75, 1e9, -1e9]).tolist() == [4, 2, 5, 127, -128]
    assert port.dequantize(np.int8([3, 4])).tolist() == [0.0, 0.5]


def test_states():
    x = quern.load(SUM.encode()).compile()
    ones = np.ones((1, 4), np.int8)
    assert x(ones)[0, 0] == 4 and x(ones)[0, 0] == 5
    assert x.states["sum"].tolist() == [[5, 5, 5, 5]] and len(x.states) == 1
    x.states[0] = np.full((1, 4), 9, np.int8)
    assert x(ones)[0, 0] == 10
    x.reset()
    assert x.run(np.ones((3, 4), np.int8))[x.outputs[0].name or ":0"][:, 0].tolist() == [4, 5, 6]
    with pytest.raises(quern.NotFound):
        x.states["no such"]
    with pytest.raises(quern.Invalid, match="int16"):
        x.states[0] = np.zeros((1, 4), np.int16)


def test_sizes():
    x = quern.load(SIZED.encode()).compile()
    assert x.sizes[0].bound == 7
    x.set_size(3, "n")
    assert x.inputs[0].shape == (3, 5)
    assert x(np.ones((3, 5), np.int8)).shape == (3, 5)
    with pytest.raises(quern.Invalid, match="from 1 to 7"):
        x.set_size(8)
    with pytest.raises(quern.NotFound):
        x.set_size(1, "m")


def test_tensors(digits):
    x = digits.compile(keep_tensors=True)
    x(codes(x.inputs[0]))
    kept = {tensor.index: tensor for tensor in x.tensors()}
    assert kept[18].data.shape == (1, 8, 8, 16) and kept[18].data.dtype == np.int8
    assert kept[18].real.min() == 0
    assert np.allclose(kept[18].real, (kept[18].data.astype(float) + 128) * kept[18].scales[0])
    with pytest.raises(quern.Unsupported, match="keep_tensors"):
        digits.compile().tensors()


def test_engines_agree(digits):
    a = codes(digits.inputs[0])
    want = digits.compile()(a)
    for stage in ("model", "integer", "loops"):
        assert (digits.compile(engine="interpreter", stage=stage)(a) == want).all()
    with pytest.raises(ValueError):
        digits.compile(stage="loops")


def test_profile(compiled):
    steps = compiled.profile(codes(compiled.inputs[0]))
    assert sum(step.macs for step in steps) == 163968 and all(step.seconds >= 0 for step in steps)


def test_clones_run_in_threads(compiled):
    many = codes(compiled.inputs[0], 200)
    want = compiled.run(many)[compiled.outputs[0].name]
    results = {}

    def serve(number, clone):
        results[number] = np.concatenate([clone(many[i:i + 1]) for i in range(200)])

    threads = [threading.Thread(target=serve, args=(i, compiled.clone())) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all((made == want).all() for made in results.values())


def test_dlpack(compiled):
    class Foreign:
        """As torch and jax: no buffer protocol, but DLPack."""

        def __init__(self, array):
            self._array = array

        def __dlpack__(self, **options):
            return self._array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self._array.__dlpack_device__()

    a = codes(compiled.inputs[0])
    assert (compiled(Foreign(a)) == compiled(a)).all()
    assert (compiled.run(Foreign(a))[compiled.outputs[0].name] == compiled(a)).all()
    with pytest.raises(quern.Invalid, match="float32"):
        compiled(Foreign(a.astype(np.float32)))
    assert np.from_dlpack(compiled(a)).shape == (1, 10)

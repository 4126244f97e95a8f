"""Wrong objects, closed ones, and ones that several threads use: an exception, and nothing is lost.
SPDX-License-Identifier: Apache-2.0"""
import array
import copy
import pickle
import threading

import numpy as np
import pytest
from conftest import DIGITS, codes

import quern
from quern import _quern


@pytest.mark.parametrize("wrong, said", [
    (lambda a: a.astype(np.float32), "float32"),
    (lambda a: a.astype(np.float64), "float64"),
    (lambda a: a.view(np.uint8), "uint8"),
    (lambda a: a.astype(">i2"), "not >h"),
    (lambda a: a[0], r"not int8 \[8, 8, 1\]"),
    (lambda a: a.reshape(64), r"not int8 \[64\]"),
    (lambda a: a.reshape(1, 8, 8, 1, 1), r"\[1, 8, 8, 1, 1\]"),
    (lambda a: a.transpose(0, 2, 1, 3), "not contiguous"),
    (lambda a: np.broadcast_to(a[:, :1], a.shape), "not contiguous"),
    (lambda a: a.tobytes(), "uint8"),
    (lambda a: array.array("b", a.tobytes()[:-1]), r"\[63\]"),
])
def test_nothing_is_converted(compiled, wrong, said):
    a = codes(compiled.inputs[0])
    want = compiled(a)
    for call in (compiled, compiled.run):
        with pytest.raises(quern.Invalid, match=said):
            call(wrong(a))
    assert (compiled(a) == want).all()


@pytest.mark.parametrize("wrong", [3.7, None, [1, 2], "text", object(), {1: 2}, np.int8])
def test_what_is_no_buffer(compiled, wrong):
    for call in (compiled, compiled.run):
        with pytest.raises((TypeError, quern.Error)):
            call(wrong)


def test_a_flat_buffer_of_the_right_bytes_is_taken(compiled):
    a = codes(compiled.inputs[0])
    assert (compiled(array.array("b", a.tobytes())) == compiled(a)).all()


def test_unaligned_is_taken_and_copy_copies(compiled):
    a = codes(compiled.inputs[0])
    unaligned = np.frombuffer(b"x" + a.tobytes(), np.int8)[1:].reshape(a.shape)
    assert (compiled(unaligned) == compiled(a)).all()
    turned = a.transpose(0, 2, 1, 3)
    name = compiled.outputs[0].name
    assert (compiled.run(turned, copy=True)[name] == compiled(np.ascontiguousarray(turned))).all()


def test_outputs(compiled):
    a = codes(compiled.inputs[0])
    out = np.empty((1, 10), np.int8)
    out.flags.writeable = False
    with pytest.raises(quern.Invalid, match="read-only"):
        compiled.run(a, out=out)
    with pytest.raises(quern.Invalid, match="output 0"):
        compiled.run(a, out=np.empty((1, 10), np.uint8))
    with pytest.raises(quern.Invalid, match="output"):
        compiled.run(a, out=[])
    with pytest.raises(quern.Invalid, match="shares memory"):
        compiled.run(a, out=a.reshape(-1)[5:15].reshape(1, 10))
    many = codes(compiled.inputs[0], 4)
    with pytest.raises(quern.Invalid, match="output 0"):
        compiled.run(many, out=np.empty((3, 10), np.int8))
    with pytest.raises(quern.Invalid, match="not contiguous"):
        compiled.run(many, out=np.empty((4, 10), np.int8)[::-1])
    overlapping = np.lib.stride_tricks.as_strided(np.empty(40, np.int8), (4, 10), (5, 1))
    with pytest.raises(quern.Invalid, match="not contiguous"):
        compiled.run(many, out=overlapping)


def test_closed(digits):
    x = digits.compile()
    clone = x.clone()
    with pytest.raises(quern.Invalid, match="clones"):
        x.close()
    clone.close()
    with x:
        pass
    for use in (lambda: x(codes(digits.inputs[0])), x.tensors, x.reset, x.clone, lambda: x.stats, x._ports,
                lambda: x._set_threads(1), lambda: x.run(codes(digits.inputs[0]))):
        with pytest.raises(quern.Invalid, match="closed"):
            use()
    x.close()
    digits.close()
    digits.close()
    for use in (digits.compile, digits.inspect, lambda: digits.emit("model"), lambda: digits.stage):
        with pytest.raises(quern.Invalid, match="closed"):
            use()


def test_an_executable_outlives_its_model():
    x = quern.load(DIGITS).compile()
    clone = x.clone()
    del x
    assert clone(codes(clone.inputs[0])).shape == (1, 10)


def test_pickle_and_copy(digits):
    x = digits.compile()
    for thing, said in ((digits, "path"), (x, "path")):
        with pytest.raises(TypeError, match=said):
            pickle.dumps(thing)
        with pytest.raises(TypeError, match="load|clone"):
            copy.copy(thing)
        with pytest.raises(TypeError):
            copy.deepcopy(thing)


def test_there_is_nothing_to_construct():
    for kind in (quern.Model, quern.Executable, _quern.Model, _quern.Executable):
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(TypeError):
            object.__new__(kind)
    with pytest.raises(TypeError):
        _quern.load(int, None, b"", "x")


def test_two_threads_on_one_executable(digits):
    """The second thread gets an error; no result is wrong."""
    x = digits.compile(engine="interpreter")
    many = codes(x.inputs[0], 300)
    name = x.outputs[0].name
    want = digits.compile().run(many)[name]
    made, rejected = [], []

    def use(arrays):
        try:
            made.append((x.run(arrays)[name] == want[:len(arrays)]).all())
        except quern.Invalid as error:
            rejected.append(str(error))

    thread = threading.Thread(target=use, args=(many,))
    thread.start()
    while thread.is_alive() and not rejected:
        use(many[:1])
    thread.join()
    assert "clone" in rejected[0] and all(made)
    use(many)
    assert made[-1]


def test_what_is_dropped_while_its_context_works(digits):
    """The last reference to an executable goes while another of its model runs."""
    slow = digits.compile(engine="interpreter")
    a = codes(slow.inputs[0])
    done = threading.Event()

    def run():
        while not done.is_set():
            slow(a)

    thread = threading.Thread(target=run)
    dropped = [digits.compile() for _ in range(3)]
    thread.start()
    while dropped:
        dropped.pop()
    done.set()
    thread.join()
    assert slow(a).shape == (1, 10)


class Hostile:
    """Says that it has DLPack, and uses the executable when it is asked."""

    def __init__(self, use):
        self._use = use

    def __dlpack__(self, **_):
        self._use()
        raise RuntimeError("no")

    def __dlpack_device__(self):
        return (1, 0)


def test_an_argument_that_uses_the_executable(compiled):
    def use():
        with pytest.raises(quern.Invalid, match="clone"):
            compiled.close()

    with pytest.raises(RuntimeError, match="no"):
        compiled(Hostile(use))
    assert compiled(codes(compiled.inputs[0])).shape == (1, 10)


def test_a_model_file_that_changes(tmp_path):
    path = tmp_path / "model.tflite"
    path.write_bytes(DIGITS.read_bytes())
    model = quern.load(path)
    a = codes(model.inputs[0])
    want = model.compile()(a)
    path.write_bytes(b"something else")
    assert (model.compile()(a) == want).all()

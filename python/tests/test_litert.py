"""LiteRT's class and its delegate, beside LiteRT. SPDX-License-Identifier: Apache-2.0"""
import ctypes
import os
import struct
from pathlib import Path

import numpy as np
import pytest
from ai_edge_litert import interpreter as theirs
from conftest import DIGITS, ROOT, codes
from models import same

import quern
from quern import litert as ours

SHARED = Path(os.environ.get("QUERN_SHARED", ROOT / "../shared")) / "models"
SMALL = ["hello_world_int8", "kws_ref_model", "micro_speech_quantized", "split_concat", "trained_lstm_int8"]
MODELS = [DIGITS, *(SHARED / f"{name}.tflite" for name in SMALL)]


def model_of(path):
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return str(path)


def made(module, path, **options):
    options.setdefault("experimental_op_resolver_type", module.OpResolverType.BUILTIN_REF)
    one = module.Interpreter(model_path=path, num_threads=1, **options)
    one.allocate_tensors()
    return one


def fill(interpreters, seed):
    for detail in interpreters[0].get_input_details():
        chance, dtype = np.random.default_rng(seed), np.dtype(detail["dtype"])
        value = (chance.uniform(-1, 1, detail["shape"]) if dtype.kind == "f" else
                 chance.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, detail["shape"], dtype, endpoint=True))
        for one in interpreters:
            one.set_tensor(detail["index"], value.astype(dtype))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_same_script_over_both_classes(path):
    both = [made(module, model_of(path)) for module in (theirs, ours)]
    for what in ("get_input_details", "get_output_details", "get_signature_list"):
        assert same(*(getattr(one, what)() for one in both)), what
    known, own = ({one["index"]: one for one in each.get_tensor_details()} for each in both)
    assert all(same(known[index], own[index]) for index in own)
    for seed in range(2):
        fill(both, seed)
        for one in both:
            one.invoke()
        for detail in both[0].get_output_details():
            assert same(*(one.get_tensor(detail["index"]) for one in both))


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_the_delegate_gives_the_reference(path, tmp_path):
    path = model_of(path)
    delegate = ours.delegate(model=path, cache=tmp_path)
    both = [made(theirs, path), made(theirs, path, experimental_delegates=[delegate])]
    for seed in range(3):
        fill(both, seed)
        for one in both:
            one.invoke()
        for detail in both[0].get_output_details():
            assert same(*(one.get_tensor(detail["index"]) for one in both))


def test_parts_that_stay_with_litert(tmp_path):
    path = str(DIGITS)
    both = [made(theirs, path)]
    both.append(made(theirs, path, experimental_delegates=[ours.delegate(cache=tmp_path, skip=(3, 7), min_operators=1)]))
    fill(both, 1)
    for one in both:
        one.invoke()
    assert same(*(one.get_tensor(27) for one in both))


def test_a_resized_batch_in_the_delegate():
    both = [made(theirs, str(DIGITS)), made(theirs, str(DIGITS), experimental_delegates=[ours.delegate(cache=False)])]
    for one in both:
        one.resize_tensor_input(0, [5, 8, 8, 1])
        one.allocate_tensors()
    fill(both, 1)
    for one in both:
        one.invoke()
    assert both[1].get_tensor(27).shape == (5, 10)
    assert same(*(one.get_tensor(27) for one in both))


def changed_digits(to, old, new):
    """The model with other bytes in one place, which the file has first."""
    data = bytearray(DIGITS.read_bytes())
    place = data.find(old)
    assert place > 0
    data[place:place + len(old)] = new
    to.write_bytes(data)
    return str(to)


def test_a_stored_shape_that_is_not_the_computed_one(tmp_path):
    """Both have the same number of bytes."""
    path = changed_digits(tmp_path / "shape.tflite", struct.pack("<3i", 2, 1, 10), struct.pack("<3i", 2, 2, 5))
    both = [made(theirs, path), made(theirs, path, experimental_delegates=[ours.delegate(model=path, cache=False)])]
    fill(both, 1)
    for one in both:
        one.invoke()
    assert same(*(one.get_output_details() for one in both))
    assert same(*(one.get_tensor(27) for one in both))


def test_an_operator_that_only_litert_runs(tmp_path):
    """The class says what leaves it to LiteRT."""
    path = changed_digits(tmp_path / "scale.tflite", struct.pack("<f", 1 / 256), struct.pack("<f", 1e-30))
    with pytest.raises(quern.Unsupported, match="quern.litert.delegate"):
        made(ours, path)


def test_another_file_than_the_graph(tmp_path, capfd):
    weights = made(ours, str(DIGITS)).get_tensor(3).tobytes()
    other = changed_digits(tmp_path / "other.tflite", weights, bytes([weights[0] ^ 1]) + weights[1:])
    one = made(theirs, str(DIGITS), experimental_delegates=[ours.delegate(model=other, cache=False, verbose=True)])
    assert "0 of 10 nodes" in capfd.readouterr().err
    fill([one], 1)
    one.invoke()


def test_options_of_the_delegate():
    for options, said in (({"no": "1"}, "there is no option 'no'"), ({"threads": "x"}, "can't be 'x'"),
                          ({"skip": "1;2"}, "can't be"), ({"explain": "2"}, "can't be")):
        with pytest.raises(ValueError, match=said):
            theirs.load_delegate(ours.delegate_path(), options)


@pytest.mark.parametrize("shift", [0, 8, 16, 40])
def test_unknown_layouts_claim_nothing(shift, capfd):
    """A context whose members lie elsewhere: nothing of it is called, nothing crashes."""
    library = ctypes.CDLL(ours.delegate_path())
    library.tflite_plugin_create_delegate.restype = ctypes.c_void_p
    delegate = library.tflite_plugin_create_delegate(None, None, 0, None)
    prepare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(
        ctypes.c_void_p.from_address(delegate + 8).value)
    called = []
    anything = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)(lambda _: called.append(1) or 1)
    context = (ctypes.c_uint64 * 64)(*range(5, 69))
    tensors = (ctypes.c_uint8 * 4096)(*(i * 37 % 256 for i in range(4096)))
    words = {0: 3, 8: ctypes.cast(anything, ctypes.c_void_p).value, 16: ctypes.addressof(tensors)}
    for offset in (32, 40, 56, 64):
        words[offset] = words[8]
    for offset, word in words.items():
        context[(offset + shift) // 8] = word
    assert prepare(ctypes.addressof(context), delegate) == 0
    assert not called and "layouts are unknown" in capfd.readouterr().err
    library.tflite_plugin_destroy_delegate(ctypes.c_void_p(delegate))


# ---- behaviour of the class ----

def test_calls_that_litert_rejects_are_rejected():
    both = [module.Interpreter(model_path=str(DIGITS)) for module in (theirs, ours)]
    wrong = [(lambda one: one.invoke(), RuntimeError), (lambda one: one.set_tensor(0, np.zeros((1, 8, 8, 1), np.int8)), ValueError)]
    ready = [(lambda one: one.set_tensor(0, np.zeros((1, 8, 8, 1), np.float32)), ValueError),
             (lambda one: one.set_tensor(0, np.zeros((2, 8, 8, 1), np.int8)), ValueError),
             (lambda one: one.set_tensor(0, np.zeros((8, 8, 1), np.int8)), ValueError),
             (lambda one: one.get_tensor(9999), ValueError),
             (lambda one: one.get_signature_runner("no such"), ValueError)]

    def messages(cases):
        for call, kind in cases:
            said = []
            for one in both:
                with pytest.raises(kind) as caught:
                    call(one)
                said.append(str(caught.value).strip())
            assert said[0].split(".")[0] == said[1].split(".")[0]

    messages(wrong)
    for one in both:
        one.allocate_tensors()
    messages(ready)
    for module in (theirs, ours):
        with pytest.raises(ValueError):
            module.Interpreter(model_path="no-such-file.tflite")
        with pytest.raises(ValueError):
            module.Interpreter()


def test_signature_runner_and_resize():
    both = [module.Interpreter(model_path=str(DIGITS), experimental_op_resolver_type=module.OpResolverType.BUILTIN_REF)
            for module in (theirs, ours)]
    a = np.random.default_rng(1).integers(-128, 127, (4, 8, 8, 1), np.int8)
    runners = [one.get_signature_runner() for one in both]
    assert same(*(runner(keras_tensor=a) for runner in runners))
    assert same(*(runner.get_input_details() for runner in runners))
    with pytest.raises(ValueError):
        runners[1](no_such=a)
    with pytest.raises(quern.Unsupported, match="dimension 0"):
        both[1].resize_tensor_input(0, [1, 9, 8, 1])
        both[1].allocate_tensors()


def test_every_tensor_when_asked_for(digits):
    one = made(ours, str(DIGITS), experimental_preserve_all_tensors=True)
    plain = made(ours, str(DIGITS))
    fill([one, plain], 5)
    one.invoke()
    plain.invoke()
    x = digits.compile(keep_tensors=True)
    x(one.get_tensor(0))
    for tensor in x.tensors():
        assert same(one.get_tensor(tensor.index), tensor.data)
    assert same(one.get_tensor(27), plain.get_tensor(27))
    with pytest.raises(ValueError, match="preserve_all_tensors"):
        plain.get_tensor(20)
    assert one.get_tensor(3).shape == (10, 64)  # a constant


def test_the_resolver_selects_the_profile():
    kinds = ours.OpResolverType
    assert [made(ours, str(DIGITS), experimental_op_resolver_type=kind)._numerics for kind in kinds] == [
        "xnnpack", "xnnpack", "litert-ref", "litert-opt"]
    assert made(ours, str(DIGITS), experimental_op_resolver_type=theirs.OpResolverType.BUILTIN_REF)._numerics == "litert-ref"


def test_what_is_not_there_names_the_way_out():
    with pytest.raises(quern.Unsupported, match="delegate"):
        ours.Interpreter(model_path=str(DIGITS), experimental_delegates=[1])
    with pytest.raises(ValueError):
        ours.Interpreter(model_content=b"garbage")
    view = made(ours, str(DIGITS)).tensor(0)
    view()[...] = 3
    assert (view() == 3).all()


# ---- recordings ----

def test_a_recording_leads_to_the_rounding(tmp_path, digits):
    a = codes(digits.inputs[0], seed=3)
    reference = quern.record(DIGITS, runtime="litert", inputs=a, to=tmp_path / "ref")
    assert quern.compare(reference, digits)
    fast = quern.record(DIGITS, runtime="litert-xnnpack", inputs={digits.inputs[0].name: a}, to=tmp_path / "fast")
    found = quern.compare(fast, digits, isolate=True)
    assert found.report["compared"] >= 1
    assert quern.compare(fast, quern.load(DIGITS, numerics="xnnpack"))


def test_what_can_not_be_recorded(tmp_path, digits):
    a = codes(digits.inputs[0])
    with pytest.raises(quern.NotFound, match="litert-xnnpack"):
        quern.record(DIGITS, runtime="no-such", inputs=a, to=tmp_path)
    with pytest.raises(quern.Invalid, match="nothing is converted"):
        quern.record(DIGITS, runtime="litert", inputs=a.astype(np.float32), to=tmp_path)
    with pytest.raises(quern.Unsupported, match="pip install"):
        quern.record(DIGITS, runtime="tflite-micro", inputs=a, to=tmp_path)

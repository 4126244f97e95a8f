"""Loading, looking at and printing models. SPDX-License-Identifier: Apache-2.0"""
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
from conftest import DIGITS, SUM

import quern
from quern._progress import Watch


def test_a_file_and_its_bytes_are_one_model(digits):
    same = quern.load(DIGITS.read_bytes())
    assert same.emit("integer", cpu="x86-64").splitlines()[1:] == digits.emit("integer", cpu="x86-64").splitlines()[1:]
    assert [op.kind for op in digits.operators][:2] == ["CONV_2D", "DEPTHWISE_CONV_2D"]
    assert digits.operators[1].number == 1 and digits.operators[1].macs == 9216
    assert digits.inputs[0].shape == (1, 8, 8, 1) and digits.inputs[0].dtype == np.int8
    assert digits.inputs[0].zero_point == -128 and digits.outputs[0].index == 27
    assert {t.index: t.shape for t in digits.tensors}[18] == (1, 8, 8, 16)
    assert digits.supported and digits.supported.reasons == ()
    assert digits.stage == "model"


def test_text_of_each_stage_loads_again(digits):
    for form in ("model", "integer"):
        text = digits.emit(form)
        again = quern.load(text.encode())
        assert again.stage == form
        a = np.full((1, 8, 8, 1), 5, np.int8)
        assert (again.compile()(a) == digits.compile()(a)).all()
    assert "int32_t digits_invoke" in digits.emit("c", symbol="digits")
    assert "define" in digits.emit("llvm") and ".text" in digits.emit("asm")


def test_preferences_differ_in_bytes(digits):
    small, fast = (digits.emit("object", cpu="x86-64", optimize=preference)[0] for preference in ("size", "speed"))
    assert len(small) < len(fast)
    with pytest.raises(quern.NotFound):
        digits.compile(optimize="most")


def test_an_object_and_its_header(digits):
    made, header = digits.emit("object", cpu="x86-64-v3", symbol="digits")
    assert made[:4] == b"\x7fELF" and "digits_run" in header
    assert digits.emit("object", cpu="x86-64-v3", symbol="digits") == (made, header)


def test_what_is_not_supported_is_named():
    text = """module attributes {quern.numerics = "litert-ref"} {
      func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
        %y = "ml.tanh"(%x) {axis = 77 : i64} : (tensor<2xf32>) -> tensor<2xf32>
        return %y : tensor<2xf32>
      }
    }"""
    with pytest.raises(quern.Error) as caught:
        quern.load(text.replace("ml.tanh", "ml.no_such_op").encode()).compile()
    assert caught.value.diagnostics[0].severity == "error"
    assert caught.value.diagnostics[0].line == 3


def test_errors_have_parts_and_classes():
    with pytest.raises(quern.IoError, match="nope.tflite"):
        quern.load("nope.tflite")
    with pytest.raises(quern.Invalid) as caught:
        quern.load(b"module {\n  nonsense\n}")
    first = caught.value.diagnostics[0]
    assert (first.severity, first.file, first.line) == ("error", "<bytes>", 2)
    assert isinstance(caught.value, ValueError)
    with pytest.raises(quern.NotFound):
        quern.load(DIGITS, numerics="no-such-profile")
    with pytest.raises(quern.NotFound):
        quern.load(DIGITS).compile(cpu="no-such-cpu")
    with pytest.raises(quern.NotFound, match="modle"):
        quern.load(DIGITS).emit("modle")
    with pytest.raises(TypeError):
        quern.load(7)


def test_errors_can_be_pickled():
    import pickle

    with pytest.raises(quern.Error) as caught:
        quern.load(b"module {\n  nonsense\n}")
    again = pickle.loads(pickle.dumps(caught.value))
    assert str(again) == str(caught.value) and again.diagnostics == caught.value.diagnostics


def test_limits(digits):
    with quern.limits(seconds=0), pytest.raises(quern.Limit, match="time"):
        digits.compile()
    with quern.limits(memory=1 << 20), pytest.raises(quern.Limit, match="memory"):
        digits.compile()
    with quern.limits(seconds=100), quern.limits(memory=1 << 20), pytest.raises(quern.Limit, match="memory"):
        digits.compile()
    digits.compile()  # it is over, and the model is usable
    with pytest.raises(ValueError):
        quern.limits(seconds=-1)


def test_profiles_differ(digits_path):
    a = np.random.default_rng(3).integers(-128, 127, (200, 8, 8, 1), np.int8)
    one, other = (next(iter(quern.load(digits_path, numerics=n).compile().run(a).values()))
                  for n in ("litert-ref", "xnnpack"))
    assert (one != other).any()


def test_looks(digits):
    assert len(repr(digits).splitlines()) <= 20 and "10 operators" in repr(digits)
    assert "DEPTHWISE_CONV_2D" in digits._repr_html_()
    html = digits.emit("model")._repr_html_()
    assert "<span" in html and len(html) < len(digits.emit("model"))
    compiled = digits.compile()
    assert len(repr(compiled).splitlines()) <= 20 and "arena" in compiled._repr_html_()
    digits.close()
    assert "closed" in repr(digits) and "closed" in digits._repr_html_()


def test_catalogues_and_machine():
    assert quern.host_runs(quern.host_level()) and not quern.host_runs("no-such-level")
    assert quern.catalogue("profiles")
    with pytest.raises(quern.NotFound):
        quern.catalogue("no-such-list")
    assert quern.__version__.count(".") == 2
    with pytest.raises(AttributeError):
        quern.no_such_name  # pylint: disable=pointless-statement


def test_import_is_cheap():
    """Nothing of the library is loaded until it is asked for."""
    code = "import sys, quern; print([m for m in sys.modules if m.startswith('quern._quern')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_warning_is_a_warning(digits_path):
    text = quern.load(SUM.encode()).emit("model")
    with warnings.catch_warnings():
        warnings.simplefilter("error", quern.QuernWarning)
        quern.load(text.encode()).compile()


def test_the_tool_comes_along(digits_path):
    done = subprocess.run([sys.executable, "-m", "quern", "inspect", str(digits_path)], capture_output=True, text=True,
                          check=True)
    assert "numerics litert-ref" in done.stdout


def test_cached_code_gives_the_same_bytes(digits, tmp_path):
    a = np.full((1, 8, 8, 1), 7, np.int8)
    first, second = (digits.compile(cache=tmp_path / "code") for _ in range(2))
    assert not first.stats.cached and second.stats.cached
    assert (first(a) == second(a)).all()


def test_progress_is_told():
    told = []
    with Watch("a long work", lambda *now: told.append(now), 10) as watch:
        watch.done = 4
        time.sleep(1.2)
    assert told and told[0][0] == "a long work" and told[0][2:] == (4, 10)

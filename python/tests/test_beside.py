"""Quern in one process with other packages that have an LLVM, or threads and allocators of their own, in any order.
Those that are not installed are skipped: they are large. SPDX-License-Identifier: Apache-2.0"""
import ctypes
import importlib.util
import itertools
import subprocess
import sys

import numpy as np
import pytest
from conftest import DIGITS, ROOT

IMAGE = ROOT / "examples/digits/litert_xnnpack/in0.npy"


def llvmlite():
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    module = binding.parse_assembly("define i32 @f(i32 %a) {\n  %b = add i32 %a, 41\n  ret i32 %b\n}")
    target = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(module, target)
    engine.finalize_object()
    assert ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(engine.get_function_address("f"))(1) == 42


def torch():
    import torch

    x = torch.arange(64, dtype=torch.float32).reshape(8, 8)
    assert torch.equal(x @ torch.eye(8), x)


def openvino():
    import openvino

    model = openvino.Core().compile_model(str(DIGITS), "CPU")
    assert next(iter(model([np.load(IMAGE)]).values())).argmax() == 7


def quern():
    import quern

    x = quern.load(DIGITS).compile()
    image = np.load(IMAGE)
    assert x(image).argmax() == 7
    if "torch" in sys.modules:
        assert next(iter(x.run(sys.modules["torch"].from_numpy(image)).values())).argmax() == 7


OTHERS = (llvmlite, torch, openvino)


@pytest.mark.parametrize("first", [True, False], ids=["quern first", "quern last"])
def test_beside_others(first):
    there = [one.__name__ for one in OTHERS if importlib.util.find_spec(one.__name__)]
    if not there:
        pytest.skip("none of llvmlite, torch and openvino is installed")
    order = ["quern", *there] if first else [*there, "quern"]
    done = subprocess.run([sys.executable, __file__, *order], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    for name in itertools.chain(sys.argv[1:], sys.argv[1:]):  # twice: what one sets up, the next may undo
        globals()[name]()

"""LiteRT, with its reference kernels and as it comes.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from ai_edge_litert import interpreter as theirs

from .._executable import Arrays
from .._model import load
from .._record import Recorded, Recording
from ._inputs import in_order


def _version() -> str:
    from importlib.metadata import version

    return f"ai-edge-litert {version('ai-edge-litert')}"


def _record(path: str, inputs: Arrays, kernels: Any, name: str) -> Recording:
    """Tensors are read of an interpreter that keeps them all; its outputs can differ from those of one that does
    not (LiteRT#413), which are what is recorded as outputs."""
    def run(keep: bool) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that keeping tensors takes memory
            made = theirs.Interpreter(model_path=path, experimental_op_resolver_type=kernels, num_threads=1,
                                      experimental_preserve_all_tensors=keep)
        made.allocate_tensors()
        for detail, array in zip(made.get_input_details(), arrays):
            made.set_tensor(detail["index"], array)
        made.invoke()
        return made

    probe = theirs.Interpreter(model_path=path, experimental_op_resolver_type=kernels)
    details = probe.get_input_details()
    arrays = in_order(inputs, [one["name"] for one in details], [(one["dtype"], tuple(one["shape"])) for one in details])
    plain, kept = run(False), run(True)
    by_index = {one["index"]: one for one in kept.get_tensor_details()}
    order: list[int] = []
    with load(path) as model:
        for op in model.operators:
            order += [index for index in op.tensors if index >= 0 and index not in order]
    tensors = [_tensor(kept, by_index[index]) for index in order if index in by_index]
    return Recording(_version(), name, arrays, [plain.get_tensor(one["index"]) for one in plain.get_output_details()],
                     [one for one in tensors if one is not None])


def _tensor(interpreter: Any, detail: dict[str, Any]) -> Recorded | None:
    try:
        data = interpreter.get_tensor(detail["index"])
    except ValueError:  # nothing wrote it: a delegate has fused its operator
        return None
    parameters = detail["quantization_parameters"]
    scales = tuple(float(v) for v in parameters["scales"])
    axis = int(parameters["quantized_dimension"]) if len(scales) > 1 else None
    return Recorded(detail["index"], detail["name"], np.asarray(data), scales,
                    tuple(int(v) for v in parameters["zero_points"]), axis)


def litert(path: str, inputs: Arrays) -> Recording:
    """The reference kernels."""
    return _record(path, inputs, theirs.OpResolverType.BUILTIN_REF, "litert-ref")


def litert_xnnpack(path: str, inputs: Arrays) -> Recording:
    """LiteRT as it comes."""
    return _record(path, inputs, theirs.OpResolverType.AUTO, "xnnpack")

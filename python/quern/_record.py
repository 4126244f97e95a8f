"""quern.record: what another runtime computes, as a folder that `quern.compare` reads.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import hashlib
import json
import os
from importlib import import_module
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

import numpy as np

from ._errors import NotFound, Unsupported
from ._executable import Array, Arrays

if TYPE_CHECKING:
    from collections.abc import Mapping


class Recorded(NamedTuple):
    """A tensor of another runtime, in order of execution."""

    tensor: int  #: number in the model file; -1: only its name is known
    name: str
    data: Array
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int | None


class Recording(NamedTuple):
    """One run of another runtime."""

    made_by: str
    kernels: str  #: what the runtime calls its arithmetic
    inputs: list[Array]
    outputs: list[Array]
    tensors: list[Recorded]


Recorder = Callable[[str, Arrays], Recording]
#: The module and the wheel that each runtime is in.
_RUNTIMES = {
    "litert": ("litert", "ai-edge-litert"),
    "litert-xnnpack": ("litert", "ai-edge-litert"),
    "openvino": ("openvino", "openvino"),
    "onnxruntime": ("onnxruntime", "onnxruntime"),
    "tflite-micro": ("tflite_micro", "tflite-micro"),
}


def _recorder(runtime: str) -> Recorder:
    if runtime not in _RUNTIMES:
        raise NotFound(f"there is no recorder for {runtime!r}: {', '.join(_RUNTIMES)}")
    module, wheel = _RUNTIMES[runtime]
    try:
        found: Recorder = getattr(import_module(f".recorders.{module}", __package__), runtime.replace("-", "_"))
    except ImportError as error:
        raise Unsupported(f"{runtime} is not installed: pip install {wheel} ({error})") from error
    return found


def record(model: str | os.PathLike[str], *, runtime: str, inputs: Arrays, to: str | os.PathLike[str]) -> str:
    """Runs a model file in another runtime and writes its tensors to a folder, which `quern.compare` takes.

    runtime: "litert" (reference kernels), "litert-xnnpack", "openvino", "onnxruntime" or "tflite-micro"; its wheel
    has to be installed. inputs: one array, a sequence in the model's order, or a dictionary by name.
    """
    path = os.fspath(model)
    made = _recorder(runtime)(path, inputs)
    write(os.fspath(to), path, made)
    return os.fspath(to)


def write(folder: str, model: str, made: Recording) -> None:
    """The layout of docs/recordings.md, version 1."""
    os.makedirs(folder, exist_ok=True)
    rows: list[Mapping[str, Any]] = []
    for role, arrays in (("in", made.inputs), ("out", made.outputs)):
        for i, array in enumerate(arrays):
            np.save(os.path.join(folder, f"{role}{i}.npy"), np.ascontiguousarray(array))
    for i, tensor in enumerate(made.tensors):
        file = f"t{tensor.tensor:03d}.npy" if tensor.tensor >= 0 else f"n{i:03d}.npy"
        data = np.ascontiguousarray(tensor.data).reshape(tensor.data.shape)
        np.save(os.path.join(folder, file), data)
        rows.append({"tensor": tensor.tensor, "name": tensor.name, "dtype": str(data.dtype),
                     "shape": list(data.shape), "scales": list(tensor.scales),
                     "zero_points": list(tensor.zero_points), "axis": tensor.axis,
                     "sha256": hashlib.sha256(data.tobytes()).hexdigest(), "file": file})
    with open(model, "rb") as file_of_model:
        digest = hashlib.sha256(file_of_model.read()).hexdigest()
    index = {"version": 1, "made_by": made.made_by, "model": model, "model_sha256": digest,
             "numerics": made.kernels, "engine": None, "stage": None, "cpu": None, "tensors": rows}
    with open(os.path.join(folder, "index.json"), "w", encoding="utf-8") as file_of_index:
        json.dump(index, file_of_index, indent=1)

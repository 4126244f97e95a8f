"""Dumps every tensor that tflite-micro's reference kernels write, in the layout of docs/recordings.md.

SPDX-License-Identifier: Apache-2.0"""

import importlib.metadata

import numpy as np
from tflite_micro.python.tflite_micro import runtime

import dump_litert

ARENA = 256 << 20  # bytes, for all tensors at once


def version():
    return importlib.metadata.version("tflite-micro")


def tensors_of(model, inputs):
    """The tensors of a model by index. The values are copied, because the arena is reused."""
    interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA,
                                                 intrepreter_config=runtime.InterpreterConfig.kPreserveAllTensors)
    for k, array in enumerate(inputs):
        interpreter.set_input(np.ascontiguousarray(array), k)
    interpreter.invoke()
    numbers = [tensor for tensor, _, _ in dump_litert.written_by(model)]
    return {tensor: np.array(interpreter.GetTensor(tensor, 0)["tensor_data"]) for tensor in numbers}


if __name__ == "__main__":
    dump_litert.dump_of("tflm", "tflite-micro " + version(), tensors_of)

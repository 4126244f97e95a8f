"""Dumps every tensor that tflite-micro's reference kernels write, in the layout of docs/recordings.md.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import importlib.metadata

import numpy as np
from tflite_micro.python.tflite_micro import runtime

import dump_litert

ARENA = 256 << 20  # bytes, for all tensors at once


def version():
    return importlib.metadata.version("tflite-micro")


def tensors_of(model, inputs):
    """By number. The values are copied: they lie in the arena."""
    interpreter = runtime.Interpreter.from_bytes(model, arena_size=ARENA,
                                                 intrepreter_config=runtime.InterpreterConfig.kPreserveAllTensors)
    for k, array in enumerate(inputs):
        interpreter.set_input(np.ascontiguousarray(array), k)
    interpreter.invoke()
    numbers = [tensor for tensor, _, _ in dump_litert.written_by(model)]
    return {tensor: np.array(interpreter.GetTensor(tensor, 0)["tensor_data"]) for tensor in numbers}


def dump(path, folder, inputs):
    with open(path, "rb") as file:
        model = file.read()
    given = dump_litert.read_inputs(model, inputs)
    head = {"made_by": "tflite-micro " + version(), "numerics": "tflm", "engine": "tflm"}
    dump_litert.write_dump(path, model, folder, given, tensors_of(model, given), dump_litert.details_of(model), head)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("folder", help="where to write")
    parser.add_argument("--inputs", required=True, help="a folder with in0.npy ...")
    arguments = parser.parse_args()
    dump(arguments.model, arguments.folder, arguments.inputs)


if __name__ == "__main__":
    main()

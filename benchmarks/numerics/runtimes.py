"""One model on one input: LiteRT, tflite-micro, Quern by its library and by its tool.

SPDX-License-Identifier: Apache-2.0"""

import os
import pathlib
import subprocess
import sys

import numpy as np

from tally import signless

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
import own  # noqa: E402 (of the folder above)

WAYS = {"model": ["--engine", "interpreter", "--stage", "model"], "jit": ["--engine", "jit"]}


def by_litert(content, inputs, kernels):
    from ai_edge_litert.interpreter import Interpreter
    from dump_litert import RESOLVERS
    interpreter = Interpreter(model_content=content, experimental_op_resolver_type=RESOLVERS[kernels], num_threads=1)
    interpreter.allocate_tensors()
    for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def outputs_of(content):
    from ai_edge_litert import schema_py_generated as s
    return s.ModelT.InitFromPackedBuf(content, 0).subgraphs[0].outputs.size


def by_micro(content, inputs):
    """tflite-micro's reference kernels."""
    from tflite_micro.python.tflite_micro import runtime
    interpreter = runtime.Interpreter.from_bytes(content, arena_size=16 << 20)
    for k, array in enumerate(inputs):
        interpreter.set_input(np.ascontiguousarray(array), k)
    interpreter.invoke()
    return [np.array(interpreter.get_output(i)) for i in range(outputs_of(content))]


def by_kernels(content, inputs, kernels):
    return by_micro(content, inputs) if kernels == "tflm" else by_litert(content, inputs, kernels)


def by_library(library, path, inputs, numerics, way):
    """Quern by its package; quern.Error with its message."""
    own.use(library)
    engine, stage = ("jit", None) if way == "jit" else ("interpreter", way)
    executable = own.Executable(path, 1, engine=engine, stage=stage, numerics=numerics)
    try:
        executable.set_inputs([signless(array) for array in inputs])
        executable.invoke()
        return executable.outputs()
    finally:
        executable.close()


def by_tool(quern, folder, inputs, outputs, way, numerics="litert-ref"):
    """The outputs of the folder's m.tflite, or the first line of the message."""
    command = [quern, "run", os.path.join(folder, "m.tflite"), "--numerics", numerics, "--save", folder, *WAYS[way]]
    for i, array in enumerate(inputs):
        path = os.path.join(folder, f"in{i}.npy")
        np.save(path, signless(array))
        command += ["--input", "@" + path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error" in line]
        return (errors or done.stderr.splitlines() or ["no message"])[0]
    return [np.load(os.path.join(folder, f"out{i}.npy")) for i in range(outputs)]

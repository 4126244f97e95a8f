"""Dumps the tensors that OpenVINO's CPU plugin computes of a .tflite model, in the layout of docs/recordings.md.

SPDX-License-Identifier: Apache-2.0"""

import importlib.metadata
import os
import sys
import tempfile

import numpy as np
import openvino

import dump_litert


def version():
    return importlib.metadata.version("openvino")


def outputs_of(model, inputs):
    """The outputs in the model's order."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.tflite")
        with open(path, "wb") as file:
            file.write(model)
        compiled = openvino.Core().compile_model(path, "CPU", {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1})
    request = compiled.create_infer_request()
    for k, array in enumerate(inputs):
        request.set_input_tensor(k, openvino.Tensor(np.ascontiguousarray(array)))
    request.infer()
    return [np.array(request.get_output_tensor(k).data) for k in range(len(compiled.outputs))]


def tensors_of(model, inputs):
    """By number: all tensors that operators write, or only the outputs, where the plugin computes those in another way
    when it has to hand out the rest: it folds chains of operators, which a tensor between them forbids."""
    names = [int(t) for t in dump_litert.schema.ModelT.InitFromPackedBuf(model, 0).subgraphs[0].outputs]
    plain = outputs_of(model, inputs)
    changed = dump_litert.with_all_outputs(model)
    all_names = [int(t) for t in dump_litert.schema.ModelT.InitFromPackedBuf(changed, 0).subgraphs[0].outputs]
    everything = outputs_of(changed, inputs)
    if len(everything) == len(all_names) and all(np.array_equal(p, e) for p, e in zip(plain, everything)):
        return dict(zip(all_names, everything))
    print("outputs only: they are others when all tensors are handed out", file=sys.stderr)
    return dict(zip(names, plain))


if __name__ == "__main__":
    dump_litert.dump_of("openvino", "openvino " + version(), tensors_of)

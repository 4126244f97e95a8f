"""Dumps every tensor that LiteRT's operators write, in the layout of docs/recordings.md.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import hashlib
import importlib.metadata
import json
import os
import sys

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

VERSION = 1
RESOLVERS = {
    "reference": OpResolverType.BUILTIN_REF,
    "builtin": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
    "xnnpack": OpResolverType.AUTO,
}


def version():
    return importlib.metadata.version("ai-edge-litert")


def with_all_outputs(model):
    """The model with every tensor that an operator writes as an output: a delegate has to hand out what it would keep to
    itself. Fusions across operators are lost thereby, the kernels stay."""
    graph = schema.ModelT.InitFromPackedBuf(model, 0)
    main = graph.subgraphs[0]
    outputs = [int(t) for t in main.outputs]
    for operator in main.operators:
        outputs += [int(t) for t in operator.outputs if t >= 0 and int(t) not in outputs]
    main.outputs = outputs
    graph.signatureDefs = []  # they list the outputs that were
    builder = flatbuffers.Builder(len(model) + 65536)
    builder.Finish(graph.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def invoked(content, kernels, inputs):
    interpreter = Interpreter(model_content=content, experimental_op_resolver_type=RESOLVERS[kernels],
                              experimental_preserve_all_tensors=kernels != "xnnpack", num_threads=1)
    interpreter.allocate_tensors()
    for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return interpreter


def run_model(model, kernels, inputs, outputs):
    """An interpreter that has every tensor. What a delegate makes of the changed model has to be what it makes of the model."""
    if kernels != "xnnpack":
        return invoked(model, kernels, inputs)
    changed, plain = invoked(with_all_outputs(model), kernels, inputs), invoked(model, kernels, inputs)
    for tensor in outputs:
        if not np.array_equal(changed.get_tensor(tensor), plain.get_tensor(tensor)):
            sys.exit(f"{kernels} gives another output {tensor} when it hands out all tensors")
    return changed


def written_by(model):
    """(tensor, operator's number, its name) in order of execution, whatever a delegate makes of it."""
    graph = schema.ModelT.InitFromPackedBuf(model, 0)
    names = {value: name for name, value in vars(schema.BuiltinOperator).items() if isinstance(value, int)}
    rows = []
    for number, operator in enumerate(graph.subgraphs[0].operators):
        code = graph.operatorCodes[operator.opcodeIndex]
        name = names.get(max(code.builtinCode, code.deprecatedBuiltinCode), "CUSTOM")
        rows += [(int(t), number, name) for t in operator.outputs if t >= 0]
    return rows


def tensor_row(detail, array, number, name, file):
    quantization = detail["quantization_parameters"]
    scales = [float(s) for s in quantization["scales"]]
    return {
        "tensor": int(detail["index"]),
        "name": detail["name"],
        "operator": f"operator {number} ({name}), tensor '{detail['name']}'",
        "op": name,
        "multiplier": None,
        "dtype": array.dtype.name,
        "shape": [int(d) for d in array.shape],
        "scales": scales,
        "zero_points": [int(z) for z in quantization["zero_points"]],
        "axis": int(quantization["quantized_dimension"]) if len(scales) > 1 else None,
        "sha256": hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest(),
        "file": file,
    }


def read_inputs(model, folder):
    graph = schema.ModelT.InitFromPackedBuf(model, 0).subgraphs[0]
    return [np.load(os.path.join(folder, f"in{k}.npy")) for k in range(len(graph.inputs))]


def details_of(model):
    """What the interpreter says of each tensor by its number; nothing is run."""
    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=RESOLVERS["reference"])
    return {detail["index"]: detail for detail in interpreter.get_tensor_details()}


def write_dump(path, model, folder, inputs, arrays, details, head):
    """`arrays`: by the number of the tensor; those that are not there are left out."""
    outputs = [int(tensor) for tensor in schema.ModelT.InitFromPackedBuf(model, 0).subgraphs[0].outputs]
    os.makedirs(folder, exist_ok=True)
    for k, array in enumerate(inputs):
        np.save(os.path.join(folder, f"in{k}.npy"), array)
    rows = []
    for tensor, number, name in written_by(model):
        if tensor not in arrays:
            continue
        file = f"t{tensor:03d}.npy"
        np.save(os.path.join(folder, file), arrays[tensor])
        rows.append(tensor_row(details[tensor], arrays[tensor], number, name, file))
    for k, tensor in enumerate(outputs):
        np.save(os.path.join(folder, f"out{k}.npy"), arrays[tensor])
    document = {
        "version": VERSION,
        **head,
        "model": path,
        "model_sha256": hashlib.sha256(model).hexdigest(),
        "stage": None,
        "cpu": None,
        "tensors": rows,
    }
    with open(os.path.join(folder, "index.json"), "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


def dump_of(runtime, made_by, tensors_of):
    """The command of a script for another runtime: `tensors_of` gives arrays by number, of a model's bytes and inputs."""
    parser = argparse.ArgumentParser(description=f"Dumps the tensors of {runtime} in the layout of docs/recordings.md.")
    parser.add_argument("model")
    parser.add_argument("folder", help="where to write")
    parser.add_argument("--inputs", required=True, help="a folder with in0.npy ...")
    arguments = parser.parse_args()
    with open(arguments.model, "rb") as file:
        model = file.read()
    given = read_inputs(model, arguments.inputs)
    head = {"made_by": made_by, "numerics": runtime, "engine": runtime}
    write_dump(arguments.model, model, arguments.folder, given, tensors_of(model, given), details_of(model), head)


def dump(path, folder, kernels, inputs):
    with open(path, "rb") as file:
        model = file.read()
    outputs = [int(tensor) for tensor in schema.ModelT.InitFromPackedBuf(model, 0).subgraphs[0].outputs]
    given = read_inputs(model, inputs)
    interpreter = run_model(model, kernels, given, outputs)
    arrays = {tensor: interpreter.get_tensor(tensor) for tensor in {t for t, _, _ in written_by(model)} | set(outputs)}
    details = {detail["index"]: detail for detail in interpreter.get_tensor_details()}
    head = {"made_by": "ai-edge-litert " + version(), "numerics": "litert " + kernels, "engine": kernels}
    write_dump(path, model, folder, given, arrays, details, head)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("folder", help="where to write")
    parser.add_argument("--kernels", choices=RESOLVERS, default="reference")
    parser.add_argument("--inputs", required=True, help="a folder with in0.npy ...")
    arguments = parser.parse_args()
    dump(arguments.model, arguments.folder, arguments.kernels, arguments.inputs)


if __name__ == "__main__":
    main()

"""Dumps the tensors of an .onnx model that onnxruntime's default session computes, in the layout of docs/recordings.md.

    dump_onnxruntime.py MODEL FOLDER IN0.npy...

The session fuses units, so a tensor between a DequantizeLinear and a QuantizeLinear may not exist, and int8 may be
held as uint8; such tensors are written as the int8 of the file. Tensors are observed as tests/onnxruntime/compare.py
does it, in the optimized graph, whose results must be those of the session. "numerics" of a row is the operator that
wrote it. Needs the packages of tests/onnxruntime/requirements.txt, and a CPU with VNNI.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import hashlib
import json
import os
import sys
import tempfile

import numpy as np
import onnx
import onnxruntime

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/onnxruntime"))
import compare  # noqa: E402


def row_of(index, name, node, kind, array, file):
    return {
        "tensor": index,
        "name": name,
        "operator": f"operator {node} ({kind}), tensor '{name}'",
        "op": kind,
        "multiplier": None,
        "dtype": array.dtype.name,
        "shape": list(array.shape),
        "scales": [],
        "zero_points": [],
        "axis": None,
        "sha256": hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest(),
        "file": file,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("folder", help="where to write")
    parser.add_argument("inputs", nargs="+", help=".npy files in the model's order")
    arguments = parser.parse_args()
    if not compare.has_vnni():
        sys.exit("onnxruntime's integer products saturate on CPUs without VNNI")
    model = onnx.load(arguments.model)
    given = {port.name: np.load(path) for port, path in zip(model.graph.input, arguments.inputs, strict=True)}
    with tempfile.TemporaryDirectory() as scratch:
        results, tensors, _ = compare.observe(model, given, scratch)
    if tensors is None:
        sys.exit("onnxruntime gives other results when it hands out all tensors")
    os.makedirs(arguments.folder, exist_ok=True)
    for k, array in enumerate(given.values()):
        np.save(os.path.join(arguments.folder, f"in{k}.npy"), array)
    for k, array in enumerate(results):
        np.save(os.path.join(arguments.folder, f"out{k}.npy"), array)
    rows, index = [], 0
    for number, node in enumerate(model.graph.node):
        for name in node.output:
            seen = tensors.get(name)
            if seen is not None:
                file = f"t{index:03d}.npy"
                np.save(os.path.join(arguments.folder, file), seen[0])
                rows.append(row_of(index, name, number, seen[2], seen[0], file))
            index += 1
    with open(arguments.model, "rb") as file:
        digest = hashlib.sha256(file.read()).hexdigest()
    document = {
        "version": 1,
        "made_by": f"onnxruntime {onnxruntime.__version__}",
        "model": os.path.basename(arguments.model),
        "model_sha256": digest,
        "numerics": "onnxruntime",
        "engine": "interpreter",
        "stage": None,
        "cpu": None,
        "tensors": rows,
    }
    with open(os.path.join(arguments.folder, "index.json"), "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()

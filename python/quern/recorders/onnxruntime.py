"""ONNX Runtime's CPU provider, without graph optimizations: every tensor by its name.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import numpy as np
import onnx
import onnxruntime as theirs

from .._executable import Arrays
from .._record import Recorded, Recording
from ._inputs import in_order

_TYPES = {"tensor(float)": np.float32, "tensor(int8)": np.int8, "tensor(uint8)": np.uint8, "tensor(int16)": np.int16,
          "tensor(int32)": np.int32, "tensor(int64)": np.int64, "tensor(bool)": np.bool_, "tensor(double)": np.float64,
          "tensor(uint16)": np.uint16}


def onnxruntime(path: str, inputs: Arrays) -> Recording:
    """The answer of the unfused graph."""
    model = onnx.load(path)
    own = [one.name for one in model.graph.output]
    written = [name for node in model.graph.node for name in node.output if name]
    model.graph.output.extend(onnx.ValueInfoProto(name=name) for name in written if name not in own)
    options = theirs.SessionOptions()
    options.graph_optimization_level = theirs.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = theirs.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    ports = session.get_inputs()
    wanted = [(_TYPES[port.type], tuple(d if isinstance(d, int) else 1 for d in port.shape)) for port in ports]
    arrays = in_order(inputs, [port.name for port in ports], wanted)
    names = [port.name for port in session.get_outputs()]
    made = dict(zip(names, session.run(names, dict(zip([port.name for port in ports], arrays)))))
    tensors = [Recorded(-1, name, np.asarray(made[name]), (), (), None) for name in written if name in made]
    return Recording(f"onnxruntime {theirs.__version__}", "onnxruntime, unoptimized", arrays,
                     [np.asarray(made[name]) for name in own], tensors)

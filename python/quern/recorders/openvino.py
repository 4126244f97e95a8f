"""OpenVINO's CPU plug-in: outputs, which is what its compiled graph still has.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import numpy as np
import openvino as theirs

from .._executable import Arrays
from .._model import load
from .._record import Recorded, Recording
from ._inputs import in_order


def openvino(path: str, inputs: Arrays) -> Recording:
    """One stream, one thread, floats as f32."""
    core = theirs.Core()
    compiled = core.compile_model(core.read_model(path), "CPU", {"INFERENCE_NUM_THREADS": 1,
                                                                 "INFERENCE_PRECISION_HINT": "f32"})
    wanted = [(port.get_element_type().to_dtype(), tuple(port.get_shape())) for port in compiled.inputs]
    arrays = in_order(inputs, [port.get_any_name() for port in compiled.inputs], wanted)
    made = compiled(arrays)
    outputs = [np.array(made[port]) for port in compiled.outputs]
    with load(path) as model:
        ports = model.outputs
    tensors = [Recorded(port.index, port.name, array, (port.scale,) if port.quantized else (),
                        (port.zero_point,) if port.quantized else (), None)
               for port, array in zip(ports, outputs) if port.dtype == array.dtype]
    return Recording(f"openvino {theirs.__version__}", "openvino", arrays, outputs, tensors)

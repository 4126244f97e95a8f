"""tflite-micro's reference kernels: outputs.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import numpy as np
from tflite_micro.python.tflite_micro import runtime as theirs

from .._executable import Arrays
from .._model import load
from .._record import Recorded, Recording
from ._inputs import in_order

_ARENA = 64 << 20


def tflite_micro(path: str, inputs: Arrays) -> Recording:
    """Its interpreter keeps no tensors but inputs and outputs."""
    with load(path) as model:
        ports, out_ports = model.inputs, model.outputs
    arrays = in_order(inputs, [port.name for port in ports], [(port.dtype, port.shape) for port in ports])
    interpreter = theirs.Interpreter.from_file(path, arena_size=_ARENA)
    for i, array in enumerate(arrays):
        interpreter.set_input(array, i)
    interpreter.invoke()
    outputs = [np.array(interpreter.get_output(i)) for i in range(len(out_ports))]
    tensors = [Recorded(port.index, port.name, array, (port.scale,) if port.quantized else (),
                        (port.zero_point,) if port.quantized else (), None) for port, array in zip(out_ports, outputs)]
    return Recording("tflite-micro", "tflm", arrays, outputs, tensors)

"""Quern: exact, fast CPU code from quantized neural networks.

    >>> import quern
    >>> model = quern.load("model.tflite")
    >>> run = model.compile()
    >>> scores = run(image)

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import Diagnostic, Error, Invalid, IoError, Limit, NotFound, QuernWarning, Unsupported
from ._limits import limits

if TYPE_CHECKING:
    from ._comparison import Comparison, ComparedTensor, compare
    from ._executable import Executable, Port, Size, State, Stats, StepTime, Tensor
    from ._model import Ir, Model, load
    from ._record import record
    from ._report import Operator, QuantizedTensor, Unsupport
    from ._system import catalogue, host_level, host_runs

__all__ = [
    "Comparison", "ComparedTensor", "Diagnostic", "Error", "Executable", "Invalid", "IoError", "Ir", "Limit",
    "Model", "NotFound", "Operator", "Port", "QuantizedTensor", "QuernWarning", "Size", "State", "Stats",
    "StepTime", "Tensor", "Unsupport", "Unsupported", "catalogue", "compare", "host_level", "host_runs",
    "limits", "load", "record",
]

# What needs the library is imported when it is first asked for.
_HOMES = {
    "_comparison": ("Comparison", "ComparedTensor", "compare"),
    "_executable": ("Executable", "Port", "Size", "State", "Stats", "StepTime", "Tensor"),
    "_model": ("Ir", "Model", "load"),
    "_record": ("record",),
    "_report": ("Operator", "QuantizedTensor", "Unsupport"),
    "_system": ("__version__", "catalogue", "host_level", "host_runs"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'quern' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(f".{home}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})

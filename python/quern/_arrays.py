"""Arrays of other libraries, without a copy.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any

import numpy as np


def adapt(value: Any, role: str, index: int, name: str) -> np.ndarray[Any, Any]:
    """An array on the memory of an object that has no buffer protocol but DLPack (torch, jax)."""
    if hasattr(value, "__dlpack__"):
        return np.from_dlpack(value)
    raise TypeError(f"{role} {index} '{name}' is an array or another buffer, not {type(value).__name__}: "
                    "nothing is converted; numpy.asarray(value, dtype) makes an array")

"""Inputs of other runtimes, by name or in order.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .._errors import Invalid
from .._executable import Array, Arrays


def in_order(given: Arrays, names: list[str], wanted: list[tuple[Any, tuple[int, ...]]]) -> list[Array]:
    """Arrays of exactly the wanted dtypes and shapes."""
    if isinstance(given, Mapping):
        missing = [name for name in names if name not in given]
        if missing or len(given) != len(names):
            raise Invalid(f"inputs are {names}, not {list(given)}")
        values = [given[name] for name in names]
    else:
        values = list(given) if isinstance(given, (list, tuple)) else [given]
    if len(values) != len(names):
        raise Invalid(f"the model has {len(names)} inputs, not {len(values)}")
    arrays = [np.ascontiguousarray(value).reshape(np.shape(value)) for value in values]
    for name, array, (dtype, shape) in zip(names, arrays, wanted):
        if array.dtype != np.dtype(dtype) or array.shape != tuple(shape):
            raise Invalid(f"input '{name}' is {np.dtype(dtype)} {list(shape)}, not {array.dtype} {list(array.shape)}: "
                          "nothing is converted")
    return arrays

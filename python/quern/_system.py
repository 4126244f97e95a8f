"""What the library and this machine are.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from typing import Any

from . import _quern

__version__ = _quern.version()


def host_level() -> str:
    """The best CPU level of this machine, such as "avx512vnni"."""
    return _quern.host_level()


def host_runs(level: str) -> bool:
    """Whether this machine executes code for a CPU level."""
    return _quern.host_runs(level)


def catalogue(what: str) -> Any:
    """A list of the library: "ops", "dialects", "passes", "tflite", "tflite-refused", "targets",
    "profiles" or "stages"."""
    import json

    return json.loads(_quern.catalogue(what))

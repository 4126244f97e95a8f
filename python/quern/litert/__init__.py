"""LiteRT's Interpreter, by Quern, and Quern's delegate for LiteRT.

    from quern.litert import Interpreter          # instead of ai_edge_litert.interpreter
    quern.litert.delegate(threads=2)              # for experimental_delegates of LiteRT's own

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from typing import Any

from .._errors import NotFound, Unsupported
from ._interpreter import Interpreter, OpResolverType, SignatureRunner

__all__ = ["Interpreter", "OpResolverType", "SignatureRunner", "delegate", "delegate_path"]


def delegate_path() -> str:
    """The file of the external delegate, for programs that load it themselves."""
    folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    path = os.path.join(folder, "libquern_delegate.so")
    if not os.path.exists(path):
        raise NotFound(f"{path}: the delegate is not installed with this package")
    return path


def delegate(*, model: str | os.PathLike[str] | None = None, numerics: str | None = None, threads: int | None = None,
             cache: bool | str | os.PathLike[str] = True, cpu: str | None = None, min_operators: int | None = None,
             skip: tuple[int, ...] = (), explain: bool = False, verbose: bool = False) -> Any:
    """LiteRT's Delegate that runs in Quern what Quern compiles: for `experimental_delegates=[...]`.

    model: the file, where it can't be found by itself (model_content=, and models without weights).
    numerics: profile, "litert-ref" by default. skip: numbers of operators that stay with LiteRT. min_operators: of
    a partition beside others. explain: say on standard error why operators stay.
    """
    try:
        from ai_edge_litert.interpreter import load_delegate
    except ImportError as error:
        raise Unsupported("LiteRT is not installed: pip install ai-edge-litert") from error
    given = {"model": os.fspath(model) if model is not None else None, "numerics": numerics, "threads": threads,
             "cache": "off" if cache is False else None if cache is True else os.fspath(cache), "cpu": cpu,
             "min_operators": min_operators, "skip": " ".join(map(str, skip)) or None, "explain": int(explain) or None,
             "verbose": int(verbose) or None}
    return load_delegate(delegate_path(), {key: str(value) for key, value in given.items() if value is not None})

"""What `inspect` reports, as dataclasses.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

_NUMBERED = re.compile(r"operator (\d+) \(([^)]*)\)")


@dataclass(frozen=True, slots=True)
class Operator:
    """An operation of the IR. One operator of a model file may have become several."""

    index: int  #: in order of execution
    number: int  #: of the operator in the model file; -1: unknown
    kind: str  #: in the model file, such as "CONV_2D"; empty: unknown
    op: str  #: its kind in the IR, such as "ml.conv"
    location: str
    inputs: tuple[str, ...]  #: types
    outputs: tuple[str, ...]
    tensors: tuple[int, ...]  #: numbers of what it writes in the model file
    reads: tuple[int, ...]  #: numbers of what other operators write for it
    macs: int  #: multiply-accumulates
    weight_bytes: int
    ram_bytes: int | None  #: live while it runs; None: the model can't be compiled
    unsupported: str | None  #: why it can't be compiled
    attributes: dict[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class QuantizedTensor:
    """A tensor that an operator writes."""

    index: int  #: number in the model file
    operator: int  #: index of the operator that writes it
    dtype: str
    shape: tuple[int, ...]
    scales: tuple[float, ...]  #: empty: not quantized
    zero_points: tuple[int, ...]
    axis: int | None  #: of several scales


@dataclass(frozen=True, slots=True)
class Unsupport:
    """Whether a model can be compiled; true or false, with the reasons."""

    compilable: bool
    reasons: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.compilable


def operators(report: dict[str, Any]) -> list[Operator]:
    """The operators of a report."""
    return [_operator(one) for one in report["operators"]]


def _operator(one: dict[str, Any]) -> Operator:
    found = _NUMBERED.search(one["location"])
    return Operator(
        index=one["index"], number=one.get("operator", int(found[1]) if found else -1),
        kind=found[2] if found else "", op=one["op"], location=one["location"],
        inputs=tuple(one["inputs"]), outputs=tuple(one["outputs"]), tensors=tuple(one["tensors"]),
        reads=tuple(one["reads"]), macs=one["macs"], weight_bytes=one["weight_bytes"],
        ram_bytes=one.get("ram_bytes"), unsupported=one.get("unsupported"), attributes=one["attributes"])


def tensors(report: dict[str, Any]) -> list[QuantizedTensor]:
    """The numbered tensors of a report."""
    return [QuantizedTensor(one["tensor"], one["operator"], one["dtype"], tuple(one["shape"]),
                            tuple(one["scales"]), tuple(one["zero_points"]), one["axis"])
            for one in report["tensors"]]


def supported(report: dict[str, Any]) -> Unsupport:
    """Whether it can be compiled, and what is in the way."""
    reasons = [f"{one['location']}: {one['unsupported']}" for one in report["operators"] if "unsupported" in one]
    if report.get("problem"):
        reasons.append(report["problem"])
    return Unsupport(report["compilable"], tuple(reasons))

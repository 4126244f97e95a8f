"""What LiteRT tells of a file that Quern has no use for: names and quantization of all tensors, constants,
signatures. The file has been verified by the library before it is read here.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

_T = TypeVar("_T")

#: Types of tensors as the file numbers them.
_TYPES: tuple[type[np.generic], ...] = (
    np.float32, np.float16, np.int32, np.uint8, np.int64, np.bytes_, np.bool_, np.int16, np.complex64, np.int8,
    np.float64, np.complex128, np.uint64, np.void, np.void, np.uint32, np.uint16, np.int8, np.float32, np.int8)
_PACKED = (17, 19)  # several elements in a byte


class _Table:
    """A table of a FlatBuffer."""

    def __init__(self, data: bytes | memoryview, at: int):
        self._data, self._at = data, at

    def _field(self, number: int) -> int:
        vtable = self._at - self._int(self._at, "<i")
        if 4 + 2 * number >= self._int(vtable, "<H"):
            return 0
        offset = self._int(vtable + 4 + 2 * number, "<H")
        return self._at + offset if offset else 0

    def _int(self, at: int, kind: str) -> int:
        return int(struct.unpack_from(kind, self._data, at)[0])

    def number(self, number: int, kind: str, default: int = 0) -> int:
        """A scalar."""
        at = self._field(number)
        return self._int(at, kind) if at else default

    def child(self, number: int) -> _Table | None:
        """A table."""
        at = self._field(number)
        return _Table(self._data, at + self._int(at, "<I")) if at else None

    def _vector(self, number: int) -> tuple[int, int]:
        at = self._field(number)
        if not at:
            return 0, 0
        at += self._int(at, "<I")
        return at + 4, self._int(at, "<I")

    def array(self, number: int, kind: str) -> np.ndarray[Any, Any]:
        """A vector of scalars; empty when it is absent."""
        at, count = self._vector(number)
        return np.frombuffer(self._data, kind, count, at) if count else np.empty(0, kind)

    def text(self, number: int) -> str:
        """A string."""
        return self.array(number, "u1").tobytes().decode(errors="replace")

    def children(self, number: int, make: Callable[[_Table], _T]) -> list[_T]:
        """A vector of tables."""
        at, count = self._vector(number)
        places = range(at, at + 4 * count, 4)
        return [make(_Table(self._data, place + self._int(place, "<I"))) for place in places]


@dataclass(slots=True)
class FileTensor:
    """A tensor of the file."""

    name: str
    dtype: type[np.generic]
    shape: np.ndarray[Any, Any]
    signature: np.ndarray[Any, Any]  #: -1: unknown
    scales: np.ndarray[Any, Any]
    zero_points: np.ndarray[Any, Any]
    quantized_dimension: int
    variable: bool
    packed: bool
    buffer: int


@dataclass(slots=True)
class FileSignature:
    """A name of a subgraph."""

    inputs: dict[str, int]  #: tensors by name
    outputs: dict[str, int]
    subgraph: int


@dataclass(slots=True)
class File:
    """A model file."""

    tensors: list[FileTensor]
    inputs: list[int]
    outputs: list[int]
    signatures: dict[str, FileSignature]
    subgraphs: int
    _buffers: list[np.ndarray[Any, Any]] = field(repr=False)

    def constant(self, index: int) -> np.ndarray[Any, Any] | None:
        """The values of a constant; None: it is none."""
        tensor = self.tensors[index]
        data = self._buffers[tensor.buffer] if tensor.buffer < len(self._buffers) else np.empty(0, "u1")
        if not data.size or tensor.packed or tensor.dtype in (np.bytes_, np.void):
            return None
        return data.view(tensor.dtype).reshape(tensor.shape)


def _tensor(table: _Table) -> FileTensor:
    quantization = table.child(4)
    shape = table.array(0, "<i4").astype(np.int32)
    signature = table.array(7, "<i4").astype(np.int32)
    empty = np.empty(0, np.float32)
    scales = quantization.array(2, "<f4").astype(np.float32) if quantization else empty
    zeros = quantization.array(3, "<i8").astype(np.int32) if quantization else empty.astype(np.int32)
    kind = table.number(1, "<b")
    return FileTensor(table.text(3), _TYPES[kind] if kind < len(_TYPES) else np.void, shape,
                      signature if signature.size else shape, scales, zeros,
                      quantization.number(6, "<i") if quantization else 0, bool(table.number(5, "<B")),
                      kind in _PACKED, table.number(2, "<I"))


def _maps(table: _Table, number: int) -> dict[str, int]:
    return dict(table.children(number, lambda one: (one.text(0), one.number(1, "<I"))))


def read(data: bytes | memoryview, signature: str | None = None) -> File:
    """A file; the subgraph of a signature, or the first."""
    model = _Table(data, int(struct.unpack_from("<I", data)[0]))
    signatures = {key: FileSignature(inputs, outputs, graph) for inputs, outputs, key, graph in model.children(
        7, lambda one: (_maps(one, 0), _maps(one, 1), one.text(2), one.number(4, "<I")))}
    graphs = model.children(2, lambda one: one)
    graph = graphs[signatures[signature].subgraph if signature else 0]
    buffers = model.children(4, lambda one: one.array(0, "u1"))
    return File(graph.children(0, _tensor), graph.array(1, "<i4").tolist(), graph.array(2, "<i4").tolist(), signatures,
                len(graphs), buffers)

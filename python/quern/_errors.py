"""Exceptions and warnings: what the library says, in parts.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import warnings
from typing import NamedTuple

_SEVERITIES = ("error", "warning", "note", "remark", "help")


class Diagnostic(NamedTuple):
    """One message of the library. A note or help belongs to the error or warning before it."""

    severity: str  #: "error", "warning", "note", "remark" or "help"
    file: str  #: of the first place in a text file; empty without one
    line: int  #: from 1; 0 without a place
    column: int
    code: str  #: of messages about rewrite rules; empty as a rule
    text: str
    where: str  #: the place in words: "a.mlir:1:2", or "a.tflite: operator 3 (CONV_2D), tensor 't'"

    def __str__(self) -> str:
        return f"{self.where}: {self.severity}: {self.text}" if self.where else f"{self.severity}: {self.text}"


class Error(RuntimeError):
    """What every error of the library is."""

    status = "internal error"

    def __init__(self, text: str, diagnostics: tuple[Diagnostic, ...] = ()):
        super().__init__(text)
        self.diagnostics = diagnostics  #: all that was said, in order

    def __reduce__(self) -> tuple[type[Error], tuple[str, tuple[Diagnostic, ...]]]:
        return type(self), (str(self), self.diagnostics)


class Invalid(Error, ValueError):
    """A file, a text or an array is not what it has to be."""

    status = "invalid input"


class Unsupported(Error, NotImplementedError):
    """Well-formed, but outside of what this version implements."""

    status = "unsupported"


class NotFound(Error, LookupError):
    """A name that does not exist: a file, a CPU, an input."""

    status = "not found"


class IoError(Error):
    """The operating system reported an error on reading or writing."""

    status = "input/output error"


class Limit(Error):
    """A limit of memory, time or size was reached."""

    status = "limit exceeded"


class QuernWarning(UserWarning):
    """A warning of the library, such as an operator that is computed in float."""


for _public in (Diagnostic, Error, Invalid, Unsupported, NotFound, IoError, Limit, QuernWarning):
    _public.__module__ = "quern"  # where people find them, and what a traceback says

_CLASSES = (Error, Invalid, Unsupported, NotFound, IoError, Limit, Error)
_Raw = tuple[int, str, int, int, str, str, str]


def _read(raw: list[_Raw]) -> tuple[Diagnostic, ...]:
    return tuple(Diagnostic(_SEVERITIES[one[0]], *one[1:]) for one in raw)


def _summary(diagnostics: tuple[Diagnostic, ...], status: str) -> str:
    """The first errors with their notes; the rest is counted."""
    shown: list[str] = []
    errors = 0
    for one in diagnostics:
        if one.severity == "error":
            errors += 1
        if errors and errors <= 5 and one.severity in ("error", "note", "help"):
            place = f"{one.where}: " if one.where else ""
            shown.append(f"{place}{one.text}" if one.severity == "error" else f"  {one.severity}: {one.text}")
    if errors > 5:
        shown.append(f"and {errors - 5} more errors: see diagnostics")
    return "\n".join(shown) or status


def make_error(status: int, name: str, text: str | None, raw: list[_Raw] | None) -> Error:
    """The exception for a status of the C API."""
    diagnostics = _read(raw or [])
    return _CLASSES[status](text or _summary(diagnostics, name), diagnostics)


def warn(raw: list[_Raw]) -> None:
    """Warns of warnings; what else was said without an error is for --verbose."""
    for one in _read(raw):
        if one.severity == "warning":
            warnings.warn(str(one).replace("warning: ", "", 1), QuernWarning, stacklevel=3)

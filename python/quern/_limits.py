"""quern.limits: bounds on memory and time of the calls in a block.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import time
from contextvars import ContextVar, Token
from types import TracebackType

_ANY_MEMORY = 2**64 - 1
#: Bytes, and the time at which it is over; None: any.
_Bounds = tuple[int, float | None]
_bounds: ContextVar[_Bounds | None] = ContextVar("quern.limits", default=None)


def current() -> tuple[int, float] | None:
    """Bytes and seconds that a call may take now, as the C API takes them."""
    bounds = _bounds.get()
    if bounds is None:
        return None
    memory, end = bounds
    return memory, -1.0 if end is None else max(end - time.monotonic(), 0.0)


class limits:  # pylint: disable=invalid-name
    """Bounds what calls in a block may take, all together in time and each in memory.

    A call that would take more ends with `quern.Limit`; objects that were made before stay usable.
    Blocks nest: the tighter bound holds. They belong to the thread or task that opened them.
    """

    def __init__(self, *, memory: int | None = None, seconds: float | None = None):
        if memory is not None and memory < 0 or seconds is not None and seconds < 0:
            raise ValueError("a limit is not negative")
        self._memory = _ANY_MEMORY if memory is None else int(memory)
        self._seconds = seconds
        self._tokens: list[Token[_Bounds | None]] = []

    def __enter__(self) -> limits:
        from . import _quern

        outer = _bounds.get()
        end = None if self._seconds is None else time.monotonic() + self._seconds
        memory = self._memory
        if outer is not None:
            memory = min(memory, outer[0])
            end = outer[1] if end is None else end if outer[1] is None else min(end, outer[1])
        self._tokens.append(_bounds.set((memory, end)))
        _quern.count_limits(1)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        from . import _quern

        _quern.count_limits(-1)
        _bounds.reset(self._tokens.pop())

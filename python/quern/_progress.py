"""A line on standard error while something takes long.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Callable, Union

#: Called about once a second from another thread: what is done, seconds so far, entries done, all.
ProgressFn = Callable[[str, float, int, int], None]
#: None: a line when standard error is a terminal and it takes long; True: always; False: never.
Progress = Union[None, bool, ProgressFn]

_QUIET_SECONDS = 2.0


def _line(what: str, seconds: float, done: int, total: int) -> None:
    count = f": {done} of {total}" if total else ""
    print(f"\r\x1b[K{what}{count}, {seconds:.0f} s", end="", file=sys.stderr, flush=True)


class Watch:
    """Shows progress of a block; without anybody to look at it, it costs nothing."""

    def __init__(self, what: str, progress: Progress = None, total: int = 0):
        self._what, self._total = what, total
        self.done = 0
        self._show: ProgressFn | None = progress if callable(progress) else None
        self._own_line = progress is True or progress is None and sys.stderr is not None and sys.stderr.isatty()
        if self._own_line:
            self._show = _line
        self._wait = 1.0 if callable(progress) else _QUIET_SECONDS
        self._ended = threading.Event()
        self._shown = False
        self._thread: threading.Thread | None = None
        self._start = time.monotonic()

    @property
    def visible(self) -> bool:
        """Whether anybody looks."""
        return self._show is not None

    def _watch(self) -> None:
        wait = self._wait
        while not self._ended.wait(wait):
            assert self._show
            self._shown = True
            self._show(self._what, time.monotonic() - self._start, self.done, self._total)
            wait = 1.0

    def __enter__(self) -> Watch:
        if self._show:
            self._thread = threading.Thread(target=self._watch, name="quern progress", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join()
        if self._shown and self._own_line:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)

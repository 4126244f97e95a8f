"""The tool: where it is, and running it.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from ._errors import Error, Invalid, Limit, NotFound, Unsupported

#: Exit codes of the tool that are errors.
_ERRORS: dict[int, type[Error]] = {2: Invalid, 3: Invalid, 4: Unsupported, 5: Limit, 6: Error}


def path() -> str:
    """The file of the tool that belongs to this package."""
    file = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tool")
    if not os.access(file, os.X_OK):
        raise NotFound(f"{file}: the tool is not installed with this package")
    return file


def run(arguments: Sequence[str | os.PathLike[str]], pass_fds: Sequence[int] = ()) -> tuple[int, str]:
    """Runs the tool; its exit code, 0 or 1, and what it printed. Other exit codes raise."""
    done = subprocess.run([path(), *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", pass_fds=pass_fds, check=False)
    if done.returncode in (0, 1):
        return done.returncode, done.stdout
    error = _ERRORS.get(done.returncode, Error)
    raise error(done.stderr.strip() or f"the tool ended with {done.returncode}")

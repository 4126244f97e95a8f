"""`python -m quern ...` is the tool `quern`.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
import sys
from typing import NoReturn

from . import _tool
from ._errors import NotFound


def main() -> NoReturn:
    """Becomes the tool."""
    try:
        tool = _tool.path()
    except NotFound as error:
        sys.exit(f"quern: {error}")
    os.execv(tool, ["quern", *sys.argv[1:]])


if __name__ == "__main__":
    main()

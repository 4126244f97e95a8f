#!/usr/bin/env python3
"""Writes the digits set inside the scikit-learn package as images, one folder per class, for "quern eval".

    python3 -m venv /tmp/digits && /tmp/digits/bin/pip install scikit-learn==1.5.2
    /tmp/digits/bin/python images.py DIR      # DIR/all, 1797 images; DIR/held-out, 360 of them

Held out is what train.py did not see. A byte of an image is the model's stored value plus 128.

SPDX-License-Identifier: Apache-2.0
"""
import pathlib
import struct
import sys
import zlib

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

HERE = pathlib.Path(__file__).resolve().parent


def png(rows):
    """An image with one channel of 8 bits."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = rows.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    lines = b"".join(b"\0" + row.tobytes() for row in rows)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


def main():
    folder, labels = pathlib.Path(sys.argv[1]), (HERE / "labels.txt").read_text().split()
    digits = load_digits()
    pixels = np.round(digits.images / 16 * 255).astype(np.uint8)
    numbers = np.arange(len(pixels))
    _, held_out = train_test_split(numbers, test_size=0.2, random_state=1, stratify=digits.target)
    for part, members in (("all", numbers), ("held-out", held_out)):
        for label in labels:
            (folder / part / label).mkdir(parents=True, exist_ok=True)
        for n in members:
            (folder / part / labels[digits.target[n]] / f"{n:04}.png").write_bytes(png(pixels[n]))


if __name__ == "__main__":
    main()

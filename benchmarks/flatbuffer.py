"""The file format of .tflite (FlatBuffers), as far as synthetic models need it: parents come first, then the objects that they refer to.

SPDX-License-Identifier: Apache-2.0
"""
import struct


class Table:
    """Fields as (number, struct code, value); the code "*" is a reference. Those that are 0 may be left out."""

    def __init__(self, *fields):
        self.fields = fields

    def write(self, out):
        count = max((f[0] for f in self.fields), default=-1) + 1
        places, size, at = [0] * count, {"*": 4, "i": 4, "I": 4, "f": 4, "b": 1, "B": 1}, 4
        for number, code, _ in sorted(self.fields, key=lambda f: -size[f[1]]):
            places[number] = at
            at += size[code]
        pad(out, 4, (4 + 2 * count) % 4)
        start = len(out)
        out += struct.pack(f"<HH{count}H", 4 + 2 * count, at, *places)
        table = len(out)
        out += struct.pack("<i", table - start) + bytes(at - 4)
        for number, code, value in self.fields:
            if code != "*":
                struct.pack_into("<" + code, out, table + places[number], value)
        for number, code, value in self.fields:
            if code == "*":
                refer(out, table + places[number], value)
        return table


class Vector:
    """Of scalars by struct code, of bytes, or of references."""

    def __init__(self, code, values):
        self.code, self.values = code, values

    def write(self, out):
        align = {"q": 8, "B": 16}.get(self.code, 4)
        pad(out, align, 4 % align)
        pad_to = len(out)
        out += struct.pack("<I", len(self.values))
        if self.code == "B":
            out += self.values
        elif self.code == "*":
            out += bytes(4 * len(self.values))
            for i, value in enumerate(self.values):
                refer(out, pad_to + 4 + 4 * i, value)
        else:
            out += struct.pack(f"<{len(self.values)}{self.code}", *self.values)
        return pad_to


class Text(Vector):
    def __init__(self, text):
        super().__init__("B", text.encode())

    def write(self, out):
        at = super().write(out)
        out += b"\0"
        return at


def pad(out, align, rest):
    """So that what follows `rest` more bytes is aligned."""
    while (len(out) + rest) % align:
        out += b"\0"


def refer(out, place, target):
    struct.pack_into("<I", out, place, target.write(out) - place)

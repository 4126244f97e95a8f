#!/usr/bin/env python3
"""Writes .onnx files with one product by weights of 4 bits and a scale per block of 32, as language models have them.

    block_weights.py [--f32-scales] DIRECTORY [ROWS...]      writes DIRECTORY/linear_4096_int4_ROWS.onnx; 1, 8 and 128 rows without any

The operator is com.microsoft's MatMulNBits with K = N = 4096, floats of 32 bits as activations and scales. The scales are values
of f16, as exporters convert them from checkpoints; with --f32-scales they are not. ONNX Runtime, OpenVINO and Quern read it. The
bytes are the same in every run. Only Python is required.

SPDX-License-Identifier: Apache-2.0"""
import argparse
import os
import random
import struct

WIDTH, BLOCK, BITS = 4096, 32, 4
MODELS = {f"linear_4096_int4_{rows}": rows for rows in (1, 8, 128)}
FLOAT, UINT8 = 1, 2  # TensorProto.DataType
INT = 2              # AttributeProto.AttributeType


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def field(number, value):
    """A field of a protocol buffer: an integer, or text, bytes or a message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    content = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(content)) + content


def constant(name, kind, dims, content):
    return b"".join(field(1, d) for d in dims) + field(2, kind) + field(8, name) + field(9, content)


def port(name, dims):
    shape = b"".join(field(1, field(1, d)) for d in dims)
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, shape)))


def attribute(name, value):
    return field(1, name) + field(3, value) + field(20, INT)


def half(value):
    return struct.unpack("<e", struct.pack("<e", value))[0]


def linear(rows, scale_of=half):
    chance = random.Random(rows)
    blocks = WIDTH // BLOCK
    weights = constant("w", UINT8, [WIDTH, blocks, BLOCK * BITS // 8], chance.randbytes(WIDTH * WIDTH * BITS // 8))
    drawn = [scale_of(chance.uniform(0.5, 2) / 256) for _ in range(blocks * WIDTH)]
    scales = constant("s", FLOAT, [WIDTH * blocks], struct.pack(f"<{len(drawn)}f", *drawn))
    attributes = [attribute(*a) for a in (("K", WIDTH), ("N", WIDTH), ("bits", BITS), ("block_size", BLOCK), ("accuracy_level", 4))]
    node = (field(1, "x") + field(1, "w") + field(1, "s") + field(2, "y") + field(3, "product") + field(4, "MatMulNBits") +
            b"".join(field(5, a) for a in attributes) + field(7, "com.microsoft"))
    graph = (field(1, node) + field(2, "graph") + field(5, weights) + field(5, scales) + field(11, port("x", [rows, WIDTH])) +
             field(12, port("y", [rows, WIDTH])))
    return (field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17)) +
            field(8, field(1, "com.microsoft") + field(2, 1)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("rows", nargs="*", type=int)
    parser.add_argument("--f32-scales", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    for rows in options.rows or MODELS.values():
        path = os.path.join(options.folder, f"linear_4096_int4_{rows}.onnx")
        with open(path, "wb") as file:
            file.write(linear(rows, float if options.f32_scales else half))
        print(path)


if __name__ == "__main__":
    main()

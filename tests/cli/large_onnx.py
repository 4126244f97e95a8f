"""Memory of importing .onnx files with large external data: large_onnx.py QUERN

The weights of a chain of products are 256 MiB, in a sparse file. An import must need no more memory than the data and a tenth of
it: weights stay in the memory that the file was read into. Nor does inspect copy them eightfold, as integers held in f64. quern counts its memory itself (--max-memory).

SPDX-License-Identifier: Apache-2.0"""

import os
import subprocess
import sys
import tempfile

WIDTH, MIB = 2048, 1 << 20
BYTES = 256 * MIB
FLOAT, UINT8, INT8 = 1, 2, 3  # TensorProto.DataType


# ---- protobuf ----

def varint(value):
    out = b""
    while value > 127:
        out, value = out + bytes([value & 127 | 128]), value >> 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def bytes_field(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


# ---- messages ----

def scalar(name, dtype, data):
    return bytes_field(5, number(2, dtype) + bytes_field(8, name) + bytes_field(9, data))


def weights(name, dtype, offset, size):
    external = b"".join(bytes_field(13, bytes_field(1, key) + bytes_field(2, value))
                        for key, value in (("location", "weights"), ("offset", str(offset)), ("length", str(size))))
    return bytes_field(5, 2 * number(1, WIDTH) + number(2, dtype) + bytes_field(8, name) + external + number(14, 1))


def node(kind, inputs, output, *attributes):
    names = b"".join(bytes_field(1, name) for name in inputs) + bytes_field(2, output)
    return bytes_field(1, names + bytes_field(4, kind) + b"".join(attributes))


def port(field, name):
    dims = bytes_field(1, number(1, 1)) + bytes_field(1, number(1, WIDTH))
    return bytes_field(field, bytes_field(1, name) + bytes_field(2, bytes_field(1, number(1, FLOAT) + bytes_field(2, dims))))


def model(kind):
    dtype, size = (INT8, WIDTH * WIDTH) if kind == "bytes" else (FLOAT, 4 * WIDTH * WIDTH)
    count, graph, x = BYTES // size, b"", "x"
    transposed = bytes_field(5, bytes_field(1, "transB") + number(3, 1) + number(20, 2))
    for i in range(count):
        w, y = f"w{i}", f"y{i}"
        graph += weights(w, dtype, i * size, size)
        if kind == "bytes":
            graph += node("QuantizeLinear", [x, "s", "z"], f"q{i}") + node("DequantizeLinear", [f"q{i}", "s", "z"], f"d{i}")
            graph += node("DequantizeLinear", [w, "s", "k"], f"e{i}")
            x, w = f"d{i}", f"e{i}"
        graph += node("Gemm", [x, w], y, transposed) if kind == "gemm" else node("MatMul", [x, w], y)
        x = y
    graph += scalar("s", FLOAT, b"\x0a\xd7\x23\x3c") + scalar("z", UINT8, b"\x80") + scalar("k", INT8, b"\x00")
    graph += port(11, "x") + port(12, x)
    return number(1, 10) + bytes_field(7, graph) + bytes_field(8, number(2, 21))


def main():
    quern, failed = os.path.abspath(sys.argv[1]), False
    opt = ["opt", "--mlir-elide-elementsattrs-if-larger=8", "-o", os.devnull]
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "weights"), "wb") as file:
            file.truncate(BYTES)
        for kind in ("float", "gemm", "bytes"):
            path = os.path.join(folder, f"{kind}.onnx")
            with open(path, "wb") as file:
                file.write(model(kind))
            rows = [(opt, BYTES + BYTES // 10, 0), (opt, BYTES - MIB, 5)]
            if kind == "bytes":  # the report needs all kernels, which convert one layer at a time
                rows.append((["inspect"], BYTES + 48 * MIB, 0))
            for (command, *options), limit, expected in rows:
                line = [quern, command, path, *options, "--max-memory", str(limit)]
                done = subprocess.run(line, capture_output=True, text=True, errors="replace")
                if done.returncode != expected:
                    print(f"{command} of {kind} with {limit} bytes: exit code {done.returncode} instead of {expected}: {done.stderr}")
                    failed = True
    return failed


if __name__ == "__main__":
    sys.exit(main())

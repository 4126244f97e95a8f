#!/usr/bin/env python3
"""Memory and time of importing large .onnx files.

    large.py weights FILE [--mebibytes N] [--kind float|bytes|gemm]   a chain of MatMul or Gemm whose weights are external data
    large.py nodes FILE [--count N]                                   a chain of elementwise nodes
    large.py measure QUERN ARGUMENT...                                runs a command of quern; prints its time, the largest resident
                                                                      memory, and the largest part of it that is no mapped file

Weights are a sparse file beside FILE, so that 2 GiB take no disk space; they read as zeros, except for one row. Required package:
onnx, except for `measure`, which needs Linux.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import pathlib
import resource
import subprocess
import sys
import time

WIDTH = 4096  # weights are [WIDTH, WIDTH]
MIB = 1 << 20


def external(name, dtype, shape, location, offset, length):
    from onnx import TensorProto
    tensor = TensorProto(name=name, data_type=dtype, dims=shape, data_location=TensorProto.EXTERNAL)
    for key, value in (("location", location), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))
    return tensor


def save(path, nodes, tensors, shape):
    import onnx
    from onnx import TensorProto, helper
    ports = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name in ("x", nodes[-1].output[0])]
    graph = helper.make_graph(nodes, "large", ports[:1], ports[1:], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10)
    path.write_bytes(model.SerializeToString())


def weights(path, mebibytes, kind):
    import numpy
    from onnx import TensorProto, helper, numpy_helper
    bytes_each = WIDTH * WIDTH * (1 if kind == "bytes" else 4)
    count = mebibytes * MIB // bytes_each
    data = path.with_suffix(".data")
    with open(data, "wb") as file:
        file.write(numpy.ones(WIDTH, numpy.float32).tobytes())
        file.truncate(count * bytes_each)
    dtype = TensorProto.INT8 if kind == "bytes" else TensorProto.FLOAT
    tensors = [external(f"w{i}", dtype, [WIDTH, WIDTH], data.name, i * bytes_each, bytes_each) for i in range(count)]
    tensors += [numpy_helper.from_array(numpy.float32(.01), "s"), numpy_helper.from_array(numpy.uint8(128), "z"),
                numpy_helper.from_array(numpy.int8(0), "k")]
    nodes, x = [], "x"
    for i in range(count):
        w, y = f"w{i}", f"y{i}"
        if kind == "bytes":
            nodes += [helper.make_node("QuantizeLinear", [x, "s", "z"], [f"q{i}"]), helper.make_node("DequantizeLinear", [f"q{i}", "s", "z"], [f"d{i}"]),
                      helper.make_node("DequantizeLinear", [w, "s", "k"], [f"e{i}"])]
            x, w = f"d{i}", f"e{i}"
        nodes.append(helper.make_node("Gemm", [x, w], [y], transB=1) if kind == "gemm" else helper.make_node("MatMul", [x, w], [y]))
        x = y
    save(path, nodes, tensors, [1, WIDTH])


def nodes(path, count):
    from onnx import helper
    kinds = ("Relu", "Sigmoid", "Neg", "Abs")
    save(path, [helper.make_node(kinds[i % 4], [f"y{i - 1}" if i else "x"], [f"y{i}"]) for i in range(count)], [], [4])


def measure(command):
    started, most = time.monotonic(), 0
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while child.poll() is None:
        try:
            status = pathlib.Path(f"/proc/{child.pid}/status").read_text(encoding="ascii")
            most = max([most] + [int(line.split()[1]) for line in status.splitlines() if line.startswith("RssAnon")])
        except OSError:  # it has ended
            pass
        time.sleep(.002)
    taken = time.monotonic() - started
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"exit code {child.returncode}; {taken:.2f} s; resident at most {peak / 1024:.0f} MiB, of it {most / 1024:.0f} MiB anonymous")
    return child.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parts = parser.add_subparsers(dest="part", required=True)
    one = parts.add_parser("weights")
    one.add_argument("file", type=pathlib.Path)
    one.add_argument("--mebibytes", type=int, default=2048)
    one.add_argument("--kind", choices=("float", "bytes", "gemm"), default="float")
    one = parts.add_parser("nodes")
    one.add_argument("file", type=pathlib.Path)
    one.add_argument("--count", type=int, default=100000)
    one = parts.add_parser("measure")
    one.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    if arguments.part == "weights":
        weights(arguments.file, arguments.mebibytes, arguments.kind)
    elif arguments.part == "nodes":
        nodes(arguments.file, arguments.count)
    else:
        return measure(arguments.command)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Times code of level avxvnni on CPUs that have AVX-512 VNNI but not AVX-VNNI.

The code is compiled to assembler text and assembled for AVX-512, so each dot product has the EVEX encoding: the same
instruction, one byte longer. Runs are interleaved with the code of other levels; all code is compiled ahead of time.

usage: stand_in.py --build build/release MODEL...

SPDX-License-Identifier: Apache-2.0"""

import argparse
import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np

import own

LEVEL = "avxvnni"
LEVELS = ["x86-64-v3", LEVEL, "avx512vnni"]
SECONDS = 0.3  # of a level in a round


class Call(ctypes.Structure):
    """The beginning of SYMBOL_call, which one thread needs."""
    _fields_ = [("inputs", ctypes.c_void_p), ("outputs", ctypes.c_void_p), ("arena", ctypes.c_void_p),
                ("rest", ctypes.c_void_p * 6)]


def assemble(quern, model, level, folder):
    """A shared library of the model's code, and the size of its arena."""
    text, source, header, library = (folder / f"{level}{end}" for end in (".s", ".bare.s", ".h", ".so"))
    subprocess.run([quern, "compile", model, "--cpu", level, "--symbol", "m", "--emit", "asm", "-o", text,
                    "--header", header], check=True)
    with open(text, encoding="latin-1") as lines, open(source, "w", encoding="latin-1") as out:
        out.writelines(line.replace("{vex}", "") for line in lines)
    subprocess.run(["clang-22", "-march=native", "-shared", "-fPIC", "-o", library, source], check=True)
    return library, int(re.search(r"M_ARENA_BYTES (\d+)", header.read_text())[1])


class Code:
    """The model in one thread."""

    def __init__(self, library, arena_bytes, executable):
        self.invoke = ctypes.CDLL(str(library)).m_invoke
        self.outputs = [np.zeros_like(array) for array in executable.results]
        self.arena = np.zeros(arena_bytes + 64, np.uint8)
        self.pointers = own.pointers(self.outputs)
        self.inputs = own.pointers(executable.inputs)
        first = -self.arena.ctypes.data % 64
        self.call = Call(ctypes.addressof(self.inputs), ctypes.addressof(self.pointers),
                         self.arena.ctypes.data + first)

    def seconds(self):
        """Per invocation, the mean of as many as take a while."""
        runs, start, call = 0, time.perf_counter(), ctypes.byref(self.call)
        while time.perf_counter() < start + SECONDS:
            assert self.invoke(call) == 0
            runs += 1
        return (time.perf_counter() - start) / runs


def measure(build, model, rounds):
    executable = own.Executable(model, 1)
    executable.set_inputs(executable.random_inputs(1))
    executable.invoke()
    with tempfile.TemporaryDirectory() as folder:
        codes = {level: Code(*assemble(build / "quern", model, level, pathlib.Path(folder)), executable)
                 for level in LEVELS}
        best = {level: min(times) for level, times in
                zip(LEVELS, zip(*[[code.seconds() for code in codes.values()] for _ in range(rounds)]))}
    differing = sum(int(np.count_nonzero(own != other)) for code in codes.values()
                    for own, other in zip(executable.outputs(), code.outputs))
    times = "".join(f"  {level} {1e3 * seconds:8.4f} ms" for level, seconds in best.items())
    print(f"{model.stem:32}{times}  differing elements: {differing}")
    return differing


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("models", nargs="+", type=pathlib.Path, metavar="MODEL")
    args = parser.parse_args()
    if not own.use(args.build).host_runs("avx512vnni"):
        sys.exit("this CPU has no AVX-512 VNNI")
    sys.exit(any([measure(args.build, model, args.rounds) for model in args.models]))


if __name__ == "__main__":
    main()

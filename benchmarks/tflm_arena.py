"""RAM of models: what Quern's code takes, the arena that TensorFlow Lite Micro's greedy planner would need for the same tensors, and
the arena that it was measured to use (tests/targets/tflm_ram.txt, by tflm_arena.sh).

The planner (GreedyMemoryPlanner) is described by its documentation: a tensor lives from the operator
that writes it to the last one that reads it, inputs from the first operator, outputs to the last; sizes are rounded up to 16 bytes;
the largest tensor is placed first, and each further one at the lowest offset where it overlaps no placed tensor that lives at the same
time. Its figure is a lower bound of the arena: structs of tensors and nodes, parameters per channel, states, and scratch buffers of
kernels come in addition.

  benchmarks/tflm_arena.py --quern build/release/quern MODEL.tflite...

SPDX-License-Identifier: Apache-2.0"""

import argparse
import pathlib
import re
import struct
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ALIGN = 16
TRIPLES = {
    "cortex-m0plus": "thumbv6m-none-eabi",
    "cortex-m3": "thumbv7m-none-eabi",
    "cortex-m4": "thumbv7em-none-eabi",
    "cortex-m55": "thumbv8.1m.main-none-eabihf",
    "rv32imc": "riscv32-unknown-elf",
}
# Bytes of an element by the file's TensorType.
BYTES = {0: 4, 1: 2, 2: 4, 3: 1, 4: 8, 6: 1, 7: 2, 9: 1, 10: 8}


class Table:
    """A table of a FlatBuffers file; fields by number, as in TensorFlow Lite's schema."""

    def __init__(self, data, at):
        self.data, self.at = data, at
        self.fields = at - struct.unpack_from("<i", data, at)[0]

    def place(self, field):
        size = struct.unpack_from("<H", self.data, self.fields)[0]
        offset = struct.unpack_from("<H", self.data, self.fields + 4 + 2 * field)[0] if 4 + 2 * field < size else 0
        return self.at + offset if offset else None

    def number(self, field, kind="<I", default=0):
        place = self.place(field)
        return default if place is None else struct.unpack_from(kind, self.data, place)[0]

    def vector(self, field):
        """(address of the first element, number of elements)"""
        place = self.place(field)
        if place is None:
            return 0, 0
        start = place + struct.unpack_from("<I", self.data, place)[0]
        return start + 4, struct.unpack_from("<I", self.data, start)[0]

    def integers(self, field):
        start, count = self.vector(field)
        return list(struct.unpack_from(f"<{count}i", self.data, start))

    def tables(self, field):
        start, count = self.vector(field)
        places = [start + 4 * i for i in range(count)]
        return [Table(self.data, place + struct.unpack_from("<I", self.data, place)[0]) for place in places]


class Graph:
    """The tensors of the first subgraph that a call writes or that are its inputs."""

    def __init__(self, path):
        data = path.read_bytes()
        model = Table(data, struct.unpack_from("<I", data)[0])
        graph, buffers = model.tables(2)[0], model.tables(4)
        self.tensors = graph.tables(0)
        self.inputs, self.outputs = graph.integers(1), graph.integers(2)
        self.operators = [(op.integers(1), op.integers(2)) for op in graph.tables(3)]
        self.constant = [buffers[tensor.number(2)].vector(0)[1] > 0 for tensor in self.tensors]
        self.variable = [tensor.number(5, "<B") != 0 for tensor in self.tensors]

    def size(self, tensor):
        count = 1
        for dim in self.tensors[tensor].integers(0):
            count *= dim
        return count * BYTES[self.tensors[tensor].number(1, "<b")]

    def lives(self):
        """tensor -> [first operator, last operator]"""
        lives = {tensor: [0, 0] for tensor in self.inputs}
        for step, (reads, writes) in enumerate(self.operators):
            for tensor in writes:
                lives.setdefault(tensor, [step, step])
            for tensor in reads:
                if tensor in lives:
                    lives[tensor][1] = step
        for tensor in self.outputs:
            lives[tensor][1] = len(self.operators) - 1
        return {tensor: life for tensor, life in lives.items() if not self.constant[tensor] and not self.variable[tensor]}


def greedy(graph):
    """Bytes of the planned arena."""
    placed, end = [], 0
    lives = graph.lives()
    sizes = {tensor: (graph.size(tensor) + ALIGN - 1) // ALIGN * ALIGN for tensor in lives}
    for tensor in sorted(lives, key=lambda t: -sizes[t]):
        first, last = lives[tensor]
        offset = 0
        for start, size, other_first, other_last in sorted(placed):
            if other_last < first or last < other_first or start + size <= offset:
                continue
            if start >= offset + sizes[tensor]:
                break
            offset = start + size
        placed.append((offset, sizes[tensor], first, last))
        end = max(end, offset + sizes[tensor])
    return end


def ours(options, model):
    """Bytes of the arena, of the arena with places for inputs and outputs, and of that and the states."""
    with tempfile.TemporaryDirectory() as folder:
        header = pathlib.Path(folder) / "m.h"
        command = [options.quern, "compile", model, "-o", header.with_suffix(".o"), "--header", header, "--symbol", "m",
                   "--target", TRIPLES[options.cpu], "--cpu", options.cpu]

        def parts(*more):
            subprocess.run(command + list(more), check=True)
            found = re.findall(r"^#define M_(ARENA|STATE|PREPARED)_BYTES (\d+)$", header.read_text(), re.MULTILINE)
            return {name: int(size) for name, size in found}

        alone, places = parts(), parts("--io-in-arena")
    return alone["ARENA"], places["ARENA"], sum(places.values())


def measured(table):
    """Model -> bytes that benchmarks/tflm_arena.sh printed."""
    lines = [line.split() for line in table.read_text().splitlines() if not line.startswith("#")]
    return {name: int(size) for name, size, _ in lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--quern", default=ROOT / "build" / "release" / "quern")
    parser.add_argument("--cpu", default="cortex-m4", choices=TRIPLES)
    options = parser.parse_args()
    print("| model | arena | arena with places | and states | greedy planner | TFLM, measured |\n|---|---|---|---|---|---|")
    real = measured(ROOT / "tests" / "targets" / "tflm_ram.txt")
    for model in options.models:
        arena, places, ram = ours(options, model)
        known = f"{real[model.stem]:,}" if model.stem in real else ""
        print(f"| {model.stem} | {arena:,} | {places:,} | {ram:,} | {greedy(Graph(model)):,} | {known} |")


main()

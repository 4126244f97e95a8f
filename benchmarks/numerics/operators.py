"""Random models of a single operator: LiteRT's kernels against Quern, element by element.

Models are drawn (shapes, scales, options, constants) of all operators and types in turn, so that a run that is stopped has had
as many of each; each is run on one random input by LiteRT (--kernels: its reference kernels, if not said otherwise) and by Quern
(--numerics: in their profile) in the interpreter at the stage of the model and as machine code, each of the two in a process of
its own. Elements of float operators that LiteRT leaves to libm may differ; integers may not.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import importlib.metadata
import os
import re
import shutil
import sys
import tempfile
import time
import zlib

import numpy as np

from dump_litert import RESOLVERS
import single_cells  # noqa: F401 (registers its generators)
import single_customs  # noqa: F401 (registers its generators)
import single_floats  # noqa: F401 (registers its generators)
import single_shapes  # noqa: F401 (registers its generators)
import single_windows  # noqa: F401 (registers its generators)
from runtimes import WAYS, by_kernels, by_library
from single_operators import GENERATORS, SCALES, Single, Unsuitable
from tally import COLUMNS, Row, differing
from workers import Died, Worker

PROGRESS = 30  # seconds from one line of progress to the next


class Bench:
    """Both sides, a folder for models, and what is done with what differs."""

    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.theirs, self.ours = Worker(by_kernels), Worker(by_library)

    def say(self, text):
        if self.options.verbose:
            print(text, file=sys.stderr, flush=True)

    def write(self, name, inputs, outputs):
        shutil.copy(os.path.join(self.folder, "m.tflite"), os.path.join(self.options.write, f"{name}.tflite"))
        for word, arrays in (("in", inputs), ("out", outputs)):
            for i, array in enumerate(arrays):
                np.save(os.path.join(self.options.write, f"{name}_{word}{i}.npy"), array)

    def by_quern(self, row, label, inputs):
        """Outputs by way, of the ways that there are."""
        found = {}
        for way in WAYS:
            try:
                found[way] = self.ours(self.options.library, os.path.join(self.folder, "m.tflite"), inputs,
                                       self.options.numerics, way)
            except (RuntimeError, ValueError, Died) as error:
                row.unsupported[way] += 1
                self.say(f"{label}: {way}: {error}")
        return found

    def check(self, row, label, model):
        """Counts what differs of (content, inputs); whether something does. What it has to say begins with the label."""
        content, inputs = model
        try:
            expected = self.theirs(content, inputs, self.options.kernels)
        except (RuntimeError, ValueError, Died) as error:
            row.unsupported["litert"] += 1
            self.say(f"{label}: litert: {str(error).splitlines()[0]}")
            return False
        written = getattr(model, "written", lambda outputs: None)(expected)
        if written is not None:
            for y in expected[:-1]:
                y[:, written:] = 0
        with open(os.path.join(self.folder, "m.tflite"), "wb") as file:
            file.write(content)
        if self.options.write:
            self.write(label.replace(" ", "_"), inputs, expected)
        found = self.by_quern(row, label, inputs)
        if not found:
            return False
        counts = row.compare(expected, found)
        for way, differ in counts.items():
            if sum(differ):
                self.say(f"{label}: {way}: elements that differ per output: {differ}")
        if len(found) == len(WAYS) and any(differing(a, b) for a, b in zip(*found.values())):
            row.unsupported["machine code unlike the interpreter"] += 1
            self.say(f"{label}: machine code and interpreter differ")
        return any(map(sum, counts.values()))


def drawn(name, seed):
    """What a seed gives of an operator and type; seeds of two of them have nothing in common."""
    return GENERATORS[name](np.random.default_rng([seed, zlib.crc32(name.encode())]))


def parser_of(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--library", required=True, help="Quern's libquern.so")
    parser.add_argument("--kernels", choices=[*RESOLVERS, "tflm"], default="reference",
                        help="of LiteRT (reference), or of tflite-micro: tflm")
    parser.add_argument("--numerics", default="litert-ref", help="Quern's profile (litert-ref)")
    parser.add_argument("--scales", choices=SCALES, default="uniform", help="how scales are drawn (uniform)")
    parser.add_argument("--seed", type=int, default=1, help="the first (1)")
    parser.add_argument("--write", help="folder for the models, their inputs, and what the kernels make of them")
    return parser


def print_table(rows, to):
    total = Row()
    print("| operator | " + " | ".join(COLUMNS) + " |\n|---|" + "---|" * len(COLUMNS), file=to)
    for name in sorted(rows):
        print(f"| {name} | " + " | ".join(rows[name].cells()) + " |", file=to)
        total.add(rows[name])
    print("| all | " + " | ".join(total.cells()) + " |", file=to)
    return total


def print_page(rows, options, to):
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("ai-edge-litert", "numpy"))
    print(f"# Single operators: LiteRT's {options.kernels} kernels and the profile {options.numerics}\n\n"
          f"Made by `benchmarks/numerics/operators` with {versions}, from seed {options.seed} on. What the columns mean is in "
          "[README.md](README.md).\n", file=to)
    print_table(rows, to)


class Progress:
    """A line now and then, and the page so far."""

    def __init__(self, rows, options):
        self.rows, self.options, self.start = rows, options, time.monotonic()
        self.next = self.start + PROGRESS

    def write_page(self):
        if self.options.page:
            with open(self.options.page, "w", encoding="utf-8") as to:
                print_page(self.rows, self.options, to)

    def tick(self, seed):
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + PROGRESS
        rows = self.rows.values()
        print(f"{now - self.start:.0f} s, seed {seed}: {sum(r.models for r in rows)} models, {sum(r.integers for r in rows)} integers "
              f"and {sum(r.floats for r in rows)} floats differ", file=sys.stderr, flush=True)
        self.write_page()


def main():
    parser = parser_of("single operators: LiteRT's kernels against Quern")
    parser.add_argument("--models", type=int, default=20, help="of each operator and type (20)")
    parser.add_argument("--total", type=int, default=sys.maxsize, help="end after so many models that both have run")
    parser.add_argument("--only", default="", help="operators in whose name this regular expression is found")
    parser.add_argument("--page", help="write a page there, now and then and at the end, instead of printing the table")
    parser.add_argument("--verbose", action="store_true", help="print the seeds that differ or are unsupported")
    options = parser.parse_args()
    Single.scales = options.scales
    rows = {name: Row() for name in sorted(GENERATORS) if re.search(options.only, name)}
    progress = Progress(rows, options)
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options, folder)
        for seed in range(options.seed, options.seed + options.models):
            for name, row in rows.items():
                if sum(r.models for r in rows.values()) >= options.total:
                    break
                try:
                    bench.check(row, f"{name} {seed}", drawn(name, seed))
                except Unsuitable:
                    pass
                progress.tick(seed)
    progress.write_page()
    if not options.page:
        print_table(rows, sys.stdout)
    return 1 if any(row.integers for row in rows.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

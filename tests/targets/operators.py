"""Random models of one operator as objects for another machine, under an emulator, against the interpreter of the model stage.

The models are those of benchmarks/numerics/operators; a batch of them is linked to one program (operators.c). Takes the Python
with the packages of benchmarks/numerics/requirements.txt, for example:

  build/numerics/bin/python tests/targets/operators.py --build build/release --machine aarch64 --level armv8-dot
    --emulator "qemu-aarch64 -cpu neoverse-n1"
  ... --machine riscv64 --level rv64v --emulator "qemu-riscv64 -cpu max,vlen=128"

Several --emulator run the same programs. Exit code 0 if no element differs.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import collections
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks" / "numerics"))

from operators import drawn  # noqa: E402
from runtimes import by_library, own  # noqa: E402
from single_operators import GENERATORS, Unsuitable  # noqa: E402
from tally import signless  # noqa: E402
from workers import Died, Worker  # noqa: E402

FLOATS = (6, 11, 12)  # qn_abi_dtype of f32, f16, f64


class Batch:
    """Models of one program."""

    def __init__(self, options, folder):
        self.options, self.folder, self.labels, self.data = options, pathlib.Path(folder), [], bytearray()

    def add(self, label, content, inputs, expected):
        """Compiles a model; why not if it cannot be."""
        options, name = self.options, f"m{len(self.labels)}"
        model, obj = self.folder / "model.tflite", self.folder / f"{name}.o"
        model.write_bytes(content)
        done = subprocess.run([options.build / "quern", "compile", model, "--target", f"{options.machine}-linux-gnu", "--cpu",
                               options.level, "--numerics", options.numerics, "--symbol", name, "-o", obj],
                              capture_output=True, text=True)
        if done.returncode != 0:
            return done.stderr.strip().splitlines()[-1]
        for array in [*map(signless, inputs), *expected]:
            self.data += array.tobytes()
        self.labels.append(label)
        return None

    def link(self):
        names = [f"m{i}" for i in range(len(self.labels))]
        table = self.folder / "models.c"
        table.write_text('#include "runtime/abi.h"\n' + "".join(f"extern const qn_abi_model {n}_model;\n" for n in names) +
                         "const qn_abi_model *const models[] = {" + ", ".join(f"&{n}_model" for n in names) + "};\n" +
                         f"const int model_count = {len(names)};\n")
        program = self.folder / "operators"
        subprocess.run([f"{self.options.machine}-linux-gnu-gcc", "-std=c17", "-O1", "-static", f"-I{ROOT}",
                        ROOT / "tests" / "targets" / "operators.c", table, *[self.folder / f"{n}.o" for n in names], "-o", program],
                       check=True)
        return program

    def run(self, differ):
        """Runs the program under each emulator; adds to differ[emulator] a list of what differs."""
        program, data = self.link(), self.folder / "data"
        data.write_bytes(self.data)
        for emulator in self.options.emulator:
            done = subprocess.run([*shlex.split(emulator), program, *(["-f"] if self.options.force else []), data], capture_output=True, text=True)
            if done.returncode not in (0, 1):
                raise SystemExit(f"{emulator}: exit code {done.returncode}: {done.stderr}")
            for line in done.stdout.splitlines():
                model, output, dtype, count = map(int, line.split())
                differ[emulator].append((self.labels[model], output, dtype in FLOATS, count))


def models(options):
    """Label, content and inputs, of all operators and types in turn."""
    names = [name for name in sorted(GENERATORS) if re.search(options.only, name)]
    for seed in range(options.seed, sys.maxsize):
        for name in names:
            try:
                content, inputs = drawn(name, seed)
            except Unsuitable:
                continue
            yield f"{name} {seed}", content, inputs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build directory with quern and libquern.so")
    parser.add_argument("--machine", required=True, help="first part of the triple")
    parser.add_argument("--level", required=True)
    parser.add_argument("--emulator", action="append", required=True, help="command before the program; repeatable")
    parser.add_argument("--force", action="store_true", help="run also if an old emulator does not say what its CPU has")
    parser.add_argument("--numerics", default="litert-ref", help="profile (litert-ref)")
    parser.add_argument("--only", default="", help="operators in whose name this regular expression is found")
    parser.add_argument("--seed", type=int, default=1, help="the first (1)")
    parser.add_argument("--total", type=int, default=3000, help="models that are run (3000)")
    parser.add_argument("--batch", type=int, default=300, help="models of one program (300)")
    options = parser.parse_args()
    os.environ["PYTHONWARNINGS"] = "ignore"  # of the processes of the reference
    own.use(options.build)  # its errors come from the process of the reference
    reference, rejected = Worker(by_library), collections.Counter()
    differ, ran, failed = {emulator: [] for emulator in options.emulator}, 0, 0
    made = models(options)
    while ran < options.total:
        with tempfile.TemporaryDirectory() as folder:
            batch = Batch(options, folder)
            model = os.path.join(folder, "reference.tflite")
            while len(batch.labels) < min(options.batch, options.total - ran):
                label, content, inputs = next(made)
                pathlib.Path(model).write_bytes(content)
                try:
                    expected = reference(str(options.build / "libquern.so"), model, inputs, options.numerics, "model")
                except (RuntimeError, ValueError, Died):
                    rejected["by the interpreter"] += 1
                    continue
                reason = batch.add(label, content, inputs, expected)
                if reason:
                    rejected[re.sub(r".*error: ", "", reason)] += 1
            batch.run(differ)
            ran += len(batch.labels)
        print(f"{ran} models: " + "; ".join(f"{emulator}: {len(found)} outputs differ" for emulator, found in differ.items()),
              file=sys.stderr, flush=True)
    for emulator, found in differ.items():
        integers = sum(count for _, _, is_float, count in found if not is_float)
        floats = sum(count for _, _, is_float, count in found if is_float)
        print(f"{options.level}, {emulator}: {ran} models, {integers} integers and {floats} floats differ")
        for label, output, is_float, count in found:
            print(f"  {label}: output {output}: {count} {'floats' if is_float else 'integers'}")
        failed += integers + floats
    for reason, count in rejected.most_common():
        print(f"  not compiled: {count}: {reason}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

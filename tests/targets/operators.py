"""Random models of one operator as objects for another machine, under an emulator, against the interpreter of the model stage.

The models are those of benchmarks/numerics/operators; a batch of them is linked to one program: operators.c, or for an emulated
board the program of 'quern verify --board'. Takes the Python with the packages of benchmarks/numerics/requirements.txt, for example:

  build/numerics/bin/python tests/targets/operators.py --build build/release --machine aarch64 --level armv8-dot
    --emulator "qemu-aarch64 -cpu neoverse-n1"
  ... --machine riscv64 --level rv64v --emulator "qemu-riscv64 -cpu max,vlen=128"
  ... --board an386 --batch 60

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


class Linux:
    """Programs of another machine, under one or more emulators of user mode."""

    def __init__(self, options):
        self.options, self.emulators = options, options.emulator
        self.triple, self.level = f"{options.machine}-linux-gnu", options.level

    def link(self, folder, names):
        program = folder / "operators"
        subprocess.run([f"{self.triple}-gcc", "-std=c17", "-O1", "-static", f"-I{ROOT}", ROOT / "tests" / "targets" / "operators.c",
                        folder / "models.c", *[folder / f"{n}.o" for n in names], "-o", program], check=True)
        return program

    def run(self, batch, program, emulator):
        """What differs: model, output, whether it is of floats, elements."""
        data = batch.folder / "data"
        data.write_bytes(b"".join(array.tobytes() for inputs, expected in batch.data for array in (*inputs, *expected)))
        done = subprocess.run([*shlex.split(emulator), program, *(["-f"] if self.options.force else []), data],
                              capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{emulator}: exit code {done.returncode}: {done.stderr}")
        for line in done.stdout.splitlines():
            model, output, dtype, count = map(int, line.split())
            yield model, output, dtype in FLOATS, count


class Board:
    """Programs of an emulated board. Constants have more memory than on the board of 'quern verify'."""

    ARM = ["arm-none-eabi-gcc", "-mthumb"]
    MPS2 = "FLASH : ORIGIN = 0, LENGTH = 4M CONSTANTS : ORIGIN = 0x21000000, LENGTH = 16M RAM : ORIGIN = 0x20000000, LENGTH = 4M"
    AN547 = "FLASH : ORIGIN = 0, LENGTH = 512K CONSTANTS : ORIGIN = 0x61000000, LENGTH = 64M RAM : ORIGIN = 0x60000000, LENGTH = 16M"
    AN500 = "FLASH : ORIGIN = 0, LENGTH = 4M CONSTANTS : ORIGIN = 0x60000000, LENGTH = 12M RAM : ORIGIN = 0x60C00000, LENGTH = 4M"
    VIRT = "FLASH : ORIGIN = 0x80000000, LENGTH = 4M CONSTANTS : ORIGIN = 0x81000000, LENGTH = 16M RAM : ORIGIN = 0x82000000, LENGTH = 4M"
    RISCV = ["riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32", "-mcmodel=medany"]
    QEMU = ["qemu-system-arm", "-M"]
    # By board, "-" and the level if it is not the board's own: triple, level, compiler, emulator, memory.
    ROWS = {"an385": ("thumbv7m-none-eabi", "cortex-m3", [*ARM, "-mcpu=cortex-m3"], [*QEMU, "mps2-an385"], MPS2),
            "an385-cortex-m0plus": ("thumbv6m-none-eabi", "cortex-m0plus", [*ARM, "-mcpu=cortex-m0plus"], [*QEMU, "mps2-an385"], MPS2),
            "an386": ("thumbv7em-none-eabi", "cortex-m4", [*ARM, "-mcpu=cortex-m4"], [*QEMU, "mps2-an386"], MPS2),
            "an500": ("thumbv7em-none-eabi", "cortex-m7", [*ARM, "-mcpu=cortex-m7"], [*QEMU, "mps2-an500"], AN500),
            "an547": ("thumbv8.1m.main-none-eabihf", "cortex-m55", [*ARM, "-mcpu=cortex-m55", "-mfloat-abi=hard"], [*QEMU, "mps3-an547"],
                      AN547),
            "virt": ("riscv32-unknown-elf", "rv32imc", RISCV, ["qemu-system-riscv32", "-bios", "none", "-M", "virt"], VIRT)}

    def __init__(self, options):
        self.emulators = [options.board]
        self.triple, self.level, self.compiler, self.emulator, self.memory = self.ROWS[options.board]

    def link(self, folder, names):
        (folder / "memory.ld").write_text(f"MEMORY {{ {self.memory} }}\n")
        (folder / "abi.h").symlink_to(ROOT / "runtime" / "abi.h")
        board, program = ROOT / "examples" / "board", folder / "operators.elf"
        subprocess.run([*self.compiler, "-std=c17", "-O1", "-ffreestanding", "-nostdlib", f"-I{ROOT}", f"-I{folder}", f"-I{board}",
                        f"-L{folder}", "-T", board / "board.ld", "-Wl,--gc-sections,-z,noexecstack,--no-warn-rwx-segments", board / "board.c",
                        ROOT / "src" / "cli" / "board" / "device" / "replay.c", folder / "models.c",
                        *[folder / f"{n}.o" for n in names], "-lgcc", "-o", program], check=True)
        return program

    def run(self, batch, program, emulator):
        """The same; the outputs of whole launches and of cut ones are compared."""
        words = [(2 * i + 1).to_bytes(4, "little") + b"".join(array.tobytes() for array in inputs)
                 for i, (inputs, _) in enumerate(batch.data)]
        (batch.folder / "cases").write_bytes(b"".join(words))
        done = subprocess.run([*self.emulator, "-nographic", "-monitor", "none", "-serial", "none",
                               "-semihosting-config", "enable=on,target=native", "-kernel", program], cwd=batch.folder,
                              capture_output=True, text=True, timeout=600)
        answers, at = (batch.folder / "answers").read_bytes(), 0
        if done.returncode != 0:
            raise SystemExit(f"{emulator}: exit code {done.returncode} after {len(answers)} bytes: {done.stderr}")
        for model, (_, expected) in enumerate(batch.data):
            for index in range(2 * len(expected)):
                array = expected[index % len(expected)]
                got, wanted, at = answers[at:at + array.nbytes], array.tobytes(), at + array.nbytes
                size = array.itemsize
                count = sum(got[k:k + size] != wanted[k:k + size] for k in range(0, array.nbytes, size)) if got != wanted else 0
                if count:
                    yield model, index % len(expected), array.dtype.kind == "f", count


class Batch:
    """Models of one program."""

    def __init__(self, options, where, folder):
        self.options, self.where, self.folder, self.labels, self.data = options, where, pathlib.Path(folder), [], []

    def add(self, label, content, inputs, expected):
        """Compiles a model; why not if it cannot be."""
        options, name = self.options, f"m{len(self.labels)}"
        model, obj = self.folder / "model.tflite", self.folder / f"{name}.o"
        model.write_bytes(content)
        done = subprocess.run([options.build / "quern", "compile", model, "--target", self.where.triple, "--cpu", self.where.level,
                               "--numerics", options.numerics, "--symbol", name, "-o", obj], capture_output=True, text=True)
        if done.returncode != 0:
            return done.stderr.strip().splitlines()[-1]
        self.data.append(([signless(array) for array in inputs], expected))
        self.labels.append(label)
        return None

    def run(self, differ):
        """Runs the program under each emulator; adds to differ[emulator] a list of what differs."""
        names = [f"m{i}" for i in range(len(self.labels))]
        (self.folder / "models.c").write_text(
            '#include "runtime/abi.h"\n' + "".join(f"extern const qn_abi_model {n}_model;\n" for n in names) +
            "const qn_abi_model *const models[] = {" + ", ".join(f"&{n}_model" for n in names) + "};\n" +
            f"const uint32_t model_count = {len(names)};\n")
        program = self.where.link(self.folder, names)
        for emulator in self.where.emulators:
            differ[emulator] += [(self.labels[model], *rest) for model, *rest in self.where.run(self, program, emulator)]


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
    parser.add_argument("--board", choices=sorted(Board.ROWS), help="instead of the next three options")
    parser.add_argument("--machine", help="first part of the triple")
    parser.add_argument("--level")
    parser.add_argument("--emulator", action="append", help="command before the program; repeatable")
    parser.add_argument("--force", action="store_true", help="run also if an old emulator does not say what its CPU has")
    parser.add_argument("--numerics", default="litert-ref", help="profile (litert-ref)")
    parser.add_argument("--only", default="", help="operators in whose name this regular expression is found")
    parser.add_argument("--seed", type=int, default=1, help="the first (1)")
    parser.add_argument("--total", type=int, default=3000, help="models that are run (3000)")
    parser.add_argument("--batch", type=int, default=300, help="models of one program (300)")
    options = parser.parse_args()
    if not options.board and not (options.machine and options.level and options.emulator):
        parser.error("--board, or --machine, --level and --emulator")
    where = Board(options) if options.board else Linux(options)
    os.environ["PYTHONWARNINGS"] = "ignore"  # of the processes of the reference
    own.use(options.build)  # its errors come from the process of the reference
    reference, rejected = Worker(by_library), collections.Counter()
    differ, ran, failed = {emulator: [] for emulator in where.emulators}, 0, 0
    made = models(options)
    while ran < options.total:
        with tempfile.TemporaryDirectory() as folder:
            batch = Batch(options, where, folder)
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
        print(f"{where.level}, {emulator}: {ran} models, {integers} integers and {floats} floats differ")
        for label, output, is_float, count in found:
            print(f"  {label}: output {output}: {count} {'floats' if is_float else 'integers'}")
        failed += integers + floats
    for reason, count in rejected.most_common():
        print(f"  not compiled: {count}: {reason}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

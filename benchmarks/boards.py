"""Instructions, cycles and flash of models on emulated boards: the figures of tests/targets/README.md.

An object runs once on an emulated board, and a plugin of QEMU (count_blocks.c) counts the executions of each block of its code.
Instructions are those of the object. Cycles are the sum over blocks of llvm-mca's cycles in a loop of the block alone, times the
executions: a model of the core with memory that never waits.

  benchmarks/boards.py --quern build/release/quern MODEL.tflite...

needs arm-none-eabi-gcc, qemu-system-arm and llvm-mca.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOARD = ROOT / "examples" / "board"
# CPU, triple, emulated machine, address of its code and of its memory.
LEVELS = {
    "cortex-m4": ("thumbv7em-none-eabi", "mps2-an386", 0x0, 0x21000000),
    "cortex-m7": ("thumbv7em-none-eabi", "mps2-an500", 0x0, 0x60000000),
    "cortex-m3": ("thumbv7m-none-eabi", "mps2-an385", 0x0, 0x21000000),
    "cortex-m0plus": ("thumbv6m-none-eabi", "mps2-an385", 0x0, 0x21000000),
    "cortex-m55": ("thumbv8.1m.main-none-eabi", "mps3-an547", 0x0, 0x21000000),
}
NO_MODEL = {"cortex-m0plus", "cortex-m55"}  # LLVM has no times of all instructions
MAIN = """
#include "board.h"
#include "model.h"
static _Alignas(MODEL_ARENA_ALIGN) unsigned char arena[MODEL_ARENA_BYTES + 1];
%s
int firmware_main(void) { %s return model_run(%sarena); }
"""


def run(*command, **options):
    return subprocess.run(list(map(str, command)), check=True, stdout=subprocess.PIPE, text=True, **options).stdout


def program(header):
    """A main file that runs the model on zeros."""
    tensors = [(role.lower()[:3].rstrip("p").replace("inp", "in") + number, kind, f"MODEL_{role}_{number}_BYTES")
               for role, number, kind in re.findall(r"#define MODEL_(INPUT|OUTPUT)_(\d+)_TYPE (\S+)", header)]
    memory = "\n".join(f"static {kind} {name}[{size}];" for name, kind, size in tensors)
    arguments = "".join(f"{name}, " for name, _, _ in tensors)
    states = "MODEL_STATE_BYTES" in header
    if states:
        memory += "\nstatic _Alignas(MODEL_ARENA_ALIGN) unsigned char states[MODEL_STATE_BYTES];"
    return MAIN % (memory, "model_reset(states);" if states else "", arguments + ("states, " if states else ""))


def build(options, folder, model):
    triple, _, code, ram = LEVELS[options.cpu]
    output = folder / ("model.c" if options.c else "model.o")
    run(options.quern, "compile", model, "-o", output, "--header", folder / "model.h", "--symbol", "model", "--target", triple,
        "--cpu", options.cpu, *options.option)
    if options.c:
        run("arm-none-eabi-gcc", f"-mcpu={options.cpu}", "-mthumb", "-mfloat-abi=softfp", "-std=c99", "-O2", "-ffunction-sections", "-fdata-sections", "-c",
            output, "-o", folder / "model.o")
    (folder / "main.c").write_text(program((folder / "model.h").read_text()))
    (folder / "memory.ld").write_text(f"MEMORY {{ FLASH (rx) : ORIGIN = {code:#x}, LENGTH = 4M\n RAM (rwx) : ORIGIN = {ram:#x}, "
                                      "LENGTH = 4M }\nREGION_ALIAS(\"CONSTANTS\", FLASH)\n")
    run("arm-none-eabi-gcc", f"-mcpu={options.cpu}", "-mthumb", "-Os", "-ffreestanding", "-nostdlib", "-Wl,-z,noexecstack", "-I", BOARD, "-I", folder, "-L", folder,
        "-T", BOARD / "board.ld", "-Wl,--gc-sections,--no-warn-rwx-segments", folder / "main.c", BOARD / "board.c", folder / "model.o",
        "-lgcc", "-o", folder / "model.elf")


def blocks(options, folder):
    """[(address, instructions, executions)] of the object's code."""
    log = folder / "log"
    run("qemu-system-arm", "-M", LEVELS[options.cpu][1], "-nographic", "-semihosting", "-kernel", folder / "model.elf", "-plugin",
        options.plugin, "-d", "plugin", "-D", log, timeout=900)
    lost = re.search(r"^lost (\d+)", log.read_text(), re.M)
    assert not lost, f"count_blocks.c has no room for {lost[1]} blocks: increase MAX_BLOCKS"
    symbols = {}
    for line in run("arm-none-eabi-nm", "-S", folder / "model.elf").splitlines():
        fields = line.split()
        if len(fields) == 4:
            symbols[fields[3]] = (int(fields[0], 16) & ~1, int(fields[1], 16))
    own = {line.split()[-1] for line in run("arm-none-eabi-nm", folder / "model.o").splitlines() if line.split()[-2] in "tT"}
    ranges = [symbols[name] for name in own if name in symbols]
    found = [tuple(int(field, base) for field, base in zip(line.split()[1:], (16, 10, 10)))
             for line in log.read_text().splitlines() if line.startswith("block ")]
    return [b for b in found if b[2] and any(start <= b[0] < start + size for start, size in ranges)]


def disassemble(options, folder):
    """address -> (instruction, address of the next one)."""
    text = run(options.objdump, "-d", "--no-show-raw-insn", f"--triple={LEVELS[options.cpu][0]}", f"--mcpu={options.cpu}",
               folder / "model.elf")
    found, last = {}, None
    for address, instruction in re.findall(r"^ *([0-9a-f]+):\s+(\S.*)$", text, re.M):
        instruction = re.sub(r"\s*[@;].*|\s*<.*", "", instruction)
        instruction = re.sub(r"^(b\S*|cbn?z\s+\w+,)\s+(0x)?[0-9a-f]+$", r"\1 target", instruction)
        if last is not None:
            found[last] = (found[last], int(address, 16))
        last = int(address, 16)
        found[last] = instruction
    found[last] = (found[last], last + 4)
    return found


def cycles(options, folder, executed):
    """Cycles of all executions."""
    if options.cpu in NO_MODEL:
        return float("nan")
    code = disassemble(options, folder)
    lines = [".syntax unified"]
    for number, (address, count, _) in enumerate(executed):
        lines.append(f"@ LLVM-MCA-BEGIN b{number}")
        for _ in range(count):
            instruction, address = code[address]
            lines.append(instruction)
        lines.append(f"@ LLVM-MCA-END b{number}")
    source = folder / "blocks.s"
    source.write_text("\n".join(lines) + "\n")
    report = run(options.mca, f"-mtriple={LEVELS[options.cpu][0]}", f"-mcpu={options.cpu}", f"-iterations={options.iterations}",
                 "--skip-unsupported-instructions=any", source, stderr=subprocess.DEVNULL)
    times = [int(number) / options.iterations for number in re.findall(r"^Total Cycles:\s+(\d+)", report, re.M)]
    assert len(times) == len(executed), (len(times), len(executed))
    return sum(time * executions for time, (_, _, executions) in zip(times, executed))


def flash(folder):
    """Bytes of code and of constants in the image, which does not use the description of the model."""
    sizes = {"code": 0, "constants": 0}
    for name, size in re.findall(r"^(\.\S+)\s+(\d+)", run("arm-none-eabi-size", "-A", folder / "model.o"), re.M):
        if name.startswith(".text"):
            sizes["code"] += int(size)
        elif name.startswith(".rodata") and not name.endswith("_model") and ".str" not in name:
            sizes["constants"] += int(size)
    return sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    parser.add_argument("--quern", default=ROOT / "build" / "release" / "quern")
    parser.add_argument("--cpu", default="cortex-m4", choices=LEVELS)
    parser.add_argument("--c", action="store_true", help="C output, compiled by arm-none-eabi-gcc -O2, instead of the object")
    parser.add_argument("--option", action="append", default=[], help="an option of quern compile")
    parser.add_argument("--objdump", default="llvm-objdump-22")
    parser.add_argument("--mca", default="llvm-mca-22")
    parser.add_argument("--iterations", type=int, default=100)
    options = parser.parse_args()
    print(f"{'model':34} {'instructions':>12} {'cycles':>12} {'code':>8} {'constants':>10}")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        options.plugin = folder / "blocks.so"
        run("cc", "-O2", "-shared", "-fPIC", ROOT / "benchmarks" / "count_blocks.c", "-o", options.plugin)
        for model in options.models:
            build(options, folder, model)
            executed = blocks(options, folder)
            instructions = sum(count * executions for _, count, executions in executed)
            sizes = flash(folder)
            print(f"{model.stem:34} {instructions:12} {cycles(options, folder, executed):12.0f} {sizes['code']:8} {sizes['constants']:10}")


main()

"""Instructions per inference on emulated AArch64 cores: Quern's objects and LiteRT with XNNPACK. Writes benchmarks/arm.md.

Counted by a plugin of QEMU (count_instructions.c), as a difference of runs with more and fewer inferences, so that loading is not
counted. XNNPACK selects kernels by /proc/cpuinfo, which is therefore a file per core below --root.

  benchmarks/emulated.py --quern build/release/quern --models ../shared/models
    --root ROOT --site SITE

ROOT is a folder with an AArch64 system that has usr/bin/python3.11 and, writable, proc/; SITE has the packages of LiteRT's and
NumPy's AArch64 wheels (pip download --platform manylinux_2_28_aarch64 --only-binary=:all:).

SPDX-License-Identifier: Apache-2.0"""

import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Emulated core, what /proc/cpuinfo says of it, the level of Quern's objects.
CORES = {
    "cortex-a53": ("cortex-a53", "0xd03", "fp asimd evtstrm aes pmull sha1 sha2 crc32 cpuid", "armv8"),
    "neoverse-n1": ("neoverse-n1", "0xd0c", "fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm lrcpc "
                    "dcpop asimddp ssbs", "armv8-dot"),
    "neoverse-v2, 128-bit NEON only": ("max,sve=off,sme=off", "0xd4f", "fp asimd aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid "
                                       "asimdrdm jscvt fcma lrcpc dcpop sha3 asimddp sha512 asimdfhm dit uscat ilrcpc flagm ssbs sb "
                                       "dcpodp flagm2 frint i8mm bf16", "armv8-i8mm"),
}
PROGRAM = """
#include <stdlib.h>
#include <string.h>
#include "runtime/abi.h"
extern const qn_abi_model model_model;
static void *memory(uint64_t bytes) {
  uint64_t whole = (bytes / QN_ABI_ALIGN + 1) * QN_ABI_ALIGN;
  return memset(aligned_alloc(QN_ABI_ALIGN, whole), 0, whole);
}
int main(int count, char **arguments) {
  const qn_abi_model *m = &model_model;
  const void *inputs[64];
  void *outputs[64], *states = memory(m->state_bytes);
  if (count != 2 || m->input_count > 64 || m->output_count > 64 || m->size_count > 0) return 2;
  for (uint32_t i = 0; i < m->input_count; i++) inputs[i] = memory(m->inputs[i].bytes);
  for (uint32_t i = 0; i < m->output_count; i++) outputs[i] = memory(m->outputs[i].bytes);
  qn_abi_call call = {.inputs = inputs, .outputs = outputs, .arena = memory(m->arena_bytes), .states = states};
  if (m->version == QN_ABI_VERSION_PREPARED) {
    void *prepared = memory(m->prepared_bytes);
    m->prepare(prepared);
    call.prepared = prepared;
  }
  if (m->reset) m->reset(states);
  for (int i = atoi(arguments[1]); i > 0; i--)
    if (m->invoke(&call) != 0) return 1;
  return 0;
}
"""
PEER = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy as np
from ai_edge_litert.interpreter import Interpreter
interpreter = Interpreter(sys.argv[2], num_threads=1)
interpreter.allocate_tensors()
for detail in interpreter.get_input_details():
    kind = np.dtype(detail["dtype"])
    shape = detail["shape"]
    rng = np.random.default_rng(1)
    values = rng.random(shape) if kind.kind == "f" else rng.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape)
    interpreter.set_tensor(detail["index"], values.astype(kind))
for _ in range(int(sys.argv[3])):
    interpreter.invoke()
"""


def count(options, cpu, command, **more):
    """Executed instructions; None if the command fails."""
    done = subprocess.run(["qemu-aarch64", "-cpu", cpu, *more.pop("before", []), "-plugin", str(options.plugin), "-d", "plugin", *command],
                          capture_output=True, text=True, env=dict(os.environ, PYTHONHASHSEED="0", PYTHONDONTWRITEBYTECODE="1"))
    found = re.search(r"instructions: (\d+)", done.stderr + done.stdout)
    return int(found[1]) if found and done.returncode == 0 else None


def per_inference(counts, inferences):
    few, many = counts
    return None if few is None or many is None else (many - few) / inferences


def ours(options, folder, core, model):
    """Quern's object; a program invokes it on zeros, because its instructions do not depend on the inputs."""
    cpu, _, _, level = CORES[core]
    obj, source, program = folder / "model.o", folder / "program.c", folder / "program"
    done = subprocess.run([options.quern, "compile", options.models / f"{model}.tflite", "--target", "aarch64-linux-gnu", "--cpu", level,
                           "-o", obj], capture_output=True, text=True)
    if done.returncode != 0:
        return None
    source.write_text(PROGRAM)
    subprocess.run(["aarch64-linux-gnu-gcc", "-std=c17", "-O1", "-static", f"-I{ROOT}", source, obj, "-o", program], check=True)
    return per_inference([count(options, cpu, [program, str(n)]) for n in (1, 3)], 2)


def theirs(options, folder, core, model, instructions):
    """`instructions` of Quern's object: small models run more often, because start-up varies by some million."""
    cpu, part, features, _ = CORES[core]
    script = folder / "peer.py"
    script.write_text(PEER)
    (options.root / "proc" / "cpuinfo").write_text("".join(
        f"processor\t: {i}\nBogoMIPS\t: 100.00\nFeatures\t: {features}\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x0\n"
        f"CPU part\t: {part}\nCPU revision\t: 1\n\n" for i in range(2)))
    python = options.root / "usr" / "bin" / "python3.11"
    inferences = int(min(1000, max(5, options.instructions * 1e6 / instructions)))
    few, many = 2, 2 + inferences
    counts = [count(options, cpu, [python, script, options.site, options.models / f"{model}.tflite", str(n)],
                    before=["-L", str(options.root)]) for n in (few, many)]
    return per_inference(counts, inferences)


def cell(value):
    if value is None:
        return "-"
    return f"{value / 1e6:.3f}" if value >= 1e4 else f"{value / 1e6:.5f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("quern", "models", "root", "site"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--only", default="", help="models in whose name this regular expression is found")
    parser.add_argument("--instructions", type=float, default=400, help="millions of the peer's inferences between both counts (400)")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "benchmarks" / "arm.md")
    options = parser.parse_args()
    names = [path.stem for path in sorted(options.models.glob("*.tflite")) if re.search(options.only, path.stem)]
    version = subprocess.run(["qemu-aarch64", "--version"], capture_output=True, text=True).stdout.split()[2]
    lines = ["# Instructions per inference on emulated AArch64 cores", "",
             f"Made by `benchmarks/emulated.py` on {datetime.date.today()} with QEMU {version}: million instructions, Quern's object / LiteRT "
             "with XNNPACK; a dash where one does not run the model. Instructions are no times.", "",
             "| model | " + " | ".join(f"{core} (`{CORES[core][3]}`)" for core in CORES) + " |", "|---|" + "---|" * len(CORES)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        options.plugin = folder / "count.so"
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", ROOT / "benchmarks" / "count_instructions.c", "-o", options.plugin], check=True)
        for model in names:
            row = []
            for core in CORES:
                own = ours(options, folder, core, model)
                row.append(f"{cell(own)} / {cell(theirs(options, folder, core, model, own or 1e6))}")
            lines.append(f"| {model} | " + " | ".join(row) + " |")
            print(lines[-1], file=sys.stderr, flush=True)
            options.page.write_text("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

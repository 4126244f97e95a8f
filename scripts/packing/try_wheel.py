#!/usr/bin/env python3
"""Tries a wheel for another architecture: try_wheel.py WHEEL. The Python of the root that scripts/emulated makes imports the package,
compiles the digits model by the JIT at each level of that machine, and classifies an image. numpy comes from the package index.

SPDX-License-Identifier: Apache-2.0"""
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = """
import sys
import numpy as np
import quern
image = np.load(sys.argv[1] + "/litert_xnnpack/in0.npy")
levels = [level["name"] for level in quern.catalogue("targets") if level["runs_here"] and sys.argv[2] in level["architectures"]]
assert len(levels) > 1, levels
for level in levels:
    run = quern.load(sys.argv[1] + "/digits_int8.tflite").compile(cpu=level, threads=2)
    digit = int(run(image).argmax())
    print(level, digit)
    assert digit == 7
"""


def main():
    if len(sys.argv) != 2:
        print("usage: try_wheel.py WHEEL", file=sys.stderr)
        return 2
    wheel = pathlib.Path(sys.argv[1])
    machine = wheel.stem.split("-")[-1].split("_", 3)[-1]  # of manylinux_2_34_aarch64
    root = pathlib.Path(os.environ.get("QUERN_ROOTS") or ROOT / "build/roots", machine)
    python = next((root / "usr/bin").glob("python3.*[0-9]"))
    with tempfile.TemporaryDirectory() as work:
        version = python.name.removeprefix("python")
        platforms = [word for name in ("manylinux_2_28", "manylinux2014") for word in ("--platform", f"{name}_{machine}")]
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--python-version",
                        version, *platforms, "--dest", work, "numpy>=1.26"], check=True)
        site = pathlib.Path(work, "site")
        for path in (wheel, *pathlib.Path(work).glob("*.whl")):
            with zipfile.ZipFile(path) as archive:
                archive.extractall(site)
        command = [f"qemu-{machine}", "-L", root, python, "-c", PROGRAM, ROOT / "examples/digits", machine]
        return subprocess.run([str(word) for word in command], env=os.environ | {"PYTHONPATH": str(site)}).returncode


if __name__ == "__main__":
    sys.exit(main())

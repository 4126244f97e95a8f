"""Compares Quern's profiles onnx and ort with onnxruntime's default session, tensor by tensor.

    agree_onnx.py QUERN MODELS GOLDEN --page benchmarks/numerics/agreement_onnx.md

MODELS is a folder of .onnx files, and GOLDEN has the inputs of each (GOLDEN/MODEL/random1/in0.npy ...). Packages and
CPU as for dump_onnxruntime.py.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import onnxruntime

HERE = os.path.dirname(os.path.abspath(__file__))
HEAD = """# Agreement with onnxruntime

Made by `benchmarks/numerics/agree_onnx.py` with quern {quern} and onnxruntime {theirs}, on a CPU with VNNI. Each cell is the first operator whose integer tensor
differs from that of onnxruntime's default session, and the number of integer tensors that differ. Later tensors differ because of earlier ones.
`in float` is the number of operators that onnxruntime leaves in float, of all with quantized results. Models without integer tensors that both
sides have are omitted.

| model | in float | quern ort | quern onnx |
|---|---:|---|---|
"""


def output_of(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode in (0, 1) else None


def cell(quern, dump, model, profile):
    text = output_of([quern, "compare", dump, model, "--numerics", profile, "--json"])
    if text is None:
        return "—"
    whole = [t for t in json.loads(text)["tensors"] if t.get("steps") is not None]
    bad = [t for t in whole if t["status"] != "equal"]
    if not whole:
        return "no integer tensor"
    if not bad:
        return "equal"
    number = re.match(r"operator (\d+)", bad[0]["operator"]).group(1)
    return f"{number} {bad[0]['op']} ({bad[0]['differing']} of {bad[0]['elements']:,}), {len(bad)} of {len(whole)}"


def in_float(quern, model):
    text = output_of([quern, "inspect", model, "--numerics", "ort", "--json"])
    if text is None:
        return "—"
    ops = [o for o in json.loads(text)["operators"] if any("quant.uniform" in t for t in o["outputs"])]
    ops = [o for o in ops if o["op"].startswith("ml.") and o["op"] not in ("ml.transpose", "ml.reshape", "ml.const")]
    return f"{sum(bool(o.get('in_float')) for o in ops)} of {len(ops)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("quern")
    parser.add_argument("models")
    parser.add_argument("golden")
    parser.add_argument("--page", help="where to write; without it, standard output")
    arguments = parser.parse_args()
    version = output_of([arguments.quern, "--version"]).split()[1]
    rows = []
    for model in sorted(glob.glob(os.path.join(arguments.models, "*.onnx"))):
        name = os.path.splitext(os.path.basename(model))[0]
        inputs = sorted(glob.glob(os.path.join(arguments.golden, name, "random1", "in*.npy")))
        with tempfile.TemporaryDirectory() as dump:
            command = [sys.executable, os.path.join(HERE, "dump_onnxruntime.py"), model, dump, *inputs]
            if subprocess.run(command, capture_output=True).returncode != 0:
                rows.append(f"| {name} | — | not observed | not observed |")
                continue
            cells = [cell(arguments.quern, dump, model, profile) for profile in ("ort", "onnx")]
        if cells != ["no integer tensor"] * 2:
            rows.append(f"| {name} | {in_float(arguments.quern, model)} | {cells[0]} | {cells[1]} |")
    text = HEAD.format(quern=version, theirs=onnxruntime.__version__) + "\n".join(rows) + "\n"
    if arguments.page:
        with open(arguments.page, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()

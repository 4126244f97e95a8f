"""Who agrees with whom, from which operator on: dumps every tensor of each model from all runtimes, and compares all pairs.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import importlib.metadata
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import dump_litert

MODELS = [
    "mobilenet_v1_0.25_128_quant", "mobilenet_v2_1.0_224_quant", "tf2_mobilenet_v2_1.0_224_ptq",
    "pretrainedResnet_quant", "vww_96_int8", "kws_ref_model", "ad01_int8", "str_ww_ref_model",
    "micro_speech_quantized", "hello_world_int8", "split_concat",
    "movenet_single_pose_lightning_ptq", "deeplabv3_mnv2_dm05_pascal_quant",
]
# The kernels whose bits a profile is to have; a profile that is not here comes last.
KERNELS = {"litert-ref": "litert reference", "litert-opt": "litert builtin", "xnnpack": "litert xnnpack", "tflm": "tflm"}
PACKAGES = ["ai-edge-litert", "tflite-micro", "openvino"]
TIMEOUT = 600  # seconds for one dump; a runtime may hang as well as crash
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "3"}


def last_line(text):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no message"


def run(command):
    """None, or why it failed. A runtime that takes its process down takes down only that."""
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              timeout=TIMEOUT, check=False, env={**os.environ, **QUIET})
    except subprocess.TimeoutExpired:
        return f"not done within {TIMEOUT} s"
    if done.returncode == 0:
        return None
    return f"signal {-done.returncode}" if done.returncode < 0 else last_line(done.stderr)


def contestants(quern):
    """(name, function that gives the command of a dump), each profile before the kernels that it has the bits of"""
    listed = json.loads(subprocess.check_output([quern, "list", "profiles", "--json"]))["profiles"]

    def ours(profile):
        def command(model, inputs, folder):
            arrays = sorted(inputs.glob("in*.npy"), key=lambda path: int(path.stem[2:]))
            given = [word for array in arrays for word in ("--input", f"@{array}")]
            return [quern, "run", str(model), "--numerics", profile, "--dump", str(folder), "--json", *given]
        return command

    def litert(kernels):
        def command(model, inputs, folder):
            return [sys.executable, dump_litert.__file__, str(model), str(folder), "--kernels", kernels,
                    "--inputs", str(inputs)]
        return command

    def dumped_by(script):
        path = str(pathlib.Path(__file__).with_name(script))
        return lambda model, inputs, folder: [sys.executable, path, str(model), str(folder), "--inputs", str(inputs)]

    theirs = {f"litert {kernels}": litert(kernels) for kernels in dump_litert.RESOLVERS}
    theirs |= {"tflm": dumped_by("dump_tflm.py"), "openvino": dumped_by("dump_openvino.py")}
    profiles = [row["name"] for row in listed]
    named = []
    for profile in sorted(profiles, key=lambda name: [*KERNELS, name].index(name)):
        named.append((f"quern {profile}", ours(profile)))
        kernels = KERNELS.get(profile)
        named += [(kernels, theirs.pop(kernels))] if kernels else []
    return named + list(theirs.items())


def compare(quern, a, b):
    done = subprocess.run([quern, "compare", str(a), str(b), "--json"], capture_output=True, text=True, check=False)
    if done.returncode > 1:
        return {"problem": last_line(done.stderr)}
    report = json.loads(done.stdout)
    steps = [abs(row.get("largest_step") or 0) for row in report["tensors"]]
    return {key: report[key] for key in ("compared", "differing", "first")} | {"largest_step": max(steps, default=0)}


def operator_of(row):
    """'3 CONV_2D', out of the operator's location."""
    location = row["operator"] or ""
    place = location.find("operator ")
    number, _, rest = location[place + len("operator "):].partition(" (")
    return f"{number} {rest.partition(')')[0]}" if place >= 0 and rest else row["op"] or "?"


def cell(result):
    if "problem" in result:
        return "— " + result["problem"].replace("|", "/")
    first = result["first"]
    if not first:
        return f"all {result['compared']} tensors equal"
    found = f"{first['differing']:,} of {first['elements']:,}" if "elements" in first else first["status"]
    by = f" by {abs(first['largest_step']):.0f}" if first.get("largest_step") else ""
    return (f"from operator {operator_of(first)} on (tensor {first['tensor']}: {found}{by}); "
            f"{result['differing']} of {result['compared']} tensors, by up to {result['largest_step']:.0f}")


def one_model(quern, model, inputs, work):
    folders, results = {}, {}
    for name, command in contestants(quern):
        folder = work / name.replace(" ", "-")
        problem = run(command(model, inputs, folder))
        folders[name] = folder if problem is None else problem.replace(str(model), model.name)
    for a, b in itertools.combinations(folders, 2):
        failed = [side for side in (a, b) if isinstance(folders[side], str)]
        results[a, b] = {"problem": f"{failed[0]}: {folders[failed[0]]}"} if failed else compare(quern, folders[a], folders[b])
    return results


def case_of(golden):
    """The first recorded case by name, or None if there is none."""
    cases = sorted(path for path in golden.iterdir() if (path / "in0.npy").exists()) if golden.is_dir() else []
    return cases[0] if cases else None


def versions(quern):
    ours = subprocess.check_output([quern, "--version"], text=True).strip()
    theirs = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in PACKAGES)
    return f"{ours}, {theirs}"


def print_model(name, case, results, to):
    print(f"## {name}, input `{case}`\n\n| | | |\n|---|---|---|", file=to)
    for (a, b), result in results.items():
        print(f"| {a} | {b} | {cell(result)} |", file=to)
    print(file=to)


def print_summary(everything, to):
    """Against the reference kernels, the ones that recordings are made of."""
    base = "litert reference"
    names = [name for name in dict.fromkeys(n for pair in next(iter(everything.values()))[1] for n in pair) if name != base]
    print("| model | " + " | ".join(names) + " |\n|---|" + "---|" * len(names), file=to)
    for model, (_, results) in everything.items():
        cells = []
        for name in names:
            result = results.get((name, base)) or results[base, name]
            first = result.get("first")
            cells.append("—" if "problem" in result else
                         f"{operator_of(first)}, {result['differing']} of {result['compared']}" if first else "equal")
        print(f"| {model} | " + " | ".join(cells) + " |", file=to)
    print(file=to)


def print_page(everything, quern, to):
    print(f"# Agreement of runtimes\n\nMade by `benchmarks/numerics/run` with {versions(quern)}; [README.md](README.md) "
          "explains the method.\nEach cell names the first operator whose tensor differs from that of `litert reference`, and "
          "the number of tensors that differ:\n", file=to)
    print_summary(everything, to)
    print("The next tables compare all pairs. They list the first operator that differs, its tensor, the number of elements that "
          "differ, and the\nlargest difference in steps; then the same for all tensors.\n", file=to)
    for model, (case, results) in everything.items():
        print_model(model, case, results, to)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quern", required=True, help="the tool")
    parser.add_argument("--shared", type=pathlib.Path, required=True, help="folder with models/ and golden/")
    parser.add_argument("--models", nargs="+", default=MODELS, help="names in models/, or paths of .tflite files")
    parser.add_argument("--inputs", type=pathlib.Path, help="folder with in0.npy ...; else a recorded case of the model")
    parser.add_argument("--page", help="write the page there instead of printing it")
    arguments = parser.parse_args()
    everything = {}
    for name in arguments.models:
        path = pathlib.Path(name) if name.endswith(".tflite") else arguments.shared / "models" / f"{name}.tflite"
        inputs = arguments.inputs or case_of(arguments.shared / "golden" / "litert-ref" / path.stem)
        if not path.exists() or not inputs:
            print(f"{name}: no model or no inputs, left out", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as work:
            everything[path.stem] = inputs.name, one_model(arguments.quern, path, inputs, pathlib.Path(work))
        print(f"{path.stem}: done", file=sys.stderr)
        if arguments.page:  # after each model: a run that is stopped has left what it did
            with open(arguments.page, "w", encoding="utf-8") as to:
                print_page(everything, arguments.quern, to)
    if not everything:
        sys.exit("no model to compare")
    if not arguments.page:
        print_page(everything, arguments.quern, sys.stdout)


if __name__ == "__main__":
    main()

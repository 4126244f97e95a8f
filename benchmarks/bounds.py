"""What bounds each class of layers at each CPU level: 'quern bench' of some models at all levels that this machine
runs, summed by class, and the rows that lose most time. Writes a page in Markdown.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

OPERATOR = re.compile(r"operator (\d+) \((\w+)\)")
WEAKEST = 6  # rows shown per level
# What layers with sums of 256 and more products should reach of their bound, and how those are called that don't.
TARGETS = {"fully connected": 0.85, "1x1 convolution, K >= 256": 0.85, "k x k convolution, K >= 256": 0.75}


def weights_of(shapes):
    """The dimensions of the second operand: those of weights."""
    operands = shapes.partition(" -> ")[0].split(", ")
    return [int(d) for d in operands[1].split("x")] if len(operands) > 1 else []


def layer_class(step):
    """A name under which layers of one nature are summed."""
    found = OPERATOR.search(step["location"])
    operator = found[2] if found else "?"
    kernel = step["kernel"].rsplit("_", 1)[0]
    weights = weights_of(step["shapes"])
    if kernel in ("border", "pad"):
        return "border filling"
    if operator == "CONV_2D" and len(weights) == 4:
        depth = weights[1] * weights[2] * weights[3]
        if weights[1] * weights[2] == 1:
            return "1x1 convolution, K >= 256" if depth >= 256 else "1x1 convolution, K < 256"
        return "k x k convolution, K >= 256" if depth >= 256 else "first and thin convolutions"
    names = {"DEPTHWISE_CONV_2D": "depthwise convolution", "FULLY_CONNECTED": "fully connected", "ADD": "addition",
             "SOFTMAX": "softmax", "MEAN": "pool, mean", "AVERAGE_POOL_2D": "pool, mean", "MAX_POOL_2D": "pool, mean"}
    return names.get(operator, "others")


def levels_of(quern):
    """Those of this machine, but for the one that is of every machine."""
    listed = json.loads(subprocess.check_output([quern, "list", "targets", "--json"]))["targets"]
    return [row["name"] for row in listed if row["runs_here"] and row["name"] != "generic"]


def bench(quern, path, level):
    done = subprocess.run([quern, "bench", str(path), "--cpu", level, "--json"], capture_output=True, text=True,
                          check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def bound_name(steps):
    """What bounds most of the time; None where that is not known."""
    seconds = collections.Counter()
    for step in steps:
        seconds[step["bound"]] += step["seconds"]
    return seconds.most_common(1)[0][0]


def print_classes(levels, to):
    classes = collections.Counter()
    for steps in levels.values():
        for step in steps:
            classes[layer_class(step)] += step["seconds"]
    print("| layers | " + " | ".join(levels) + " |\n|---|" + "---|" * len(levels), file=to)
    for name, _ in classes.most_common():
        cells = []
        for steps in levels.values():
            mine = [step for step in steps if layer_class(step) == name]
            seconds, best = (sum(step[key] for step in mine) for key in ("seconds", "bound_seconds"))
            share, bound = seconds / sum(step["seconds"] for step in steps), bound_name(mine)
            near = f"{100 * best / seconds:.0f} % of {bound}, " if bound else ""
            cells.append(f"{near}{100 * share:.1f} % of the time")
        print(f"| {name} | " + " | ".join(cells) + " |", file=to)
    print(file=to)


def print_weakest(level, steps, to):
    rows = sorted((s for s in steps if s["bound_seconds"] > 0), key=lambda s: s["bound_seconds"] - s["seconds"])
    print(f"### {level}\n\n| model | operator | shapes | us | bound | of it | lost, us |\n|---|---|---|---:|---|---:|---:|",
          file=to)
    for step in rows[:WEAKEST]:
        found = OPERATOR.search(step["location"])
        lost = step["seconds"] - step["bound_seconds"]
        print(f"| {step['model']} | {found[1]} {found[2]} | {step['shapes']} | {1e6 * step['seconds']:.1f} | "
              f"{step['bound']} | {100 * step['bound_seconds'] / step['seconds']:.0f} % | {1e6 * lost:.1f} |", file=to)
    print(file=to)


def sum_length(step):
    weights = weights_of(step["shapes"])
    return weights[1] * weights[2] * weights[3] if len(weights) == 4 else weights[-1]


def print_below(levels, to):
    """Layers of one shape are one row: how many of them are below the target, and the shares of all."""
    print("## The layers below their target\n\nTargets for layers with K >= 256: 1x1 and linear layers should reach 85 % "
          "of their bound, larger windows 75 %.\n\n| level | model | shapes | layers below | of the bound |\n"
          "|---|---|---|---:|---:|", file=to)
    for level, steps in levels.items():
        shapes = collections.defaultdict(list)
        for step in steps:
            if step["bound_seconds"] > 0 and layer_class(step) in TARGETS and sum_length(step) >= 256:
                shapes[step["model"], step["shapes"]].append(step)
        for (model, shape), mine in shapes.items():
            shares = [step["bound_seconds"] / step["seconds"] for step in mine]
            below = sum(share < TARGETS[layer_class(mine[0])] for share in shares)
            least, most = round(100 * min(shares)), round(100 * max(shares))
            both = f"{least} %" if least == most else f"{least} to {most} %"
            if below:
                print(f"| {level} | {model} | {shape} | {below} of {len(mine)} | {both} |", file=to)
    print(file=to)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition(":")[0])
    parser.add_argument("--quern", required=True, help="the tool")
    parser.add_argument("--page", type=pathlib.Path, help="write the page there instead of printing it")
    parser.add_argument("--machine", default="this machine", help="what to call it on the page")
    parser.add_argument("models", nargs="+", type=pathlib.Path, metavar="MODEL.tflite")
    options = parser.parse_args()
    levels = {}
    for level in levels_of(options.quern):
        for path in options.models:
            report = bench(options.quern, path, level)
            if not report:
                print(f"{path.stem} at {level}: not measured", file=sys.stderr)
                continue
            levels.setdefault(level, []).extend(step | {"model": path.stem} for step in report["steps"])
    with (open(options.page, "w", encoding="utf-8") if options.page else sys.stdout) as to:
        names = ", ".join(path.stem for path in options.models)
        print("# What bounds the layers\n\nMade by `benchmarks/bounds.py` from `quern bench --json` on "
              f"{options.machine}, one thread: {names}.\nThe bound of a layer is the larger of two times: all multiply-adds at "
              "the level's measured peak of dot products (\"compute\"), and reading the\noperands from the level of memory that "
              "holds them. A cell shows which share of the bound the layers of a class reach together, and their\nshare of the "
              "time of all models. Weights that do not fit in L2 come from L3, which other virtual machines share: such rows "
              "may take a\nthird longer in another run.\n",
              file=to)
        print_classes(levels, to)
        print_below(levels, to)
        print("## The rows that lose most\n", file=to)
        for level, steps in levels.items():
            print_weakest(level, steps, to)


if __name__ == "__main__":
    main()

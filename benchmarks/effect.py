#!/usr/bin/env python3
"""What the passes on graphs do to models: ops, kernels, products, bytes that kernels touch and arena, with
them and without (--disable-pass=graph-exact), as a table for effect.md.

    effect.py QUERN MODEL...

The figures are of the loops for x86-64-v3, so that they are the same on every machine. A model that is not
compiled is listed with the reason. SPDX-License-Identifier: Apache-2.0
"""
import os
import re
import subprocess
import sys

LEVEL = "x86-64-v3"
LAUNCH = re.compile(r'"quern\.launch"\(.*?\) \{.*?quern\.macs = (\d+).*?\} : \((.*)\) -> \(\)')
BUFFER = re.compile(r"memref<(\d+)x(i8|i16|i32|i64|f16|f32|f64)")
WIDTH = {"i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "f32": 4, "f64": 8}


HEAD = """# What the passes on graphs do to models

`benchmarks/effect.py` made this table. The figure before an arrow is without the pass pipeline `graph-exact`, the figure after it with the
pipeline; a single figure means no change. Ops and constants are counted at the model stage. Kernels, their multiply-adds, the bytes of all
their buffers, and the arena are those of the loops stage for x86-64-v3. Converters have already optimized these models, so
little is left for the passes except duplicate constants.
"""


class Rejected(Exception):
    """The tool's first message."""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        message = next(line for line in done.stderr.splitlines() if "error" in line)
        raise Rejected(re.sub(r"^.*?error: ", "", message))
    return done.stdout


def count_ops(text):
    """Ops of the model, and constants."""
    ops = re.findall(r'^ *(?:%\S+ = )?"?((?:ml|quant|arith|math|linalg)\.\w+)', text, re.M)
    constants = sum(1 for op in ops if op in ("ml.const", "arith.constant"))
    return [len(ops) - constants, constants]


def figures(quern, model, tidied):
    passes = ["--graph-exact"] if tidied else []
    disabled = [] if tidied else ["--disable-pass=graph-exact"]
    ops = count_ops(run(quern, "opt", model, "--elide-elements-above", "1", *passes))
    loops = run(quern, "compile", model, "-o", "-", "--emit", "loops", "--cpu", LEVEL, *disabled)
    kernels = macs = touched = 0
    for products, types in LAUNCH.findall(loops):
        kernels += 1
        macs += int(products)
        touched += sum(int(n) * WIDTH[element] for n, element in BUFFER.findall(types))
    arena = int(re.search(r"quern\.arena_bytes = (\d+)", loops).group(1))
    return [*ops, kernels, macs, touched, arena]


def cell(before, after):
    return f"{before:,}" if before == after else f"{before:,} → {after:,}"


def main():
    quern, models = sys.argv[1], sys.argv[2:]
    print(HEAD)
    print("| model | ops | constants | kernels | products | bytes touched | arena bytes |")
    print("|---|---|---|---|---|---|---|")
    rejected = []
    for model in models:
        name = os.path.splitext(os.path.basename(model))[0]
        try:
            before, after = figures(quern, model, False), figures(quern, model, True)
        except Rejected as why:
            rejected.append((name, str(why)))
            continue
        print("| " + " | ".join([name] + [cell(b, a) for b, a in zip(before, after)]) + " |")
    if rejected:
        print("\nNot compiled:\n")
        for name, why in rejected:
            print(f"* {name}: {why}")


main()

"""Random models of several quantized operators: LiteRT's kernels against Quern, element by element.

What operators alone do not show: fused chains, tensors that share memory, results that several operators read. Each model
(random_graphs.py) runs on one random input in LiteRT (--kernels) and in Quern (--numerics), in the interpreter at the stage of
the model and as machine code. All elements of all outputs are compared; none may differ.

SPDX-License-Identifier: Apache-2.0"""

import os
import re
import shutil
import sys
import tempfile

from operators import Bench, parser_of
from random_graphs import STEPS, draw
from single_operators import Single, Unsuitable
from tally import Row


def check(row, seed, bench):
    try:
        model = draw(seed)
    except Unsuitable:
        return
    if bench.check(row, seed, model) and bench.options.keep:
        shutil.copy(os.path.join(bench.folder, "m.tflite"), os.path.join(bench.options.keep, f"{seed}.tflite"))


def main():
    parser = parser_of("models of several operators: LiteRT's kernels against Quern")
    parser.add_argument("--models", type=int, default=100, help="how many seeds (100)")
    parser.add_argument("--without", default="", help="draw no step (random_graphs.py) whose name is this regular expression")
    parser.add_argument("--keep", help="folder for the models that differ")
    parser.set_defaults(verbose=True)
    arguments = parser.parse_args()
    Single.scales = arguments.scales
    STEPS[:] = [entry for entry in STEPS if not re.fullmatch(arguments.without, entry[0].__name__)]
    row = Row()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, folder)
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            check(row, seed, bench)
    print(f"{row.models} models, {row.elements} elements; differ: {row.integers} integers, {row.floats} floats; "
          f"unsupported: {dict(row.unsupported) or 'none'}")
    return 1 if row.integers or row.floats else 0


if __name__ == "__main__":
    sys.exit(main())

"""Random models of several quantized operators: LiteRT's reference kernels against Quern, element by element.

What operators alone do not show: fused chains, tensors that share memory, results that several operators read. Each model
(random_graphs.py) runs on one random input in LiteRT with its reference resolver and in Quern, in the interpreter at the stage of
the model and as machine code. All elements of all outputs are compared; none may differ.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import os
import shutil
import sys
import tempfile

from operators import WAYS, Row, check_model
from random_graphs import draw
from single_operators import Unsuitable


def check(row, seed, quern, folder, keep):
    try:
        model = draw(seed)
    except Unsuitable:
        return
    if check_model(row, seed, model, quern, folder, True) and keep:
        shutil.copy(os.path.join(folder, "m.tflite"), os.path.join(keep, f"{seed}.tflite"))


def main():
    parser = argparse.ArgumentParser(description="models of several operators: LiteRT's reference kernels against Quern")
    parser.add_argument("--quern", required=True)
    parser.add_argument("--models", type=int, default=100, help="how many seeds (100)")
    parser.add_argument("--seed", type=int, default=1, help="the first")
    parser.add_argument("--keep", help="folder for the models that differ")
    arguments = parser.parse_args()
    row = Row()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            check(row, seed, arguments.quern, folder, arguments.keep)
    print(f"{row.models} models, {row.elements} elements; differ: model {row.differ['model']}, jit {row.differ['jit']}; "
          f"refused: {dict(row.refused) or 'none'}")
    return 1 if sum(row.differ.values()) else 0


if __name__ == "__main__":
    sys.exit(main())

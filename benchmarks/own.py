"""Runs Quern for compare.py, through the Python package of a build directory. Input and output arrays are allocated once.

SPDX-License-Identifier: Apache-2.0
"""
import ctypes
import pathlib
import sys
import time

import numpy as np


def use(build):
    """Imports Quern's Python package; call this first. `build` is the build directory or the library in it."""
    build = pathlib.Path(build)
    folder = build.parent if build.is_file() else build
    sys.path.insert(0, str(folder / "python"))
    import quern
    return quern


def pointers(arrays):
    """Of where the arrays lie, for compiled code that is called by ctypes; the arrays must stay."""
    return (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])


def aligned_copies(array, count):
    """`count` copies along the first dimension, from the start of a page: the alignment of numpy moves short times by a tenth."""
    page = 4096
    memory = np.empty(count * array.nbytes + page, np.uint8)
    start = -memory.ctypes.data % page
    copies = memory[start:start + count * array.nbytes].view(array.dtype).reshape(count * array.shape[0], *array.shape[1:])
    copies[...] = np.concatenate([array] * count)
    return copies


class Executable:
    """A compiled model with its inputs and outputs."""

    def __init__(self, path, threads, level=None, engine="jit", stage=None, numerics=None, batch=None):
        """Raises quern.Error if the model is rejected."""
        import quern
        start = time.perf_counter()
        with quern.load(path, numerics=numerics, batch=batch) as model:
            self._compiled = model.compile(cpu=level, threads=threads, engine=engine, stage=stage)
        self.compile_seconds = time.perf_counter() - start
        self.inputs = tuple(np.zeros(port.shape, port.dtype) for port in self._compiled.inputs)
        self.results = tuple(np.zeros(port.shape, port.dtype) for port in self._compiled.outputs)

    def close(self):
        """Frees it; nothing else may be called afterwards."""
        self._compiled.close()

    def random_inputs(self, seed):
        """Arrays that fit the inputs: any code of a whole type, floats in [-1, 1)."""
        chance = np.random.default_rng(seed)

        def one(array):
            if array.dtype.kind == "f":
                return chance.uniform(-1, 1, array.shape).astype(array.dtype)
            if array.dtype.kind == "b":
                return chance.integers(0, 2, array.shape).astype(array.dtype)
            limits = np.iinfo(array.dtype)
            return chance.integers(limits.min, limits.max, array.shape, array.dtype, endpoint=True)
        return [one(array) for array in self.inputs]

    def set_inputs(self, arrays):
        """Copies the inputs in; another type is a mistake of the caller."""
        for own, given in zip(self.inputs, arrays, strict=True):
            if own.dtype != given.dtype:
                raise TypeError(f"the input is {own.dtype}, not {given.dtype}")
            own[...] = given.reshape(own.shape)

    def invoke(self):
        """Runs once."""
        self._compiled.invoke(self.inputs, self.results)

    def repeated(self, count):
        """A function that runs `count` times with copies of the inputs, without Python between the runs."""
        inputs, results = (tuple(aligned_copies(array, count) for array in arrays) for arrays in (self.inputs, self.results))
        return lambda: self._compiled._invoke_many(count, inputs, results)

    def outputs(self):
        """The outputs of the last run."""
        return list(self.results)

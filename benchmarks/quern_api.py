"""The part of Quern's C API that the scripts here need, by ctypes.

SPDX-License-Identifier: Apache-2.0
"""
import ctypes
import time

import numpy as np

DTYPES = {1: np.int8, 2: np.uint8, 3: np.int16, 4: np.int32, 5: np.int64, 6: np.float32, 7: np.bool_}


class CompileOptions(ctypes.Structure):
    """qn_compile_options."""
    _fields_ = [("size", ctypes.c_size_t), ("engine", ctypes.c_int), ("stage", ctypes.c_int),
                ("triple", ctypes.c_char_p), ("cpu", ctypes.c_char_p), ("features", ctypes.c_char_p),
                ("keep_tensors", ctypes.c_int), ("symbol", ctypes.c_char_p)]


class LoadOptions(ctypes.Structure):
    """The first members of qn_load_options."""
    _fields_ = [("size", ctypes.c_size_t), ("numerics", ctypes.c_char_p)]


class TensorInfo(ctypes.Structure):
    """qn_tensor_info."""
    _fields_ = [("name", ctypes.c_char_p), ("dtype", ctypes.c_int), ("rank", ctypes.c_uint32),
                ("dims", ctypes.POINTER(ctypes.c_int64)), ("bytes", ctypes.c_size_t),
                ("scale", ctypes.c_double), ("zero_point", ctypes.c_int64), ("index", ctypes.c_int64)]


ENGINES = {"jit": 0, "interpreter": 1}
STAGES = {"model": 0, "integer": 1, "loops": 2}
_MESSAGE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p)
_library = None


def load(path):
    """Loads the shared library; everything else needs it."""
    global _library  # pylint: disable=global-statement
    _library = ctypes.CDLL(str(path))
    _library.qn_context_create.restype = ctypes.c_void_p
    _library.qn_host_level.restype = ctypes.c_char_p
    for which in ("input", "output"):
        getattr(_library, f"qn_executable_{which}").restype = TensorInfo
        getattr(_library, f"qn_executable_{which}_count").restype = ctypes.c_uint32


def host_level():
    """Name of the best level of this machine."""
    return _library.qn_host_level().decode()


def host_runs(level):
    """Whether this machine has what the level's code needs."""
    return _library.qn_host_runs(level.encode()) != 0


def check(status, what):
    """Raises unless the status is QN_OK."""
    if status != 0:
        raise RuntimeError(f"{what}: status {status}")


def pointers(arrays):
    """Of where the arrays lie, as the C API takes them; the arrays must stay."""
    return (ctypes.c_void_p * len(arrays))(*[array.ctypes.data for array in arrays])


class Executable:
    """A compiled model, by default as machine code."""

    def __init__(self, path, threads, level=None, engine="jit", stage="loops", numerics=None):
        """RuntimeError with the first message where the model is refused."""
        self.context = ctypes.c_void_p(_library.qn_context_create())
        self.handle = ctypes.c_void_p()
        self._messages = []
        self._handler = _MESSAGE(lambda user, severity, text: self._messages.append(text.decode()))
        _library.qn_context_set_handler(self.context, self._handler, None)
        try:
            self._compile(path, level, engine, stage, numerics)
            self._check(_library.qn_executable_set_threads(self.handle, ctypes.c_uint32(threads)), "threads")
        except RuntimeError:
            self.close()
            raise
        self.results = self._arrays("output")
        self.inputs = self._arrays("input")
        self._bind()

    def _check(self, status, what):
        errors = [text for text in self._messages if "error" in text]
        check(status, errors[0].splitlines()[0] if status != 0 and errors else what)

    def _compile(self, path, level, engine, stage, numerics):
        model = ctypes.c_void_p()
        start = time.perf_counter()
        load_options = LoadOptions(size=ctypes.sizeof(LoadOptions), numerics=numerics.encode() if numerics else None)
        self._check(_library.qn_model_load(self.context, str(path).encode(), ctypes.byref(load_options), ctypes.byref(model)),
                    "load")
        options = CompileOptions(size=ctypes.sizeof(CompileOptions), engine=ENGINES[engine], stage=STAGES[stage],
                                 cpu=level.encode() if level else None)
        status = _library.qn_compile(model, ctypes.byref(options), ctypes.byref(self.handle))
        _library.qn_model_destroy(model)
        self._check(status, "compile")
        self.compile_seconds = time.perf_counter() - start

    def close(self):
        """Frees it; nothing else may be called afterwards."""
        if self.handle:
            _library.qn_executable_destroy(self.handle)
        _library.qn_context_destroy(self.context)

    def _arrays(self, which):
        count = getattr(_library, f"qn_executable_{which}_count")(self.handle)
        infos = [getattr(_library, f"qn_executable_{which}")(self.handle, ctypes.c_uint32(i))
                 for i in range(count)]
        return [np.zeros([info.dims[d] for d in range(info.rank)], DTYPES[info.dtype]) for info in infos]

    def _bind(self):
        self.input_pointers, self.output_pointers = pointers(self.inputs), pointers(self.results)

    def random_inputs(self, seed):
        """Arrays that fit the inputs: any code of a whole type, floats in [-1, 1)."""
        chance = np.random.default_rng(seed)

        def one(array):
            if array.dtype.kind == "f":
                return chance.uniform(-1, 1, array.shape).astype(array.dtype)
            limits = np.iinfo(array.dtype)
            return chance.integers(limits.min, limits.max, array.shape, array.dtype, endpoint=True)
        return [one(array) for array in self.inputs]

    def set_inputs(self, arrays):
        """Copies the inputs in."""
        for own, given in zip(self.inputs, arrays):
            own[...] = given.reshape(own.shape)

    def invoke(self):
        """Runs once."""
        self._check(_library.qn_executable_invoke(self.handle, self.input_pointers, self.output_pointers), "invoke")

    def outputs(self):
        """The outputs of the last run."""
        return self.results

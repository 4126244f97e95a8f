"""LiteRT's class, with its names and behaviour.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import enum
import os
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._errors import Error, Unsupported
from .._executable import Executable
from .._model import load
from ._file import File, FileTensor, read

Array = np.ndarray[Any, Any]


class OpResolverType(enum.Enum):
    """Kernels of LiteRT, each of which is a numerics profile here."""

    AUTO = 0
    BUILTIN = 1
    BUILTIN_REF = 2
    BUILTIN_WITHOUT_DEFAULT_DELEGATES = 3


_PROFILES = {"AUTO": "xnnpack", "BUILTIN": "xnnpack", "BUILTIN_REF": "litert-ref",
             "BUILTIN_WITHOUT_DEFAULT_DELEGATES": "litert-opt"}
_NAMES = {"float32": "FLOAT32", "bytes": "STRING", "bool": "BOOL"}


def _type_name(dtype: Any) -> str:
    name = str(np.dtype(dtype).name)
    return _NAMES.get(name, name.upper())


class Interpreter:
    """ai_edge_litert.interpreter.Interpreter, by Quern.

    experimental_op_resolver_type selects the numerics profile: BUILTIN_REF is "litert-ref",
    BUILTIN_WITHOUT_DEFAULT_DELEGATES "litert-opt", and what LiteRT uses by default "xnnpack"; `numerics` says
    another. With experimental_preserve_all_tensors, get_tensor gives any tensor, as its operator wrote it.
    """

    def __init__(self, model_path: str | os.PathLike[str] | None = None, model_content: bytes | None = None,
                 experimental_delegates: Sequence[Any] | None = None, num_threads: int | None = None,
                 experimental_op_resolver_type: Any = OpResolverType.AUTO,
                 experimental_preserve_all_tensors: bool = False,
                 experimental_disable_delegate_clustering: bool = False,
                 experimental_default_delegate_latest_features: bool = False,
                 experimental_compress_quantization_zero_points: bool = False,
                 experimental_disable_delegate_node_fusion: bool = False,
                 experimental_force_delegate_node_profiling: bool = False, *, numerics: str | None = None,
                 cache: bool | str | os.PathLike[str] = False, _signature: str | None = None):
        if (model_path is None) == (model_content is None):
            raise ValueError("`model_path` or `model_content` must be specified, and not both.")
        if experimental_delegates:
            raise Unsupported("quern.litert.Interpreter runs the whole model itself and takes no delegates; "
                              "ai_edge_litert's takes quern.litert.delegate()")
        if num_threads is not None and (not isinstance(num_threads, int) or num_threads < -1 or num_threads == 0):
            raise ValueError("num_threads should be a positive integer, or -1")
        del experimental_disable_delegate_clustering, experimental_default_delegate_latest_features
        del experimental_disable_delegate_node_fusion, experimental_force_delegate_node_profiling
        name = getattr(experimental_op_resolver_type, "name", "")
        if name not in _PROFILES:
            raise ValueError(f"Unrecognized passed in op resolver type: {experimental_op_resolver_type}")
        self._numerics = numerics or _PROFILES[name]
        if model_content is not None:
            self._source: bytes | str = bytes(model_content)
        else:
            self._source = os.fspath(model_path)  # type: ignore[arg-type]
            if not os.path.exists(self._source):
                raise ValueError(f"Could not open '{self._source}'.")
        self._threads = (os.cpu_count() or 1) if num_threads == -1 else num_threads or 1
        self._keep, self._cache, self._signature = experimental_preserve_all_tensors, cache, _signature
        self._one_zero_point = experimental_compress_quantization_zero_points
        self._file = self._read()
        self._shapes = {i: tuple(int(d) for d in tensor.shape) for i, tensor in enumerate(self._file.tensors)}
        self._wanted: dict[int, tuple[int, ...]] = {}
        self._ready = False
        self._invoked = False
        self._executable: Executable | None = None
        self._arrays: dict[int, Array] = {}
        self._inputs: tuple[Array, ...] = ()
        self._outputs: tuple[Array, ...] = ()
        self._kept: dict[int, Array] | None = None

    # ---- the file ----

    def _read(self) -> File:
        """Verified by the library first."""
        try:
            load(self._source, signature=self._signature).close()
        except Error as error:
            raise ValueError(str(error)) from error
        if isinstance(self._source, bytes):
            return read(self._source, self._signature)
        with open(self._source, "rb") as file:
            return read(file.read(), self._signature)

    def _check_index(self, index: int) -> int:
        if not 0 <= index < len(self._file.tensors):
            raise ValueError(f"Invalid tensor index {index} exceeds max tensor index {len(self._file.tensors)}")
        return int(index)

    # ---- details ----

    def _details(self, index: int) -> dict[str, Any]:
        tensor: FileTensor = self._file.tensors[index]
        one = tensor.scales.size == 1 and tensor.zero_points.size == 1
        zeros = tensor.zero_points
        if self._one_zero_point and zeros.size > 1 and (zeros == zeros[0]).all():
            zeros = zeros[:1]
        return {
            "name": tensor.name, "index": index, "shape": np.array(self._shapes[index], np.int32),
            "shape_signature": tensor.signature.copy(), "dtype": tensor.dtype,
            "quantization": (float(tensor.scales[0]), int(tensor.zero_points[0])) if one else (0.0, 0),
            "quantization_parameters": {"scales": tensor.scales.copy(), "zero_points": zeros.copy(),
                                        "quantized_dimension": tensor.quantized_dimension, "block_size": 0},
            "sparsity_parameters": {}}

    def get_input_details(self) -> list[dict[str, Any]]:
        """A dictionary for each input."""
        return [self._details(i) for i in self._file.inputs]

    def get_output_details(self) -> list[dict[str, Any]]:
        """A dictionary for each output."""
        return [self._details(i) for i in self._file.outputs]

    def get_tensor_details(self, subgraph_index: int = 0) -> list[dict[str, Any]]:
        """A dictionary for each tensor of the main subgraph."""
        if subgraph_index != 0:
            raise Unsupported("tensors of other subgraphs are not kept apart: use get_signature_runner")
        return [self._details(i) for i in range(len(self._file.tensors))]

    def num_subgraphs(self) -> int:
        """How many the file has."""
        return self._file.subgraphs

    # ---- sizes ----

    def resize_tensor_input(self, input_index: int, tensor_size: Any, strict: bool = False) -> None:
        """Another size for an input, from allocate_tensors on: dimension 0 of all inputs, or unknown dimensions."""
        index = self._check_index(input_index)
        size = tuple(int(d) for d in np.asarray(tensor_size).reshape(-1))
        known = self._file.tensors[index].signature
        if strict and (len(size) != known.size or any(k not in (-1, d) for k, d in zip(known, size))):
            raise ValueError(f"Attempting to resize dimension(s) of tensor {index} that are not unknown")
        if index not in self._file.inputs:
            raise ValueError(f"tensor {index} is not an input")
        if any(d < 1 for d in size):
            raise ValueError(f"tensor {index} can't have the size {list(size)}")
        self._wanted[index] = size
        self._ready = False

    def _sizes(self) -> dict[str, int]:
        """How the library is told of the sizes that are wanted."""
        changed = {i: size for i, size in self._wanted.items() if size != tuple(self._file.tensors[i].shape)}
        if not changed:
            return {}
        sizes = set()
        for i, size in changed.items():
            shape = tuple(int(d) for d in self._file.tensors[i].shape)
            if len(size) != len(shape) or size[1:] != shape[1:]:
                break
            sizes.add(size[0])
        else:
            if len(sizes) == 1:
                return {"batch": sizes.pop()}
        unknown = {d for i, size in changed.items() for d, known in zip(size, self._file.tensors[i].signature)
                   if known == -1}
        if len(unknown) == 1:
            return {"dim": unknown.pop()}
        raise Unsupported("inputs can be resized in dimension 0, all to one size, or where the file leaves one size "
                          f"open, not to {sorted(changed.items())}")

    def allocate_tensors(self) -> None:
        """Compiles the model for the sizes that are set."""
        if self._ready:
            return
        with load(self._source, numerics=self._numerics, signature=self._signature, **self._sizes()) as model:  # type: ignore[arg-type]
            if not model.supported:
                raise Unsupported("\n".join([*model.supported.reasons, "in LiteRT, quern.litert.delegate() leaves such "
                                             "operators to LiteRT's kernels"]))
            x = model.compile(threads=self._threads, keep_tensors=self._keep, cache=self._cache)
        ports, out_ports = x.inputs, x.outputs
        for index, size in self._wanted.items():
            if size not in [port.shape for port in ports if port.index == index]:
                raise Unsupported(f"input tensor {index} can't have the size {list(size)}: only dimension 0, "
                                  "and those that the file leaves open, can be resized")
        old = self._arrays
        self._executable, self._kept, self._invoked = x, None, False
        self._inputs = tuple(self._buffer(old, port.index, port.shape, port.dtype) for port in ports)
        self._outputs = tuple(np.zeros(port.shape, port.dtype) for port in out_ports)
        self._arrays = {port.index: array for port, array in zip(ports, self._inputs)}
        self._arrays.update((port.index, array) for port, array in zip(out_ports, self._outputs)
                            if port.index not in self._arrays)
        self._shapes.update((index, array.shape) for index, array in self._arrays.items())
        self._ready = True

    @staticmethod
    def _buffer(old: dict[int, Array], index: int, shape: tuple[int, ...], dtype: Any) -> Array:
        kept = old.get(index)
        return kept if kept is not None and kept.shape == shape else np.zeros(shape, dtype)

    # ---- values ----

    def set_tensor(self, tensor_index: int, value: Any) -> None:
        """Copies an array into an input: of its dtype and shape, nothing is converted."""
        index, array = self._check_index(tensor_index), np.asarray(value)
        tensor = self._file.tensors[index]
        if np.dtype(tensor.dtype) != array.dtype:
            raise ValueError(f"Cannot set tensor: Got value of type {_type_name(array.dtype)} but expected type "
                             f"{_type_name(tensor.dtype)} for input {index}, name: {tensor.name} ")
        own = self._arrays.get(index) if self._ready else None
        if own is None:
            if self._ready and index in self._file.inputs:
                return  # its value in the file is used: Quern fixes shapes when it compiles
            raise ValueError("Cannot set tensor: Tensor is unallocated. Try calling allocate_tensors() first"
                             if not self._ready else f"Cannot set tensor: tensor {index} is not an input")
        if array.ndim != own.ndim:
            raise ValueError(f"Cannot set tensor: Dimension mismatch. Got {array.ndim} but expected {own.ndim} for "
                             f"input {index}.")
        for d, (got, wanted) in enumerate(zip(array.shape, own.shape)):
            if got != wanted:
                raise ValueError(f"Cannot set tensor: Dimension mismatch. Got {got} but expected {wanted} for dimension "
                                 f"{d} of input {index}.")
        own[...] = array

    def _find(self, index: int) -> Array | None:
        """Where a tensor's values are; None: nowhere."""
        constant = self._file.constant(index)
        if index in self._arrays:
            return self._arrays[index]
        if constant is not None:
            return constant
        x = self._executable
        if x is None:
            return None
        for i, port in enumerate(x._all_ports()[2]):
            if port.index == index:
                return x.states[i]
        if self._keep and self._invoked:
            if self._kept is None:
                self._kept = {tensor.index: tensor.data for tensor in x.tensors()}
            return self._kept.get(index)
        return None

    def get_tensor(self, tensor_index: int, subgraph_index: int = 0) -> Array:
        """A copy of a tensor: inputs, outputs, constants and variables; with
        experimental_preserve_all_tensors all others, too."""
        if subgraph_index != 0:
            raise Unsupported("tensors of other subgraphs are not kept apart: use get_signature_runner")
        index = self._check_index(tensor_index)
        found = self._find(index)
        if found is None:
            raise ValueError("Tensor data is null. Run allocate_tensors() first" if not self._ready else
                             f"tensor {index} is not kept: make the Interpreter with "
                             "experimental_preserve_all_tensors=True, and invoke it first")
        return found.copy()

    def tensor(self, tensor_index: int) -> Callable[[], Array]:
        """A function that gives the array itself, of an input or output."""
        index = self._check_index(tensor_index)

        def view() -> Array:
            if index not in self._arrays:
                raise ValueError(f"tensor {index} is not an allocated input or output; get_tensor returns a copy")
            return self._arrays[index]
        return view

    # ---- runs ----

    def invoke(self) -> None:
        """Runs the model."""
        if not self._ready or self._executable is None:
            raise RuntimeError("Invoke called on model that is not ready.")
        self._executable.invoke(self._inputs, self._outputs)
        self._invoked, self._kept = True, None

    def reset_all_variables(self) -> None:
        """Gives variables their initial values."""
        if self._executable is not None:
            self._executable.reset()

    # ---- signatures ----

    def get_signature_list(self) -> dict[str, dict[str, list[str]]]:
        """Names of inputs and outputs of each signature."""
        return {key: {"inputs": sorted(one.inputs), "outputs": sorted(one.outputs)}
                for key, one in self._file.signatures.items()}

    def get_signature_runner(self, signature_key: str | None = None) -> SignatureRunner:
        """A function of a signature: arrays in by name, arrays out by name."""
        keys = list(self._file.signatures)
        if signature_key is None:
            if len(keys) != 1:
                raise ValueError("SignatureDef signature_key is None and model has {0} Signatures. None is only allowed "
                                 "when the model has 1 SignatureDef".format(len(keys)))
            signature_key = keys[0]
        if signature_key not in keys:
            raise ValueError(f'Invalid signature_key provided: "{signature_key}".')
        owner = self
        if self._file.signatures[signature_key].subgraph != 0:
            content = self._source if isinstance(self._source, bytes) else None
            owner = Interpreter(None if content is not None else str(self._source), content, num_threads=self._threads,
                                numerics=self._numerics, cache=self._cache, _signature=signature_key)
        return SignatureRunner(owner, signature_key)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("an Interpreter can't be pickled: make it where it runs")


class SignatureRunner:
    """A signature as a function; Interpreter.get_signature_runner makes one."""

    def __init__(self, interpreter: Interpreter, signature_key: str):
        self._interpreter, self._key = interpreter, signature_key
        signature = interpreter._file.signatures[signature_key]
        self._inputs, self._outputs = signature.inputs, signature.outputs

    def __call__(self, **inputs: Any) -> dict[str, Array]:
        if len(inputs) != len(self._inputs):
            raise ValueError(f"Invalid number of inputs provided for running a SignatureDef, expected "
                             f"{len(self._inputs)} vs provided {len(inputs)}")
        for name, value in inputs.items():
            if name not in self._inputs:
                raise ValueError(f"Invalid Input name ({name}) for SignatureDef")
            shape = np.shape(value)
            if shape != self._interpreter._shapes[self._inputs[name]]:
                self._interpreter.resize_tensor_input(self._inputs[name], shape)
        self._interpreter.allocate_tensors()
        for name, value in inputs.items():
            self._interpreter.set_tensor(self._inputs[name], value)
        self._interpreter.invoke()
        return {name: self._interpreter.get_tensor(index) for name, index in self._outputs.items()}

    def get_input_details(self) -> dict[str, dict[str, Any]]:
        """A dictionary for each input, by name."""
        return {name: self._interpreter._details(index) for name, index in self._inputs.items()}

    def get_output_details(self) -> dict[str, dict[str, Any]]:
        """A dictionary for each output, by name."""
        return {name: self._interpreter._details(index) for name, index in self._outputs.items()}

"""Models over data sets with Ray Data: `pip install quern-compiler[ray]`.

    import quern.ray
    out = quern.ray.predict(ds, "model.tflite", columns={"image": 0}, keep=["key"], top=5)

Every worker compiles the model for its own CPU, through the code cache of its machine; results have the same bits
on every CPU level, so that a mixed cluster gives one answer. Rows come in any order: keep a key.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import Error, Invalid, NotFound, Unsupported
from ._executable import Array, Executable, Port
from ._model import load

if TYPE_CHECKING:
    from ray.data import Dataset

# Ray spends about 8 ms of CPU time on a batch, whatever is in it: with a few samples each, a small network would cost twice as much.
_BATCH_BYTES, _BATCH_SAMPLES = 32 << 20, 4096


class TooManyErrors(Error):
    """More samples were bad than max_errors allows."""


class Predictor:
    """What a worker does with a batch; picklable, so that Ray, or anything else, can send it.

    model: a path that all machines have, the bytes, or a Ray ObjectRef of the bytes. columns: an input, by number or
    name, of each column. keep: columns that come out as they are. top: labels and scores of the best classes of the
    first output instead of the outputs.
    """

    def __init__(self, model: Any, *, columns: Mapping[str, int | str], keep: Sequence[str] = (), top: int = 0,
                 numerics: str | None = None, threads: int = 1, cache: bool | str | os.PathLike[str] = True,
                 real: bool = False, groups: bool = False, budget: Any = None):
        self._arguments = (model, {"columns": dict(columns), "keep": list(keep), "top": top, "numerics": numerics,
                                   "threads": threads, "cache": cache, "real": real, "groups": groups,
                                   "budget": budget})
        if type(model).__name__ == "ObjectRef":
            import ray

            model = ray.get(model)
        with load(model, numerics=numerics) as read:
            self._x: Executable = read.compile(threads=threads, cache=cache)
        if len(self._x.states) and not groups:
            raise Unsupported("the model keeps states from one sample to the next: groups= names the column of the "
                              "sequence that a sample belongs to")
        self._keep, self._top, self._real, self._groups, self._budget = list(keep), top, real, groups, budget
        self._ports = self._x.inputs
        self._columns = self._match(columns)

    def __reduce__(self) -> tuple[Any, ...]:
        return _make, self._arguments

    def _match(self, columns: Mapping[str, int | str]) -> list[str]:
        """The column of each input."""
        of: dict[int, str] = {}
        for column, wanted in columns.items():
            found = [i for i, port in enumerate(self._ports) if wanted in (i, port.name)]
            if len(found) != 1:
                raise NotFound(f"column '{column}' is for input {wanted!r}: inputs are "
                               f"{[port.name for port in self._ports]}")
            of[found[0]] = column
        if len(of) != len(self._ports) or len(columns) != len(of):
            raise Invalid(f"the model has {len(self._ports)} inputs, and columns={dict(columns)} names {len(of)}")
        return [of[i] for i in range(len(self._ports))]

    # ---- samples ----

    def _sample(self, value: Any, port: Port) -> Array:
        """One sample as the input takes it, with or without its dimension 0 of 1."""
        array = np.asarray(value)
        if self._real and port.quantized and array.dtype.kind == "f":
            array = port.quantize(array)
        if array.dtype != port.dtype or array.shape not in (port.shape, port.shape[1:] if port.shape[:1] == (1,) else ()):
            raise Invalid(f"input '{port.name}' is {port.dtype} {list(port.shape[1:])}, not {array.dtype} "
                          f"{list(array.shape)}: nothing is converted")
        return np.ascontiguousarray(array).reshape(port.shape)

    def _whole(self, values: Any, port: Port) -> Array | None:
        """A column as one array, when all samples are right."""
        array = np.asarray(values)
        if array.dtype == object or array.ndim == 0:
            return None
        if self._real and port.quantized and array.dtype.kind == "f":
            array = port.quantize(array)
        if array.dtype != port.dtype or port.shape[:1] != (1,):
            return None
        if array.shape[1:] == port.shape:
            array = array.reshape(array.shape[0], *port.shape[1:])
        return np.ascontiguousarray(array) if array.shape[1:] == port.shape[1:] else None

    def _stack(self, batch: Mapping[str, Any], count: int) -> tuple[list[Array], list[str]]:
        """Inputs of all samples, zeros for those that are bad, and what is wrong with each."""
        whole = [self._whole(batch[column], port) for column, port in zip(self._columns, self._ports)]
        if all(array is not None for array in whole):
            return [array for array in whole if array is not None], [""] * count
        errors = [""] * count
        stacked = [np.zeros((count, *port.shape), port.dtype) for port in self._ports]
        for k in range(count):
            try:
                for column, port, to in zip(self._columns, self._ports, stacked):
                    to[k] = self._sample(batch[column][k], port)
            except (Error, ValueError, TypeError) as error:
                errors[k] = str(error)
        return [to.reshape(count * port.shape[0], *port.shape[1:]) if port.shape else to
                for to, port in zip(stacked, self._ports)], errors

    def _spend(self, errors: list[str]) -> None:
        bad = [error for error in errors if error]
        if not bad:
            return
        if self._budget is not None:
            import ray

            if ray.get(self._budget.spend.remote(len(bad))):
                return
        raise TooManyErrors(f"{len(bad)} bad samples in a batch, more than max_errors: {bad[0]}")

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        missing = [name for name in [*self._columns, *self._keep] if name not in batch]
        if missing:
            raise NotFound(f"there is no column {missing}: {list(batch)}")
        count = len(batch[self._columns[0]]) if self._columns else 0
        out: dict[str, Any] = {name: batch[name] for name in self._keep}
        inputs, errors = self._stack(batch, count)
        self._spend(errors)
        if self._groups:
            self._x.reset()
        ports = self._x.outputs
        made = [np.empty((count * port.shape[0], *port.shape[1:]), port.dtype) for port in ports]
        if count:
            self._x._invoke_many(count, tuple(inputs), tuple(made))
        if self._top:
            out.update(self._best(made[0].reshape(count, -1), ports[0]))
        else:
            out.update((port.name or f"output{i}", port.dequantize(array) if self._real else array)
                       for i, (port, array) in enumerate(zip(ports, made)))
        if self._budget is not None:
            out["error"] = np.array(errors, dtype=object)
        return out

    def _best(self, scores: Array, port: Port) -> dict[str, Array]:
        """Of equal scores the first class is the better one."""
        if scores.dtype.kind in "iu" and scores.dtype.itemsize <= 4:  # keys without equals: no sort of all classes
            classes = scores.shape[1]
            keys = scores.astype(np.int64) * classes - np.arange(classes)
            order = np.argpartition(-keys, min(self._top, classes) - 1, axis=1)[:, :self._top]
            order = np.take_along_axis(order, np.argsort(-np.take_along_axis(keys, order, 1), axis=1), 1)
        else:
            order = np.argsort(-scores.astype(np.float64), axis=1, kind="stable")[:, :self._top]
        return {"classes": order.astype(np.int32), "scores": port.dequantize(np.take_along_axis(scores, order, 1))}

    @property
    def sample_bytes(self) -> int:
        """Of the inputs of one sample."""
        return sum(int(np.prod(port.shape)) * port.dtype.itemsize for port in self._ports)


def _make(model: Any, options: dict[str, Any]) -> Predictor:
    return Predictor(model, **options)


class _Budget:
    """How many bad samples there may still be, of all workers; an actor."""

    def __init__(self, errors: int):
        self._left = errors

    def spend(self, errors: int) -> bool:
        """False: they are too many."""
        self._left -= errors
        return self._left >= 0


def _sample_bytes(model: Any, numerics: str | None) -> int:
    with load(model, numerics=numerics) as read:
        if not read.supported:
            raise Unsupported("\n".join(read.supported.reasons))
        return sum(int(np.prod(port.shape)) * port.dtype.itemsize for port in [*read.inputs, *read.outputs])


def _pool(workers: int | tuple[int, int]) -> Any:
    from ray.data import ActorPoolStrategy

    least, most = (workers, workers) if isinstance(workers, int) else workers
    return ActorPoolStrategy(min_size=least, max_size=most)


def predict(ds: Dataset, model: str | os.PathLike[str] | bytes, *, columns: Mapping[str, int | str],
            keep: Sequence[str] = (), top: int = 0, workers: int | tuple[int, int] = (1, 64), threads: int = 1,
            batch: int | None = None, numerics: str | None = None, real: bool = False, max_errors: int = 0,
            groups: str | None = None, cache: bool | str | os.PathLike[str] = True) -> Dataset:
    """A data set of what a model makes of another one.

    columns: the input, by number or name, of each column. keep: columns that come out as they are; keep a key, as
    rows come in any order. top: the best classes instead of all outputs. workers: how many, or from how many to how
    many. batch: samples of a batch; None: 32 MiB of inputs and outputs, at most 4,096 samples. real: floats are
    quantized, and outputs are floats. max_errors: so many bad samples become rows with an `error`, more end the job.
    groups: the column that names the sequence of a sample, for models with states.
    """
    try:
        import ray
    except ImportError as error:
        raise Unsupported("Ray is not installed: pip install quern-compiler[ray]") from error
    source: Any = os.fspath(model) if not isinstance(model, (bytes, bytearray, memoryview)) else bytes(model)
    size = batch or min(max(1, _BATCH_BYTES // max(_sample_bytes(source, numerics), 1)), _BATCH_SAMPLES)
    if isinstance(source, str):
        with open(source, "rb") as file:
            source = file.read()  # once into the object store: workers need no shared file system
    options: dict[str, Any] = {"columns": dict(columns), "keep": list(keep), "top": top, "numerics": numerics,
                               "threads": threads, "cache": cache, "real": real, "groups": groups is not None,
                               "budget": None}
    if max_errors:
        options["budget"] = ray.remote(num_cpus=0)(_Budget).remote(max_errors)
    common: dict[str, Any] = {"fn_constructor_args": (ray.put(source),), "fn_constructor_kwargs": options,
                              "num_cpus": threads, "batch_format": "numpy", "compute": _pool(workers)}
    if groups is not None:
        return ds.groupby(groups).map_groups(Predictor, **common)
    return ds.map_batches(Predictor, batch_size=size, zero_copy_batch=True, max_restarts=-1, max_task_retries=-1,
                          **common)

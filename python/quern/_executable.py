"""Executables: arrays in, arrays out.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Union

import numpy as np

from . import _quern
from ._arrays import adapt
from ._errors import Invalid, NotFound
from ._progress import Progress, Watch

Array = np.ndarray[Any, Any]
Arrays = Union[Any, Sequence[Any], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Port:
    """An input, an output or a state. Quantized: real = scale * (stored - zero_point)."""

    name: str
    dtype: np.dtype[Any]  #: of stored values
    shape: tuple[int, ...]  #: with the sizes that are set
    scale: float  #: 0: not quantized
    zero_point: int
    index: int  #: tensor number in the model file; -1: unknown

    @staticmethod
    def of_report(one: Mapping[str, Any]) -> Port:
        """Out of a report of `inspect`."""
        return Port(one["name"], np.dtype(one["dtype"]), tuple(one["shape"]), one["scale"], one["zero_point"],
                    one["tensor"])

    @staticmethod
    def _of_native(one: tuple[str, str, tuple[int, ...], int, float, int, int, int, int]) -> Port:
        return Port(one[0], np.dtype(one[1]), one[2], one[4], one[5], one[6])

    @property
    def quantized(self) -> bool:
        """Whether stored values stand for reals."""
        return self.scale != 0

    def __str__(self) -> str:
        encoding = f" scale {self.scale:.6g} zero point {self.zero_point}" if self.quantized else ""
        return f"{self.name!r} {self.dtype} {list(self.shape)}{encoding}"

    def quantize(self, real: Any) -> Array:
        """The nearest stored values of reals (half away from zero), within the range of the type."""
        real = np.asarray(real)
        if real.dtype.kind not in "fiu":
            raise Invalid(f"'{self.name}' takes reals, not {real.dtype}")
        if not self.quantized:
            if self.dtype.kind != "f":
                raise Invalid(f"'{self.name}' is {self.dtype} without a scale: it has no reals, give stored values")
            return np.asarray(real, self.dtype)
        if np.isnan(real).any():
            raise Invalid(f"'{self.name}': NaN has no stored value")
        info = np.iinfo(self.dtype)
        steps = real.astype(np.float64) / self.scale
        nearest = np.trunc(steps + np.copysign(0.5, steps)) + self.zero_point
        return np.asarray(np.clip(nearest, info.min, info.max), self.dtype)

    def dequantize(self, stored: Array) -> Array:
        """The reals of stored values, as float32."""
        if not self.quantized:
            return stored
        return np.asarray(self.scale * (stored.astype(np.float64) - self.zero_point), np.float32)


@dataclass(frozen=True, slots=True)
class Size:
    """A dynamic dimension, which may have another size in each run."""

    name: str
    bound: int
    size: int


@dataclass(frozen=True, slots=True)
class Stats:
    """What compiling took and made."""

    arena_bytes: int
    code_bytes: int
    lower_seconds: float
    codegen_seconds: float
    level: str
    cpu: str
    cached: bool


@dataclass(frozen=True, slots=True)
class StepTime:
    """One launch of a kernel, timed."""

    name: str
    macs: int
    bytes: int
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """What an operator wrote in the last run."""

    index: int  #: number in the model file
    name: str
    data: Array  #: stored values
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    axis: int | None

    @property
    def real(self) -> Array:
        """Real values, as float32; stored values where there is no encoding."""
        if not self.scales:
            return self.data
        shape = [1] * self.data.ndim
        if self.axis is not None:
            shape[self.axis] = len(self.scales)
        scales, zeros = (np.asarray(v).reshape(shape) if self.axis is not None else v[0]
                         for v in (self.scales, self.zero_points))
        return np.asarray(scales * (self.data.astype(np.float64) - zeros), np.float32)


class State:
    """The states of an executable, by place or name: `x.states[0][...]` is a copy."""

    def __init__(self, owner: Executable):
        self._owner = owner

    def _find(self, key: int | str) -> tuple[int, Port]:
        ports = self._owner._all_ports()[2]
        for i, port in enumerate(ports):
            if key in (i, port.name):
                return i, port
        raise NotFound(f"there is no state {key!r}: {[port.name for port in ports]}")

    def __len__(self) -> int:
        return len(self._owner._all_ports()[2])

    def __iter__(self) -> Iterator[Array]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: int | str) -> Array:
        i, port = self._find(key)
        out = np.empty(port.shape, port.dtype)
        self._owner._read_state(i, out)
        return out

    def __setitem__(self, key: int | str, value: Any) -> None:
        self._owner._write_state(self._find(key)[0], value)


class Executable(_quern.Executable):
    """A compiled model; `Model.compile` makes one. It belongs to one thread at a time: `clone` makes one for
    another thread.

    A call takes an array for each input and gives an array, or a tuple of arrays. Arrays have exactly the
    dtype and shape of the input: nothing is converted.
    """

    _name: str
    _threads: int
    _known: tuple[list[Port], list[Port], list[Port], list[Size]] | None
    _tensor_table: dict[int, dict[str, Any]] = {}  # by number, of kept tensors

    def _describe(self, name: str, threads: int = 1) -> None:
        self._name, self._threads, self._known = name, threads, None

    # ---- what it has ----

    def _all_ports(self) -> tuple[list[Port], list[Port], list[Port], list[Size]]:
        if self._known is None or self.closed:
            inputs, outputs, states, sizes = self._ports()
            of = Port._of_native
            self._known = ([of(p) for p in inputs], [of(p) for p in outputs], [of(p) for p in states],
                           [Size(*s) for s in sizes])
        return self._known

    @property
    def inputs(self) -> list[Port]:
        """The inputs, in order."""
        return list(self._all_ports()[0])

    @property
    def outputs(self) -> list[Port]:
        """The outputs, in order."""
        return list(self._all_ports()[1])

    @property
    def states(self) -> State:
        """Stored values that a run leaves for the next one."""
        return State(self)

    @property
    def sizes(self) -> list[Size]:
        """The dynamic dimensions, which may have other sizes in each run."""
        return list(self._all_ports()[3])

    def set_size(self, size: int, name: str | None = None) -> None:
        """How many entries later runs have."""
        sizes = self._all_ports()[3]
        for i, one in enumerate(sizes):
            if name is None or one.name == name:
                self._set_size(i, size)
                self._known = None
                return
        raise NotFound(f"there is no size {name!r}: {[one.name for one in sizes]}" if name else
                       "all dimensions of the model are fixed: load it with any_size=True")

    @property
    def threads(self) -> int:
        """How many threads work; the results don't depend on it."""
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        if threads < 1:
            raise ValueError("at least one thread works")
        self._set_threads(threads)
        self._threads = threads

    @property
    def stats(self) -> Stats:
        """What compiling took and made."""
        return Stats(*self._stats())

    # ---- runs ----

    def _in_order(self, given: Arrays, ports: list[Port], role: str) -> tuple[Any, ...]:
        if isinstance(given, Mapping):
            names = [port.name for port in ports]
            unknown = [key for key in given if key not in names]
            missing = [name for name in names if name not in given]
            if unknown or missing or len(set(names)) < len(names):
                raise NotFound(f"{role}s are {names}" + (f"; there is no {unknown}" if unknown else "") +
                               (f"; {missing} is missing" if missing else ""))
            return tuple(given[name] for name in names)
        if isinstance(given, (list, tuple)):
            values = tuple(given)
        else:
            values = (given,)
        if len(values) != len(ports):
            raise Invalid(f"the model has {len(ports)} {role}s, not {len(values)}")
        return values

    @staticmethod
    def _entries(shape: tuple[int, ...], port: Port, role: str, i: int) -> int:
        """How many entries an array has; 0: it is one, as the model has it."""
        if shape == port.shape or not port.shape or len(shape) != len(port.shape):
            return 0
        if shape[1:] != port.shape[1:] or shape[0] == 0 or shape[0] % max(port.shape[0], 1):
            raise Invalid(f"{role} {i} '{port.name}' is {port.dtype} {list(port.shape)} or a multiple of such "
                          f"entries, not {list(shape)}: nothing is converted")
        return shape[0] // max(port.shape[0], 1)

    def _count(self, values: tuple[Any, ...], ports: list[Port]) -> int:
        counts = {self._entries(value.shape, port, "input", i)
                  for i, (value, port) in enumerate(zip(values, ports))
                  if isinstance(value, np.ndarray)} - {0}
        if len(counts) > 1:
            raise Invalid(f"inputs have different numbers of entries: {sorted(counts)}")
        return counts.pop() if counts else 0

    def run(self, inputs: Arrays, *, out: Arrays | None = None, real: bool = False, copy: bool = False,
            progress: Progress = None) -> dict[str, Array]:
        """Runs the model and gives a dictionary of its outputs, by name.

        inputs: a dictionary by name, a sequence, or the one array. An array with n times the entries of
        dimension 0 is n runs; threads share them out. out: where outputs are written, nothing is allocated.
        real: floats at the borders, which are quantized and dequantized as the model says.
        copy: arrays that are not contiguous are copied first.
        """
        ports, out_ports = self._all_ports()[:2]
        values = tuple(value if isinstance(value, np.ndarray) or _has_buffer(value) else
                       adapt(value, "input", i, ports[i].name)
                       for i, value in enumerate(self._in_order(inputs, ports, "input")))
        if real:
            values = tuple(port.quantize(value) if port.quantized else value for port, value in zip(ports, values))
        if copy:
            values = tuple(np.ascontiguousarray(v).reshape(v.shape) if isinstance(v, np.ndarray) else v
                           for v in values)
        count = self._count(values, ports)
        if count:
            values = tuple(_repeated(value, port, count) for value, port in zip(values, ports))
        outputs = self._make_outputs(out, out_ports, count, real)
        if count:
            self._run_many(count, values, outputs, progress)
        else:
            self.invoke(values, outputs)
        if real:
            outputs = self._give_reals(outputs, out, out_ports)
        return dict(zip(_distinct([port.name for port in out_ports]), outputs))

    def _make_outputs(self, out: Arrays | None, ports: list[Port], count: int, real: bool) -> tuple[Any, ...]:
        if out is not None and not real:
            return self._in_order(out, ports, "output")
        return tuple(np.empty((port.shape[0] * count, *port.shape[1:]) if count and port.shape else port.shape,
                              port.dtype) for port in ports)

    def _give_reals(self, outputs: tuple[Any, ...], out: Arrays | None, ports: list[Port]) -> tuple[Any, ...]:
        reals = tuple(port.dequantize(value) for port, value in zip(ports, outputs))
        if out is None:
            return reals
        given = self._in_order(out, ports, "output")
        for port, to, value in zip(ports, given, reals):
            if not isinstance(to, np.ndarray) or to.dtype != value.dtype or to.shape != value.shape:
                raise Invalid(f"output '{port.name}' is {value.dtype} {list(value.shape)} with real=True")
            to[...] = value
        return given

    def _run_many(self, count: int, inputs: tuple[Any, ...], outputs: tuple[Any, ...], progress: Progress) -> None:
        """In chunks when somebody looks at the progress, else at once."""
        with Watch(f"running {self._name}", progress, count) as watch:
            if not watch.visible:
                self._invoke_many(count, inputs, outputs)
                return
            chunk = max(count // 100, 64)
            for begin in range(0, count, chunk):
                end = min(begin + chunk, count)
                self._invoke_many(end - begin, _slices(inputs, begin, end, count), _slices(outputs, begin, end, count))
                watch.done = end

    def profile(self, inputs: Arrays) -> list[StepTime]:
        """Runs once and times each launch of a kernel."""
        ports, out_ports = self._all_ports()[:2]
        outputs = self._make_outputs(None, out_ports, 0, False)
        return [StepTime(*row) for row in self._profile(self._in_order(inputs, ports, "input"), outputs)]

    def tensors(self) -> list[Tensor]:
        """What operators wrote in the last run, in order; needs `compile(keep_tensors=True)`."""
        return [self._tensor(index, data) for index, data in self._tensors()]

    def _tensor(self, index: int, data: bytes) -> Tensor:
        known = self._tensor_table.get(index)
        if known is None:
            return Tensor(index, "", np.frombuffer(data, np.uint8), (), (), None)
        shape = known["shape"]
        array = np.frombuffer(data, known["dtype"])
        if array.size == int(np.prod(shape, dtype=np.int64)):
            array = array.reshape(shape)
        return Tensor(index, known.get("name", ""), array, tuple(known["scales"]), tuple(known["zero_points"]),
                      known["axis"])

    # ---- life ----

    def clone(self) -> Executable:
        """Another executable on the same code and constants, for another thread. It starts with the initial
        states, the largest sizes and one thread."""
        other = self._clone(Executable)
        other._describe(self._name)
        other._tensor_table = self._tensor_table
        return other

    def __enter__(self) -> Executable:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("an executable can't be pickled: pass the model's path or bytes, and compile it where it "
                        "runs (cache=True makes that fast)")

    def __copy__(self) -> NoReturn:
        raise TypeError("an executable can't be copied: clone() makes one for another thread")

    def __repr__(self) -> str:
        if self.closed:
            return f"<quern.Executable {self._name!r}, closed>"
        stats = self.stats
        lines = [f"<quern.Executable {self._name!r} for {stats.level or 'the interpreter'}, "
                 f"code {stats.code_bytes:,} bytes, arena {stats.arena_bytes:,} bytes>"]
        lines += [f"  input {i} {port}" for i, port in enumerate(self.inputs[:8])]
        lines += [f"  output {i} {port}" for i, port in enumerate(self.outputs[:8])]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from . import _html

        return _html.executable(self)


def _has_buffer(value: Any) -> bool:
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return True


def _repeated(value: Any, port: Port, count: int) -> Any:
    """One entry among many stands for all of them."""
    if not isinstance(value, np.ndarray) or value.shape != port.shape or not port.shape or count == 1:
        return value
    if port.shape[0] == 1:
        return np.broadcast_to(value, (count, *port.shape[1:]))
    return np.tile(value, (count, *[1] * (len(port.shape) - 1)))


def _slices(arrays: tuple[Any, ...], begin: int, end: int, count: int) -> tuple[Any, ...]:
    def one(array: Any) -> Any:
        rows = array.shape[0] // count
        return array[begin * rows:end * rows]
    return tuple(one(array) for array in arrays)


def _distinct(names: list[str]) -> list[str]:
    """Names as keys: those that are empty or come again get their place."""
    return [name if name and names.count(name) == 1 else f"{name}:{i}" for i, name in enumerate(names)]

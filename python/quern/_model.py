"""Models: load, look at, print, compile.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Union, overload

import numpy as np

from . import _quern, _report
from ._errors import Invalid, NotFound
from ._executable import Executable, Port
from ._progress import Progress, Watch

if TYPE_CHECKING:
    from typing_extensions import Buffer

Source = Union[str, "os.PathLike[str]", "Buffer"]
Form = Literal["model", "integer", "loops", "llvm", "asm", "object", "c"]
_FORMS: dict[str, int] = {"model": 0, "integer": 1, "loops": 2, "llvm": 3, "asm": 4, "object": 5, "c": 6}
_STAGES = ("model", "integer", "loops")
_ENGINES = {"jit": 0, "interpreter": 1}
_OPTIMIZE = {"balanced": 0, "size": 1, "speed": 2}
Optimize = Literal["size", "speed", "balanced"]


class Ir(str):
    """Text of a stage; a notebook shows it with colours and long constants left out."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from . import _html

        return _html.ir(self)


def _number(numbers: dict[str, int], what: str, name: str) -> int:
    if name in numbers:
        return numbers[name]
    raise NotFound(f"there is no {what} '{name}': {', '.join(numbers)}")


def cache_folder(cache: bool | str | os.PathLike[str]) -> str | None:
    """Where code is kept: True is the folder of the tool (QUERN_CACHE, XDG_CACHE_HOME, ~/.cache)."""
    if cache is False:
        return None
    if cache is not True:
        return os.fspath(cache)
    given = os.environ.get("QUERN_CACHE")
    if given:
        return None if given == "off" else given
    caches = os.environ.get("XDG_CACHE_HOME", "")
    if caches.startswith("/"):
        return os.path.join(caches, "quern")
    home = os.environ.get("HOME")
    return os.path.join(home, ".cache", "quern") if home else None


def _packed(numbers: Iterable[int]) -> bytes:
    values = list(numbers)
    if any(not 0 <= value < 2**31 for value in values):
        raise ValueError("operators and tensors have numbers from 0 on")
    return np.asarray(values, np.int32).tobytes()


def load(source: Source, *, numerics: str | None = None, batch: int | None = None, dim: int | None = None,
         any_size: bool = False, signature: str | None = None, fall_back: bool = False,
         max_iterations: int | None = None, operators: Iterable[int] = (), inputs: Iterable[int] = (),
         outputs: Iterable[int] = (), progress: Progress = None) -> Model:
    """Reads a model file, or MLIR text: a path, or bytes.

    numerics: profile, such as "litert-ref" (the default), "litert-opt", "tflm", "xnnpack".
    batch: entries of dimension 0 of all inputs, also where the file fixes another number.
    dim: value of dynamic dimensions. any_size: `batch` or `dim` is the largest, and each run says its own.
    signature: whose subgraph is the model. fall_back: compute in float what the profile does not cover.
    operators: only these of the file, ascending, with the tensors `inputs` and `outputs` of the file as border;
    without these two, with what is at the border.

    Operators that are not supported are no error here: `Model.supported` names them all.
    """
    if batch is not None and dim is not None:
        raise ValueError("batch and dim are for the same dimension: give one")
    options: dict[str, Any] = {
        "numerics": numerics, "batch": batch or dim or 0, "rebatch": batch is not None, "any_size": any_size,
        "signature": signature, "fall_back": fall_back, "max_iterations": max_iterations or 0,
        "keep_unsupported": True, "operators": _packed(operators), "inputs": _packed(inputs),
        "outputs": _packed(outputs)}
    path = os.fsencode(source) if isinstance(source, (str, os.PathLike)) else None
    name = os.fsdecode(path) if path is not None else "<bytes>"
    with Watch(f"reading {name}", progress):
        model = _quern.load(Model, path, None if path is not None else source, name, **options)  # type: ignore[arg-type]
    model._describe(source, name, options)
    return model


class Model(_quern.Model):
    """A model that was read; `quern.load` makes one. It belongs to one thread at a time."""

    _source: Source
    _options: dict[str, Any]
    _cached_report: dict[str, Any] | None
    name: str  #: the path, as given

    def _describe(self, source: Source, name: str, options: dict[str, Any]) -> None:
        self._source, self.name, self._options = source, name, options
        self._cached_report = None

    @property
    def stage(self) -> str:
        """"model", "integer" or "loops"."""
        return _STAGES[self._stage()]

    # ---- reports ----

    def inspect(self, *, cpu: str | None = None) -> dict[str, Any]:
        """The report of `quern inspect --json`, for a CPU level (this machine's by default)."""
        import json

        if cpu is None and self._cached_report is not None and not self.closed:
            return self._cached_report
        report: dict[str, Any] = json.loads(self._inspect(cpu=cpu))
        if cpu is None:
            self._cached_report = report
        return report

    @property
    def operators(self) -> list[_report.Operator]:
        """What the model consists of, in order of execution."""
        return _report.operators(self.inspect())

    @property
    def tensors(self) -> list[_report.QuantizedTensor]:
        """What operators write, by number in the model file."""
        return _report.tensors(self.inspect())

    @property
    def inputs(self) -> list[Port]:
        """The inputs, in the model's order."""
        return [Port.of_report(one) for one in self.inspect()["inputs"]]

    @property
    def outputs(self) -> list[Port]:
        """The outputs, in the model's order."""
        return [Port.of_report(one) for one in self.inspect()["outputs"]]

    @property
    def supported(self) -> _report.Unsupport:
        """Whether the model can be compiled: true or false, with all reasons."""
        return _report.supported(self.inspect())

    # ---- code ----

    def compile(self, *, cpu: str | None = None, features: str | None = None, threads: int = 1,
                cache: bool | str | os.PathLike[str] = False, keep_tensors: bool = False,
                engine: Literal["jit", "interpreter"] = "jit", stage: str | None = None,
                optimize: Optimize = "balanced", progress: Progress = None) -> Executable:
        """Compiles for this process.

        cpu: a level such as "x86-64-v3"; None is this machine. cache: keep the code in a folder and find
        it again (True: where the tool keeps it). keep_tensors: `Executable.tensors` works.
        engine, stage: "interpreter" executes the text of a stage, slowly, with every access checked.
        optimize: what code prefers where fewer instructions need larger constants; results are the same.
        """
        options: dict[str, Any] = {"engine": _number(_ENGINES, "engine", engine), "cpu": cpu, "features": features,
                                   "keep_tensors": keep_tensors, "cache": cache_folder(cache),
                                   "optimize": _number(_OPTIMIZE, "optimize", optimize)}
        if stage is not None and engine == "jit":
            raise ValueError("stage goes with the interpreter")
        options["stage"] = _number(_FORMS, "stage", stage) if stage else self._stage()
        with Watch(f"compiling {self.name}", progress):
            executable = self._compile(Executable, **options)
        executable._describe(self.name)
        if keep_tensors:
            executable._tensor_table = {one["tensor"]: one for one in self.inspect()["tensors"]}
        if threads != 1:
            executable.threads = threads
        return executable

    @overload
    def emit(self, form: Literal["object"], *, cpu: str | None = None, features: str | None = None,
             triple: str | None = None, symbol: str | None = None, elide_above: int = 0,
             optimize: Optimize = "balanced", progress: Progress = None) -> tuple[bytes, str]: ...

    @overload
    def emit(self, form: Literal["model", "integer", "loops", "llvm", "asm", "c"], *, cpu: str | None = None,
             features: str | None = None, triple: str | None = None, symbol: str | None = None, elide_above: int = 0,
             optimize: Optimize = "balanced", progress: Progress = None) -> Ir: ...

    def emit(self, form: Form, *, cpu: str | None = None, features: str | None = None, triple: str | None = None,
             symbol: str | None = None, elide_above: int = 0, optimize: Optimize = "balanced",
             progress: Progress = None) -> tuple[bytes, str] | Ir:
        """The model in a form: text, or ("object") the bytes of an ELF object and its C header.

        "c" is one file of C99, for any compiler. cpu None: every CPU of the target, as for the tool; "native": this
        machine. optimize: "size" or "speed" where fewer instructions need larger constants.
        """
        default = "generic" if form == "c" and triple is None else "baseline"
        options: dict[str, Any] = {"cpu": cpu or default, "features": features, "triple": triple, "symbol": symbol,
                                   "optimize": _number(_OPTIMIZE, "optimize", optimize)}
        with Watch(f"compiling {self.name}", progress):
            made = self._emit(_number(_FORMS, "form", form), elide_above, **options)
            if isinstance(made, bytes):
                return made, self._header(**options)
        return Ir(made)

    # ---- how it looks ----

    def __repr__(self) -> str:
        if self.closed:
            return f"<quern.Model {self.name!r}, closed>"
        report = self.inspect()
        lines = [f"<quern.Model {self.name!r}: {report['totals']['operators']} operators, "
                 f"{report['totals']['macs']:,} MACs, numerics {report['numerics'] or 'none'}>"]
        for what in ("inputs", "outputs"):
            lines += [f"  {what[:-1]} {i} {Port.of_report(one)}" for i, one in enumerate(report[what][:4])]
        reasons = self.supported.reasons
        lines += [f"  not supported: {reason}" for reason in reasons[:4]]
        if len(reasons) > 4:
            lines.append(f"  and {len(reasons) - 4} more reasons")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from . import _html

        return _html.model(self)

    def __enter__(self) -> Model:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError("a model can't be pickled: pass its path or its bytes, and load it where it is used")

    def __copy__(self) -> NoReturn:
        raise TypeError("a model can't be copied: load it once more")


def check_open(model: Model) -> None:
    """Raises for a closed model."""
    if model.closed:
        raise Invalid("the model is closed")

"""quern.compare: where two runs part, by the tool.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np

from . import _limits, _tool
from ._errors import Invalid
from ._executable import Arrays
from ._model import Model, check_open

if TYPE_CHECKING:
    import pandas

Side = Union[Model, str, "os.PathLike[str]"]


@dataclass(frozen=True, slots=True)
class ComparedTensor:
    """A tensor that one or both sides have. Differences are b - a."""

    index: int  #: number in the model file
    name: str
    operator: str | None  #: location of the operator that writes it
    op: str | None
    status: str  #: "equal", "differs", "shapes differ", "encodings differ", "only in a" or "only in b"
    elements: int | None
    differing: int | None
    largest_step: float | None  #: in steps of the stored integers
    largest_real: float | None
    at: tuple[int, ...]  #: where that is
    a: float | None  #: stored values there
    b: float | None
    snr_db: float | None  #: None: infinite, or unknown
    alone: int | None  #: with isolate: elements that differ when the operator reads A's tensors

    @property
    def differs(self) -> bool:
        """Whether the sides are known to differ."""
        return self.status in ("differs", "shapes differ", "encodings differ")


def _tensor(one: Mapping[str, Any]) -> ComparedTensor:
    get = one.get
    return ComparedTensor(one["tensor"], one["name"], get("operator"), get("op"), one["status"], get("elements"),
                          get("differing"), get("largest_step"), get("largest_real"), tuple(get("at") or ()),
                          get("a"), get("b"), get("snr_db"), (get("alone") or {}).get("differing"))


class Comparison:
    """What `compare` found; true when both sides are equal in all tensors that both have."""

    def __init__(self, report: dict[str, Any], table: str, page: str):
        self.report = report  #: the JSON document of the tool
        self.tensors = [_tensor(one) for one in report["tensors"]]  #: in order of execution
        self._table, self._page = table, page

    @property
    def equal(self) -> bool:
        """Whether nothing differs."""
        return int(self.report["differing"]) == 0

    def __bool__(self) -> bool:
        return self.equal

    @property
    def first(self) -> ComparedTensor | None:
        """The first tensor that differs, in order of execution."""
        first = self.report["first"]
        return _tensor(first) if first else None

    @property
    def worst(self) -> ComparedTensor | None:
        """The tensor with the lowest signal-to-noise ratio of those that differ."""
        differing = [one for one in self.tensors if one.differs]
        if not differing:
            return None
        return min(differing, key=lambda one: np.inf if one.snr_db is None else one.snr_db)

    @property
    def answers(self) -> dict[str, float | None]:
        """With isolate: what each profile makes of the element that differs most in the first difference."""
        return {one["profile"]: one["value"] for one in self.report.get("answers", [])}

    def table(self) -> str:
        """What the tool prints."""
        return self._table

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each tensor; needs pandas."""
        import pandas
        from dataclasses import asdict

        return pandas.DataFrame([asdict(one) for one in self.tensors]).set_index("index")

    def __repr__(self) -> str:
        lines = self._table.splitlines()
        return "\n".join(lines if len(lines) <= 20 else [*lines[:17], "...", *lines[-2:]])

    def _repr_html_(self) -> str:
        import html

        return (f'<iframe srcdoc="{html.escape(self._page, quote=True)}" sandbox="allow-scripts" '
                'style="width:100%;height:36em;border:0"></iframe>')


class _Command:
    """The command line of the tool; its files are in a directory, or in memory."""

    def __init__(self, folder: str):
        self._folder = folder
        self._common: dict[str, str] = {}
        self.arguments: list[str] = []
        self.fds: list[int] = []

    def _shared(self, option: str, value: str) -> None:
        if self._common.setdefault(option, value) != value:
            raise Invalid(f"the two models have different {option}: the comparison has one for both")

    def add_side(self, side: Side, letter: str) -> None:
        """A model with its options, or a path."""
        if not isinstance(side, Model):
            self.arguments.append(_plain(os.fspath(side)))
            return
        check_open(side)
        source, options = side._source, side._options
        if isinstance(source, (str, os.PathLike)):
            self.arguments.append(_plain(os.fspath(source)))
        else:
            fd = os.memfd_create("quern model")
            self.fds.append(fd)
            view = memoryview(source).cast("B")
            while view:
                view = view[os.write(fd, view):]
            self.arguments.append(f"/proc/self/fd/{fd}")
        if options["numerics"]:
            self.arguments += [f"--{letter}-numerics", options["numerics"]]
        if options["any_size"]:
            self.arguments.append(f"--{letter}-any-size")
        if options["batch"]:
            self._shared("batch" if options["rebatch"] else "dim", str(options["batch"]))
        if options["signature"]:
            self._shared("signature", options["signature"])
        if options["operators"]:
            numbers = np.frombuffer(options["operators"], np.int32)
            self._shared("operators", ",".join(map(str, numbers)))
        if options["fall_back"]:
            self._common["fall-back"] = ""

    def add_inputs(self, inputs: Arrays) -> None:
        """Arrays, in files."""
        named = list(inputs.items()) if isinstance(inputs, Mapping) else [
            ("", value) for value in (inputs if isinstance(inputs, (list, tuple)) else [inputs])]
        for i, (name, value) in enumerate(named):
            file = os.path.join(self._folder, f"input{i}.npy")
            np.save(file, np.ascontiguousarray(value))
            self.arguments += ["--input", f"{name}=@{file}" if name else f"@{file}"]

    def finish(self) -> list[str]:
        """The whole command line."""
        for option, value in self._common.items():
            self.arguments += [f"--{option}", value] if value else [f"--{option}"]
        limits = _limits.current()
        if limits and limits[0] < 2**63:
            self.arguments += ["--max-memory", str(limits[0])]
        if limits and limits[1] >= 0:
            self.arguments += ["--max-time", f"{limits[1]:.3f}"]
        return ["compare", *self.arguments]


def _plain(path: str) -> str:
    """A path that is no option."""
    return os.path.join(".", path) if path.startswith("-") else path


def compare(a: Side, b: Side, *, inputs: Arrays | None = None, isolate: bool = False, loss: bool = False,
            engine: Literal["jit", "interpreter"] | None = None, a_stage: str | None = None,
            b_stage: str | None = None, threads: int = 1,
            arguments: Sequence[str] = ()) -> Comparison:
    """Compares every tensor of two runs. A side is a model, which is run; a folder of `quern.record` or of
    `quern run --dump`; or a folder of .npy files.

    inputs: of the models; else those of the other side's folder, else random numbers. isolate: also feed each
    operator with A's tensors: what differs then is its own error. loss: A has floats; what B loses, with the cause.
    arguments: further options of `quern compare`.
    """
    with tempfile.TemporaryDirectory(prefix="quern") as folder:
        command = _Command(folder)
        try:
            command.add_side(a, "a")
            command.add_side(b, "b")
            if inputs is not None:
                command.add_inputs(inputs)
            flags = {"--isolate": isolate, "--loss": loss}
            command.arguments += [flag for flag, given in flags.items() if given]
            for option, value in (("--engine", engine), ("--a-stage", a_stage), ("--b-stage", b_stage)):
                command.arguments += [option, value] if value else []
            if threads != 1:
                command.arguments += ["--threads", str(threads)]
            line = [*command.finish(), *arguments]
            page = os.path.join(folder, "page.html")
            _, report = _tool.run([*line, "--json", "--html", page], command.fds)
            _, table = _tool.run(line, command.fds)
            with open(page, encoding="utf-8") as file:
                return Comparison(json.loads(report), table, file.read())
        finally:
            for fd in command.fds:
                os.close(fd)

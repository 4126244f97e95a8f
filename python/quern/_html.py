"""How things look in a notebook.

SPDX-License-Identifier: Apache-2.0
"""
from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._executable import Executable
    from ._model import Model

_CONSTANT = re.compile(r"(dense<[^>]{80}|\"0x\w{80})[^>\"]{80,}")
_TOKENS = re.compile(r'(?P<comment>//[^\n]*)|(?P<string>"[^"\n]*")|(?P<value>%[\w#]+)|(?P<symbol>@[\w.]+)|'
                     r"(?P<type>\b(?:tensor|memref|vector)\b|![\w.]+)")
_COLOURS = {"comment": "#6a737d", "string": "#032f62", "value": "#6f42c1", "symbol": "#005cc5", "type": "#22863a"}
_MOST_IR = 200_000
_MOST_ROWS = 500


def _row(cells: list[str], tag: str = "td") -> str:
    return "<tr>" + "".join(f"<{tag} style='text-align:left'>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"


def _table(head: list[str], rows: list[list[str]]) -> str:
    more = f"<p>and {len(rows) - _MOST_ROWS} more</p>" if len(rows) > _MOST_ROWS else ""
    return f"<table>{_row(head, 'th')}{''.join(_row(row) for row in rows[:_MOST_ROWS])}</table>{more}"


def ir(text: str) -> str:
    """Text of a stage with colours; long constants are cut."""
    short = _CONSTANT.sub(lambda found: f"{found[1]}...", text[:_MOST_IR])
    parts, at = [], 0
    for found in _TOKENS.finditer(short):
        parts.append(html.escape(short[at:found.start()]))
        parts.append(f'<span style="color:{_COLOURS[found.lastgroup or "type"]}">{html.escape(found[0])}</span>')
        at = found.end()
    parts.append(html.escape(short[at:]))
    cut = "\n..." if len(text) > _MOST_IR else ""
    return f'<pre style="max-height:40em;overflow:auto">{"".join(parts)}{cut}</pre>'


def model(shown: Model) -> str:
    """Operators with their multiply-accumulates, and what is not supported."""
    if shown.closed:
        return f"<p>{html.escape(repr(shown))}</p>"
    rows = [[str(op.number if op.number >= 0 else op.index), op.kind or op.op, f"{op.macs:,}", f"{op.weight_bytes:,}",
             op.unsupported or "yes"] for op in shown.operators]
    ports = [f"<li>{what} {i}: {html.escape(str(port))}</li>"
             for what, all_ports in (("input", shown.inputs), ("output", shown.outputs))
             for i, port in enumerate(all_ports)]
    return (f"<b>{html.escape(shown.name)}</b><ul>{''.join(ports)}</ul>" +
            _table(["operator", "kind", "MACs", "weight bytes", "supported"], rows))


def executable(shown: Executable) -> str:
    """Inputs, outputs and memory."""
    if shown.closed:
        return f"<p>{html.escape(repr(shown))}</p>"
    stats = shown.stats
    rows = [[what, str(i), port.name, str(port.dtype), str(list(port.shape)),
             f"{port.scale:.6g}" if port.quantized else "", str(port.zero_point) if port.quantized else ""]
            for what, ports in (("input", shown.inputs), ("output", shown.outputs)) for i, port in enumerate(ports)]
    memory = _table(["memory", "bytes"], [["code and constants", f"{stats.code_bytes:,}"],
                                          ["arena", f"{stats.arena_bytes:,}"]])
    return (f"<b>{html.escape(stats.level or 'interpreter')}</b>" +
            _table(["", "", "name", "type", "shape", "scale", "zero point"], rows) + memory)

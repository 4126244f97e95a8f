#!/usr/bin/env python3
"""Draws docs/stages.svg and docs/number-line.svg; --check compares them instead.

The number line uses the layer of quantization-by-example.md: m is the multiplier, an accumulator x stands for the real m * x,
and the stored result is round(m * x) + zero point.

SPDX-License-Identifier: Apache-2.0"""
import html
import math
import pathlib
import sys

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
STYLE = ("<style>text{fill:#222}.weak{fill:#667}.box{fill:#eef3f9;stroke:#2f6fb2}.line{stroke:#667}.mark{fill:#c4512d}"
         "@media(prefers-color-scheme:dark){text{fill:#ddd}.weak{fill:#99a}.box{fill:#1d2733;stroke:#6ea8e0}.line{stroke:#99a}}</style>")


def svg(width, height, parts):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
            f'font-family="sans-serif" font-size="13">\n{STYLE}\n' + "\n".join(parts) + "\n</svg>\n")


def text(x, y, words, anchor="start", more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{anchor}" {more}>{html.escape(words)}</text>'


def stages():
    """One convolution at each stage, from the file to the machine code."""
    rows = [("model file", "CONV_2D, int8, scales and zero points", "import: compute shapes; constants stay in the file"),
            ("model stage", '"ml.conv"(%x, %w, %b) on !quant.uniform tensors', "graph passes: fold, fuse, remove"),
            ("integer stage", '"ml.integer_conv" with multipliers, shifts, zero points', "lowering parameters of the numerics profile"),
            ("loops stage", "scf.for over tiles, quern.dot, vectors, buffers in an arena", "schedule, packing, proofs, buffer assignment"),
            ("LLVM IR", "vpdpbusd, vfmadd, vpackssdw ...", "a few instructions per op, no decisions"),
            ("JIT or object", "a function that allocates nothing", "the same bits at every CPU level")]
    parts, y = [], 10
    for i, (name, shows, does) in enumerate(rows):
        parts.append(f'<rect class="box" x="10" y="{y}" width="470" height="44" rx="5"/>')
        parts.append(text(22, y + 18, name, more='font-weight="bold"'))
        parts.append(text(22, y + 36, shows, more='font-family="monospace" font-size="12"'))
        parts.append(text(496, y + 27, does, more='class="weak"'))
        if i + 1 < len(rows):
            parts.append(f'<path class="line" d="M245 {y + 44}v14m-4 -5l4 5l4 -5" fill="none"/>')
        y += 60
    return svg(820, y, parts)


def number_line():
    """Accumulators on the line of results, with the thresholds between two stored values."""
    m, zero, left, step, low, high = 0.29, 10, 60, 110, -2.4, 3.4
    place = lambda real: left + (real - low) * step
    parts = [text(left, 22, f"stored = round({m} * accumulator) + {zero}", more='font-weight="bold"'),
             f'<line class="line" x1="{left}" x2="{place(high):.0f}" y1="80" y2="80"/>']
    for k in range(math.ceil(low), math.floor(high) + 1):
        x = place(k)
        parts.append(f'<line class="line" x1="{x:.1f}" x2="{x:.1f}" y1="72" y2="88"/>')
        parts.append(text(x, 62, f"{k + zero}", "middle", 'font-weight="bold"'))
        if place(k + 0.5) < place(high):
            parts.append(f'<line class="line" stroke-dasharray="3 3" x1="{place(k + .5):.1f}" x2="{place(k + .5):.1f}" y1="44" y2="118"/>')
    first, last = math.ceil(low / m), math.floor(high / m)
    for x in range(first, last + 1):
        near = min(abs(m * x - (k + 0.5)) for k in range(math.floor(low), math.ceil(high))) < m
        parts.append(f'<circle cx="{place(m * x):.1f}" cy="80" r="4" class="{"mark" if near else "weak"}"/>')
        parts.append(text(place(m * x), 104, str(x), "middle", 'font-size="11"'))
    parts.append(text(left, 140, "dots: accumulators at their real value; dashed: thresholds between two stored values.", more='class="weak"'))
    parts.append(text(left, 158, "A fast form is exact for all accumulators if it is monotone and exact for the two at each threshold (red).",
                      more='class="weak"'))
    return svg(820, 172, parts)


def main():
    wanted = {DOCS / "stages.svg": stages(), DOCS / "number-line.svg": number_line()}
    old = [path for path, content in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != content]
    if "--check" in sys.argv:
        for path in old:
            print(f"{path.name}: run scripts/figures.py")
        return len(old) > 0
    for path in old:
        path.write_text(wanted[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

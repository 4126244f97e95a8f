#!/usr/bin/env python3
"""Copies the one-thread figures of benchmarks/zen4.md to the table in README.md (between the "figures" comments), and
draws them in docs/speed.svg. --check changes nothing and fails if either is out of date.

SPDX-License-Identifier: Apache-2.0"""

import html
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FIGURES = ROOT / "benchmarks/zen4.md"
# Rows of FIGURES, and what the first page calls them.
SHOWN = {
    "tf2_mobilenet_v2_1.0_224_ptq": "MobileNetV2, int8",
    "deeplabv3_mnv2_dm05_pascal_quant": "DeepLab, uint8",
    "pretrainedResnet_quant": "ResNet-8, int8",
    "kws_ref_model": "keyword spotting, int8",
    "mobilenet_v2_1.0_224_hybrid": "MobileNetV2, hybrid",
    "mobilenet_v2_1.0_224_float": "MobileNetV2, float",
}
PEERS = ["LiteRT + XNNPACK", "LiteRT without delegate", "OpenVINO"]
COLOURS = ["#e69f00", "#56b4e9", "#009e73"]
BEGIN, END = "<!-- figures: benchmarks/chart.py -->\n", "<!-- end figures -->\n"


def figures():
    """Returns rows (label, Quern's milliseconds, ratio of each peer to Quern), with one thread."""
    text = FIGURES.read_text(encoding="utf-8")
    rows = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] in SHOWN and cells[0] not in rows:  # the first table
            rows[cells[0]] = (float(cells[1]), [float(cell) for cell in cells[2:5]])
    return [(label, *rows[name]) for name, label in SHOWN.items()]


def table(rows):
    lines = ["| one thread | Quern | " + " | ".join(PEERS) + " |", "|---|---:|" + "---:|" * len(PEERS)]
    for name, own, ratios in rows:
        lines.append(f"| {name} | {own:.3g} ms | " + " | ".join(f"{own * r:.3g} ms ({r:.1f} times)" for r in ratios) + " |")
    return "\n".join(lines) + "\n"


def chart(rows):
    left, bar, gap, width = 230, 13, 14, 470
    largest = max(max(ratios) for _, _, ratios in rows)
    y, parts = 34, []
    x = left
    for k, peer in enumerate(PEERS):
        parts.append(f'<rect x="{x}" y="8" width="11" height="11" fill="{COLOURS[k]}"/>'
                     f'<text x="{x + 16}" y="18">{html.escape(peer)}</text>')
        x += 40 + 7 * len(peer)  # a letter takes about 7 pixels
    for name, _, ratios in rows:
        parts.append(f'<text x="{left - 8}" y="{y + bar * len(ratios) / 2 + 4:.0f}" text-anchor="end">{html.escape(name)}</text>')
        for k, ratio in enumerate(ratios):
            size = width * ratio / largest
            parts.append(f'<rect x="{left}" y="{y}" width="{size:.0f}" height="{bar - 2}" fill="{COLOURS[k]}"/>'
                         f'<text x="{left + size + 5:.0f}" y="{y + 10}">{ratio:.1f}</text>')
            y += bar
        y += gap
    one = left + width / largest
    parts.append(f'<line x1="{one:.0f}" y1="28" x2="{one:.0f}" y2="{y - gap}" stroke="#d00" stroke-dasharray="3 3"/>'
                 f'<text x="{left}" y="{y + 4}">time of each, in units of Quern\'s (red line); one thread</text>')
    style = "text{fill:#222}@media(prefers-color-scheme:dark){text{fill:#ddd}}"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{y + 14}" viewBox="0 0 760 {y + 14}" '
            f'font-family="sans-serif" font-size="12">\n<style>{style}</style>\n' + "\n".join(parts) + "\n</svg>\n")


def main():
    rows, readme, image = figures(), ROOT / "README.md", ROOT / "docs/speed.svg"
    text = readme.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    wanted = {readme: before + BEGIN + table(rows) + END + rest.split(END)[1], image: chart(rows)}
    if "--check" not in sys.argv:
        for path, content in wanted.items():
            path.write_text(content, encoding="utf-8")
        return 0
    old = [path for path, content in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != content]
    for path in old:
        print(f"{path.relative_to(ROOT)}: run benchmarks/chart.py")
    return len(old) > 0


if __name__ == "__main__":
    sys.exit(main())

"""Multiply-adds per cycle of complete register tiles, by llvm-mca. Writes benchmarks/tiles.md.

The tile is that of a 1x1 convolution of 24 pixels, 48 channels and K = 256: initial accumulators, all products, requantization and
stores. Its instructions are cut out of the assembly that Quern writes, loops unrolled, and simulated as often as they would follow
each other. The model of a core in LLVM is not the core: it knows ports, latencies and the width of dispatch, but no cache.

  benchmarks/tiles.py --quern build/release/quern --mca llvm-mca-22

SPDX-License-Identifier: Apache-2.0"""

import argparse
import collections
import datetime
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import synthetic

ROOT = pathlib.Path(__file__).resolve().parent.parent
PIXELS, CHANNELS, TAPS = 24, 48, 256
MOST_SCALAR = 3.2  # instructions per multiply-add

# Multiply-adds of an instruction, by a pattern that its text begins with.
PRODUCTS = {r"[su]+dot\b": 16, r"[su]+mmla\b": 32, r"sm(ull|lal)2?\s": 8, r"vw(mul|macc)(su|u)?\.vx": 16, r"mulw?\s": 1}

# The level; what the weights are: distributed as trained ones, or even up to a magnitude; what follows; cores, with the bar of each or
# None.
Tile = collections.namedtuple("Tile", "products level weights fused cores")
RELU, NONE = synthetic.RELU, synthetic.NONE
ARM = {"cortex-a55": None, "cortex-a76": None, "neoverse-n1": None, "neoverse-v1": None, "neoverse-n2": None, "neoverse-v2": None}
I8MM = {"cortex-a510": None, "neoverse-v1": None, "neoverse-n2": None, "neoverse-v2": None}
RISCV = {"sifive-p670": None, "spacemit-x60": None, "tt-ascalon-d8": None}
TILES = (
    Tile("bytes in groups by pairs (SADALP)", "armv8", None, RELU, {"cortex-a53": None, "cortex-a72": None, "neoverse-n1": 7.5}),
    Tile("quads of bytes (SDOT)", "armv8-dot", None, RELU, ARM | {"cortex-a76": 28, "neoverse-n1": 28, "neoverse-v1": 59}),
    Tile("the same, requantized by integers", "armv8-dot", None, NONE, ARM),
    Tile("blocks of bytes (SMMLA)", "armv8-i8mm", None, RELU, I8MM | {"neoverse-v1": 95, "neoverse-v2": 80}),
    Tile("the same, requantized by integers", "armv8-i8mm", None, NONE, I8MM),
    Tile("single bytes, sums of eight products", "rv64v", 31, RELU, RISCV | {"sifive-p670": 18}),
    Tile("the same, requantized with an offset by sign", "rv64v", 31, NONE, RISCV),
    Tile("single bytes, sums of four products", "rv64v", 63, RELU, RISCV),
    Tile("single bytes, weights of 16 bits", "rv64v", 127, RELU, RISCV),
)


class Layer(synthetic.Model):
    """A model whose weights are even in [-most, most], or as in other synthetic models."""

    def __init__(self, most):
        super().__init__("tiles", synthetic.BYTES)
        self.most = most

    def channel(self, length):
        if self.most is None:
            return super().channel(length)
        weights = [self.random.randint(-self.most, self.most) for _ in range(length)]
        return struct.pack(f"{length}b", *weights), sum(w * w for w in weights) / length

    def convolution(self, fused):
        x = self.activation([1, 1, PIXELS, TAPS], 1 / 64)
        return self.file([x], [self.conv(x, CHANNELS, fused=fused)])


def compiled(options, folder, tile):
    """Lines of the kernel's assembly, and multiply-adds of a tile as the compiler reports them."""
    model, assembly = folder / "tile.tflite", folder / "tile.s"
    model.write_bytes(Layer(tile.weights).convolution(tile.fused))
    triple = "riscv64-linux-gnu" if tile.level.startswith("rv") else "aarch64-linux-gnu"
    done = subprocess.run([options.quern, "compile", model, "--target", triple, "--cpu", tile.level, "--emit", "asm", "-o", assembly,
                           "--explain"], capture_output=True, text=True, check=True)
    rows, columns = re.search(r"is made in .*?, (\d+) pixels by (\d+) channels", done.stderr + done.stdout).groups()
    lines = assembly.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if re.match(r"conv_\d+:", line))
    last = next(i for i, line in enumerate(lines) if i > first and re.match(r"\s*\.size\s", line))
    return lines[first:last], int(rows), int(columns)


def multiply_adds(line):
    return next((count for pattern, count in PRODUCTS.items() if re.match(r"\s+" + pattern, line)), 0)


def loops_of(lines):
    """(first, last) line of each loop: from a label to the last branch back to it."""
    labels = {m[1]: i for i, line in enumerate(lines) if (m := re.match(r"(\.L\w+):", line))}
    found = {}
    for i, line in enumerate(lines):
        m = re.match(r"\s+(?:b|cb|tb|j)\S*\s(?:.*[\s,])?(\.L\w+)\s*$", line)
        if m and labels.get(m[1], i) < i:
            found[labels[m[1]]] = i
    return list(found.items())


def instructions(lines):
    return [re.sub(r"\.L\w+", "start", line) for line in lines if re.match(r"\s+[a-z]", line)]


def of_lines(lines, loop):
    return sum(map(multiply_adds, lines[loop[0]:loop[1] + 1]))


def product_loops(lines, loops):
    """The innermost ones that multiply."""
    return [l for l in loops if of_lines(lines, l) and not any(o != l and l[0] <= o[0] and o[1] <= l[1] for o in loops)]


def trace(lines, wanted):
    """Instructions of a tile with `wanted` multiply-adds: the loop around the innermost loops, which are repeated."""
    loops = loops_of(lines)
    inner = product_loops(lines, loops)
    around = [l for l in loops if any(l[0] <= i[0] and i[1] < l[1] for i in inner)]
    first, last = min(around, key=lambda l: l[1] - l[0]) if around else inner[0]
    inner = [i for i in inner if first <= i[0] and i[1] < last]
    if len(inner) > 1:
        raise ValueError("several loops over K: their lengths are not known")
    if not inner:
        return instructions(lines[first:last + 1])
    begin, end = inner[0]
    once = sum(map(multiply_adds, lines[first:begin] + lines[end + 1:last + 1]))
    rounds, rest = divmod(wanted - once, of_lines(lines, inner[0]))
    if rest or rounds < 1:
        raise ValueError(f"{once} multiply-adds outside of the loop and {of_lines(lines, inner[0])} in it do not make {wanted}")
    return instructions(lines[first:begin]) + rounds * instructions(lines[begin:end + 1]) + instructions(lines[end + 1:last + 1])


def cycles(options, level, core, code):
    repeats = 6
    triple = "riscv64" if level.startswith("rv") else "aarch64"
    done = subprocess.run([options.mca, f"-mtriple={triple}", f"-mcpu={core}", f"-iterations={repeats}", "-instruction-info=0",
                           "-resource-pressure=0"], input="start:\n" + "\n".join(code) + "\n", capture_output=True, text=True)
    found = re.search(r"Total Cycles:\s+(\d+)", done.stdout)
    if not found:
        raise ValueError(done.stderr[:400])
    return int(found[1]) / repeats


def scalar_loop(options, folder):
    """Instructions and multiply-adds of the loop over K in scalar code, whose requantization branches and is no trace."""
    lines, _, _ = compiled(options, folder, Tile("single bytes, scalar", "rv64", None, RELU, {}))
    loop = max(product_loops(lines, loops_of(lines)), key=lambda l: of_lines(lines, l))
    return len(instructions(lines[loop[0]:loop[1] + 1])), of_lines(lines, loop)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quern", type=pathlib.Path, default=ROOT / "build" / "release" / "quern")
    parser.add_argument("--mca", default="llvm-mca-22")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "benchmarks" / "tiles.md")
    options = parser.parse_args()
    version = re.search(r"LLVM version (\S+)", subprocess.run([options.mca, "--version"], capture_output=True, text=True).stdout)[1]
    lines = ["# Register tiles on modelled Arm and RISC-V cores", "",
             f"Made by `benchmarks/tiles.py` on {datetime.date.today()} with llvm-mca {version}: multiply-adds per cycle of complete tiles of "
             f"a 1x1 convolution with K = {TAPS}, requantization and stores included, and in brackets the least that is asked for. Unless "
             "the table says otherwise, results are requantized by one multiply-add of floats; other scales of a layer need another form. These "
             "are models of cores without caches, not cores.", "",
             "| products | level | tile | instructions per multiply-add | multiply-adds per cycle |", "|---|---|---|---|---|"]
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        for tile in TILES:
            code, rows, columns = compiled(options, pathlib.Path(temporary), tile)
            wanted = rows * columns * TAPS
            one = trace(code, wanted)
            cells = []
            for core, least in tile.cores.items():
                rate = wanted / cycles(options, tile.level, core, one)
                missed += least is not None and rate < least
                cells.append(f"{core} {rate:.1f}" + (f" ({least})" if least else ""))
            lines.append(f"| {tile.products} | `{tile.level}` | {rows} pixels by {columns} channels | {len(one) / wanted:.3f} | "
                         + ", ".join(cells) + " |")
            print(lines[-1], file=sys.stderr, flush=True)
        count, products = scalar_loop(options, pathlib.Path(temporary))
    missed += count > MOST_SCALAR * products
    lines += ["", f"Scalar code (`rv64`) has {count} instructions for {products} multiply-adds in the loop over K, {count / products:.2f} each "
              f"(at most {MOST_SCALAR})."]
    options.page.write_text("\n".join(lines) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes modules whose times workloads.py compares with each other: products of a row of floats by weights of 32, 8 and 4 bits,
functions of bytes, and a chain of float ops.

SPDX-License-Identifier: Apache-2.0
"""
import array
import functools
import random

BLOCK = 32  # weights of 4 bits that share a scale


def scales(count, chance):
    return ", ".join(f"{chance.uniform(0.01, 0.05):.6f}" for _ in range(count))


def floats(size, chance):
    """Element type, stored type and bytes of f32 weights [size, size]."""
    return "f32", "f32", array.array("f", (chance.uniform(-1, 1) for _ in range(size * size))).tobytes()


def bytes_of_channels(size, chance):
    """The same of 8-bit weights with a scale per channel."""
    values = bytes((value % 255 - 127) & 0xff for value in chance.randbytes(size * size))
    return f"!quant.uniform<i8<-127:127>:f32:0, {{{scales(size, chance)}}}>", "i8", values


def nibbles_of_blocks(size, chance):
    """The same of 4-bit weights with a scale per channel and block, a byte each in the text."""
    rows = ", ".join(f"{{{scales(size // BLOCK, chance)}}}" for _ in range(size))
    values = bytes((value % 15 - 7) & 0xff for value in chance.randbytes(size * size))
    return f"!quant.uniform<i4<-7:7>:f32:{{0:1,1:{BLOCK}}}, {{{rows}}}>", "i4", values


def linear(size, weights):
    """y = W x for one row x."""
    element, stored, values = weights(size, random.Random(size))
    x, shape = f"tensor<1x{size}xf32>", f"{size}x{size}"
    return (f"!w = {element}\n"
            f"func.func @main(%x: {x}) -> {x} {{\n"
            f'  %w = "ml.const"() {{value = dense<"0x{values.hex()}"> : tensor<{shape}x{stored}>}} : () -> tensor<{shape}x!w>\n'
            f'  %y = "ml.linear"(%x, %w) : ({x}, tensor<{shape}x!w>) -> {x}\n'
            f"  return %y : {x}\n}}\n")


def chain(element, *kinds):
    """One-operand functions after each other; `add` and `mul` take the input as the second operand."""
    x = f"tensor<1x64x64x32x{element}>"
    lines, last = [], "%x"
    for i, kind in enumerate(kinds):
        two = kind in ("add", "mul")
        lines.append(f'  %{i} = "ml.{kind}"({last}{", %x" if two else ""}) : ({x}{f", {x}" if two else ""}) -> {x}\n')
        last = f"%{i}"
    return f"func.func @main(%x: {x}) -> {x} {{\n{''.join(lines)}  return {last} : {x}\n}}\n"


BYTES = "!quant.uniform<i8:f32, 0.05:3>"
MODELS = {f"linear_{size}_{name}": functools.partial(linear, size, weights)
          for size in (512, 4096) for name, weights in (("f32", floats), ("i8", bytes_of_channels), ("i4", nibbles_of_blocks))}
MODELS |= {
    "silu_i8": functools.partial(chain, BYTES, "silu"),
    "hard_swish_i8": functools.partial(chain, BYTES, "hard_swish"),
    "sigmoid_f32": functools.partial(chain, "f32", "sigmoid"),
    "add_sigmoid_mul_relu_f32": functools.partial(chain, "f32", "add", "sigmoid", "mul", "relu"),
}

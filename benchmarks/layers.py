"""Writes single 8-bit layers for workloads.py, as .tflite files with random weights.

SPDX-License-Identifier: Apache-2.0
"""
import collections

from synthetic import ADD, INT8, NONE, RELU, SUB

Layer = collections.namedtuple("Layer", "make macs")  # a function of a synthetic.Model; multiply-adds


def conv(height, width, depth, channels, kernel=1, stride=1, groups=1):
    """A convolution of an image of height x width with `depth` channels; kernel may be (rows, columns)."""
    def make(m):
        x = m.activation([1, height, width, depth], 1 / 64)
        return m.file([x], [m.conv(x, channels, kernel, stride, groups=groups)])
    rows, columns = kernel if isinstance(kernel, tuple) else (kernel, kernel)
    pixels = -(-height // stride) * -(-width // stride)
    return Layer(make, pixels * channels * rows * columns * depth // groups)


def depthwise(height, width, depth, kernel):
    def make(m):
        x = m.activation([1, height, width, depth], 1 / 64)
        return m.file([x], [m.depthwise(x, 1, kernel, RELU)])
    return Layer(make, height * width * depth * kernel * kernel)


def sum_of_two(kind, scales):
    """ADD or SUB of 56 x 56 x 64 bytes: the scales of both operands and of the result."""
    def make(m):
        x, y, z = (m.tensor([1, 56, 56, 64], INT8, [scale], 3) for scale in scales)
        return m.file([x, y], [m.operator(kind, [x, y], z, (0, "b", NONE))])
    return Layer(make, 0)


def conv_and_add(apart):
    """The end of a block of MobileNetV2: a product, then the sum with the block's input. `apart`: the product is an output, too, so that
    both have kernels of their own."""
    def make(m):
        x, past = m.activation([1, 56, 56, 144], 1 / 64), m.activation([1, 56, 56, 24], 1 / 64)
        y = m.conv(x, 24, fused=NONE)
        z = m.add(y, past)
        return m.file([x, past], [z, y] if apart else [z])
    return Layer(make, 56 * 56 * 144 * 24)


PROVED, ROUND = (0.0235, 0.0117, 0.0309), (0.05, 0.0235, 0.03)
MODELS = {
    "conv_3x3x16_112": conv(112, 112, 16, 16, kernel=3),
    "conv_32_groups_56": conv(56, 56, 128, 128, kernel=3, groups=32),
    "conv1d_1024x64": conv(1, 1024, 64, 64, kernel=(1, 9)),
    "conv_1x1x64_56": conv(56, 56, 64, 64),
    "conv_1x1x128_28": conv(28, 28, 128, 128),
    "conv_first_7x7_224": conv(224, 224, 3, 64, kernel=7, stride=2),
    "conv_first_3x3_224": conv(224, 224, 3, 32, kernel=3, stride=2),
    "depthwise_7x7_56": depthwise(56, 56, 96, kernel=7),
    "conv_add_24": conv_and_add(apart=False), "conv_add_24_apart": conv_and_add(apart=True),
    "add_proved": sum_of_two(ADD, PROVED), "add_round": sum_of_two(ADD, ROUND),
    "sub_proved": sum_of_two(SUB, PROVED), "sub_round": sum_of_two(SUB, ROUND),
}
FLOATS = {"conv_32_groups_56_float": MODELS["conv_32_groups_56"], "conv_3x3x16_112_float": MODELS["conv_3x3x16_112"]}

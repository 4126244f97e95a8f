"""Writes float networks for workloads.py, as .tflite files with published layer shapes and random weights: a vision transformer,
MobileNetV3 and EfficientNet-Lite0.

SPDX-License-Identifier: Apache-2.0
"""
import math

import synthetic
from flatbuffer import Vector
from synthetic import ADD, CONCAT, FLOATS, GELU, HARD_SWISH, MATMUL, MEAN, MUL, NONE, RELU, RELU6, RESHAPE, SOFTMAX, TRANSPOSE

KEEP_DIMS = (0, "b", 1)
PLAIN = (0, "b", NONE)  # no fused activation
EPSILON = 1e-6


class Model(synthetic.Model):
    """With the float operators of these networks."""

    def __init__(self, name):
        super().__init__(name, FLOATS)

    def gauss(self, count, mean, deviation):
        return [self.random.gauss(mean, deviation) for _ in range(count)]

    def scaled(self, x, factor):
        return self.step(MUL, [x, self.floats([1], [factor])], self.shapes[x], PLAIN)

    def reshape(self, x, shape):
        return self.step(RESHAPE, [x, self.ints(shape)], shape, (0, "*", Vector("i", shape)))

    def transpose(self, x, perm):
        return self.step(TRANSPOSE, [x, self.ints(perm)], [self.shapes[x][i] for i in perm])

    def matmul(self, x, y):
        """Of the two last dimensions."""
        return self.step(MATMUL, [x, y], self.shapes[x][:2] + [self.shapes[y][2]], (0, "b", 0), (1, "b", 0))

    def layer_norm(self, x):
        width = self.shapes[x][1]
        return self.float_norm(x, self.gauss(width, 1, 0.1), self.gauss(width, 0, 0.1), EPSILON)

    def residual(self, x, y):
        return self.step(ADD, [x, y], self.shapes[x], PLAIN)

    def hard_swish(self, x):
        return self.step(HARD_SWISH, [x], self.shapes[x])

    def gate(self, x):
        """Squeeze and excitation: x, each channel multiplied by a factor that depends on the means of all channels."""
        depth = self.shapes[x][3]
        squeezed = -(-depth // 32) * 8  # a quarter, rounded up to a multiple of 8
        mean = self.step(MEAN, [x, self.ints([1, 2])], [1, 1, 1, depth], KEEP_DIMS)
        y = self.conv(self.conv(mean, squeezed), depth, fused=NONE)
        y = self.step(ADD, [y, self.floats([1], [3])], [1, 1, 1, depth], (0, "b", RELU6))
        return self.step(MUL, [x, self.scaled(y, 1 / 6)], self.shapes[x], PLAIN)

    def classify_pixel(self, x, classes):
        """The mean of all pixels, then probabilities of the classes."""
        mean = self.step(MEAN, [x, self.ints([1, 2])], [1, self.shapes[x][3]])
        return self.step(SOFTMAX, [self.linear(mean, classes)], [1, classes], (0, "f", 1.0))


def vision_transformer(m, layers=12, width=192, heads=3, size=224, patch=16):
    """ViT-Ti/16."""
    image = m.image(size, size)
    count = (size // patch) ** 2
    x = m.reshape(m.conv(image, width, kernel=patch, stride=patch, fused=NONE), [count, width])
    x = m.step(CONCAT, [m.floats([1, width], m.gauss(width, 0, 0.5)), x], [count + 1, width], (0, "i", 0))
    tokens = count + 1
    x = m.residual(x, m.floats([tokens, width], m.gauss(tokens * width, 0, 0.5)))

    def split(y, perm):
        return m.transpose(m.reshape(y, [tokens, heads, width // heads]), perm)
    for _ in range(layers):
        y = m.layer_norm(x)
        query, key, value = (m.linear(y, width) for _ in range(3))
        scores = m.matmul(split(m.scaled(query, 1 / math.sqrt(width // heads)), [1, 0, 2]), split(key, [1, 2, 0]))
        odds = m.step(SOFTMAX, [scores], [heads, tokens, tokens], (0, "f", 1.0))
        mixed = m.reshape(m.transpose(m.matmul(odds, split(value, [1, 0, 2])), [1, 0, 2]), [tokens, width])
        x = m.residual(x, m.linear(mixed, width))
        y = m.linear(m.layer_norm(x), 4 * width)
        x = m.residual(x, m.linear(m.step(GELU, [y], m.shapes[y]), width))
    return m.file([image], [m.linear(m.layer_norm(x), 1000)])


def mobilenet_v3(m):
    """MobileNetV3-Large 1.0 for images of 224 x 224."""
    image = m.image(224, 224)
    x = m.hard_swish(m.conv(image, 16, stride=2, kernel=3, fused=NONE))
    for kernel, expanded, channels, gated, swish, stride in (
            (3, 16, 16, 0, 0, 1), (3, 64, 24, 0, 0, 2), (3, 72, 24, 0, 0, 1), (5, 72, 40, 1, 0, 2), (5, 120, 40, 1, 0, 1),
            (5, 120, 40, 1, 0, 1), (3, 240, 80, 0, 1, 2), (3, 200, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1), (3, 184, 80, 0, 1, 1),
            (3, 480, 112, 1, 1, 1), (3, 672, 112, 1, 1, 1), (5, 672, 160, 1, 1, 2), (5, 960, 160, 1, 1, 1), (5, 960, 160, 1, 1, 1)):
        fused, after = (NONE, m.hard_swish) if swish else (RELU, lambda y: y)
        y = after(m.conv(x, expanded, fused=fused)) if expanded != m.shapes[x][3] else x
        y = after(m.depthwise(y, stride, kernel, fused))
        y = m.conv(m.gate(y) if gated else y, channels, fused=NONE)
        x = m.residual(x, y) if m.shapes[x] == m.shapes[y] else y
    x = m.hard_swish(m.conv(x, 960, fused=NONE))
    mean = m.step(MEAN, [x, m.ints([1, 2])], [1, 1, 1, 960], KEEP_DIMS)
    y = m.conv(m.hard_swish(m.conv(mean, 1280, fused=NONE)), 1000, fused=NONE)
    return m.file([image], [m.step(SOFTMAX, [m.reshape(y, [1, 1000])], [1, 1000], (0, "f", 1.0))])


def efficientnet_lite0(m):
    image = m.image(224, 224)
    x = m.conv(image, 32, kernel=3, stride=2, fused=RELU6)
    for kernel, factor, channels, count, first in ((3, 1, 16, 1, 1), (3, 6, 24, 2, 2), (5, 6, 40, 2, 2), (3, 6, 80, 3, 2),
                                                   (5, 6, 112, 3, 1), (5, 6, 192, 4, 2), (3, 6, 320, 1, 1)):
        for block in range(count):
            y = m.conv(x, factor * m.shapes[x][3], fused=RELU6) if factor > 1 else x
            y = m.conv(m.depthwise(y, first if block == 0 else 1, kernel), channels, fused=NONE)
            x = m.residual(x, y) if block > 0 else y
    return m.file([image], [m.classify_pixel(m.conv(x, 1280, fused=RELU6), 1000)])


MODELS = {"vit_tiny_16_float": vision_transformer, "mobilenet_v3_large_float": mobilenet_v3,
          "efficientnet_lite0_float": efficientnet_lite0}

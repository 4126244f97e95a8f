"""What is counted of models that two runtimes have run: elements, those that differ, by how much.

SPDX-License-Identifier: Apache-2.0"""

import collections

import numpy as np

COLUMNS = ("models", "elements", "integers differ", "floats differ", "by", "unsupported")


def signless(array):
    """Unsigned integers of more than 8 bits have the bits of signed ones with Quern."""
    return array.view(array.dtype.str.replace("u", "i")) if array.dtype.kind == "u" and array.itemsize > 1 else array


def unequal(a, b):
    """Where elements differ, as a mask; everything of tensors that are not of one kind. NaN equals NaN."""
    a = signless(a)
    if a.dtype != b.dtype or a.shape != b.shape:
        return np.ones(max(a.size, 1), np.bool_)
    same = a == b
    if a.dtype.kind == "f":
        same |= np.isnan(a) & np.isnan(b)
    return ~same


def differing(a, b):
    return int(np.count_nonzero(unequal(a, b)))


def distance(a, b):
    """The largest difference of two float tensors over the largest magnitude in a; infinite where one element is not finite and
    the other is."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return np.inf
    where = unequal(a, b)
    x, y = a[where].astype(np.float64), b[where].astype(np.float64)
    if not (np.isfinite(x) & np.isfinite(y)).all():
        return np.inf
    largest = np.max(np.abs(a[np.isfinite(a)].astype(np.float64)), initial=0)
    return float(np.max(np.abs(x - y), initial=0) / (largest or 1))


class Row:
    """The sums of an operator and type; elements that differ are those of the worse of several ways to run a model."""

    def __init__(self):
        self.models = self.elements = self.integers = self.floats = 0
        self.by = 0.0
        self.unsupported = collections.Counter()

    def compare(self, expected, found):
        """Counts the elements of a model; the outputs that `found` has by way. Returns the elements that differ of each way."""
        self.models += 1
        self.elements += sum(y.size for y in expected)
        integers, floats, counts = [0], [0], {}
        for way, got in found.items():
            counts[way] = [differing(y, q) for y, q in zip(expected, got, strict=True)]
            real = [y.dtype.kind == "f" for y in expected]
            integers.append(sum(n for n, is_real in zip(counts[way], real) if not is_real))
            floats.append(sum(n for n, is_real in zip(counts[way], real) if is_real))
            for y, q, is_real in zip(expected, got, real):
                self.by = max(self.by, distance(y, q)) if is_real else self.by
        self.integers += max(integers)
        self.floats += max(floats)
        return counts

    def add(self, other):
        self.models += other.models
        self.elements += other.elements
        self.integers += other.integers
        self.floats += other.floats
        self.by = max(self.by, other.by)
        self.unsupported += other.unsupported

    def cells(self):
        unsupported = ", ".join(f"{who} {count}" for who, count in self.unsupported.items()) or "-"
        far = f"{self.by:.1e}" if self.floats else "-"
        return (str(self.models), str(self.elements), str(self.integers), str(self.floats), far, unsupported)

"""Random wrong objects to every function of the C module: exceptions, nothing else.
SPDX-License-Identifier: Apache-2.0"""
import array
import os
import random

import numpy as np
from conftest import DIGITS, SIZED, SUM, TWO

import quern
from quern import _quern

ROUNDS = int(os.environ.get("QUERN_FUZZ_ROUNDS", "3000"))
ALLOWED = (TypeError, ValueError, OverflowError, quern.Error, BufferError, MemoryError)


class Odd:
    """Lies about what it is."""

    def __dlpack__(self, **_):
        return random.choice([None, 3, "x"])

    def __index__(self):
        return random.choice([0, -1, 2**70])

    def __len__(self):
        return random.choice([0, 5])


def objects(chance):
    """Something that a caller may have at hand."""
    shape = tuple(chance.choice([0, 1, 2, 3, 4, 5, 7, 8, 10]) for _ in range(chance.randrange(5)))
    kind = chance.choice([np.int8, np.uint8, np.int16, np.float32, np.float64, np.bool_, np.int64, ">i4", "S3", object])
    made = np.zeros(shape, kind)
    if made.ndim and chance.random() < 0.3:
        made = made[::chance.choice([1, 2, -1])]
    if chance.random() < 0.2:
        made = np.broadcast_to(np.zeros((), np.int8), shape)
    return chance.choice([
        lambda: made, lambda: made, lambda: made, lambda: np.zeros((1, 8, 8, 1), np.int8), lambda: None,
        lambda: b"abc", lambda: bytearray(64), lambda: array.array("b", bytes(64)), lambda: memoryview(bytes(64)),
        lambda: "text", lambda: -1, lambda: 2**70, lambda: 1.5, Odd, lambda: Odd, lambda: [], lambda: {}, lambda: (),
        lambda: (made,), lambda: (made, made), lambda: (np.zeros((1, 8, 8, 1), np.int8),), lambda: "\ud800", lambda: "a\0b",
        lambda: np.zeros((1, 10), np.int8)])()


def test_every_function_takes_every_object():
    seed = int(os.environ.get("QUERN_FUZZ_SEED", "1"))
    chance = random.Random(seed)
    random.seed(seed)
    models = [quern.load(DIGITS), *(quern.load(text.encode()) for text in (SUM, SIZED, TWO))]
    living = [model.compile() for model in models]
    names = ["invoke", "_invoke_many", "_profile", "_ports", "_stats", "_tensors", "_set_size", "_read_state",
             "_write_state", "_clone", "reset", "__call__", "run"]
    for _ in range(ROUNDS):
        x = chance.choice(living)
        arguments = [objects(chance) for _ in range(chance.randrange(4))]
        if chance.random() < 0.5:
            arguments = [chance.choice([1, 2, 3]), *arguments][:3]
        call = getattr(x, chance.choice(names))
        if chance.random() < 0.05:
            call, arguments = _quern.load, [objects(chance) for _ in range(4)]
        try:
            call(*arguments)
        except ALLOWED:
            pass
        except (AttributeError, KeyError, IndexError) as error:
            assert call.__name__ == "run", error  # Python code on odd objects
    a = np.zeros((1, 8, 8, 1), np.int8)
    fresh = quern.load(DIGITS).compile()
    assert (living[0](a) == fresh(a)).all()


def test_models_of_random_bytes():
    chance = random.Random(2)
    whole = DIGITS.read_bytes()
    for _ in range(ROUNDS // 100):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 20)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            with quern.limits(seconds=10, memory=1 << 30):
                model = quern.load(bytes(data[:chance.randrange(len(data)) + 1]))
                repr(model)
        except quern.Error:
            pass

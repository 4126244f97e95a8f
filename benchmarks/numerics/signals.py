"""Random models of one operator of tflite-micro's audio front end: its kernels against Quern, element by element, over several
invocations, in the interpreter at the stage of the model and as machine code.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import os
import subprocess
import sys
import tempfile

import numpy as np
from ai_edge_litert import schema_py_generated as s
from tflite_micro.python.tflite_micro import runtime

from single_operators import TYPES, Single

TYPES.update({"u32": (s.TensorType.UINT32, np.uint32), "u64": (s.TensorType.UINT64, np.uint64)})
WAYS = {"model": ["--engine", "interpreter", "--stage", "model"], "jit": ["--engine", "jit"]}
INVOCATIONS = 5


def samples(rng, shape):
    most = int(rng.choice([32768, 300, 4]))
    x = rng.integers(-most, most, shape)
    x[rng.random(shape) < rng.choice([0, 0, 0.1, 0.7])] = -32768
    return x.astype(np.int16)


def wide(rng, shape, dtype, bits):
    return (rng.integers(0, 2 ** 32, shape, np.uint64) << np.uint64(bits - 32) >> rng.integers(0, bits, shape, np.uint64)).astype(dtype)


def words(rng, shape):
    return wide(rng, shape, np.uint32, 32)


def window(m, rng):
    n = int(rng.integers(1, 60))
    shape = [int(rng.integers(1, 4)), n]
    m.input("i16", shape, "plain", samples(rng, shape))
    m.constant("i16", samples(rng, [n]), "plain")
    return [("i16", shape, "plain")], {"shift": int(rng.integers(0, 16))}, samples


def auto_scale(m, rng):
    shape = [int(rng.integers(1, 60))]
    m.input("i16", shape, "plain", samples(rng, shape))
    return [("i16", shape, "plain"), ("i32", [], None)], {}, samples


def rfft(m, rng):
    length = 2 ** int(rng.integers(3, 10))
    n = int(rng.integers(1, length + 1))
    rows = int(rng.integers(1, 3))
    m.input("i16", [rows, n], "plain", samples(rng, [rows, n]))
    return [("i16", [rows, length + 2], "plain")], {"T": int(s.TensorType.INT16), "fft_length": length}, samples


def irfft(m, rng):
    length = 2 ** int(rng.integers(3, 10))
    rows = int(rng.integers(1, 3))
    m.input("i16", [rows, length + 2], "plain", samples(rng, [rows, length + 2]))
    return [("i16", [rows, length], "plain")], {"T": int(s.TensorType.INT16), "fft_length": length}, samples


def energy(m, rng):
    n = int(rng.integers(1, 60))
    m.input("i16", [2 * n], "plain", samples(rng, [2 * n]))
    return [("u32", [n], None)], {"start_index": 0, "end_index": n}, samples


def bank(m, rng):
    n, channels = int(rng.integers(8, 60)), int(rng.integers(1, 12))
    widths = rng.integers(0, 6, channels + 1)
    starts = rng.integers(0, n - 6, channels + 1)
    weights = np.cumsum(widths) - widths
    total = int(widths.sum()) + 1
    m.input("u32", [n], None, words(rng, [n]))
    for values in (samples(rng, [total]), samples(rng, [total]), starts, weights, widths):
        m.constant("i16", np.asarray(values).astype(np.int16), "plain")
    return [("u64", [channels], None)], {"num_channels": channels}, words


def root(m, rng):
    n = int(rng.integers(1, 60))

    def draw(rng, shape):
        x = wide(rng, shape, np.uint64, 64)
        near = rng.integers(0, 2 ** 32, shape, np.uint64)
        near = near * near + rng.integers(0, 3, shape, np.uint64) - np.uint64(1)
        return np.where(rng.random(shape) < 0.5, x, near)
    m.input("u64", [n], None, draw(rng, [n]))
    m.constant("i32", np.array(rng.integers(0, 16), np.int32))
    return [("u32", [n], None)], {}, draw


def subtraction(m, rng):
    n = int(rng.integers(1, 60))
    m.input("u32", [n], None, words(rng, [n]))
    bits = int(rng.integers(1, 16))
    one = 1 << bits
    even, odd = (int(x) for x in rng.integers(0, one + 1, 2))
    return [("u32", [n], None)] * 2, {
        "alternate_one_minus_smoothing": one - odd, "alternate_smoothing": odd, "clamping": bool(rng.integers(0, 2)),
        "min_signal_remaining": int(rng.integers(0, one)), "num_channels": n, "one_minus_smoothing": one - even,
        "smoothing": even, "smoothing_bits": int(rng.integers(0, 12)), "spectral_subtraction_bits": bits}, words


def pcan(m, rng):
    n = int(rng.integers(1, 60))
    m.input("u32", [n], None, words(rng, [n]))
    m.input("u32", [n], None, words(rng, [n]))
    m.constant("i16", rng.integers(-3000, 3000, 125).astype(np.int16), "plain")
    return [("u32", [n], None)], {"snr_shift": int(rng.integers(1, 20))}, words


def log(m, rng):
    n = int(rng.integers(1, 60))
    m.input("u32", [n], None, words(rng, [n]))
    options = {"input_correction_bits": int(rng.integers(0, 6)), "output_scale": int(rng.integers(1, 4000))}
    return [("i16", [n], "plain")], options, words


def framer(m, rng):
    step = int(rng.integers(1, 20))
    size, frames, rows = step + int(rng.integers(0, 40)), int(rng.integers(1, 5)), int(rng.integers(1, 3))
    m.input("i16", [rows, frames * step], "plain", samples(rng, [rows, frames * step]))
    options = {"frame_size": size, "frame_step": step, "prefill": bool(rng.integers(0, 2))}
    return [("i16", [rows, frames, size], "plain"), ("bool", [], None)], options, samples


def stacker(m, rng):
    n, left, right = (int(x) for x in rng.integers([1, 0, 0], [20, 4, 4]))
    m.input("i16", [n], "plain", samples(rng, [n]))
    options = {"num_channels": n, "stacker_left_context": left, "stacker_right_context": right,
               "stacker_step": int(rng.integers(1, left + right + 2))}
    return [("i16", [n * (left + right + 1)], "plain"), ("bool", [], None)], options, samples


def overlap_add(m, rng):
    step = int(rng.integers(1, 20))
    size, frames, rows = step + int(rng.integers(0, 40)), int(rng.integers(1, 5)), int(rng.integers(1, 3))
    m.input("i16", [rows, frames, size], "plain", samples(rng, [rows, frames, size]))
    return [("i16", [rows, frames * step], "plain")], {"T": int(s.TensorType.INT16), "frame_step": step}, samples


def delay(m, rng):
    shape = [int(x) for x in rng.integers([1, 1], [4, 40])]
    m.input("i16", shape, "plain", samples(rng, shape))
    return [("i16", shape, "plain")], {"delay_length": int(rng.integers(1, 60))}, samples


OPERATORS = {"SignalWindow": window, "SignalFftAutoScale": auto_scale, "SignalRfft": rfft, "SignalIrfft": irfft,
             "SignalEnergy": energy, "SignalFilterBank": bank, "SignalFilterBankSquareRoot": root,
             "SignalFilterBankSpectralSubtraction": subtraction, "SignalPCAN": pcan, "SignalFilterBankLog": log,
             "SignalFramer": framer, "SignalStacker": stacker, "SignalOverlapAdd": overlap_add, "SignalDelay": delay}


def same_type(y):
    """As Quern names it: integers of 32 and 64 bits have no sign."""
    return y.view({"uint32": np.int32, "uint64": np.int64}.get(y.dtype.name, y.dtype))


def drawn(name, seed):
    """The model, its first inputs, what draws more of them, and how many outputs it has."""
    m = Single(np.random.default_rng(seed))
    outputs, options, draw = OPERATORS[name](m, m.rng)
    content, first = m.finish(name, outputs, options)
    return content, first, lambda: [draw(m.rng, list(first[0].shape)), *first[1:]], len(outputs)


def by_micro(content, runs, count):
    """The outputs of each invocation; None for those that are said to be not valid, which no kernel writes."""
    micro, answers = runtime.Interpreter.from_bytes(content, arena_size=1 << 20), []
    for run in runs:
        for i, x in enumerate(run):
            micro.set_input(x, i)
        micro.invoke()
        outputs = [same_type(micro.get_output(i).copy()) for i in range(count)]
        valid = outputs[-1].dtype != np.bool_ or bool(outputs[-1])
        answers.append([y if valid or y.dtype == np.bool_ else None for y in outputs])
    return answers


def by_quern(quern, path, runs, way, folder, count):
    """The outputs of the last invocation, or the first line of the message."""
    command = [quern, "run", path, "--numerics", "tflm", "--save", folder, *WAYS[way]]
    for k, run in enumerate(runs):
        command += ["--then"] if k else []
        for i, x in enumerate(run):
            np.save(os.path.join(folder, f"in{k}.{i}.npy"), same_type(x))
            command += ["--input", f"@{folder}/in{k}.{i}.npy"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return (done.stderr.splitlines() or ["no message"])[0]
    return [np.load(os.path.join(folder, f"out{i}.npy")) for i in range(count)]


def check(name, seed, quern):
    """Number of elements compared and, for each way to run the model, number of elements that differ; 1 if the model is
    rejected."""
    content, first, more, count = drawn(name, seed)
    runs = [first] + [more() for _ in range(INVOCATIONS - 1)]
    answers, total, found = by_micro(content, runs, count), 0, dict.fromkeys(WAYS, 0)
    for k, answer in enumerate(answers):
        for way in WAYS:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "m.tflite")
                with open(path, "wb") as file:
                    file.write(content)
                got = by_quern(quern, path, runs[:k + 1], way, folder, count)
            if isinstance(got, str):
                print(f"{name} {seed} {way}: {got}", file=sys.stderr)
                found[way] += 1
                continue
            for y, q in zip(answer, got, strict=True):
                if y is not None:
                    total += y.size
                    found[way] += int(np.count_nonzero(y.reshape(q.shape) != q))
    return total, found


def written(name, seed, folder, quern):
    """A model and its outputs after the inputs random:0, random:10, ... of Quern; False where these are not valid."""
    content, first, _, count = drawn(name, seed)
    path, runs = os.path.join(folder, name + ".tflite"), []
    with open(path, "wb") as file:
        file.write(content)
    for k in range(INVOCATIONS):
        with tempfile.TemporaryDirectory() as dump:
            inputs = [part for i in range(len(first)) for part in ("--input", f"random:{10 * k + i}")]
            subprocess.run([quern, "run", path, "--numerics", "tflm", *inputs, "--dump", dump], check=True, capture_output=True)
            runs.append([np.load(os.path.join(dump, f"in{i}.npy")).view(x.dtype) for i, x in enumerate(first)])
    outputs = by_micro(content, runs, count)[-1]
    if any(y is None for y in outputs):
        return False
    for i, y in enumerate(outputs):
        np.save(os.path.join(folder, f"{name}_out{i}.npy"), y)
    return True


def write(folder, quern):
    os.makedirs(folder, exist_ok=True)
    for name in OPERATORS:
        seed = 1
        while not written(name, seed, folder, quern):
            seed += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quern", required=True)
    parser.add_argument("--models", type=int, default=10, help="of each operator (10)")
    parser.add_argument("--seed", type=int, default=1, help="the first (1)")
    parser.add_argument("--only", default="", help="operators whose name contains this")
    parser.add_argument("--write", metavar="FOLDER", help="write the models of tests/cli/signals and what they give")
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write, arguments.quern)
        return 0
    bad = 0
    print("| operator | models | elements | model differs | jit differs |\n|---|---|---|---|---|")
    for name in OPERATORS:
        if arguments.only not in name:
            continue
        elements, differ = 0, dict.fromkeys(WAYS, 0)
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            count, found = check(name, seed, arguments.quern)
            elements += count
            for way in WAYS:
                differ[way] += found[way]
        bad += sum(differ.values())
        print(f"| {name} | {arguments.models} | {elements} | {differ['model']} | {differ['jit']} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

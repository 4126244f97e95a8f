#!/usr/bin/env python3
"""LiteRT's reference kernels beside Quern, over folders of models: models.py [--part K/N] FOLDER|MODEL...

Each different .tflite file runs three times, each time in a process of its own, as any of them may crash: in LiteRT, in
LiteRT with Quern's delegate, and in Quern's class instead of LiteRT's. They get the same two random inputs in sequence, so
that states count. Exits with 1 if a result or a dictionary of details differs, or if Quern fails or dies; with 77 if
LiteRT runs none of the files.

SPDX-License-Identifier: Apache-2.0"""
import argparse
import collections
import hashlib
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

import numpy as np

SECONDS = 280
FLOATS = 1e-4  # of the largest value, for real outputs: profiles promise bits for integers only
EQUAL, NEAR, REJECTED, ALONE = "equal", "near", "LiteRT rejects it", "LiteRT dies, Quern runs it"
WAYS = ("delegate", "class")


def random_value(detail, chance):
    dtype = np.dtype(detail["dtype"])
    if dtype.kind == "f":
        return chance.uniform(-1, 1, detail["shape"]).astype(dtype)
    if dtype.kind == "b" or dtype.itemsize >= 4:  # indices, of which these are in range everywhere
        return chance.integers(0, 2, detail["shape"]).astype(dtype)
    limits = np.iinfo(dtype)
    return chance.integers(limits.min, limits.max, detail["shape"], dtype, endpoint=True)


def same(a, b):
    """Whether two dictionaries of details say the same."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    return a == b


def details_differ(theirs, ours):
    for what in ("get_input_details", "get_output_details", "get_signature_list"):
        if not same(theirs[what], ours[what]):
            return what
    known, own = ({one["index"]: one for one in each["get_tensor_details"]} for each in (theirs, ours))
    wrong = [index for index in own if index in known and not same(known[index], own[index])]
    return f"get_tensor_details of {wrong}" if wrong else None


def distance(a, b):
    """Between real outputs, in parts of the largest; 0 is equal to the bit, infinite is another kind of value."""
    if a.tobytes() == b.tobytes():
        return 0.0
    both = np.isfinite(a) & np.isfinite(b)
    if not np.array_equal(a[~both], b[~both], equal_nan=True):
        return float("inf")
    a, b = a[both].astype(np.float64), b[both].astype(np.float64)
    return max(float(np.abs(a - b).max(initial=0)) / max(1.0, float(np.abs(a).max(initial=0))), np.finfo(np.float64).tiny)


def made(module, path, **options):
    interpreter = module.Interpreter(model_path=path, num_threads=1,
                                     experimental_op_resolver_type=module.OpResolverType.BUILTIN_REF, **options)
    interpreter.allocate_tensors()
    return interpreter


def details(interpreter):
    return {what: getattr(interpreter, what)()
            for what in ("get_input_details", "get_output_details", "get_signature_list", "get_tensor_details")}


def outputs(interpreter):
    """Of each input, one after the other."""
    for seed in range(2):
        chance = np.random.default_rng(seed)
        for detail in interpreter.get_input_details():
            interpreter.set_tensor(detail["index"], random_value(detail, chance))
        interpreter.invoke()
        yield [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def record(path, to):
    """What LiteRT's reference makes of a file. Its kernels may have written anywhere: nothing of it is cleaned up."""
    from ai_edge_litert import interpreter as theirs

    try:
        reference = made(theirs, path)
        found = (details(reference), list(outputs(reference)))
    except (RuntimeError, ValueError) as error:
        found = (None, str(error).splitlines()[0][:100])
    to.write_bytes(pickle.dumps(found))
    os._exit(0)


def one(way, path, cache, wanted):
    """(outcome, remark) of a file."""
    from quern import litert as ours

    if way == "delegate":
        from ai_edge_litert import interpreter as theirs

        delegate = ours.delegate(model=path, cache=cache, verbose=True, explain=True)
        interpreter = made(theirs, path, experimental_delegates=[delegate])
    else:
        interpreter = made(ours, path)
        wrong = wanted and details_differ(wanted[0], details(interpreter))
        if wrong:
            return "differs", wrong
    if not wanted:
        return ALONE, f"{len(list(outputs(interpreter)))} runs"
    worst = 0.0
    for theirs_of, ours_of in zip(wanted[1], outputs(interpreter), strict=True):
        for number, (a, b) in enumerate(zip(theirs_of, ours_of, strict=True)):
            if a.dtype != b.dtype or a.shape != b.shape:
                return "differs", f"output {number} is {b.dtype} {b.shape}, not {a.dtype} {a.shape}"
            if a.dtype.kind == "f":
                worst = max(worst, distance(a, b))
            elif not np.array_equal(a, b):
                return "differs", f"output {number} in {np.count_nonzero(a != b)} of {a.size} values"
    if worst > FLOATS:
        return "differs", f"real outputs by {worst:.2g}"
    return (NEAR, f"real outputs within {worst:.2g}") if worst else (EQUAL, "")


def process(path, *arguments):
    """(what ends it, if that is not its own end; what it prints; what it reports)"""
    try:
        done = subprocess.run([sys.executable, __file__, str(path), *map(str, arguments)], capture_output=True, text=True,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return ("too slow", f"more than {SECONDS} s"), "", ""
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [""])[-1]
        return ("dies" if done.returncode < 0 else "fails", f"{done.returncode}: {last}"), "", done.stderr
    return None, done.stdout, done.stderr


def apart(path, work):
    """(way, outcome, remark, what the delegate claimed) of a file, each in a process of its own."""
    reference = work / "reference"
    reference.unlink(missing_ok=True)
    ended, _, _ = process(path, "--record", reference)
    if ended:
        reference.write_bytes(pickle.dumps(None))
    found = pickle.loads(reference.read_bytes())
    for way in WAYS:
        if found and not found[0]:
            yield way, REJECTED, found[1], ""
            continue
        ended, said, reported = process(path, "--one", way, "--wanted", reference, "--cache", work / "cache")
        claimed = [line.split("quern: ")[-1].split(" of /")[0] for line in reported.splitlines() if "nodes are claimed" in line]
        yield way, *(ended or said.splitlines()[-1].split("\t")), "; ".join(claimed)


def different_files(places):
    """Each content once."""
    paths = [path for place in places
             for path in (sorted(place.rglob("*.tflite")) if place.is_dir() else [place])]
    seen = {}
    for path in paths:
        seen.setdefault(hashlib.sha256(path.read_bytes()).digest(), path)
    return list(seen.values())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("places", nargs="+", type=pathlib.Path)
    parser.add_argument("--part", default="1/1", metavar="K/N")
    parser.add_argument("--record", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--one", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--wanted", type=pathlib.Path, help=argparse.SUPPRESS)
    parser.add_argument("--cache", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.record:
        record(str(arguments.places[0]), arguments.record)
    if arguments.one:
        wanted = pickle.loads(arguments.wanted.read_bytes())
        print("\t".join(one(arguments.one, str(arguments.places[0]), arguments.cache, wanted)))
        return 0
    k, n = map(int, arguments.part.split("/"))
    found = {way: collections.Counter() for way in WAYS}
    with tempfile.TemporaryDirectory() as folder:
        for path in different_files(arguments.places)[k - 1::n]:
            for way, outcome, remark, claimed in apart(path, pathlib.Path(folder)):
                found[way][outcome] += 1
                print(f"{path.name}\t{way}\t{outcome}\t{remark}\t{claimed}", flush=True)
    for way, counts in found.items():
        print(f"{way}: " + ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items())))
    if any(set(counts) - {EQUAL, NEAR, REJECTED, ALONE} for counts in found.values()):
        return 1
    return 0 if found["class"][EQUAL] + found["class"][NEAR] else 77


if __name__ == "__main__":
    sys.exit(main())

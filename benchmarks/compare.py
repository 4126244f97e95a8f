"""Compares the time of Quern and of its peers, interleaved in one process.

In every round, each runtime runs for at least --slice milliseconds, in random order, so that other load on
the machine affects all of them equally. The report has the median over the rounds, and the median of the
per-round ratios peer / Quern. The first output of every runtime is compared byte by byte with the recorded
output of the reference kernels, or with Quern's if none is recorded. For models with states, the outputs of
the first few invocations are compared.

--level limits both Quern and OpenVINO to one CPU level. oneDNN reads its limit once per process, so each
level needs a new process. XNNPACK and ONNX Runtime have no such limit and are excluded under --level.

For .onnx files, Quern runs the file under both profiles, and the same network from .tflite if that file is beside it.
--networks writes four networks in both formats to the build folder (qdq.py) and compares them.

SPDX-License-Identifier: Apache-2.0
"""
import argparse
import ctypes
import importlib.metadata
import json
import os
import pathlib
import platform
import random
import statistics
import subprocess
import sys
import time

import numpy as np

import own
import qdq
import workloads

MODELS = [
    "mobilenet_v1_0.25_128_quant", "mobilenet_v2_1.0_224_quant", "tf2_mobilenet_v2_1.0_224_ptq",
    "pretrainedResnet_quant", "vww_96_int8", "kws_ref_model", "ad01_int8", "str_ww_ref_model",
    "micro_speech_quantized", "hello_world_int8", "split_concat", "movenet_single_pose_lightning_ptq",
    "deeplabv3_mnv2_dm05_pascal_quant", "keras_lstm_mnist_ptq", "trained_lstm_int8", "keyword_scrambled_8bit",
]
LEVELS = {  # of Quern, and the same in oneDNN's words
    "x86-64-v3": "AVX2", "avxvnni": "AVX2_VNNI", "x86-64-v4": "AVX512_CORE", "avx512vnni": "AVX512_CORE_VNNI",
    "avx512vbmi": "AVX512_CORE_VNNI", "x86-64-amx": "AVX512_CORE_AMX",
}
LIMIT = "ONEDNN_MAX_CPU_ISA"
PACKAGES = ["ai-edge-litert", "openvino", "onnxruntime"]  # of the contestants below, as pip names them


class Quern:
    """Ours, through the Python package."""

    def __init__(self, path, threads, level=None, numerics=None):
        self.executable = own.Executable(path, threads, level, numerics=numerics)
        self.compile_seconds = self.executable.compile_seconds

    def load(self, inputs):
        def as_taken(array, own_array):
            turned = array.ndim == 4 and array.shape != own_array.shape  # images of .onnx for .tflite: channels last
            return array.transpose(0, 2, 3, 1) if turned else array
        self.executable.set_inputs([as_taken(a, o) for a, o in zip(inputs, self.executable.inputs)])

    def run(self):
        self.executable.invoke()

    def outputs(self):
        return self.executable.outputs()


class LiteRt:
    """LiteRT with one of its op resolvers."""

    def __init__(self, path, threads, resolver):
        from ai_edge_litert.interpreter import Interpreter, OpResolverType
        kinds = {"xnnpack": OpResolverType.AUTO,
                 "builtin": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES}
        start = time.perf_counter()
        self.interpreter = Interpreter(model_path=str(path), num_threads=threads,
                                       experimental_op_resolver_type=kinds[resolver])
        self.interpreter.allocate_tensors()
        self.compile_seconds = time.perf_counter() - start

    def load(self, inputs):
        for detail, array in zip(self.interpreter.get_input_details(), inputs):
            self.interpreter.set_tensor(detail["index"], array)

    def run(self):
        self.interpreter.invoke()

    def outputs(self):
        return [self.interpreter.get_tensor(d["index"]) for d in self.interpreter.get_output_details()]


class OpenVino:
    """OpenVINO's CPU plugin, which reads .tflite and .onnx itself. Floats stay f32: left to itself it rounds them to bf16 where the
    CPU multiplies those."""

    def __init__(self, path, threads):
        import openvino
        start = time.perf_counter()
        model = openvino.Core().compile_model(
            str(path), "CPU", {"INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1,
                               "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"})
        self.compile_seconds = time.perf_counter() - start
        self.request = model.create_infer_request()
        self.make_tensor = openvino.Tensor

    def load(self, inputs):
        for i, array in enumerate(inputs):
            self.request.set_input_tensor(i, self.make_tensor(np.ascontiguousarray(array)))

    def run(self):
        self.request.infer()

    def outputs(self):
        return [self.request.get_output_tensor(i).data
                for i in range(len(self.request.model_outputs))]


class OnnxRuntime:
    """ONNX Runtime's CPU provider with its default optimizations, which reads .onnx alone."""

    def __init__(self, path, threads):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
        start = time.perf_counter()
        self.session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        self.compile_seconds = time.perf_counter() - start
        self.names = [port.name for port in self.session.get_inputs()]
        self.given, self.made = {}, []

    def load(self, inputs):
        self.given = dict(zip(self.names, map(np.ascontiguousarray, inputs)))

    def run(self):
        self.made = self.session.run(None, self.given)

    def outputs(self):
        return self.made


PEERS = {
    "litert-xnnpack": lambda path, threads: LiteRt(path, threads, "xnnpack"),
    "litert-builtin": lambda path, threads: LiteRt(path, threads, "builtin"),
    "openvino": OpenVino,
    "onnxruntime": OnnxRuntime,
}


def contestants_at(level, path):
    """All of them; those that can be held to it, at a level. Only some of the peers read .onnx files."""
    found = {"quern": lambda path, threads: Quern(path, threads, level)}
    if path.suffix == ".onnx":
        found["quern-ort"] = lambda path, threads: Quern(path, threads, level, "ort")
        if path.with_suffix(".tflite").exists():
            found["quern-tflite"] = lambda path, threads: Quern(path.with_suffix(".tflite"), threads, level)
        peers = ["openvino"] if level else ["openvino", "onnxruntime"]
    else:
        peers = ["openvino"] if level else ["litert-xnnpack", "litert-builtin", "openvino"]
    return {**found, **{name: PEERS[name] for name in peers}}


def load_yardstick(build):
    library = build / "yardstick.so"
    source = pathlib.Path(__file__).with_name("yardstick.c")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    yardstick = ctypes.CDLL(str(library))
    yardstick.yardstick_hertz.restype = ctypes.c_double
    yardstick.yardstick_peak.restype = ctypes.c_double
    return yardstick


def seconds_per_run(contestant, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        contestant.run()
    return (time.perf_counter() - start) / repeats


def repeats_for(contestant, slice_seconds):
    contestant.run()
    repeats = 1
    while True:
        took = seconds_per_run(contestant, repeats) * repeats
        if took >= slice_seconds or repeats >= 1 << 20:
            return repeats
        repeats = max(repeats * 2, int(repeats * slice_seconds / max(took, 1e-9)))


def recorded_case(golden, model):
    """Inputs and outputs of the invocations of one recorded case, or None."""
    folder = golden / model
    case = sorted(p for p in folder.iterdir() if p.is_dir()) if folder.is_dir() else None
    if not case:
        return None

    def arrays(stem, end):
        found = []
        while (case[0] / f"{stem}{len(found)}{end}.npy").exists():
            found.append(np.load(case[0] / f"{stem}{len(found)}{end}.npy"))
        return found
    if (case[0] / "in0.npy").exists():
        return [(arrays("in", ""), arrays("out", ""))]
    steps = []
    while (case[0] / f"in0.{len(steps)}.npy").exists():
        steps.append((arrays("in", f".{len(steps)}"), arrays("out", f".{len(steps)}")))
    return steps


def differing_bytes(outputs, expected):
    total = 0
    for got, want in zip(outputs, expected):
        if got.dtype != want.dtype or got.size != want.size:
            return None  # some peers answer in another type
        total += int(np.count_nonzero(got.reshape(-1) != want.reshape(-1)))
    return total


def own_case(path):
    """Random inputs, and what Quern makes of them the first time."""
    executable = own.Executable(path, 1)
    inputs = executable.random_inputs(1)
    executable.set_inputs(inputs)
    executable.invoke()
    return [(inputs, [array.copy() for array in executable.outputs()])]


def survives(name, path):
    """Whether the contestant can be tried at all: some models end the process of some peers."""
    done = subprocess.run([sys.executable, __file__, *sys.argv[1:], "--try-only", name, str(path)], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return done.returncode >= 0


def differing_in_steps(contestant, case):
    """Bytes of all invocations, the first ones of the contestant; None where they don't compare."""
    total = 0
    for inputs, expected in case:
        contestant.load(inputs)
        contestant.run()
        differ = differing_bytes(contestant.outputs(), expected)
        total = None if total is None or differ is None else total + differ
    return total


def settle(contestant, threads):
    """After a peer's slice its tensors are in the caches, and a network of some milliseconds runs only once or twice in a slice; its threads
    spin for milliseconds, on CPUs that the next one needs, while those of the next one may sleep."""
    if threads > 1:
        time.sleep(0.02)
    contestant.run()


def measure(path, case, threads, rounds, slice_seconds, yardstick, level):
    live, failures, differing = {}, {}, {}
    for name, make in contestants_at(level, path).items():
        if not survives(name, path):
            failures[name] = "ends the process"
            continue
        try:
            contestant = make(path, threads)
            differing[name] = differing_in_steps(contestant, case)
            live[name] = contestant
        except Exception as error:  # pylint: disable=broad-except  # a peer may reject the model
            failures[name] = str(error).splitlines()[0][:100] if str(error) else repr(error)
    if "quern" not in live:
        return {"failures": failures}
    repeats = {name: repeats_for(contestant, slice_seconds) for name, contestant in live.items()}
    times = {name: [] for name in live}
    peaks = []
    for _ in range(rounds):
        order = list(live)
        random.shuffle(order)
        peaks.append(yardstick.yardstick_peak())
        for name in order:
            settle(live[name], threads)
            times[name].append(seconds_per_run(live[name], repeats[name]))
    report = {"failures": failures, "threads": threads, "peak_gmacs": statistics.median(peaks) / 1e9}
    for name, contestant in live.items():
        ratios = [peer / own for peer, own in zip(times[name], times["quern"])]
        report[name] = {
            "median_ms": statistics.median(times[name]) * 1e3, "min_ms": min(times[name]) * 1e3,
            "ratio": statistics.median(ratios), "compile_s": contestant.compile_seconds,
            "differing": differing[name],
        }
    return report


def try_only(name, path):
    """In a process of its own: the contestant, once."""
    try:
        contestant = contestants_at(None, pathlib.Path(path))[name](pathlib.Path(path), 1)
        contestant.run()
    except Exception:  # pylint: disable=broad-except  # it may reject the model, and say so later
        pass
    return 0


def print_report(model, report):
    if "quern" not in report:
        print(f"{model}: quern failed: {report['failures'].get('quern')}")
        return
    own = report["quern"]
    line = f"{model:30} {report['threads']}t  quern {own['median_ms']:9.4f} ms"
    for name in [*report, *report["failures"]]:
        if name != "quern" and (name in report["failures"] or isinstance(report[name], dict) and "ratio" in report[name]):
            peer = report.get(name)
            line += f"  {name} " + (f"{peer['ratio']:6.2f}x" if peer else "      -")
    print(line + f"  differing bytes: {own['differing']}", flush=True)


def cpu_name():
    for line in open("/proc/cpuinfo", encoding="utf-8"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def peer_versions():
    """The installed packages of the peers, as "name version"."""
    names = []
    for package in PACKAGES:
        try:
            names.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            names.append(f"{package} (not installed)")
    return names


def at_levels(quern, levels):
    """This run again, once per level, each in a process of its own."""
    for level in levels:
        if not quern.host_runs(level):
            print(f"{level}: not on this machine")
            continue
        done = subprocess.run([sys.executable, __file__, *sys.argv[1:], "--only-level", level], check=False,
                              env={**os.environ, LIMIT: LEVELS[level]})
        if done.returncode != 0:
            return done.returncode
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shared", type=pathlib.Path, required=True, help="folder with models/ and golden/")
    parser.add_argument("--build", type=pathlib.Path, required=True, help="build folder with the Python package")
    parser.add_argument("--model", action="append", help="only these models: names, or paths of .tflite and .onnx files")
    parser.add_argument("--networks", action="store_true", help="the networks of qdq.py, as .onnx")
    parser.add_argument("--level", action="append", choices=[*LEVELS, "all"],
                        help="hold Quern and OpenVINO to a level of 'quern list targets'")
    parser.add_argument("--only-level", choices=LEVELS, help=argparse.SUPPRESS)  # of at_levels
    parser.add_argument("--try-only", nargs=2, help=argparse.SUPPRESS)  # of survives
    parser.add_argument("--threads", type=int, action="append", help="default: 1 and 2")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--slice", type=float, default=5.0, help="milliseconds a contestant runs per round")
    parser.add_argument("--workloads", nargs="*", metavar="PART",
                        help="measure the rows of workloads.py instead of models: those whose name has a PART, all without one")
    parser.add_argument("--json", type=pathlib.Path, help="write all figures here")
    options = parser.parse_args()
    quern = own.use(options.build)
    if options.try_only:
        return try_only(*options.try_only)
    if options.level and not options.only_level:
        return at_levels(quern, list(LEVELS) if "all" in options.level else options.level)
    yardstick = load_yardstick(options.build)
    if options.only_level:
        print(f"level {options.only_level}, oneDNN's {os.environ.get(LIMIT)}")
    print(f"machine: {cpu_name()}, {os.cpu_count()} cores, level {quern.host_level()}, "
          f"{yardstick.yardstick_hertz() / 1e9:.2f} GHz, "
          f"peak {yardstick.yardstick_peak() / 1e9:.0f} GMAC/s per core")
    print(f"peers: {', '.join(peer_versions())}")
    print("ratios: peer's time / ours, above 1 we are faster")
    results = {}

    def measure_peers(path):
        return measure(path, own_case(path), 1, options.rounds, options.slice / 1e3, yardstick, options.only_level)
    if options.workloads is not None:
        results = workloads.run(options, measure_peers, yardstick)
    models = options.model or MODELS
    if options.networks:
        models = [str(qdq.write(options.build / "networks", name)[0]) for name in qdq.MODELS]
    for threads in (options.threads or [1, 2]) if options.workloads is None else []:
        for model in models:
            given = pathlib.Path(model) if model.endswith((".tflite", ".onnx")) else None
            path = given or options.shared / "models" / f"{model}.tflite"
            case = None
            if path.exists():
                golden = options.shared / "golden" / "litert-ref"
                case = None if given else recorded_case(golden, model)
                case = case or own_case(path)
            if case is None:
                print(f"{model}: not there, skipped")
                continue
            report = measure(path, case, threads, options.rounds, options.slice / 1e3, yardstick, options.only_level)
            results[f"{path.stem}/{threads}"] = report
            print_report(path.stem, report)
    if options.json:
        end = f".{options.only_level}.json" if options.only_level else ".json"
        options.json.with_suffix(end).write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

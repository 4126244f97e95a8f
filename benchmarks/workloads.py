"""Workloads with a goal against the best peer, for compare.py --workloads. Each row makes its model, measures it, and says whether it
meets the goal.

SPDX-License-Identifier: Apache-2.0
"""
import collections
import functools
import statistics
import subprocess
import sys
import time

import block_weights
import float_networks
import layers
import own
import pairs
import qdq
import synthetic

# kind: how it is measured. model: of a maker below, or a file of the shared folder. goal: of the peers' ratios, of which the smallest
# counts; of kind PEAK, the least share of the measured peak of byte products; for the other kinds an upper bound. base: of kind PAIR, the
# model that it is compared with.
Row = collections.namedtuple("Row", "name kind model goal base", defaults=[None])
PEERS, BATCH, INTERPRETER, LOOPS, BUSY, PAIR, PEAK = "peers", "batch", "interpreter", "loops", "busy", "pair", "peak"
BATCH_SIZE = 32

ROWS = [
    Row("hybrid FULLY_CONNECTED 4096, M = 1", PEERS, "linear_4096_hybrid_1", 1.0),
    Row("hybrid FULLY_CONNECTED 4096, M = 16", PEERS, "linear_4096_hybrid_16", 1.1),
    Row("hybrid FULLY_CONNECTED 4096, M = 128", PEERS, "linear_4096_hybrid_128", 1.05),
    Row("hybrid MobileNetV2", PEERS, "mobilenet_v2_1.0_224_hybrid", 1.2),
    Row("hybrid ToyCar", PEERS, "toy_car_hybrid", 1.2),
    Row("hybrid kws", PEERS, "kws_hybrid", 1.2),
    Row("int4 in blocks of 32, M = 1", PEERS, "linear_4096_int4_1", 3.0),
    Row("int4 in blocks of 32, M = 8", PEERS, "linear_4096_int4_8", 3.0),
    Row("int4 in blocks of 32, M = 128", PEERS, "linear_4096_int4_128", 2.5),
    Row("U-Net 256, int8", PEERS, "u_net_256", 1.1),
    Row("U-Net 256, f32", PEERS, "u_net_256_float", 1.05),
    Row("ResNet-50, batch 32, per image", BATCH, "resnet_50_224", 1.03),
    Row("MobileNetV1, batch 32, per image", BATCH, "mobilenet_v1_1.0_224", 1.03),
    Row("float MobileNetV1, batch 32, per image", BATCH, "mobilenet_v1_1.0_224_float", 1.03),
    Row("MobileNetV2, batch 32, per image", BATCH, "mobilenet_v2_1.0_224_quant", 1.03),
    Row("U-Net, batch 32, per image", BATCH, "u_net_256", 1.03),
    Row("float ViT-Ti/16", PEERS, "vit_tiny_16_float", 1.2),
    Row("float MobileNetV2", PEERS, "mobilenet_v2_1.0_224_float", 1.2),
    Row("float MobileNetV3-Large", PEERS, "mobilenet_v3_large_float", 1.2),
    Row("float EfficientNet-Lite0", PEERS, "efficientnet_lite0_float", 1.2),
    Row("ResNet-8", PEERS, "pretrainedResnet_quant", 1.5),
    Row("ad01", PEERS, "ad01_int8", 1.5),
    Row("3x3x16 at 112 x 112", PEERS, "conv_3x3x16_112", 1.5),
    Row("32 groups, 3x3x128 at 56 x 56", PEERS, "conv_32_groups_56", 1.5),
    Row("32 groups of floats, 3x3x128 at 56 x 56", PEERS, "conv_32_groups_56_float", 1.5),
    Row("conv1d, 9x64 at 1024", PEERS, "conv1d_1024x64", 1.5),
    Row("ADD, round scales / proved", PAIR, "add_round", 1.3, "add_proved"),
    Row("SUB, round scales / proved", PAIR, "sub_round", 1.3, "sub_proved"),
    Row("1x1 and ADD with 24 channels, in one kernel / in two", PAIR, "conv_add_24", 1.02, "conv_add_24_apart"),
    Row("BERT, products and additions", PEERS, "bert_base_4x128", 1.5),
    Row("BERT with norms and attention", PEERS, "bert_encoder_4x128", 1.5),
    Row("YOLO-like", PEERS, "yolo_320", 1.5),
    Row("1x1x64 at 56 x 56", PEAK, "conv_1x1x64_56", 0.85),
    Row("1x1x128 at 28 x 28", PEAK, "conv_1x1x128_28", 0.85),
    Row("first layer, 7x7x3", PEAK, "conv_first_7x7_224", 0.85),
    Row("first layer, 3x3x3", PEAK, "conv_first_3x3_224", 0.85),
    Row("depthwise 7x7", PEAK, "depthwise_7x7_56", 0.36),
    Row("DeepLab", PEERS, "deeplabv3_mnv2_dm05_pascal_quant", 3.5),
    Row("ResNet-50, two threads beside another process", BUSY, "resnet_50_224", 1.1),
    Row("MobileNetV2, two threads beside another process", BUSY, "mobilenet_v2_1.0_224_quant", 1.1),
    Row("interpreter, DeepLab", INTERPRETER, "deeplabv3_mnv2_dm05_pascal_quant", 3.0),
    Row("interpreter, hybrid MobileNetV2", INTERPRETER, "mobilenet_v2_1.0_224_hybrid", 3.0),
    Row("interpreter, U-Net 256", INTERPRETER, "u_net_256", 3.0),
    Row("interpreter, ResNet-50", INTERPRETER, "resnet_50_224", 3.0),
    Row("interpreter of loops, kws", LOOPS, "kws_ref_model", 5.0),
    Row("interpreter of loops, visual wake words", LOOPS, "vww_96_int8", 5.0),
    Row("interpreter of loops, ResNet-8", LOOPS, "pretrainedResnet_quant", 5.0),
    Row("interpreter of loops, MobileNetV1 0.25", LOOPS, "mobilenet_v1_0.25_128_quant", 5.0),
    Row("interpreter of loops, DeepLab", LOOPS, "deeplabv3_mnv2_dm05_pascal_quant", 5.0),
    Row("interpreter of loops, U-Net 256", LOOPS, "u_net_256", 5.0),
    Row("interpreter of loops, ResNet-50", LOOPS, "resnet_50_224", 5.0),
    Row("8-bit / f32 weights, 512 x 512, M = 1", PAIR, "linear_512_i8", 2.0, "linear_512_f32"),
    Row("4-bit / f32 weights, 512 x 512, M = 1", PAIR, "linear_512_i4", 2.5, "linear_512_f32"),
    Row("8-bit / f32 weights, 4096 x 4096, M = 1", PAIR, "linear_4096_i8", 1.0, "linear_4096_f32"),
    Row("4-bit / f32 weights, 4096 x 4096, M = 1", PAIR, "linear_4096_i4", 1.0, "linear_4096_f32"),
    Row("silu / hard_swish of bytes", PAIR, "silu_i8", 1.1, "hard_swish_i8"),
    Row("add, sigmoid, mul, relu / sigmoid of floats", PAIR, "add_sigmoid_mul_relu_f32", 1.1, "sigmoid_f32"),
]


def content_of(stem):
    """The bytes of a model that is made, and the end of its file's name; None if it is not made."""
    if stem in synthetic.MODELS:
        network, types = synthetic.MODELS[stem]
        return network(synthetic.Model(stem, types)), ".tflite"
    if stem in layers.MODELS:
        return layers.MODELS[stem].make(synthetic.Model(stem)), ".tflite"
    if stem in layers.FLOATS:
        return layers.FLOATS[stem].make(synthetic.Model(stem, synthetic.FLOATS)), ".tflite"
    if stem in float_networks.MODELS:
        return float_networks.MODELS[stem](float_networks.Model(stem)), ".tflite"
    if stem in qdq.MODELS:
        return qdq.MODELS[stem](qdq.Twin(stem)), ".tflite"
    if stem in block_weights.MODELS:
        return block_weights.linear(block_weights.MODELS[stem]), ".onnx"
    if stem in pairs.MODELS:
        return pairs.MODELS[stem]().encode(), ".mlir"
    return None


def model_of(stem, folder, shared):
    """The file of a model, which is made if it is not there."""
    made = [path for end in (".tflite", ".onnx", ".mlir") if (path := folder / (stem + end)).exists()]
    if made:
        return made[0]
    content = content_of(stem)
    if content is None:
        return shared / "models" / f"{stem}.tflite"
    path = folder / (stem + content[1])
    path.write_bytes(content[0])
    return path


def prepared(path, **options):
    """An executable with random inputs, which has run once."""
    executable = own.Executable(path, **options)
    executable.set_inputs(executable.random_inputs(1))
    executable.invoke()
    return executable


def seconds_of(call, runs):
    """Seconds of each run."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return times


def measure_batch(path, rounds, level):
    """Time of a batch / time of as many calls with a batch of 1, interleaved; both are interrupted equally often."""
    one = prepared(path, threads=1, level=level, batch=1)
    many = prepared(path, threads=1, level=level, batch=BATCH_SIZE)
    ratios = []
    for _ in range(rounds):
        alone = sum(seconds_of(one.invoke, BATCH_SIZE))
        ratios.append(sum(seconds_of(many.invoke, 1)) / alone)
    return {"ratio": statistics.median(ratios)}


def measure_pair(path, rounds, level, base):
    """Time of a model / time of another one. Calls of both follow each other without Python between them, on as many copies of the
    inputs and outputs as stay in L2."""
    copies_bytes, turn = 1 << 18, 0.02
    ways = []
    for model in (path, base):
        executable = prepared(model, threads=1, level=level)
        each = sum(array.nbytes for array in (*executable.inputs, *executable.results))
        count = max(1, copies_bytes // each)
        call = executable.repeated(count)
        ways.append((call, count, max(1, int(turn / seconds_of(call, 1)[0]))))
    ratios, times = [], []
    for _ in range(rounds):
        seconds = [sum(seconds_of(call, runs)) / (runs * count) for call, count, runs in ways]
        ratios.append(seconds[0] / seconds[1])
        times.append(seconds[0])
    return {"ratio": statistics.median(ratios), "median_ms": 1e3 * statistics.median(times)}


def measure_peak(path, rounds, level, macs, yardstick):
    """Share of the peak of byte products that a layer reaches, without Python between its calls."""
    executable = prepared(path, threads=1, level=level)
    call, count = executable.repeated(1), max(1, int(0.02 / min(seconds_of(executable.invoke, 5))))
    shares = []
    for _ in range(rounds):
        peak = yardstick.yardstick_peak()
        shares.append(macs * count / sum(seconds_of(call, count)) / peak)
    return {"ratio": statistics.median(shares), "median_ms": 1e3 * macs / statistics.median(shares) / peak}


def measure_interpreter(path, rounds, level, stage):
    """Time of the interpreter at a stage / time of LiteRT's reference kernels."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
    peer = Interpreter(model_path=str(path), num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF)
    peer.allocate_tensors()
    executable = prepared(path, threads=1, engine="interpreter", stage=stage, level=level)
    for detail, array in zip(peer.get_input_details(), executable.inputs):
        peer.set_tensor(detail["index"], array)
    peer.invoke()
    runs = max(1, int(0.05 / seconds_of(executable.invoke, 1)[0]))
    ratios = []
    for _ in range(min(rounds, 5)):
        own_time = sum(seconds_of(executable.invoke, runs))
        ratios.append(own_time / sum(seconds_of(peer.invoke, runs)))
    return {"ratio": statistics.median(ratios)}


def measure_busy(path, rounds, level):
    """Two threads / one thread, both beside a process that uses one core: the medians, and the 99th percentiles. One thread is
    interrupted too, if the system puts it on the core of that process."""
    one, two = prepared(path, threads=1, level=level), prepared(path, threads=2, level=level)
    runs = max(10, int(0.1 / statistics.median(seconds_of(one.invoke, 3))))
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as other:
        try:
            alone, both = [], []
            for _ in range(rounds):
                alone += seconds_of(one.invoke, runs)
                both += seconds_of(two.invoke, runs)
        finally:
            other.kill()
    late = [sorted(times)[int(len(times) * 0.99)] for times in (both, alone)]
    return {"ratio": statistics.median(both) / statistics.median(alone), "p99": late[0] / late[1]}


def run(options, measure_peers, yardstick):
    """Measures the rows that the options name, all without; `measure_peers` is compare.py's. Returns the figures by row."""
    folder = options.build / "workloads"
    folder.mkdir(exist_ok=True)
    others = {BATCH: measure_batch, BUSY: measure_busy,
              INTERPRETER: functools.partial(measure_interpreter, stage="model"),
              LOOPS: functools.partial(measure_interpreter, stage="loops")}
    results = {}
    for row in ROWS:
        if options.workloads and not any(part.lower() in row.name.lower() for part in options.workloads):
            continue
        path = model_of(row.model, folder, options.shared)
        if not path.exists():
            print(f"{row.name}: not there, skipped")
            continue
        if row.kind == PEERS:
            figures = measure_peers(path)
        elif row.kind == PEAK:
            figures = measure_peak(path, options.rounds, options.only_level, layers.MODELS[row.model].macs, yardstick)
        elif row.kind == PAIR:
            figures = measure_pair(path, options.rounds, options.only_level, model_of(row.base, folder, options.shared))
        else:
            figures = others[row.kind](path, options.rounds, options.only_level)
        results[row.name] = figures
        print_row(row, figures)
    return results


def print_row(row, figures):
    """One line; peers' ratios are peer / ours, those of kind PEAK shares, the others ours / base."""
    if row.kind == PEERS:
        ratios = {name: value["ratio"] for name, value in figures.items()
                  if isinstance(value, dict) and "ratio" in value and not name.startswith("quern")}
        if not ratios:
            print(f"{row.name}: no peer runs it, {figures['failures']}")
            return
        best, met = min(ratios, key=ratios.get), min(ratios.values()) >= row.goal
        text = f"quern {figures['quern']['median_ms']:9.4f} ms  best peer {best} {ratios[best]:6.2f}x, goal >= {row.goal}"
    else:
        least = row.kind == PEAK
        met = figures["ratio"] >= row.goal if least else figures["ratio"] <= row.goal and figures.get("p99", 0) <= 1.5
        text = f"quern {figures['median_ms']:9.4f} ms  " if "median_ms" in figures else ""
        text += f"{figures['ratio']:6.3f}{' of the peak' if least else ''}, goal {'>=' if least else '<='} {row.goal}"
        if "p99" in figures:
            text += f"; p99 {figures['p99']:6.3f}, goal <= 1.5"
    print(f"{row.name:50} {text}: {'met' if met else 'NOT MET'}", flush=True)

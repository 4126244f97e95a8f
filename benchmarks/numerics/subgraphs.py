"""Random models of several subgraphs: LiteRT's reference kernels against Quern, element by element.

IF, WHILE and both in each other, on quantized tensors, and variables that CALL_ONCE fills, over several invocations. Each model
runs on random inputs in LiteRT and in Quern, in the interpreter at the stage of the model and as machine code; none may differ.
With --write, models are written to a folder instead, for tests, with the results of LiteRT.

SPDX-License-Identifier: Apache-2.0"""

import argparse
import os
import subprocess
import sys
import tempfile

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as s
from ai_edge_litert.interpreter import Interpreter

from dump_litert import RESOLVERS
from runtimes import WAYS
from single_operators import TYPES
from tally import differing


class Graph:
    """A subgraph under construction."""

    def __init__(self, model):
        self.model, self.graph = model, s.SubGraphT()
        self.graph.tensors, self.graph.operators, self.graph.inputs, self.graph.outputs = [], [], [], []

    def tensor(self, kind, shape, quantization=None, data=None):
        t = s.TensorT()
        t.name, t.shape, t.buffer = f"t{len(self.graph.tensors)}".encode(), list(shape), 0
        t.type = s.TensorType.RESOURCE if kind == "resource" else TYPES[kind][0]
        if quantization:
            t.quantization = s.QuantizationParametersT()
            t.quantization.scale, t.quantization.zeroPoint = [quantization[0]], [quantization[1]]
        if data is not None:
            t.buffer = self.model.buffer(np.asarray(data, TYPES[kind][1]).tobytes())
        self.graph.tensors.append(t)
        return len(self.graph.tensors) - 1

    def input(self, *tensor):
        index = self.tensor(*tensor)
        self.graph.inputs.append(index)
        return index

    def add(self, code, inputs, outputs, options=None):
        operator = s.OperatorT()
        operator.opcodeIndex, operator.inputs, operator.outputs = self.model.code(code), inputs, outputs
        if options is not None:
            operator.builtinOptionsType = getattr(s.BuiltinOptions, type(options).__name__[:-1])
            operator.builtinOptions = options
        self.graph.operators.append(operator)
        return outputs[0] if outputs else None


class Model:
    def __init__(self):
        self.graphs, self.codes, self.buffers, self.signatures = [], [], [s.BufferT()], []

    def buffer(self, data):
        buffer = s.BufferT()
        buffer.data = list(data)
        self.buffers.append(buffer)
        return len(self.buffers) - 1

    def code(self, name):
        if name not in self.codes:
            self.codes.append(name)
        return self.codes.index(name)

    def subgraph(self):
        self.graphs.append(Graph(self))
        return self.graphs[-1], len(self.graphs) - 1

    def sign(self, name, number):
        graph, signature = self.graphs[number].graph, s.SignatureDefT()
        signature.signatureKey, signature.subgraphIndex = name, number
        signature.inputs, signature.outputs = [], []
        for entries, indices in ((signature.inputs, graph.inputs), (signature.outputs, graph.outputs)):
            for i, index in enumerate(indices):
                entry = s.TensorMapT()
                entry.name, entry.tensorIndex = f"{i}", index
                entries.append(entry)
        self.signatures.append(signature)

    def finish(self):
        model = s.ModelT()
        model.version, model.buffers, model.subgraphs = 3, self.buffers, [g.graph for g in self.graphs]
        model.operatorCodes, model.signatureDefs = [], self.signatures
        for name in self.codes:
            code, number = s.OperatorCodeT(), getattr(s.BuiltinOperator, name)
            code.deprecatedBuiltinCode, code.builtinCode, code.version = min(number, 127), number, 1
            model.operatorCodes.append(code)
        builder = flatbuffers.Builder(1 << 16)
        builder.Finish(model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def options(kind, **fields):
    made = getattr(s, kind + "OptionsT")()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


class Draw:
    """Shapes and encodings that the subgraphs of one model share."""

    def __init__(self, rng):
        self.rng = rng
        self.shape = [int(n) for n in rng.integers(1, 9, int(rng.integers(1, 4)))]
        self.x, self.y = ((float(np.float32(np.exp(rng.uniform(-4, 0)))), int(rng.integers(-128, 128))) for _ in "xy")

    def values(self):
        return self.rng.integers(-128, 128, self.shape).astype(np.int8)

    def arithmetic(self, graph, x, y):
        """An operator of both, in the encoding of the first."""
        code, kind = [("ADD", "Add"), ("SUB", "Sub"), ("MUL", "Mul")][int(self.rng.integers(0, 3))]
        z = graph.tensor("i8", self.shape, self.x)
        return graph.add(code, [x, y], [z], options(kind, fusedActivationFunction=int(self.rng.choice([0, 1, 3]))))

    def pair(self, graph):
        return graph.input("i8", self.shape, self.x), graph.input("i8", self.shape, self.y)


def branch(m, d):
    """A subgraph (x, y) -> x."""
    graph, number = m.subgraph()
    x, y = d.pair(graph)
    for _ in range(int(d.rng.integers(0, 3))):
        x = d.arithmetic(graph, x, y)
    graph.graph.outputs = [x]
    return number


def conditional(d):
    m = Model()
    main, _ = m.subgraph()
    condition = main.input("bool", [1])
    x, y = d.pair(main)
    z = main.tensor("i8", d.shape, d.x)
    main.add("IF", [condition, x, y], [z], options("If", thenSubgraphIndex=branch(m, d), elseSubgraphIndex=branch(m, d)))
    main.graph.outputs = [z, d.arithmetic(main, z, y)]
    return m, [np.array([d.rng.random() < 0.5]), d.values(), d.values()]


def chain(d, depth=8):
    """Branches in branches, both branches of each the same subgraph: as many calls as two to the depth."""
    m = Model()
    for level in range(depth + 1):
        graph, number = m.subgraph()
        condition = graph.input("bool", [1])
        (x, y), z = d.pair(graph), graph.tensor("i8", d.shape, d.x)
        if level < depth:
            below = options("If", thenSubgraphIndex=number + 1, elseSubgraphIndex=number + 1)
            graph.add("IF", [condition, condition, x, y], [z], below)
        else:
            z = x
        graph.graph.outputs = [d.arithmetic(graph, z, y)]
    return m, [np.array([True]), d.values(), d.values()]


def loop_parts(m, d, inner):
    """Condition and body of (i, n, x, y), of which the body counts and computes x; with a branch in it when asked."""
    numbers = []
    for part in ("condition", "body"):
        graph, number = m.subgraph()
        numbers.append(number)
        i, n = graph.input("i32", [1]), graph.input("i32", [1])
        x, y = d.pair(graph)
        if part == "condition":
            less = graph.tensor("bool", [1])
            graph.graph.outputs = [graph.add("LESS", [i, n], [less], options("Less"))]
            continue
        after = graph.add("ADD", [i, graph.tensor("i32", [1], None, [1])], [graph.tensor("i32", [1])], options("Add"))
        if inner:
            odd = graph.tensor("bool", [1])
            graph.add("EQUAL", [i, graph.tensor("i32", [1], None, [1])], [odd], options("Equal"))
            z = graph.tensor("i8", d.shape, d.x)
            x = graph.add("IF", [odd, x, y], [z],
                          options("If", thenSubgraphIndex=branch(m, d), elseSubgraphIndex=branch(m, d)))
        else:
            x = d.arithmetic(graph, x, y)
        graph.graph.outputs = [after, n, x, y]
    return numbers


def loop(d, inner=False):
    m = Model()
    main, _ = m.subgraph()
    i, n = main.tensor("i32", [1], None, [0]), main.input("i32", [1])
    x, y = d.pair(main)
    results = [main.tensor("i32", [1]), main.tensor("i32", [1]), main.tensor("i8", d.shape, d.x), main.tensor("i8", d.shape, d.y)]
    condition, body = loop_parts(m, d, inner)
    main.add("WHILE", [i, n, x, y], results, options("While", condSubgraphIndex=condition, bodySubgraphIndex=body))
    main.graph.outputs = [results[0], results[2]]
    return m, [np.array([d.rng.integers(0, 5)], np.int32), d.values(), d.values()]


def variables(d):
    """Two variables: one grows by an operator, the other gets what the first was."""
    m = Model()
    main, _ = m.subgraph()
    x = main.input("i8", d.shape, d.y)
    init, number = m.subgraph()
    main.add("CALL_ONCE", [], [], options("CallOnce", initSubgraphIndex=number))
    handles, values = [], []
    for k in range(2):
        naming = options("VarHandle", container="c", sharedName=f"v{k}")
        handle = init.tensor("resource", [])
        init.add("VAR_HANDLE", [], [handle], naming)
        init.add("ASSIGN_VARIABLE", [handle, init.tensor("i8", d.shape, d.x, d.values())], [], options("AssignVariable"))
        handles.append(main.add("VAR_HANDLE", [], [main.tensor("resource", [])], naming))
        values.append(main.add("READ_VARIABLE", [handles[k]], [main.tensor("i8", d.shape, d.x)], options("ReadVariable")))
    z = d.arithmetic(main, values[0], x)
    main.add("ASSIGN_VARIABLE", [handles[0], z], [], options("AssignVariable"))
    main.add("ASSIGN_VARIABLE", [handles[1], values[0]], [], options("AssignVariable"))
    w = d.arithmetic(main, values[1], x)
    main.graph.outputs = [w]
    return m, [d.values()]


def assign(m, d, x, graph):
    """The variable grows by an operator; gives what it was."""
    naming = options("VarHandle", container="c", sharedName="v")
    handle = graph.add("VAR_HANDLE", [], [graph.tensor("resource", [])], naming)
    value = graph.add("READ_VARIABLE", [handle], [graph.tensor("i8", d.shape, d.x)], options("ReadVariable"))
    graph.add("ASSIGN_VARIABLE", [handle, d.arithmetic(graph, value, x)], [], options("AssignVariable"))
    return value


def assigning(d):
    """A variable that a branch and the body of a loop assign."""
    m, inputs = loop(d)
    main, body, inner = m.graphs[0], m.graphs[2], []
    init, number = m.subgraph()
    naming = options("VarHandle", container="c", sharedName="v")
    handle = init.add("VAR_HANDLE", [], [init.tensor("resource", [])], naming)
    init.add("ASSIGN_VARIABLE", [handle, init.tensor("i8", d.shape, d.x, d.values())], [], options("AssignVariable"))
    main.add("CALL_ONCE", [], [], options("CallOnce", initSubgraphIndex=number))
    main.graph.operators.insert(0, main.graph.operators.pop())
    for k in range(2):
        graph, part = m.subgraph()
        x, y = d.pair(graph)
        graph.graph.outputs = [assign(m, d, y, graph) if k == 0 else x]
        inner.append(part)
    i, x, y = body.graph.inputs[0], body.graph.inputs[2], body.graph.inputs[3]
    odd = body.tensor("bool", [1])
    body.add("EQUAL", [i, body.tensor("i32", [1], None, [1])], [odd], options("Equal"))
    z = body.tensor("i8", d.shape, d.x)
    body.add("IF", [odd, x, y], [z], options("If", thenSubgraphIndex=inner[0], elseSubgraphIndex=inner[1]))
    assign(m, d, y, body)
    body.graph.outputs[2] = z
    main.graph.outputs.append(assign(m, d, main.graph.inputs[2], main))
    return m, inputs


def computed(d):
    """A variable that begins with what operators compute from constants, and grows."""
    m, kind = Model(), str(d.rng.choice(["i32", "f32"]))
    main, _ = m.subgraph()

    def numbers():
        return d.rng.integers(-9, 10, d.shape).astype(TYPES[kind][1])

    x = main.input(kind, d.shape)
    init, number = m.subgraph()
    main.add("CALL_ONCE", [], [], options("CallOnce", initSubgraphIndex=number))
    naming = options("VarHandle", container="c", sharedName="v")
    handle = init.add("VAR_HANDLE", [], [init.tensor("resource", [])], naming)
    value = init.tensor(kind, d.shape, None, numbers())
    for code, name in (("ADD", "Add"), ("MUL", "Mul")):
        value = init.add(code, [value, init.tensor(kind, d.shape, None, numbers())], [init.tensor(kind, d.shape)], options(name))
    init.add("ASSIGN_VARIABLE", [handle, value], [], options("AssignVariable"))
    handle = main.add("VAR_HANDLE", [], [main.tensor("resource", [])], naming)
    value = main.add("READ_VARIABLE", [handle], [main.tensor(kind, d.shape)], options("ReadVariable"))
    z = main.add("ADD", [value, x], [main.tensor(kind, d.shape)], options("Add"))
    main.add("ASSIGN_VARIABLE", [handle, z], [], options("AssignVariable"))
    main.graph.outputs = [z]
    return m, [numbers()]


def filtered(d, graph, x, units):
    """SVDF, whose state is a variable tensor of the subgraph; of units to as many."""
    memory, q = int(d.rng.integers(1, 4)), (1 / 16, 0)
    features = graph.tensor("i8", [units, units], q, d.rng.integers(-127, 128, [units, units]))
    times = graph.tensor("i16", [units, memory], (1 / 4096, 0), d.rng.integers(-4000, 4000, [units, memory]))
    bias = graph.tensor("i32", [units], None, d.rng.integers(-200, 200, [units]))
    state = graph.tensor("i16", [1, units * memory], (1 / 128, 0))
    graph.graph.tensors[state].isVariable = True
    y = graph.tensor("i8", [1, units], d.x)
    return graph.add("SVDF", [x, features, times, bias, state], [y], options("SVDF", rank=1, fusedActivationFunction=1))


def inner_states(d, looped=False):
    """Variable tensors of both branches, or of the body of a loop."""
    m, units = Model(), int(d.rng.integers(1, 6))
    main, _ = m.subgraph()
    numbers = []
    head = [("bool", [1])] if not looped else [("i32", [1]), ("i32", [1])]
    given = [main.input(*h) for h in head] + [main.input("i8", [1, units], d.x)]
    for part in range(2):
        graph, number = m.subgraph()
        numbers.append(number)
        counters = [graph.input(*h) for h in head] if looped else []
        x = graph.input("i8", [1, units], d.x)
        if looped and part == 0:
            graph.graph.outputs = [graph.add("LESS", counters, [graph.tensor("bool", [1])], options("Less"))]
            continue
        one = graph.tensor("i32", [1], None, [1])
        after = [graph.add("ADD", [counters[0], one], [graph.tensor("i32", [1])], options("Add")), counters[1]] if looped else []
        graph.graph.outputs = [*after, filtered(d, graph, x, units)]
    results = [main.tensor(*h) for h in head] * looped + [main.tensor("i8", [1, units], d.x)]
    if looped:
        main.add("WHILE", given, results, options("While", condSubgraphIndex=numbers[0], bodySubgraphIndex=numbers[1]))
    else:
        main.add("IF", given, results, options("If", thenSubgraphIndex=numbers[0], elseSubgraphIndex=numbers[1]))
    main.graph.outputs = results[-1:]
    x = d.rng.integers(-128, 128, [1, units]).astype(np.int8)
    return m, [*([np.zeros(1, np.int32), np.array([d.rng.integers(0, 5)], np.int32)] if looped else [np.array([True])]), x]


def signed(d):
    """Two signatures, the second of another subgraph."""
    m, inputs = conditional(d)
    other, number = m.subgraph()
    x, y = d.pair(other)
    other.graph.outputs = [d.arithmetic(other, x, y)]
    m.sign("first", 0)
    m.sign("second", number)
    return m, inputs


def circle(d):
    """A branch that calls the branch that it is in."""
    m, inputs = conditional(d)
    graph = m.graphs[1]
    condition = graph.tensor("bool", [1], None, [True])
    x, y = graph.graph.inputs
    z = graph.tensor("i8", d.shape, d.x)
    graph.add("IF", [condition, x, y], [z], options("If", thenSubgraphIndex=2, elseSubgraphIndex=1))
    return m, inputs


def endless(d):
    """A loop whose counter stands still."""
    m, inputs = loop(d)
    body = m.graphs[2].graph
    body.outputs[0] = body.inputs[0]
    return m, inputs


def misfit(d):
    """A branch that does not exist."""
    m, inputs = conditional(d)
    m.graphs[0].graph.operators[0].builtinOptions.elseSubgraphIndex = 7
    return m, inputs


def reshaped(d):
    """A variable that is read in another shape than it is assigned."""
    m, inputs = variables(d)
    m.graphs[0].graph.tensors[2].shape = [*d.shape, 3]
    return m, inputs


def begun(d):
    """A variable that begins with what a quantized operator gives."""
    m, inputs = variables(d)
    init = m.graphs[1]
    value = d.arithmetic(init, 1, 1)
    init.graph.operators[1].inputs[1] = value
    init.graph.operators.insert(1, init.graph.operators.pop())
    return m, inputs


def short(d):
    """A branch of another number of operands."""
    m, inputs = conditional(d)
    m.graphs[1].graph.inputs = m.graphs[1].graph.inputs[:1]
    return m, inputs


HOSTILE = {"circle": circle, "short": short, "endless": endless, "misfit": misfit, "reshaped": reshaped, "begun": begun,
           "often": lambda d: chain(d, 24)}
KINDS = {"IF": conditional, "chain": chain, "WHILE": loop, "IF in WHILE": lambda d: loop(d, True), "variables": variables,
         "assigning": assigning, "computed": computed, "states in IF": inner_states, "states in WHILE": lambda d: inner_states(d, True)}
RUNS = {"variables": 3, "assigning": 3, "computed": 2, "states in IF": 3, "states in WHILE": 3}


def by_litert(content, runs):
    interpreter = Interpreter(model_content=content, experimental_op_resolver_type=RESOLVERS["reference"], num_threads=1)
    interpreter.allocate_tensors()
    outputs = []
    for inputs in runs:
        for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
            interpreter.set_tensor(detail["index"], array)
        interpreter.invoke()
        outputs = [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]
    return outputs


def by_quern(quern, folder, runs, count, way):
    """The outputs of the last run, or the first error."""
    command = [quern, "run", os.path.join(folder, "m.tflite"), *WAYS[way], "--save", folder]
    for r, inputs in enumerate(runs):
        command += ["--then"] if r else []
        for i, array in enumerate(inputs):
            path = os.path.join(folder, f"in{r}_{i}.npy")
            np.save(path, array)
            command += ["--input", "@" + path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return ([line for line in done.stderr.splitlines() if "error" in line] or ["no message"])[0]
    return [np.load(os.path.join(folder, f"out{i}.npy")) for i in range(count)]


def runs_of(name, d, inputs):
    """What varies are the quantized inputs."""
    def other(x):
        return d.rng.integers(-128, 128, x.shape).astype(np.int8) if x.dtype == np.int8 else x
    return [inputs] + [[other(x) for x in inputs] for _ in range(RUNS.get(name, 1) - 1)]


def write(folder, seed):
    """A model of each kind; of those that LiteRT runs with inputs of each run and outputs of the last."""
    for name, make in {**KINDS, **HOSTILE, "signatures": signed}.items():
        d = Draw(np.random.default_rng(seed))
        m, inputs = make(d)
        content, stem = m.finish(), os.path.join(folder, name.lower().replace(" ", "_"))
        with open(stem + ".tflite", "wb") as file:
            file.write(content)
        if name not in KINDS:
            continue
        runs = runs_of(name, d, inputs)
        for r, arrays in enumerate(runs):
            for i, array in enumerate(arrays):
                np.save(f"{stem}_in{r}_{i}.npy", array)
        for i, array in enumerate(by_litert(content, runs)):
            np.save(f"{stem}_out{i}.npy", array)


def main():
    parser = argparse.ArgumentParser(description="models of several subgraphs: LiteRT's reference kernels against Quern")
    parser.add_argument("--quern")
    parser.add_argument("--models", type=int, default=20, help="of each kind (20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", help="a folder for one model of each kind, also of those that are wrong")
    arguments = parser.parse_args()
    if arguments.write:
        write(arguments.write, arguments.seed)
        return 0
    bad = 0
    print("| kind | models | elements | model differs | jit differs | unsupported |\n|---|---:|---:|---:|---:|---|")
    for name, make in KINDS.items():
        elements, differ, unsupported = 0, {way: 0 for way in WAYS}, {}
        for seed in range(arguments.seed, arguments.seed + arguments.models):
            d = Draw(np.random.default_rng(seed))
            m, inputs = make(d)
            content = m.finish()
            runs = runs_of(name, d, inputs)
            expected = by_litert(content, runs)
            elements += sum(y.size for y in expected)
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "m.tflite"), "wb") as file:
                    file.write(content)
                for way in WAYS:
                    got = by_quern(arguments.quern, folder, runs, len(expected), way)
                    if isinstance(got, str):
                        unsupported[got] = unsupported.get(got, 0) + 1
                    else:
                        differ[way] += sum(differing(y, q) for y, q in zip(expected, got))
        bad += sum(differ.values()) + len(unsupported)
        print(f"| {name} | {arguments.models} | {elements} | {differ['model']} | {differ['jit']} | {unsupported or 'none'} |")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

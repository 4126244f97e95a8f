/* A module with two launches and an arena between them, and the objects that a test of it needs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEST_CODEGEN_TWO_STEPS_H
#define QN_TEST_CODEGEN_TWO_STEPS_H

#include "fixture.h"

enum { SIZE = 1000 };

/* out = -table[in] in two steps: the first looks up and writes to the arena, the second negates. */
static const char two_steps[] =
    "\"builtin.module\"() ({\n"
    "\"memref.global\"() <{sym_name = \"table\", type = memref<256xi8>, initial_value = dense<7> : "
    "tensor<256xi8>, constant, sym_visibility = \"private\"}> : () -> ()\n"
    "\"func.func\"() <{function_type = (memref<1000xi8>, memref<256xi8>, memref<1000xi8>, index, "
    "index) -> (), "
    "sym_name = \"model_invoke\", sym_visibility = \"private\", quern.layers = [\"one\\0Aline\", "
    "\"two\"]}> ({\n"
    "^bb0(%in: memref<1000xi8>, %table: memref<256xi8>, %out: memref<1000xi8>, %lo: index, %hi: "
    "index):\n"
    "  %c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
    "  %c0 = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
    "  %t = \"memref.load\"(%table, %c0) : (memref<256xi8>, index) -> i8\n"
    "  \"scf.for\"(%lo, %hi, %c1) ({\n  ^bb0(%i: index):\n"
    "    %x = \"memref.load\"(%in, %i) : (memref<1000xi8>, index) -> i8\n"
    "    %y = \"arith.addi\"(%x, %t) : (i8, i8) -> i8\n"
    "    \"memref.store\"(%y, %out, %i) : (i8, memref<1000xi8>, index) -> ()\n"
    "    \"scf.yield\"() : () -> ()\n  }) : (index, index, index) -> ()\n"
    "  \"func.return\"() : () -> ()\n}) : () -> ()\n"
    "\"func.func\"() <{arg_attrs = [\n"
    "  {quern.role = \"input\", quern.name = \"x*/\", quern.dtype = \"ui8\", quern.shape = "
    "array<i64: 10, 100>, "
    "quern.scale = 0.5 : f64, quern.zero_point = -3 : i64, quern.index = 12 : i64},\n"
    "  {quern.role = \"output\", quern.name = \"y\", quern.dtype = \"i8\", quern.shape = "
    "array<i64: 1000>},\n"
    "  {quern.role = \"arena\"}],\n"
    "  function_type = (memref<1000xi8>, memref<1000xi8>, memref<1024xi8>) -> (), sym_name = "
    "\"main\"}> ({\n"
    "^bb0(%in: memref<1000xi8>, %out: memref<1000xi8>, %arena: memref<1024xi8>):\n"
    "  %c24 = \"arith.constant\"() <{value = 24 : index}> : () -> index\n"
    "  %n = \"arith.constant\"() <{value = 1000 : index}> : () -> index\n"
    "  %table = \"memref.get_global\"() <{name = @table}> : () -> memref<256xi8>\n"
    "  %mid = \"memref.view\"(%arena, %c24) : (memref<1024xi8>, index) -> memref<1000xi8>\n"
    "  \"quern.launch\"(%in, %table, %mid, %n) {kernel = @model_invoke, quern.name = \"first\", "
    "quern.macs = 5 : i64} : "
    "(memref<1000xi8>, memref<256xi8>, memref<1000xi8>, index) -> ()\n"
    "  \"quern.launch\"(%mid, %table, %out, %n) {kernel = @model_invoke, quern.name = \"second\"} "
    ": "
    "(memref<1000xi8>, memref<256xi8>, memref<1000xi8>, index) -> ()\n"
    "  \"func.return\"() : () -> ()\n}) : () -> ()\n"
    "}) {quern.arena_bytes = 1024 : i64, quern.numerics = \"litert-ref\", quern.probes = [\n"
    "  {index = 4 : i64, offset = 24 : i64, bytes = 1000 : i64, output = -1 : i64},\n"
    "  {index = 5 : i64, offset = -1 : i64, bytes = 1000 : i64, output = 0 : i64}]} : () -> ()\n";

typedef struct session {
  fixture f;
  qn_module *module;
  qn_codegen_options options;
} session;

static void session_open(session *s, const char *text) {
  fixture_init(&s->f);
  s->module = fixture_parse(&s->f, text);
  s->options = fixture_options(&s->f, "baseline");
}

static void session_close(session *s) {
  qn_module_destroy(s->module);
  fixture_deinit(&s->f);
}

#endif

/* Measures the overhead of a kernel launch, with models that launch an empty kernel: on the calling
 * thread alone, with a thread pool that a small kernel does not use, and with the whole pool.
 * Invocations of the three variants are interleaved, and the fastest invocation of each counts.
 *
 * usage: bench_dispatch
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "codegen/codegen.h"
#include "runtime/parallel.h"
#include "text/text.h"

enum { TURNS = 100, ARGUMENTS = 4 };

/* `launches` of a kernel that takes ARGUMENTS buffers in the arena; `alone`: it is small. */
static qn_module *make_module(qn_ir_context *cx, int launches, bool alone) {
  qn_text text = {0};
  qn_text_puts(
      &text,
      "\"builtin.module\"() ({\n\"func.func\"() <{function_type = (memref<64xi8>, memref<64xi8>, "
      "memref<64xi8>, memref<64xi8>, index, index) -> (), sym_name = \"k\", sym_visibility = "
      "\"private\"}> ({\n^bb0(%a: memref<64xi8>, %b: memref<64xi8>, %c: memref<64xi8>, %d: "
      "memref<64xi8>, %lo: index, %hi: index):\n\"func.return\"() : () -> ()\n}) : () -> ()\n"
      "\"func.func\"() <{arg_attrs = [{quern.role = \"arena\"}], function_type = (memref<4096xi8>) "
      "-> (), sym_name = \"main\"}> ({\n^bb0(%arena: memref<4096xi8>):\n"
      "%n = \"arith.constant\"() <{value = 8 : index}> : () -> index\n");
  for (int i = 0; i < launches; i++) {
    for (int k = 0; k < ARGUMENTS; k++)
      qn_text_format(&text,
                     "%%o%d_%d = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                     "%%v%d_%d = \"memref.view\"(%%arena, %%o%d_%d) : (memref<4096xi8>, index) -> "
                     "memref<64xi8>\n",
                     i, k, 64 * ((i + k) % 64), i, k, i, k);
    qn_text_format(&text,
                   "\"quern.launch\"(%%v%d_0, %%v%d_1, %%v%d_2, %%v%d_3, %%n) {kernel = @k%s} : "
                   "(memref<64xi8>, memref<64xi8>, memref<64xi8>, memref<64xi8>, index) -> ()\n",
                   i, i, i, i, alone ? ", quern.alone" : "");
  }
  qn_text_puts(&text, "\"func.return\"() : () -> ()\n}) : () -> ()\n}) {quern.arena_bytes = 4096 : "
                      "i64} : () -> ()\n");
  qn_module *module = NULL;
  qn_status status = qn_text_parse(cx, qn_text_view(&text), qn_str_of("dispatch.mlir"), &module);
  qn_text_deinit(&text);
  return status == QN_OK ? module : NULL;
}

static qn_jit *compile(qn_ir_context *cx, int launches, bool alone) {
  qn_codegen_options options = {.symbol = qn_str_of("model")};
  qn_module *module = make_module(cx, launches, alone);
  qn_jit *jit = NULL;
  if (!module || qn_codegen_target_resolve(cx, NULL, NULL, NULL, &options.target) != QN_OK ||
      qn_jit_create(module, &options, &jit) != QN_OK)
    exit(2);
  qn_module_destroy(module);
  return jit;
}

int main(void) {
  static const struct {
    const char *name;
    int launches;
    bool alone, pool;
  } ways[] = {{"code, one thread", 100, false, false}, {"table, one thread", 1000, false, false},
              {"code, pool, small", 100, true, true},  {"table, pool, small", 1000, true, true},
              {"code, pool", 100, false, true},        {"table, pool", 1000, false, true}};
  enum { WAYS = sizeof ways / sizeof *ways };
  static _Alignas(QN_ABI_ALIGN) uint8_t arena[4096];
  qn_ir_context cx;
  qn_jit *jits[WAYS];
  qn_pool *pool = NULL;
  double best[WAYS];
  qn_ir_context_init(&cx);
  if (qn_pool_create(2, &pool) != QN_OK) return 2;
  for (int w = 0; w < WAYS; w++) jits[w] = compile(&cx, ways[w].launches, ways[w].alone);
  for (int turn = 0; turn < TURNS; turn++)
    for (int w = 0; w < WAYS; w++) {
      const qn_abi_call call = {.arena = arena,
                                .parallel_for = ways[w].pool ? qn_pool_for : NULL,
                                .pool = ways[w].pool ? pool : NULL};
      double start = qn_clock_now();
      (void)qn_jit_model(jits[w])->invoke(&call);
      double seconds = qn_clock_now() - start;
      if (turn == 0 || seconds < best[w]) best[w] = seconds;
    }
  for (int w = 0; w < WAYS; w++) {
    printf("%-20s %7.1f ns a launch\n", ways[w].name, best[w] / ways[w].launches * 1e9);
    qn_jit_destroy(jits[w]);
  }
  printf("threads of the pool: %u\n", qn_pool_threads(pool));
  qn_pool_destroy(pool);
  qn_ir_context_deinit(&cx);
  return 0;
}

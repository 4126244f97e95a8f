/* Functions with branches as machine code. Random functions without loops, whose conditions are
 * arguments, give the interpreter's results on every path. An argument sets the number of cases
 * (default: a few).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_TEXT = 8192, CONDITIONS = 3, MAX_BLOCKS = 7 };
static unsigned function_count = 4;

typedef struct generator {
  char text[MAX_TEXT];
  uint64_t seed;
  unsigned blocks;
} generator;

static unsigned draw(generator *g, unsigned below) {
  g->seed = g->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((g->seed >> 33) % below);
}

static void put(generator *g, const char *format, ...) {
  size_t used = strlen(g->text);
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(g->text + used, MAX_TEXT - used, format, arguments);
  va_end(arguments);
  assert_true(size >= 0 && (size_t)size < MAX_TEXT - used);
}

/* Every block takes a number and a tensor as arguments, computes with them and branches to later
 * blocks, or returns. Conditions are arguments or the size. */
static void put_target(generator *g, unsigned block) {
  unsigned to = block + 1 + draw(g, g->blocks - block - 1);
  put(g, "^b%u(%%i%u, %%%c%u : i8, tensor<?xf32>)", to, block, draw(g, 2) ? 'y' : 'z', block);
}

static void put_terminator(generator *g, unsigned block) {
  bool last = block + 1 == g->blocks;
  if (last || draw(g, 5) == 0) {
    put(g, "  return %%i%u, %%y%u : i8, tensor<?xf32>\n", block, block);
    return;
  }
  unsigned kind = draw(g, 4);
  if (kind == 0) {
    put(g, "  cf.br ");
    put_target(g, block);
  } else {
    put(g, kind == 1 ? "  cf.cond_br %%two, " : "  cf.cond_br %%c%u, ", draw(g, CONDITIONS));
    put_target(g, block);
    put(g, ", ");
    put_target(g, block);
  }
  put(g, "\n");
}

static void put_block(generator *g, unsigned block) {
  static const char *const ops[] = {"addf", "mulf", "subf", "maximumf"};
  if (block > 0) put(g, "^b%u(%%n%u: i8, %%x%u: tensor<?xf32>):\n", block, block, block);
  put(g, "  %%i%u = arith.addi %%n%u, %%k : i8\n", block, block);
  put(g, "  %%y%u = arith.%s %%x%u, %%x0 : tensor<?xf32>\n", block, ops[draw(g, 4)], block);
  put(g, "  %%q%u = quant.qcast %%x%u : tensor<?xf32> to tensor<?x!q>\n", block, block);
  put(g, "  %%z%u = quant.dcast %%q%u : tensor<?x!q> to tensor<?xf32>\n", block, block);
  put_terminator(g, block);
}

static void generate(generator *g, unsigned number) {
  *g = (generator){.seed = number + 1};
  g->blocks = 3 + draw(g, MAX_BLOCKS - 2);
  put(g, "!q = !quant.uniform<i8:f32, 0.5:3>\n"
         "func.func @f(%%x0: tensor<?xf32>, %%n0: i8, %%c0: i1, %%c1: i1, %%c2: i1) -> (i8, "
         "tensor<?xf32>) {\n"
         "  %%k = arith.constant 17 : i8\n  %%zero = arith.constant 0 : index\n"
         "  %%c2_index = arith.constant 2 : index\n"
         "  %%size = tensor.dim %%x0, %%zero : tensor<?xf32>\n"
         "  %%two = arith.cmpi eq, %%size, %%c2_index : index\n");
  for (unsigned i = 0; i < g->blocks; i++) put_block(g, i);
  put(g, "}\n");
}

static char *result_of(const qn_model *model, const generator *g, unsigned call, qn_engine engine) {
  qn_interpret_options options = QN_INTERPRET_OPTIONS_INIT;
  options.engine = engine;
  qn_argument arguments[2 + CONDITIONS] = {
      {.constant = call & 1 ? "dense<[1.2, 100.0]> : tensor<2xf32>"
                            : "dense<[-3.3, 0.7, 1.0e+9]> : tensor<3xf32>"},
      {.constant = "5 : i8"}};
  for (unsigned i = 0; i < CONDITIONS; i++)
    arguments[2 + i].constant = call >> (i + 1) & 1 ? "true" : "false";
  char *text = NULL;
  size_t size;
  if (qn_model_interpret(model, &options, arguments, 2 + CONDITIONS, &text, &size) != QN_OK)
    fail_msg("%s call %u does not run", g->text, call);
  return text;
}

static void every_way_is_interpreted_and_compiled(void **state) {
  (void)state;
  for (unsigned number = 0; number < function_count; number++) {
    generator g;
    generate(&g, number);
    qn_context *context = qn_context_create();
    qn_model *model;
    qn_bytes bytes = {(const uint8_t *)g.text, strlen(g.text)};
    if (qn_model_load_memory(context, bytes, "case.mlir", NULL, &model) != QN_OK)
      fail_msg("%s", g.text);
    assert_int_equal(
        qn_model_run_pipeline(model, "builtin.module(func.func(lower-quant-ops))", NULL), QN_OK);
    for (unsigned call = 0; call < 2u << CONDITIONS; call += 1 + number % 3) {
      char *expected = result_of(model, &g, call, QN_ENGINE_INTERPRETER);
      char *got = result_of(model, &g, call, QN_ENGINE_JIT);
      if (strcmp(got, expected) != 0)
        fail_msg("%s call %u: %s, not %s", g.text, call, got, expected);
      qn_free(got);
      qn_free(expected);
    }
    qn_model_destroy(model);
    qn_context_destroy(context);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) function_count = (unsigned)strtoul(argv[1], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_way_is_interpreted_and_compiled)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* quant.qcast, quant.dcast and quant.scast of every storage, granularity and expressed type: the
 * integer stage gives the bytes that the model stage gives.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "ir/types/float_format.h"
#include "ir/verify/verify.h"
#include "lower/lower.h"
#include "pass/manager.h"
#include "text/text.h"

static const char *const storages[] = {"i2",  "u3",         "i4",  "u4<1:9>", "i7",  "u8", "i8",
                                       "i8<-100:101>", "i12", "u16",     "i24", "u24", "i32", "u32"};
/* Zero points are values of all storages. */
static const char *const granularities[] = {", 0.5:1", ":1, {0.5:1, 2.0, 0.75:1}",
                                            ":{0:1, 1:3}, {{0.5}, {0.25:1}}"};
static const struct {
  const char *name;
  qn_float_kind kind;
} floats[] = {{"f16", QN_F16}, {"bf16", QN_BF16}, {"f32", QN_F32}, {"f64", QN_F64}};
static const char *const modules[] = {"module", "module attributes {quern.numerics = \"tflm\"}"};

enum { COUNT = 6 };
static const double inputs[][COUNT] = {{0.25, 0.75, -1.125, 3.0, -2.625, 0.625},
                                       {60000.0, -60000.0, 0.1, -0.3, 50.25, 1.0},
                                       {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.0, 7.0,
                                        -1.0}};

typedef struct fixture {
  qn_ir_context cx;
  qn_arena arena;
  qn_module *module;
} fixture;

static void complain(void *user, const qn_diag *diag) {
  (void)user;
  print_message("%.*s\n", QN_STR_ARG(diag->text));
}

static void load(fixture *f, const char *module, const char *storage, const char *expressed,
                 const char *granularity) {
  qn_ir_context_init(&f->cx);
  f->cx.diag.handler = complain;
  f->cx.print_type = qn_text_print_type;
  qn_arena_init(&f->arena);
  qn_text text = {0};
  qn_text_format(&text, "!q = tensor<2x3x!quant.uniform<%s:%s%s>>\n!r = tensor<2x3x%s>\n%s {\n",
                 storage, expressed, granularity, expressed, module);
  qn_text_puts(&text, "func.func @main(%x: !r) -> (!q, !r, !r) {\n"
                      "  %q = quant.qcast %x : !r to !q\n"
                      "  %d = quant.dcast %q : !q to !r\n");
  int width = 0; /* the storage as an integer: u12<0:9> is i12 */
  assert_int_equal(sscanf(storage + 1, "%d", &width), 1);
  qn_text_format(&text,
                 "  %%i = quant.scast %%q : !q to tensor<2x3xi%d>\n"
                 "  %%s = quant.scast %%i : tensor<2x3xi%d> to !q\n"
                 "  %%e = quant.dcast %%s : !q to !r\n"
                 "  return %%q, %%d, %%e : !q, !r, !r\n}\n}\n",
                 width, width);
  qn_str view = qn_text_view(&text);
  if (qn_text_parse(&f->cx, view, qn_str_of("test"), &f->module) != QN_OK ||
      qn_verify(f->module) != QN_OK)
    fail_msg("%s", text.data);
  qn_text_deinit(&text);
}

static void unload(fixture *f) {
  qn_module_destroy(f->module);
  qn_arena_deinit(&f->arena);
  qn_ir_context_deinit(&f->cx);
}

static void run(fixture *f, qn_float_kind kind, const double *values, qn_rt_value results[3]) {
  const qn_op *func = qn_module_main(f->module);
  qn_rt_value x = {.type = qn_op_body(func)->args[0]->type};
  uint32_t bytes = qn_type_bytes(qn_type_element(x.type));
  x.size = (int64_t)COUNT * bytes;
  x.data = qn_arena_alloc(&f->arena, (size_t)x.size);
  for (int i = 0; i < COUNT; i++) qn_float_store(kind, values[i], x.data + (uint32_t)i * bytes);
  assert_int_equal(qn_eval_call(f->module, func, &x, 1, results, &f->arena, NULL), QN_OK);
}

static void check_stage(fixture *f, qn_float_kind kind, const qn_pass *pass) {
  qn_rt_value before[QN_COUNT(inputs)][3], after[3];
  for (size_t i = 0; i < QN_COUNT(inputs); i++) run(f, kind, inputs[i], before[i]);
  assert_int_equal(qn_pipeline_run(f->module, &pass, 1, &(qn_pipeline_options){0}), QN_OK);
  assert_int_equal(qn_verify(f->module), QN_OK);
  for (size_t i = 0; i < QN_COUNT(inputs); i++) {
    run(f, kind, inputs[i], after);
    for (int r = 0; r < 3; r++) {
      assert_int_equal(before[i][r].size, after[r].size);
      assert_memory_equal(before[i][r].data, after[r].data, (size_t)after[r].size);
    }
  }
}

static void the_integer_stage_casts_alike(void **unused) {
  (void)unused;
  for (size_t m = 0; m < QN_COUNT(modules); m++)
    for (size_t s = 0; s < QN_COUNT(storages); s++)
      for (size_t e = 0; e < QN_COUNT(floats); e++)
        for (size_t g = 0; g < QN_COUNT(granularities); g++) {
          fixture f = {.module = NULL};
          load(&f, modules[m], storages[s], floats[e].name, granularities[g]);
          check_stage(&f, floats[e].kind, &qn_pass_lower_to_integer);
          assert_int_equal(qn_verify_stage(f.module, QN_STAGE_INTEGER), QN_OK);
          unload(&f);
        }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_integer_stage_casts_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

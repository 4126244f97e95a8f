/* The list of casts, as text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/cast_case.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ir/types/float_format.h"
#include "ir/verify/verify.h"
#include "text/text.h"

const double qn_cast_inputs[QN_CAST_INPUTS][QN_CAST_ELEMENTS] = {
    {0.25, 0.75, -1.125, 3.0, -2.625, 0.625},
    {60000.0, -60000.0, 0.1, -0.3, 50.25, 1.0},
    {(double)NAN, (double)INFINITY, -(double)INFINITY, -0.0, 7.0, -1.0}};

static const char *const modules[] = {"module", "module attributes {quern.numerics = \"tflm\"}"};
static const char *const storages[] = {"i2", "u3",  "i4",  "u4<1:9>", "i7",  "u8",  "i8<-100:101>",
                                       "i8", "i12", "u16", "i24",     "u24", "i32", "u32"};
static const struct {
  const char *name;
  qn_float_kind kind;
} floats[] = {{"f16", QN_F16}, {"bf16", QN_BF16}, {"f32", QN_F32}, {"f64", QN_F64}};
/* Scales and zero points of each granularity. All zero points fit every storage type. */
static const char *const granularities[] = {", 0.5:1", ":1, {0.5:1, 2.0, 0.75:1}",
                                            ":{0:1, 1:3}, {{0.5}, {0.25:1}}"};

bool qn_cast_case_at(size_t number, qn_cast_case *out) {
  *out = (qn_cast_case){.module = modules[number % QN_COUNT(modules)]};
  number /= QN_COUNT(modules);
  out->storage = storages[number % QN_COUNT(storages)];
  number /= QN_COUNT(storages);
  out->expressed = floats[number % QN_COUNT(floats)].name;
  out->kind = floats[number % QN_COUNT(floats)].kind;
  number /= QN_COUNT(floats);
  if (number >= QN_COUNT(granularities)) return false;
  out->granularity = granularities[number];
  return true;
}

static void put_constant(const qn_cast_case *c, const double *values, qn_text *text) {
  int digits = (int)qn_float_format_of(c->kind)->width / 4;
  qn_text_puts(text, "  %x = arith.constant dense<[");
  for (int i = 0; i < QN_CAST_ELEMENTS; i++)
    qn_text_format(text, "%s0x%0*llX",
                   i == 0   ? "["
                   : i == 3 ? "], ["
                            : ", ",
                   digits, (unsigned long long)qn_float_encode(c->kind, values[i]));
  qn_text_puts(text, "]]> : !r\n");
}

static void put_module(const qn_cast_case *c, const double *constant, qn_text *text) {
  int width = 0; /* i8<-100:101> is stored in i8 */
  QN_ASSERT(sscanf(c->storage + 1, "%d", &width) == 1);
  qn_text_format(text, "!q = tensor<2x3x!quant.uniform<%s:%s%s>>\n!r = tensor<2x3x%s>\n",
                 c->storage, c->expressed, c->granularity, c->expressed);
  qn_text_format(text, "!i = tensor<2x3xi%d>\n%s {\nfunc.func @main(%s) -> (!q, !r, !r) {\n", width,
                 c->module, constant ? "" : "%x: !r");
  if (constant) put_constant(c, constant, text);
  qn_text_puts(text, "  %q = quant.qcast %x : !r to !q\n"
                     "  %d = quant.dcast %q : !q to !r\n"
                     "  %i = quant.scast %q : !q to !i\n"
                     "  %s = quant.scast %i : !i to !q\n"
                     "  %e = quant.dcast %s : !q to !r\n"
                     "  return %q, %d, %e : !q, !r, !r\n}\n}\n");
}

static void complain(void *user, const qn_diag *diag) {
  (void)user;
  fprintf(stderr, "%.*s\n", QN_STR_ARG(diag->text));
}

void qn_cast_case_load(qn_cast_case *c, const double *constant_or_null) {
  qn_ir_context_init(&c->cx);
  c->cx.diag.handler = complain;
  c->cx.print_type = qn_text_print_type;
  qn_arena_init(&c->arena);
  qn_text text = {0};
  put_module(c, constant_or_null, &text);
  qn_str view = qn_text_view(&text);
  QN_ASSERT(qn_text_parse(&c->cx, view, qn_str_of("test"), &c->loaded) == QN_OK);
  QN_ASSERT(qn_verify(c->loaded) == QN_OK);
  qn_text_deinit(&text);
}

void qn_cast_case_unload(qn_cast_case *c) {
  qn_module_destroy(c->loaded);
  qn_arena_deinit(&c->arena);
  qn_ir_context_deinit(&c->cx);
}

void qn_cast_case_run(qn_cast_case *c, const double *input_or_null,
                      qn_rt_value results[QN_CAST_RESULTS]) {
  const qn_op *func = qn_module_main(c->loaded);
  qn_rt_value x = {0};
  if (input_or_null) {
    x.type = qn_op_body(func)->args[0]->type;
    uint32_t bytes = qn_type_bytes(qn_type_element(x.type));
    x.size = (int64_t)QN_CAST_ELEMENTS * bytes;
    x.data = qn_arena_alloc(&c->arena, (size_t)x.size);
    for (uint32_t i = 0; i < QN_CAST_ELEMENTS; i++)
      qn_float_store(c->kind, input_or_null[i], x.data + i * bytes);
  }
  uint32_t count = input_or_null ? 1 : 0;
  QN_ASSERT(qn_eval_call(c->loaded, func, &x, count, results, &c->arena, NULL) == QN_OK);
}

bool qn_cast_case_equal(const qn_rt_value a[QN_CAST_RESULTS],
                        const qn_rt_value b[QN_CAST_RESULTS]) {
  for (int i = 0; i < QN_CAST_RESULTS; i++) {
    if (a[i].size != b[i].size || memcmp(a[i].data, b[i].data, (size_t)a[i].size) != 0)
      return false;
  }
  return true;
}

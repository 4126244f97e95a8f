/* See batch.h. For each case, function @all has two arguments, reals x and stored values s, and
 * three results: qcast(x), dcast(s), and dcast(qcast(x)) with two quant.scast between them, to the
 * storage type and back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "batch.h"

#include <stdio.h>
#include <string.h>

#include "api/api.h"
#include "api/call_compiled.h"
#include "base/clock.h"
#include "eval/eval_op.h"

enum { ARGS = 2, RESULTS = 3, CASTS = 4, MAX_PRINTED = 5 };

/* ---- the module ---- */

static void put_list(qn_text *text, unsigned count, const char *const *formats, int each) {
  for (unsigned i = 0; i < count; i++)
    for (int k = 0; k < each; k++) {
      if (i + (unsigned)k > 0) qn_text_puts(text, ", ");
      for (const char *c = formats[k]; *c; c++)
        if (*c == '#')
          qn_text_format(text, "%u", i);
        else
          qn_text_putc(text, *c);
    }
}

static void put_module(const quant_case *cases, unsigned count, qn_text *text) {
  static const char *const parameters[] = {"%x#: !real#", "%s#: !stored#"};
  static const char *const types[] = {"!stored#", "!real#", "!real#"};
  static const char *const values[] = {"%q#", "%d#", "%r#"};
  bool profile = cases[0].rounding == QN_EXACT_AWAY;
  for (unsigned i = 0; i < count; i++) quant_case_put_types(&cases[i], i, text);
  if (profile) qn_text_puts(text, "module attributes {quern.numerics = \"litert-ref\"} {\n");
  qn_text_puts(text, "func.func @all(");
  put_list(text, count, parameters, ARGS);
  qn_text_puts(text, ") -> (");
  put_list(text, count, types, RESULTS);
  qn_text_puts(text, ") {\n");
  for (unsigned i = 0; i < count; i++)
    qn_text_format(text,
                   "  %%q%u = quant.qcast %%x%u : !real%u to !stored%u\n"
                   "  %%d%u = quant.dcast %%s%u : !stored%u to !real%u\n"
                   "  %%a%u = quant.qcast %%x%u : !real%u to !stored%u\n"
                   "  %%b%u = quant.scast %%a%u : !stored%u to !integer%u\n"
                   "  %%c%u = quant.scast %%b%u : !integer%u to !stored%u\n"
                   "  %%r%u = quant.dcast %%c%u : !stored%u to !real%u\n",
                   i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i);
  qn_text_puts(text, "  return ");
  put_list(text, count, values, RESULTS);
  qn_text_puts(text, " : ");
  put_list(text, count, types, RESULTS);
  qn_text_puts(text, profile ? "\n}\n}\n" : "\n}\n");
}

static bool load(quant_batch *batch) {
  qn_text text = {0};
  put_module(batch->cases, batch->count, &text);
  qn_bytes bytes = {(const uint8_t *)text.data, text.size};
  bool done =
      qn_model_load_memory(batch->context, bytes, "cases.mlir", NULL, &batch->model) == QN_OK;
  if (!done) printf("%.*s", QN_STR_ARG(qn_text_view(&text)));
  qn_text_deinit(&text);
  return done;
}

bool quant_batch_means_rounding(const quant_batch *batch) {
  return batch->cases[0].rounding == QN_EXACT_EVEN || batch->cases[0].rounding == QN_EXACT_AWAY;
}

bool quant_batch_lower(quant_batch *batch) {
  const quant_case *first = &batch->cases[0];
  qn_str passes = qn_arena_format(
      &batch->arena, "builtin.module(func.func(lower-quant-ops{rounding=%s seed=%lld}))",
      quant_rounding_names[first->rounding], (long long)first->seed);
  return qn_model_run_pipeline(batch->model, passes.data, NULL) == QN_OK;
}

/* ---- inputs and expected results ---- */

static void fill(quant_case *c, unsigned number, quant_elements *e, quant_ideal *ideal) {
  uint64_t first_cast = (uint64_t)number * CASTS;
  for (int64_t i = 0; i < c->count; i++) {
    bool exact[2];
    e->x[i] = quant_case_real(c, i);
    e->s[i] = quant_case_stored(c);
    e->quantized[i] = quant_define_qcast(c, e->x[i], i, first_cast, &exact[0]);
    e->dequantized[i] = quant_define_dcast(c, e->s[i], i, &exact[1]);
    ideal->qcasts++;
    ideal->dcasts++;
    ideal->qcasts_off += !exact[0];
    ideal->dcasts_off += !exact[1];
    int64_t between = quant_define_qcast(c, e->x[i], i, first_cast + 2, &exact[0]);
    e->round_trip[i] = quant_define_dcast(c, between, i, &exact[1]);
  }
}

static qn_rt_value new_value(quant_batch *batch, const quant_case *c, const qn_type *declared) {
  const qn_type *element = qn_type_element(declared);
  qn_rt_value value = {.type = element};
  if (c->kind == QUANT_SCALAR) return value;
  value.type = qn_type_tensor(&batch->context->ir, element, (uint32_t)c->rank, c->dims);
  value.size = c->count * qn_type_bytes(element);
  value.data = qn_arena_array(&batch->arena, (size_t)value.size + 1, 1);
  return value;
}

static const qn_op *function_of(const quant_batch *batch) {
  return qn_module_lookup(batch->model->module, qn_str_of("all"));
}

static void make_arguments(quant_batch *batch) {
  const qn_block *body = qn_op_body(function_of(batch));
  batch->args = QN_NEW_ARRAY(&batch->arena, batch->count * ARGS, qn_rt_value);
  for (unsigned k = 0; k < batch->count; k++) {
    const quant_case *c = &batch->cases[k];
    qn_rt_value *values = &batch->args[k * ARGS];
    for (unsigned a = 0; a < ARGS; a++)
      values[a] = new_value(batch, c, body->args[k * ARGS + a]->type);
    for (int64_t i = 0; i < c->count; i++) {
      qn_rt_set_float(&values[0], i, batch->elements[k].x[i]);
      qn_rt_set_int(&values[1], i, batch->elements[k].s[i]);
    }
  }
}

bool quant_batch_open(quant_batch *batch, quant_case *cases, unsigned count, quant_ideal *ideal) {
  *batch = (quant_batch){.cases = cases, .count = count, .context = qn_context_create()};
  qn_arena_init(&batch->arena);
  batch->elements = QN_NEW_ARRAY(&batch->arena, count, quant_elements);
  for (unsigned k = 0; k < count; k++) fill(&cases[k], k, &batch->elements[k], ideal);
  if (!load(batch)) return false;
  make_arguments(batch);
  return true;
}

void quant_batch_close(quant_batch *batch) {
  qn_model_destroy(batch->model);
  qn_context_destroy(batch->context);
  qn_arena_deinit(&batch->arena);
}

/* ---- comparison ---- */

static void complain(const quant_case *c, const char *level, const char *what, double x, double is,
                     double expected, quant_tally *tally) {
  if (tally->differences++ >= MAX_PRINTED) return;
  qn_text text = {0};
  quant_case_put_types(c, 0, &text);
  printf("%srounding %s, %s: %s of %a is %a, expected %a\n", text.data,
         quant_rounding_names[c->rounding], level ? level : "interpreter", what, x, is, expected);
  qn_text_deinit(&text);
}

/* Compares bits, because zeros have signs. */
static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

static void compare(const quant_case *c, const quant_elements *e,
                    const qn_rt_value results[RESULTS], const char *level, quant_tally *tally) {
  for (int64_t i = 0; i < c->count; i++) {
    int64_t quantized = quant_case_as_stored(c, qn_rt_int(&results[0], i));
    double dequantized = qn_rt_float(&results[1], i), round_trip = qn_rt_float(&results[2], i);
    if (quantized != e->quantized[i])
      complain(c, level, "qcast", e->x[i], (double)quantized, (double)e->quantized[i], tally);
    if (!same_bits(dequantized, e->dequantized[i]))
      complain(c, level, "dcast", (double)e->s[i], dequantized, e->dequantized[i], tally);
    if (!same_bits(round_trip, e->round_trip[i]))
      complain(c, level, "round trip", e->x[i], round_trip, e->round_trip[i], tally);
  }
  tally->elements += (uint64_t)c->count * RESULTS;
}

static bool run(quant_batch *batch, const char *level, qn_rt_value *results) {
  const qn_op *func = function_of(batch);
  uint32_t count = batch->count * ARGS;
  qn_interpret_options options = QN_INTERPRET_OPTIONS_INIT;
  options.cpu = level;
  if (level)
    return qn_call_compiled(batch->model, func, &options, batch->args, count, results,
                            &batch->arena) == QN_OK;
  return qn_eval_call(batch->model->module, func, batch->args, count, results, &batch->arena,
                      NULL) == QN_OK;
}

bool quant_batch_check(quant_batch *batch, const char *level, quant_tally *tally) {
  qn_rt_value *results = QN_NEW_ARRAY(&batch->arena, batch->count * RESULTS, qn_rt_value);
  double begin = qn_clock_now();
  if (!run(batch, level, results)) return false;
  tally->seconds += qn_clock_now() - begin;
  for (unsigned k = 0; k < batch->count; k++)
    compare(&batch->cases[k], &batch->elements[k], &results[k * RESULTS], level, tally);
  return true;
}

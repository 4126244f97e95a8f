/* Counts the channels of real models that have a proved one-FMA requantization for the range of
 * accumulators that their weights allow. Every form is checked here on both sides of each step and
 * at the ends of the range. This program finds the thresholds itself.
 *
 *   fma_models SHARED LEAST_PERCENT MODEL...
 *
 * Exit code 0: at least LEAST_PERCENT of all channels have a form, and all forms are right; 77: the
 * models do not exist.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <time.h>

#include "base/file.h"
#include "import/tflite/importer.h"
#include "ir/walk.h"
#include "quant/fma_form.h"
#include "tests/support/passes.h"

enum { SKIPPED = 77 };

typedef struct tally {
  int64_t kinds[QN_FMA_BITS + 1], wrong, bits;
  clock_t ticks; /* CPU time of the search */
  qn_arena scratch;
} tally;

static bool is_matrix_op(const qn_op *op) {
  return op->kind == QN_OP_ML_INTEGER_CONV || op->kind == QN_OP_ML_INTEGER_DEPTHWISE_CONV ||
         op->kind == QN_OP_ML_INTEGER_LINEAR;
}

static qn_requant requant_of(const qn_op *op, int64_t channel) {
  const qn_attr *m = qn_value_constant(qn_op_operand(op, 3)),
                *s = qn_value_constant(qn_op_operand(op, 4));
  qn_requant r = {.rounding = qn_op_requant_rounding(op),
                  .zero_point = (int32_t)qn_op_output_zero_point(op),
                  .min = (int32_t)qn_op_min(op),
                  .max = (int32_t)qn_op_max(op)};
  if (r.rounding == QN_REQUANT_REAL)
    r.real = qn_dense_float(m, channel);
  else
    r.multiplier =
        (qn_multiplier){(int32_t)qn_dense_int(m, channel), (int32_t)qn_dense_int(s, channel)};
  return r;
}

/* The range of a channel's accumulator. Weights and bias include the zero points. */
static qn_interval range_of(tally *t, const qn_op *op, int64_t channel, int64_t channels) {
  const qn_attr *w = qn_value_constant(qn_op_operand(op, 1)),
                *b = qn_value_constant(qn_op_operand(op, 2));
  bool last = op->kind == QN_OP_ML_INTEGER_DEPTHWISE_CONV;
  int64_t taps = qn_type_elements(qn_op_operand(op, 1)->type) / channels;
  int32_t *weights = QN_NEW_ARRAY(&t->scratch, (size_t)taps + 1, int32_t);
  for (int64_t i = 0; i < taps; i++)
    weights[i] = (int32_t)qn_dense_int(w, last ? i * channels + channel : channel * taps + i);
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(op, 0)->type));
  return qn_bounds_dot(weights, taps, is_unsigned ? 0 : -128, is_unsigned ? 255 : 127,
                       qn_dense_int(b, channel), false);
}

/* The smallest accumulator in the range with a result of at least v, by bisection. */
static int64_t step(const qn_requant *r, qn_interval range, int32_t v) {
  int64_t lo = range.lo, hi = range.hi;
  while (lo < hi) {
    int64_t middle = lo + (hi - lo) / 2;
    if (qn_requant_apply(r, (int32_t)middle) >= v)
      hi = middle;
    else
      lo = middle + 1;
  }
  return lo;
}

static bool holds(const qn_requant *r, const qn_fma_form *form, qn_interval range) {
  for (int32_t v = r->min; v <= r->max + 1; v++) {
    int64_t t = step(r, range, v);
    const int64_t at[] = {t, t - 1, range.lo, range.hi, -1, 0};
    for (size_t i = 0; i < QN_COUNT(at); i++) {
      if (at[i] < range.lo || at[i] > range.hi) continue;
      int32_t acc = (int32_t)at[i];
      if (qn_fma_form_apply(form, acc, r->min, r->max) != qn_requant_apply(r, acc)) return false;
    }
  }
  return true;
}

static void visit_matrix(tally *t, const qn_op *op) {
  int64_t channels = qn_type_elements(qn_op_operand(op, 2)->type);
  for (int64_t c = 0; c < channels; c++) {
    qn_arena_mark mark = qn_arena_get_mark(&t->scratch);
    qn_requant r = requant_of(op, c);
    qn_interval range = range_of(t, op, c, channels);
    clock_t start = clock();
    qn_steps steps;
    qn_steps_find(&r, range, &steps);
    qn_fma_form form = qn_fma_form_find(&steps);
    if (form.kind == QN_FMA_NONE) form = qn_fma_form_find_truncated(&steps);
    qn_fma_form bits = qn_fma_form_find_bits(&steps);
    t->ticks += clock() - start;
    t->bits += bits.kind == QN_FMA_BITS;
    if (bits.kind != QN_FMA_NONE && !holds(&r, &bits, range)) t->wrong++;
    t->kinds[form.kind]++;
    if (form.kind != QN_FMA_NONE && !holds(&r, &form, range)) t->wrong++;
    qn_arena_rewind(&t->scratch, mark);
  }
}

static bool visit(qn_op *op, void *user) {
  if (is_matrix_op(op)) visit_matrix(user, op);
  return true;
}

static bool tally_model(tally *t, const char *path) {
  qn_file *file = NULL;
  const char *reason = NULL;
  if (qn_file_open(path, &file, &reason) != QN_OK) return false;
  qn_ir_context cx;
  qn_ir_context_init(&cx);
  qn_module *module = NULL;
  const qn_import_options options = {.path = qn_str_of(path)};
  const qn_lower_config config = {0};
  const qn_pipeline_options pipeline = {.config = &config};
  const qn_test_passes passes = qn_test_passes_of(&cx, "fold-zero-points");
  if (qn_import_tflite(&cx, file, &options, &module) != QN_OK ||
      qn_pipeline_run(module, passes.pass, passes.count, &pipeline) != QN_OK)
    t->wrong++;
  else
    (void)qn_walk_pre(module->op, visit, t);
  qn_module_destroy(module);
  qn_ir_context_deinit(&cx);
  qn_file_release(file);
  return true;
}

int main(int argc, char **argv) {
  if (argc < 4) return fprintf(stderr, "usage: fma_models SHARED LEAST_PERCENT MODEL...\n"), 1;
  const char *shared = getenv("QUERN_SHARED") ? getenv("QUERN_SHARED") : argv[1];
  tally t = {0};
  qn_arena_init(&t.scratch);
  int seen = 0;
  for (int i = 3; i < argc; i++) {
    const char *path = qn_arena_format(&t.scratch, "%s/models/%s.tflite", shared, argv[i]).data;
    if (tally_model(&t, path))
      seen++;
    else
      printf("SKIP: %s is missing (set QUERN_SHARED)\n", path);
  }
  qn_arena_deinit(&t.scratch);
  if (seen == 0) return SKIPPED;
  int64_t proved = t.kinds[QN_FMA_ONE] + t.kinds[QN_FMA_SIGNED] + t.kinds[QN_FMA_TRUNCATED];
  int64_t all = proved + t.kinds[QN_FMA_NONE];
  double percent = all > 0 ? 100.0 * (double)proved / (double)all : 0;
  printf("%lld channels: one offset %lld, two offsets %lld, truncated %lld, none %lld (%.3f %% "
         "proved), %lld wrong; "
         "without conversions %lld; %.1f us per channel\n",
         (long long)all, (long long)t.kinds[QN_FMA_ONE], (long long)t.kinds[QN_FMA_SIGNED],
         (long long)t.kinds[QN_FMA_TRUNCATED], (long long)t.kinds[QN_FMA_NONE], percent,
         (long long)t.wrong, (long long)t.bits,
         all > 0 ? 1e6 * (double)t.ticks / CLOCKS_PER_SEC / (double)all : 0);
  return t.wrong == 0 && percent >= strtod(argv[2], NULL) ? 0 : 1;
}

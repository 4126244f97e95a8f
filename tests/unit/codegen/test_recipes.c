/* Every op that generated modules or models can have has a recipe, or a reason why it has none. All
 * ops with recipes, and ops that are made by recipes of others, occur.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "ir/ops/forms.h"
#include "ir/ops/lstm.h"
#include "ir/walk.h"
#include "tests/support/recipes.h"

static const char *const dialects[] = {"ml.",     "quant.", "arith.", "math.",  "tensor.",
                                       "linalg.", "scf.",   "cf.",    "shape.", "func.call"};

/* Random models opt in to float fallbacks, under which no op is hybrid (src/plan/hybrid.c),
 * and have no weights in blocks. */
static bool is_hybrid(qn_op_kind kind) {
  return kind == QN_OP_ML_QUANTIZE_ROWS || kind == QN_OP_ML_HYBRID_LINEAR ||
         kind == QN_OP_ML_HYBRID_CONV || kind == QN_OP_ML_HYBRID_DEPTHWISE_CONV ||
         kind == QN_OP_ML_BLOCK_LINEAR;
}

/* Lowering stops before the passes of the integer stage, one of which builds it. */
static bool is_prepared(qn_op_kind kind) { return kind == QN_OP_ML_ROWS_TO_DEPTH; }

static bool is_generated(qn_op_kind kind) {
  qn_str name = qn_str_of(qn_op_infos[kind].name);
  for (size_t i = 0; kind != QN_OP_UNREGISTERED && i < QN_COUNT(dialects); i++)
    if (qn_str_starts(name, dialects[i]))
      return kind != QN_OP_FUNC_CALL_INDIRECT && !is_hybrid(kind) && !is_prepared(kind);
  return false;
}

static void every_row_has_a_recipe(void **state) {
  (void)state;
  for (qn_op_kind kind = 0; kind < QN_OP_COUNT; kind++) {
    if (!is_generated(kind)) continue;
    const qn_recipe_row *row = qn_recipe_of(kind);
    if (!row) fail_msg("%s has neither a recipe nor a reason", qn_op_infos[kind].name);
    assert_true((row->make != NULL) != (row->reason != NULL));
  }
}

static bool count_op(qn_op *op, void *user) {
  uint32_t *seen = user;
  seen[op->kind]++;
  return true;
}

/* Every second case is a model, which is also lowered to the integer stage: integer forms occur
 * only there. */
static void make_case(uint64_t seed, uint32_t *seen) {
  qn_random_model m;
  qn_random_begin(&m, seed, seed % 3 ? "litert-ref" : "tflm");
  if (seed % 8 == 0) qn_random_use_words(&m);
  if (seed % 2)
    qn_random_fill_module(&m, 12);
  else
    qn_random_fill_model(&m, 8);
  bool valid = qn_verify(m.module) == QN_OK;
  if (!valid) qn_random_dump(&m);
  assert_true(valid);
  qn_walk_pre(m.module->op, count_op, seen);
  if (seed % 2 == 0) {
    bool lowered = qn_random_pass(&m, &qn_pass_lower_to_integer, NULL) == QN_OK;
    if (!lowered) qn_random_dump(&m);
    assert_true(lowered);
    qn_walk_pre(m.module->op, count_op, seen);
  }
  qn_random_free(&m);
}

static void every_row_occurs(void **state) {
  (void)state;
  enum { CASES = 3000 };
  uint32_t *seen = test_calloc(QN_OP_COUNT, sizeof *seen);
  for (uint64_t seed = 1; seed <= CASES; seed++) make_case(seed, seen);
  for (qn_op_kind kind = 0; kind < QN_OP_COUNT; kind++)
    if (is_generated(kind) && !seen[kind])
      fail_msg("%s does not occur in %d cases", qn_op_infos[kind].name, CASES);
  test_free(seen);
}

/* ---- parts of LSTM cells ---- */

typedef struct cells {
  uint32_t plain, wide, coupled, peepholes, gains, projected, clipped;
} cells;

static bool count_cell(qn_op *op, void *user) {
  cells *c = user;
  if (op->kind != QN_OP_ML_LSTM) return true;
  const qn_lstm_parts parts = qn_lstm_parts_of(op);
  const qn_type *x = qn_type_element(op->operands[QN_LSTM_X].value->type);
  c->wide += qn_type_quant(x)->storage->integer.width == 16;
  c->plain += !qn_lstm_has_parts(&parts) && !qn_op_coupled(op);
  c->coupled += qn_op_coupled(op);
  c->peepholes += parts.peepholes != 0;
  c->gains += parts.gains != 0;
  c->projected += parts.projection != 0;
  c->clipped += qn_op_projection_clip(op) > 0;
  return true;
}

/* All parts that profiles support occur, and have integer forms. */
static void all_parts_of_cells_occur(void **state) {
  (void)state;
  enum { CASES = 120 };
  cells c = {0};
  for (uint64_t seed = 1; seed <= CASES; seed++) {
    qn_random_model m;
    qn_random_begin(&m, seed, seed % 3 ? "litert-ref" : "tflm");
    qn_random_fill_kind(&m, QN_OP_ML_LSTM);
    qn_walk_pre(m.module->op, count_cell, &c);
    if (qn_verify(m.module) != QN_OK ||
        qn_random_pass(&m, &qn_pass_lower_to_integer, NULL) != QN_OK) {
      qn_random_dump(&m);
      fail();
    }
    qn_random_free(&m);
  }
  assert_true(c.plain && c.wide && c.coupled && c.peepholes && c.gains && c.projected && c.clipped);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_has_a_recipe),
      cmocka_unit_test(every_row_occurs),
      cmocka_unit_test(all_parts_of_cells_occur),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

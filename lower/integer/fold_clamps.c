/* Folds tables that clamp into the bounds of the op that computes their operand:
 *
 *   before: %a = "ml.integer_conv"(...) {min = -128, max = 127}
 *           %y = "ml.lut"(%a, %t) with t[x] = clamp(x, -128, 64)
 *   after:  %y = "ml.integer_conv"(...) {min = -128, max = 64}
 *
 * An activation between two tensors of one scale is such a table: a Relu or Clip of a file that
 * does not name the activation of its convolutions. Vectors of bytes are clamped in one or two
 * instructions, which a kernel needs for its own bounds anyway, while a table is read byte by byte
 * at most levels.
 *
 * Only entries within the old bounds count, because the op has no other results. Let lo and hi be
 * the entries at min and max. Then clamp(clamp(r, min, max), lo, hi) = clamp(r, lo, hi), because
 * the left side is monotone and has the ends lo and hi. An op whose result is also read elsewhere
 * or is to be kept is unchanged. So is an op with several results, such as an LSTM, whose
 * bounds also hold for its state. The pass precedes use-unsigned, so operand and result of an
 * activation still have one type. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "lower/integer/integer.h"

typedef struct bounds {
  int64_t min, max;
} bounds;

static int64_t entry(const uint8_t table[256], int64_t x, bool is_unsigned) {
  uint8_t y = table[(uint8_t)x];
  return is_unsigned ? y : (int8_t)y;
}

/* The bounds of the op that equal its own ones followed by the table; false if there are none. */
static bool narrow(const qn_op *op, const uint8_t table[256], bounds *out) {
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(op->results[0].type));
  int64_t min = qn_op_min(op), max = qn_op_max(op);
  *out = (bounds){entry(table, min, is_unsigned), entry(table, max, is_unsigned)};
  if (out->min > out->max) return false;
  for (int64_t x = min; x <= max; x++) {
    int64_t clamped = x < out->min ? out->min : x > out->max ? out->max : x;
    if (entry(table, x, is_unsigned) != clamped) return false;
  }
  return true;
}

/* The op that computes the operand of a lut, if it ends with a clamp and the lut is its only
 * reader. */
static qn_op *clamping(const qn_pass_context *pc, const qn_op *lut) {
  const qn_value *x = qn_op_operand(lut, 0);
  qn_op *op = x->op;
  bool alone = op && op->result_count == 1 && qn_value_has_one_use(x);
  if (!alone || !qn_op_find(op, QN_A_MIN) || x->type != lut->results[0].type) return NULL;
  return qn_integer_is_kept(pc, op) ? NULL : op;
}

static void fold(qn_op *lut, void *user) {
  qn_pass_context *pc = user;
  uint8_t table[256];
  bounds to;
  if (!qn_integer_table(lut, table)) return;
  qn_op *op = clamping(pc, lut);
  if (!op || !narrow(op, table, &to)) return;
  qn_op_set_attr(pc->module, op, "min", qn_attr_i64(pc->cx, to.min));
  qn_op_set_attr(pc->module, op, "max", qn_attr_i64(pc->cx, to.max));
  /* The op no longer writes the tensor before the activation. */
  qn_op_set_attr(pc->module, op, "quern.tensors", NULL);
  qn_integer_move_marks(pc->module, lut, op);
  qn_value_replace_all_uses(qn_op_result(lut, 0), qn_op_result(op, 0));
  qn_op_erase(pc->module, lut);
  pc->changed = true;
}

static qn_status run(qn_pass_context *pc) {
  qn_integer_for_each(pc->module, fold, pc);
  return QN_OK;
}

const qn_pass qn_pass_fold_clamps = {
    .name = "fold-clamps",
    .summary = "fold lookup tables that clamp into the bounds of the op before them",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_integers_only, NULL},
    .run = run,
};

/* Which values scalar casts preserve.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/casts.h"

#include <math.h>

#include "ir/ops/forms.h"
#include "ir/types/float_format.h"

static bool is_float(const qn_type *t) { return t->kind == QN_TYPE_FLOAT; }
static bool is_bool(const qn_type *t) { return qn_type_is_int(t, 1); }
static bool is_unsigned(const qn_type *t) { return qn_type_is_unsigned(t) || is_bool(t); }

/* Number of bits of the largest magnitudes that the type represents exactly. */
static uint32_t digits_of(const qn_type *t) {
  QN_ASSERT(is_float(t) || t->kind == QN_TYPE_INTEGER);
  if (is_float(t)) return qn_float_format_of(t->float_kind)->mantissa + 1;
  return t->integer.width - (is_unsigned(t) ? 0 : 1);
}

bool qn_cast_holds(const qn_type *from, const qn_type *to) {
  if (from == to) return true;
  if (is_bool(to) || (is_float(from) && !is_float(to)) || digits_of(from) > digits_of(to))
    return false;
  if (!is_float(from)) return is_float(to) || is_unsigned(from) || !is_unsigned(to);
  const qn_float_format *a = qn_float_format_of(from->float_kind);
  const qn_float_format *b = qn_float_format_of(to->float_kind);
  return a->largest <= b->largest && a->denormal >= b->denormal;
}

qn_extent qn_extent_of(const qn_type *t) {
  if (is_float(t)) {
    double largest = qn_float_format_of(t->float_kind)->largest;
    return (qn_extent){-largest, largest, t->float_kind == QN_F16 ? 1e-3 : 1e-6};
  }
  double span = ldexp(1, (int)digits_of(t));
  return (qn_extent){is_unsigned(t) ? 0 : -span, span - 1, 1};
}

qn_extent qn_extent_through(qn_extent a, const qn_type *t) {
  qn_extent b = qn_extent_of(t);
  return (qn_extent){fmax(a.low, b.low), fmin(a.high, b.high), fmax(a.resolution, b.resolution)};
}

bool qn_decompresses(const qn_op *op) {
  if (op->kind == QN_OP_QUANT_DCAST) return true;
  if (op->kind != QN_OP_ML_CAST) return false;
  const qn_type *from = qn_type_element(qn_op_operand(op, 0)->type),
                *to = qn_type_element(op->results[0].type);
  return is_float(from) && is_float(to) && qn_bit_width(from) < qn_bit_width(to);
}

enum { LAST, FIRST };

static qn_value *same(qn_rewriter *rw, const qn_matched *m) {
  (void)rw;
  return m->value[FIRST]->type == m->value[LAST]->type ? m->value[FIRST] : NULL;
}
const qn_graph_rule qn_cast_to_same = {
    .rows = {{.kinds = {QN_OP_ML_CAST}, .operands = {FIRST}}, {.flags = QN_ANY_VALUE}},
    .rewrite = same,
};

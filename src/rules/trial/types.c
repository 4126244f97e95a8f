/* Random choices, hints from the rule, and element types from small pools.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/trial/sampler.h"
#include "ir/ops/forms.h"

typedef qn_rule_sampler sampler;

enum { CODES8 = 8 };

/* ---- chance ---- */

static uint64_t draw(sampler *s) {
  uint64_t *state = &s->sampling->state;
  *state += 0x9E3779B97F4A7C15u;
  uint64_t z = (*state ^ (*state >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}
uint32_t qn_rule_sampler_below(sampler *s, uint32_t count) {
  QN_ASSERT(count > 0);
  return (uint32_t)(draw(s) % count);
}
bool qn_rule_sampler_chance(sampler *s, uint32_t percent) {
  QN_ASSERT(percent <= 100);
  return qn_rule_sampler_below(s, 100) < percent;
}

/* ---- hints ---- */

void qn_rule_sampler_hints(qn_rule_hints *h, const qn_rule_node *node) {
  enum { LARGEST = 600 };
  const qn_rule_node *of = node->arg_count > 0 ? node->args[0] : NULL;
  bool dtype = node->function && qn_rule_is(node, QN_RULE_FN_EQ) && of->function &&
               qn_rule_is(of, QN_RULE_FN_DTYPE_OF) && of->args[0]->kind == QN_RULE_STRING &&
               node->args[1]->kind == QN_RULE_DTYPE;
  if (dtype && h->dtype_count < QN_RULE_MOST_HINTS) {
    uint32_t index = 0;
    while (qn_rule_dtypes[index] && !qn_str_is(node->args[1]->text, qn_rule_dtypes[index])) index++;
    h->dtypes[h->dtype_count].tag = of->args[0]->tag;
    h->dtypes[h->dtype_count++].dtype = index;
  }
  bool constant =
      node->function && of && of->kind == QN_RULE_STRING && of->tag < 64 &&
      (qn_rule_is(node, QN_RULE_FN_CONSTVAL_FLOAT) || qn_rule_is(node, QN_RULE_FN_CONSTVAL_INT) ||
       qn_rule_is(node, QN_RULE_FN_CONSTVAL_FLOAT_VALID) ||
       qn_rule_is(node, QN_RULE_FN_CONSTVAL_INT_VALID) || qn_rule_is(node, QN_RULE_FN_IS_CONST));
  if (node->function && qn_rule_is(node, QN_RULE_FN_EXTERNAL_CONSTRAINT)) h->budget = true;
  if (constant) h->constants |= (uint64_t)1 << of->tag;
  /* size that is mentioned: an integer, or the chunk size of a layout */
  qn_rule_value edge = {.integer = node->integer};
  bool layout = node->function && qn_rule_is(node, QN_RULE_FN_LAYOUT_CHUNKSIZE);
  if (layout) (void)!qn_rule_evaluate(&(qn_rule_evaluation){.view = NULL}, node, &edge);
  if ((layout || node->kind == QN_RULE_INT) && edge.integer > 1 && edge.integer < LARGEST &&
      h->size_count < QN_RULE_MOST_HINTS)
    h->sizes[h->size_count++] = edge.integer;
  for (uint32_t i = 0; i < node->arg_count; i++) qn_rule_sampler_hints(h, node->args[i]);
}

const char *qn_rule_sampler_hinted(sampler *s, uint32_t tag) {
  uint32_t found[QN_RULE_MOST_HINTS], count = 0;
  for (uint32_t i = 0; i < s->hints.dtype_count; i++)
    if (s->hints.dtypes[i].tag == tag) found[count++] = s->hints.dtypes[i].dtype;
  QN_ASSERT(count <= QN_RULE_MOST_HINTS);
  return count > 0 && qn_rule_sampler_chance(s, 85)
             ? qn_rule_dtypes[found[qn_rule_sampler_below(s, count)]]
             : NULL;
}

/* ---- types ---- */

const qn_type *qn_rule_sampler_codes(sampler *s, bool is_signed) {
  static const double steps[] = {0.5, 0.5, 0.25, 2.0};
  static const int64_t zeros[] = {128, 131, 0, 3, 130, 1};
  int64_t zero = QN_RULE_PICK(s, zeros) - (is_signed ? 128 : 0);
  double step = QN_RULE_PICK(s, steps);
  qn_quant_uniform q = {.scheme = QN_PER_LAYER,
                        .is_signed = is_signed,
                        .storage = qn_type_i(s->cx, CODES8),
                        .expressed = qn_type_float(s->cx, QN_F32),
                        .count = 1,
                        .scales = &step,
                        .zero_points = &zero};
  qn_storage_range(CODES8, is_signed, &q.min, &q.max);
  return qn_type_uniform(s->cx, &q);
}

const qn_type *qn_rule_sampler_type(sampler *s, const char *name) {
  if (strcmp(name, "QUInt8") == 0) return qn_rule_sampler_codes(s, false);
  if (strcmp(name, "QInt8") == 0) return qn_rule_sampler_codes(s, true);
  if (strcmp(name, "Float16") == 0) return qn_type_float(s->cx, QN_F16);
  if (strcmp(name, "Float32") == 0) return qn_type_float(s->cx, QN_F32);
  if (strcmp(name, "Int32") == 0) return qn_type_i(s->cx, 32);
  return NULL;
}

static bool wants_codes(const qn_rule_form *form) {
  return form->kind == QN_OP_QUANT_DCAST || form->kind == QN_OP_ML_REQUANTIZE ||
         (form->needs & (QN_RULE_CODES | QN_RULE_RELABELLED));
}

const qn_type *qn_rule_sampler_leaf_type(sampler *s, const qn_rule_form *form, uint32_t tag) {
  const char *name = qn_rule_sampler_hinted(s, tag);
  const qn_type *type = name ? qn_rule_sampler_type(s, name) : NULL;
  if (type) return type;
  if (form->kind == QN_OP_QUANT_QCAST || (form->needs & QN_RULE_REALS))
    return qn_type_float(s->cx, QN_F32);
  if (form->kind == QN_OP_ARITH_EXTF || form->kind == QN_OP_ARITH_TRUNCF)
    return qn_type_float(s->cx, qn_rule_sampler_chance(s, 50) ? QN_F16 : QN_F32);
  bool real = !wants_codes(form) && qn_rule_sampler_chance(s, 25);
  return real ? qn_type_float(s->cx, QN_F32)
              : qn_rule_sampler_codes(s, qn_rule_sampler_chance(s, 50));
}

/* The type with the same real values and the opposite signedness. */
static const qn_type *shifted(sampler *s, const qn_quant_uniform *q) {
  enum { HALF = 128 };
  qn_quant_uniform other = *q;
  int64_t zero = q->zero_points[0] + (q->is_signed ? HALF : -HALF);
  other.is_signed = !q->is_signed;
  other.zero_points = &zero;
  qn_storage_range(CODES8, other.is_signed, &other.min, &other.max);
  return qn_type_uniform(s->cx, &other);
}

const qn_type *qn_rule_sampler_result_type(sampler *s, const qn_rule_form *form,
                                           const qn_type *like, uint32_t tag) {
  const char *name = qn_rule_sampler_hinted(s, tag);
  const qn_type *type = name ? qn_rule_sampler_type(s, name) : NULL;
  const qn_quant_uniform *q = qn_type_quant(like);
  if (type) return type;
  if (form->kind == QN_OP_QUANT_DCAST || (form->needs & QN_RULE_REALS))
    return qn_type_float(s->cx, QN_F32);
  if (form->kind == QN_OP_ARITH_EXTF || form->kind == QN_OP_ARITH_TRUNCF)
    return qn_type_float(s->cx, qn_type_is_float(like, QN_F16) ? QN_F32 : QN_F16);
  if (form->kind == QN_OP_QUANT_QCAST)
    return qn_rule_sampler_codes(s, qn_rule_sampler_chance(s, 50));
  if (form->needs & QN_RULE_SHIFTED) return shifted(s, q);
  if (!q || (form->needs & QN_RULE_UNCHANGED)) return like;
  bool flips = form->kind == QN_OP_ML_REQUANTIZE && qn_rule_sampler_chance(s, 50);
  return qn_rule_sampler_chance(s, 60) && !flips
             ? like
             : qn_rule_sampler_codes(s, flips ? !q->is_signed : q->is_signed);
}

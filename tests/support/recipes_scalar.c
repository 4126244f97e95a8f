/* Recipes of arith, math and the casts of quant, on scalars and elementwise on tensors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"
#include "tests/support/recipes.h"

static bool is_int(const qn_type *t) { return qn_is_signless(qn_type_element(t)); }
static bool is_real(const qn_type *t) { return qn_is_float(qn_type_element(t)); }
static bool is_number(const qn_type *t) { return is_int(t) || is_real(t); }
static bool is_quant(const qn_type *t) { return qn_type_quant(t) != NULL; }

static const qn_type *with_element(qn_random_model *m, const qn_type *like,
                                   const qn_type *element) {
  return qn_type_is_shaped(like) ? qn_type_with_element(&m->cx, like, element) : element;
}

static const qn_type *any_int(qn_random_model *m) {
  return qn_random_container(m, qn_random_int_type(m));
}
static const qn_type *any_real(qn_random_model *m) {
  return qn_random_container(m, qn_random_float_type(m));
}
static const qn_type *any_number(qn_random_model *m) {
  return qn_random_between(m, 0, 1) ? any_int(m) : any_real(m);
}

static bool keep(qn_random_model *m, qn_value *value) {
  qn_pool_add(m, value);
  return true;
}

bool qn_make_constant(qn_random_model *m, qn_op_kind kind) {
  (void)kind;
  const qn_type *type = any_number(m);
  if (qn_type_is_shaped(type))
    type = qn_type_tensor(&m->cx, type->shaped.element, m->rank, m->dims);
  return keep(m, qn_random_constant(m, type));
}

/* Makes the op with as many operands as its row requires, all of the first operand's type. */
static bool same_type(qn_random_model *m, qn_op_kind kind, qn_value *first) {
  enum { MOST = 3 };
  qn_value *operands[MOST] = {first};
  uint32_t count = (uint32_t)qn_op_infos[kind].operands;
  for (uint32_t i = 1; i < count; i++)
    operands[i] = m->depth || qn_random_between(m, 0, 2) || !qn_type_is_static(first->type)
                      ? qn_pool_of_type(m, first->type)
                      : qn_random_constant(m, first->type);
  return keep(m, qn_build_1(&m->b, kind, first->type, operands, count, NULL));
}

bool qn_make_int_op(qn_random_model *m, qn_op_kind kind) {
  return same_type(m, kind, qn_pool_pick(m, is_int, any_int(m)));
}
bool qn_make_float_op(qn_random_model *m, qn_op_kind kind) {
  return same_type(m, kind, qn_pool_pick(m, is_real, any_real(m)));
}

bool qn_make_cmp(qn_random_model *m, qn_op_kind kind) {
  bool real = kind == QN_OP_ARITH_CMPF;
  qn_value *a = real ? qn_pool_pick(m, is_real, any_real(m)) : qn_pool_pick(m, is_int, any_int(m));
  qn_value *b = qn_pool_of_type(m, a->type);
  const qn_attr *predicate = qn_attr_i64(&m->cx, qn_random_between(m, 0, real ? 15 : 9));
  return keep(m, qn_build_1(&m->b, kind, with_element(m, a->type, qn_type_i(&m->cx, 1)),
                            QN_VALUES(a, b), QN_ATTRS({"predicate", predicate})));
}

bool qn_make_select(qn_random_model *m, qn_op_kind kind) {
  qn_value *a = qn_pool_pick(m, is_number, any_number(m)), *b = qn_pool_of_type(m, a->type);
  const qn_type *bit = qn_type_i(&m->cx, 1);
  qn_value *condition =
      qn_pool_of_type(m, qn_random_between(m, 0, 2) ? with_element(m, a->type, bit) : bit);
  return keep(m, qn_build_1(&m->b, kind, a->type, QN_VALUES(condition, a, b), NULL));
}

/* Keeps an op if its verifier accepts it. */
static bool keep_if_valid(qn_random_model *m, qn_op_kind kind, qn_value *operand,
                          const qn_type *result) {
  qn_diag_state silent = qn_diag_silence(&m->cx.diag);
  qn_op *op = qn_build(&m->b, (qn_op_state){.kind = kind,
                                            .operands = &operand,
                                            .operand_count = 1,
                                            .result_types = &result,
                                            .result_count = 1});
  bool valid = qn_op_infos[kind].verify(&m->cx, op);
  qn_diag_restore(&m->cx.diag, &silent);
  if (valid) return keep(m, &op->results[0]);
  qn_op_erase(m->module, op);
  return false;
}

/* Whether the bits of a NaN would be visible. The bits of a computed NaN are not specified, so only
 * arguments and constants may be bitcast. */
static bool shows_bits(qn_op_kind kind, const qn_value *x) {
  return kind == QN_OP_ARITH_BITCAST && is_real(x->type) && x->op && !qn_op_has(x->op, QN_CONSTANT);
}

bool qn_make_cast(qn_random_model *m, qn_op_kind kind) {
  enum { TRIES = 12 };
  for (int i = 0; i < TRIES; i++) {
    qn_value *x = qn_pool_pick(m, is_number, any_number(m));
    const qn_type *to =
        qn_random_between(m, 0, 1) ? qn_random_int_type(m) : qn_random_float_type(m);
    if (!shows_bits(kind, x) && keep_if_valid(m, kind, x, with_element(m, x->type, to)))
      return true;
  }
  return false;
}

/* Casts from float, from quantized types, and (scast) from and to storage types. */
bool qn_make_quant_cast(qn_random_model *m, qn_op_kind kind) {
  enum { TRIES = 4 };
  for (int i = 0; i < TRIES; i++) {
    const qn_type *real = any_real(m);
    const qn_type *quantized =
        with_element(m, real, qn_random_uniform(m, qn_type_element(real), real));
    qn_value *x = NULL;
    const qn_type *to = NULL;
    bool back = qn_random_between(m, 0, 1);
    if (kind == QN_OP_QUANT_QCAST) {
      x = qn_pool_pick(m, is_real, real);
      to = with_element(m, x->type, qn_random_uniform(m, qn_type_element(x->type), x->type));
    } else if (kind == QN_OP_QUANT_DCAST || back) {
      x = qn_pool_pick(m, is_quant, quantized);
      const qn_quant_uniform *q = qn_type_quant(x->type);
      to = with_element(m, x->type, kind == QN_OP_QUANT_DCAST ? q->expressed : q->storage);
    } else {
      to = quantized;
      x = qn_pool_of_type(m, with_element(m, to, qn_type_quant(to)->storage));
    }
    if (keep_if_valid(m, kind, x, to)) return true;
  }
  return false;
}

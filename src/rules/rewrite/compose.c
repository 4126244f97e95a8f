/* Names of the rule language that stand for several ops of the model dialect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/build.h"
#include "ir/ops/forms.h"

typedef struct composing {
  qn_rule_staging *s;
  const char *name;
  const qn_rule_operand *inputs;
  const qn_rule_wanted *wanted;
} composing;

static bool fail(const composing *c, const char *why) {
  return qn_rule_stage_fail(c->s, "RR0903", "\"%s\": %s", c->name, why);
}

static qn_value *value_of(const composing *c, uint32_t i) {
  return qn_rule_stage_value(c->s, c->inputs[i], QN_RULE_NATURAL);
}

/* Builds and verifies one op of the composition. NULL on failure. */
static qn_value *add(const composing *c, qn_op_kind kind, const qn_type *type,
                     qn_value *const *values, uint32_t count, const qn_attr_arg *attrs) {
  qn_value *made = qn_build_1(&c->s->builder, kind, type, values, count, attrs);
  qn_op_verify *verify = qn_op_info_of(made->op)->verify;
  qn_array_push(&c->s->made, made->op);
  if (!verify || verify(c->s->builder.cx, made->op)) return made;
  (void)fail(c, "one of its ops is not valid");
  return NULL;
}

/* Gives the op the composed name, so that rules see it under this name only and don't match it
 * under its own name again. */
static void name(const composing *c, const qn_value *value) {
  qn_rule_graph_name(c->s->graph, value->op, qn_rule_form_find(qn_str_of(c->name)));
}

static bool give(const composing *c, qn_value *value, qn_rule_operand *out_operand) {
  if (!value) return false;
  name(c, value);
  *out_operand = qn_rule_operand_of(c->s->graph, value, QN_RULE_NATURAL);
  return true;
}

/* ---- ops ---- */

/* The type of a reduction over the last dimension of x. */
static const qn_type *reduced(const composing *c, const qn_type *x, const qn_type *element,
                              bool keeps) {
  int64_t dims[QN_RULE_MAX_RANK];
  uint32_t rank = x->shaped.rank;
  for (uint32_t i = 0; i < rank; i++) dims[i] = x->shaped.dims[i];
  dims[rank - 1] = 1;
  return qn_type_tensor(c->s->builder.cx, element, keeps ? rank : rank - 1, dims);
}

/* Builds maximum and argmax over the last dimension. The required element type is that of the
 * positions. */
static bool top_k(const composing *c, qn_rule_operand *out_operand) {
  qn_ir_context *cx = c->s->builder.cx;
  const qn_rule_view *v = c->s->evaluation.view;
  qn_value *x = value_of(c, 0);
  const qn_value *root = qn_rule_value_of(c->s->evaluation.binding->root);
  bool one = v->constant_size(v->graph, c->inputs[1]) == 1 &&
             v->constant_at(v->graph, c->inputs[1], 0) == 1;
  if (!x) return false;
  uint32_t rank = x->type->shaped.rank;
  if (!one || c->wanted->outputs != 2 || rank == 0 || rank > QN_RULE_MAX_RANK)
    return fail(c, "there is one for a k of 1 and two outputs only");
  bool keeps = !root || root->type->shaped.rank == rank;
  const qn_attr *keep = qn_attr_bool(cx, keeps), *axis = qn_attr_i64(cx, rank - 1);
  const qn_attr *axes = qn_attr_i64s(cx, (const int64_t[]){rank - 1}, 1);
  const qn_type *values = reduced(c, x->type, qn_type_element(x->type), keeps);
  const qn_type *positions = reduced(c, x->type, c->wanted->element, keeps);
  c->s->parts[0] = add(c, QN_OP_ML_REDUCE_MAX, values, QN_VALUES(x),
                       QN_ATTRS({"axes", axes}, {"keep_dims", keep}));
  if (!c->s->parts[0]) return false;
  c->s->parts[1] = add(c, QN_OP_ML_REDUCE_ARGMAX, positions, QN_VALUES(x),
                       QN_ATTRS({"axis", axis}, {"keep_dims", keep}));
  c->s->part_count = 2;
  if (c->s->parts[1]) name(c, c->s->parts[1]);
  return c->s->parts[1] && give(c, c->s->parts[0], out_operand);
}

/* Builds a lookup of each 8-bit code in a table of 256 entries, indexed by the code's bits as
 * unsigned integer. */
static bool look_up(const composing *c, qn_rule_operand *out_operand) {
  enum { ENTRIES = 256 };
  qn_ir_context *cx = c->s->builder.cx;
  qn_value *x = value_of(c, 0), *table = x ? value_of(c, 1) : NULL;
  if (!x || !table) return false;
  const qn_quant_uniform *q = qn_type_quant(x->type);
  if (!q || q->storage->integer.width != 8 || qn_type_elements(table->type) != ENTRIES)
    return fail(c, "it takes 8-bit codes and 256 entries");
  const qn_type *stored = qn_type_with_element(cx, x->type, q->storage);
  const qn_type *index = qn_type_with_element(cx, x->type, qn_type_i(cx, 32));
  const qn_type *result = qn_type_with_element(cx, x->type, qn_type_element(table->type));
  qn_value *bits = add(c, QN_OP_QUANT_SCAST, stored, QN_VALUES(x), NULL);
  qn_value *at = bits ? add(c, QN_OP_ARITH_EXTUI, index, QN_VALUES(bits), NULL) : NULL;
  return at && give(c,
                    add(c, QN_OP_ML_GATHER, result, QN_VALUES(table, at),
                        QN_ATTRS({"axis", qn_attr_i64(cx, 0)})),
                    out_operand);
}

static bool batch_norm(const composing *c, qn_rule_operand *out_operand) {
  qn_value *x = value_of(c, 0), *scale = x ? value_of(c, 1) : NULL;
  qn_value *offset = scale ? value_of(c, 2) : NULL;
  if (!offset) return false;
  qn_value *scaled = add(c, QN_OP_ML_MUL, x->type, QN_VALUES(x, scale), NULL);
  qn_value *sum = scaled ? add(c, QN_OP_ML_ADD, x->type, QN_VALUES(scaled, offset), NULL) : NULL;
  return give(c, sum, out_operand);
}

/* ---- the table ---- */

static const struct {
  const char *name;
  uint32_t inputs;
  bool (*compose)(const composing *c, qn_rule_operand *out_operand);
} composed[] = {{"TopK", 2, top_k}, {"TableLookup", 2, look_up}, {"BatchNorm", 3, batch_norm}};

bool qn_rule_compose(qn_rule_staging *s, qn_str name, const qn_rule_operand *inputs, uint32_t count,
                     const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  size_t row = 0;
  while (row < QN_COUNT(composed) && !qn_str_is(name, composed[row].name)) row++;
  QN_ASSERT(row < QN_COUNT(composed)); /* each COMPOSED form has a row */
  composing c = {.s = s, .name = composed[row].name, .inputs = inputs, .wanted = wanted};
  if (count != composed[row].inputs) return fail(&c, "it takes another number of operands");
  return composed[row].compose(&c, out_operand);
}

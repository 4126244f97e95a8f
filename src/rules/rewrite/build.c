/* Building of replacements: a function for each function of the rule language. Each gets the sizes,
 * element type and number of outputs that its surroundings require (qn_rule_wanted).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/build.h"

#include "rules/apply/evaluators.h"
#include "rules/rewrite/external.h"

/* ---- scalars ---- */

static bool integer(qn_rule_staging *s, const qn_rule_node *node, int64_t *out_value) {
  if (qn_rule_evaluate_index(&s->evaluation, node, out_value)) return true;
  return qn_rule_stage_unevaluated(s);
}

static bool number(qn_rule_staging *s, const qn_rule_node *node, double *out_value) {
  qn_rule_value value;
  if (!qn_rule_evaluate(&s->evaluation, node, &value)) return qn_rule_stage_unevaluated(s);
  *out_value = value.type == QN_RULE_F32 ? (double)value.real : (double)value.integer;
  return true;
}

/* ---- what is wanted ---- */

/* The element types that a rule can state with a dtype, a zero point and a scale. */
static const struct {
  const char *dtype;
  uint32_t width;
  bool is_signed, quantized;
  qn_float_kind real; /* floats only; width is 0 */
} element_rows[] = {{"QUInt8", 8, false, true, 0},         {"QInt8", 8, true, true, 0},
                    {"QUInt16", 16, false, true, 0},       {"QInt16", 16, true, true, 0},
                    {"QInt32", 32, true, true, 0},         {"Int32", 32, true, false, 0},
                    {"Float16", 0, true, false, QN_F16},   {"Float32", 0, true, false, QN_F32},
                    {"BFloat16", 0, true, false, QN_BF16}, {"Float64", 0, true, false, QN_F64},
                    {"Int8", 8, true, false, 0},           {"Int16", 16, true, false, 0},
                    {"Int64", 64, true, false, 0}};

static bool stated_quantized(qn_rule_staging *s, uint32_t width, bool is_signed, int64_t zero,
                             double step, qn_rule_wanted *wanted) {
  qn_ir_context *cx = s->builder.cx;
  qn_quant_uniform q = {.scheme = QN_PER_LAYER,
                        .is_signed = is_signed,
                        .storage = qn_type_i(cx, width),
                        .expressed = qn_type_float(cx, QN_F32),
                        .count = 1,
                        .scales = &step,
                        .zero_points = &zero};
  qn_storage_range(width, is_signed, &q.min, &q.max);
  if (!(step > 0) || step > 3.4028234663852886e38)
    return qn_rule_stage_fail(s, "RR0905", "a step size of %g", step);
  if (zero < q.min || zero > q.max)
    return qn_rule_stage_fail(s, "RR0905", "a zero offset of %lld, which no code is",
                              (long long)zero);
  wanted->element = qn_type_uniform(cx, &q);
  wanted->axis = -1;
  return true;
}

static bool stated_type(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted) {
  int64_t dtype, zero;
  double step = 0;
  if (!integer(s, node->args[0], &dtype) || !integer(s, node->args[1], &zero) ||
      !number(s, node->args[2], &step))
    return false;
  qn_ir_context *cx = s->builder.cx;
  for (size_t i = 0; i < QN_COUNT(element_rows); i++) {
    if (strcmp(element_rows[i].dtype, qn_rule_dtypes[dtype]) != 0) continue;
    uint32_t width = element_rows[i].width;
    if (element_rows[i].quantized)
      return stated_quantized(s, width, element_rows[i].is_signed, zero, step, wanted);
    wanted->element = width ? qn_type_i(cx, width) : qn_type_float(cx, element_rows[i].real);
    wanted->axis = -1;
    return true;
  }
  return qn_rule_stage_fail(s, "RR0905", "no op gives elements of DType::%s",
                            qn_rule_dtypes[dtype]);
}

/* ---- modifiers: changes of the requirements for the op within ---- */

static bool with_size(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted) {
  qn_rule_operand operand;
  return qn_rule_stage_operand(s, node->args[0], wanted, &operand) &&
         qn_rule_sizes_of(s, operand, wanted);
}

static bool with_type(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted) {
  qn_rule_operand operand;
  return qn_rule_stage_operand(s, node->args[0], wanted, &operand) &&
         qn_rule_type_of(s, operand, wanted);
}

static bool with_both(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted) {
  return with_size(s, node, wanted) && with_type(s, node, wanted);
}

static bool with_outputs(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted) {
  int64_t count;
  if (!integer(s, node->args[0], &count)) return false;
  if (count < 1 || count > QN_RULE_MAX_SLOTS)
    return qn_rule_stage_fail(s, "RR0905", "an op with %lld outputs", (long long)count);
  wanted->outputs = (uint32_t)count;
  return true;
}

static bool resized(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted) {
  int64_t dim, size;
  if (!integer(s, node->args[0], &dim) || !integer(s, node->args[1], &size)) return false;
  if (dim < 0 || dim >= wanted->rank || size < 1)
    return qn_rule_stage_fail(s, "RR0905", "dimension %lld of size %lld", (long long)dim,
                              (long long)size);
  wanted->sizes[dim] = size;
  return true;
}

static bool with_place(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted) {
  qn_rule_operand operand;
  if (!qn_rule_stage_operand(s, node->args[0], wanted, &operand)) return false;
  const qn_value *value = qn_rule_value_of(operand);
  if (value && value->op) s->builder.loc = value->op->loc;
  return true;
}

/* WITH_SPLIT_HISTORY changes no requirement: the log of applications has the history of splits. */
static bool with_history(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted) {
  (void)s, (void)node, (void)wanted;
  return true;
}

typedef bool modifier(qn_rule_staging *s, const qn_rule_node *node, qn_rule_wanted *wanted);

static bool stage_modified(qn_rule_staging *s, const qn_rule_node *node, modifier *modify,
                           const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  qn_rule_wanted changed = *wanted;
  const qn_loc *loc = s->builder.loc;
  bool good = modify(s, node, &changed) &&
              qn_rule_stage_operand(s, node->args[node->arg_count - 1], &changed, out_operand);
  s->builder.loc = loc;
  return good;
}

/* ---- shapes and constants ---- */

static bool stage_shape(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                        qn_rule_operand *out_operand) {
  double sizes[QN_RULE_MAX_RANK];
  (void)wanted;
  if (node->arg_count > QN_RULE_MAX_RANK)
    return qn_rule_stage_fail(s, "RR0905", "a shape of %u sizes", node->arg_count);
  for (uint32_t i = 0; i < node->arg_count; i++) {
    int64_t size;
    if (!integer(s, node->args[i], &size)) return false;
    sizes[i] = (double)size;
  }
  *out_operand = qn_rule_shape_node(s->graph, sizes, node->arg_count);
  return true;
}

static bool stage_shape_of(qn_rule_staging *s, const qn_rule_node *node,
                           const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  qn_rule_operand of;
  qn_rule_wanted sizes;
  double numbers[QN_RULE_MAX_RANK];
  if (!qn_rule_stage_operand(s, node->args[0], wanted, &of)) return false;
  if (!qn_rule_sizes_of(s, of, &sizes)) return qn_rule_stage_fail(s, "RR0905", "it has no sizes");
  for (uint32_t i = 0; i < sizes.rank; i++) numbers[i] = (double)sizes.sizes[i];
  *out_operand = qn_rule_shape_node(s->graph, numbers, sizes.rank);
  return true;
}

enum { MOST_ELEMENTS = 1 << 16 };

static bool stage_filled(qn_rule_staging *s, const qn_rule_node *node, bool real, int64_t count,
                         qn_rule_operand *out_operand) {
  double value = 0;
  if (!number(s, node->args[0], &value)) return false;
  if (count < 1 || count > MOST_ELEMENTS)
    return qn_rule_stage_fail(s, "RR0905", "an array of %lld elements", (long long)count);
  double *numbers = QN_NEW_ARRAY(&s->graph->arena, (size_t)count, double);
  for (int64_t i = 0; i < count; i++) numbers[i] = value;
  *out_operand = qn_rule_numbers_node(s->graph, numbers, (uint32_t)count, real);
  return true;
}

static bool stage_constant(qn_rule_staging *s, const qn_rule_node *node,
                           const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  bool real = qn_rule_is(node, QN_RULE_FN_gen_ConstScalar_f32) ||
              qn_rule_is(node, QN_RULE_FN_gen_ConstArr_f32);
  int64_t count = 1;
  (void)wanted;
  if (node->arg_count > 1 && !integer(s, node->args[1], &count)) return false;
  return stage_filled(s, node, real, count, out_operand);
}

static bool stage_values(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                         qn_rule_operand *out_operand) {
  double *numbers = QN_NEW_ARRAY(&s->graph->arena, node->arg_count, double);
  (void)wanted;
  for (uint32_t i = 0; i < node->arg_count; i++)
    if (!number(s, node->args[i], &numbers[i])) return false;
  *out_operand = qn_rule_numbers_node(s->graph, numbers, node->arg_count, false);
  return true;
}

/* ---- ops ---- */

static bool stage_op(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                     qn_rule_operand *out_operand) {
  uint32_t count = node->arg_count - 1;
  qn_rule_wanted inner = *wanted;
  qn_rule_operand *inputs = QN_NEW_ARRAY(&s->graph->arena, count, qn_rule_operand);
  bool selects = qn_str_is(qn_rule_op_name(node), "$Out");
  if (!selects) inner.outputs = 1;
  for (uint32_t i = 0; i < count; i++)
    if (!qn_rule_stage_operand(s, node->args[i + 1], &inner, &inputs[i])) return false;
  return qn_rule_stage_op(s, qn_rule_op_name(node), inputs, count, wanted, out_operand);
}

static bool stage_wrapped(qn_rule_staging *s, const qn_rule_node *node,
                          const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  const qn_rule_view *v = s->evaluation.view;
  qn_rule_operand inner;
  qn_rule_wanted like;
  if (!qn_rule_stage_operand(s, node->args[1], wanted, &inner)) return false;
  bool wrapped = qn_rule_as(v, inner, qn_rule_op_name(node)) != NULL;
  if (wrapped && qn_rule_is(node, QN_RULE_FN_WrapOp)) {
    *out_operand = inner;
    return true;
  }
  return qn_rule_wanted_of(s, inner, &like) &&
         qn_rule_stage_op(s, qn_rule_op_name(node), &inner, 1, &like, out_operand);
}

static bool stage_select(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                         qn_rule_operand *out_operand) {
  qn_rule_value condition;
  if (!qn_rule_evaluate(&s->evaluation, node->args[0], &condition))
    return qn_rule_stage_unevaluated(s);
  return qn_rule_stage_root(s, node->args[condition.integer ? 1 : 2], wanted, out_operand);
}

static bool stage_shapefn(qn_rule_staging *s, const qn_rule_node *node,
                          const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  return qn_rule_stage_external(s, QN_RULE_SHAPEFN, node, 1, NULL, wanted, out_operand);
}

static bool stage_split_shapefn(qn_rule_staging *s, const qn_rule_node *node,
                                const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  const qn_rule_piece *piece = qn_rule_piece_of(&s->evaluation, node->args[1]);
  if (!piece) return qn_rule_stage_unevaluated(s);
  return qn_rule_stage_external(s, QN_RULE_SPLIT_SHAPEFN, node, 2, piece, wanted, out_operand);
}

static bool stage_replace(qn_rule_staging *s, const qn_rule_node *node,
                          const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  return qn_rule_stage_external(s, QN_RULE_REPLACE, node, 1, NULL, wanted, out_operand);
}

/* ---- the table ---- */

static const struct {
  qn_rule_function_id id;
  modifier *modify;
  bool (*stage)(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                qn_rule_operand *out_operand);
} stagers[] = {{QN_RULE_FN_Op, NULL, stage_op},
               {QN_RULE_FN_SELECT, NULL, stage_select},
               {QN_RULE_FN_WrapOp, NULL, stage_wrapped},
               {QN_RULE_FN_WrapOpAlways, NULL, stage_wrapped},
               {QN_RULE_FN_OP_ITER, NULL, qn_rule_stage_iterations},
               {QN_RULE_FN_AUTOSPLIT, NULL, qn_rule_stage_split},
               {QN_RULE_FN_EXTERNAL_REPLACE, NULL, stage_replace},
               {QN_RULE_FN_gen_Shape, NULL, stage_shape},
               {QN_RULE_FN_gen_ShapeOf, NULL, stage_shape_of},
               {QN_RULE_FN_SHAPEFN_APPLY, NULL, stage_shapefn},
               {QN_RULE_FN_AUTOSPLIT_SHAPEFN_APPLY, NULL, stage_split_shapefn},
               {QN_RULE_FN_gen_ConstScalar_f32, NULL, stage_constant},
               {QN_RULE_FN_gen_ConstScalar_i32, NULL, stage_constant},
               {QN_RULE_FN_gen_ConstArr_f32, NULL, stage_constant},
               {QN_RULE_FN_gen_ConstArr_i32, NULL, stage_constant},
               {QN_RULE_FN_gen_ConstArr_vals_i32, NULL, stage_values},
               {QN_RULE_FN_WITH_SIZE, with_size, NULL},
               {QN_RULE_FN_WITH_TYPE, with_type, NULL},
               {QN_RULE_FN_WITH_SAME_OUTPUT, with_both, NULL},
               {QN_RULE_FN_WITH_SAME_ID, with_place, NULL},
               {QN_RULE_FN_WITH_OUTPUT_TYPE, stated_type, NULL},
               {QN_RULE_FN_WITH_MULTI_OUT, with_outputs, NULL},
               {QN_RULE_FN_ResizeDim, resized, NULL},
               {QN_RULE_FN_WITH_SPLIT_HISTORY, with_history, NULL}};

bool qn_rule_stage_root(qn_rule_staging *s, const qn_rule_node *node, const qn_rule_wanted *wanted,
                        qn_rule_operand *out_operand) {
  for (size_t i = 0; node->function && i < QN_COUNT(stagers); i++) {
    if (!qn_rule_is(node, stagers[i].id)) continue;
    if (stagers[i].modify) return stage_modified(s, node, stagers[i].modify, wanted, out_operand);
    return stagers[i].stage(s, node, wanted, out_operand);
  }
  if (qn_rule_resolve(&s->evaluation, node, out_operand)) return true;
  return qn_rule_stage_unevaluated(s);
}

bool qn_rule_stage_operand(qn_rule_staging *s, const qn_rule_node *node,
                           const qn_rule_wanted *wanted, qn_rule_operand *out_operand) {
  return qn_rule_stage_root(s, node, wanted, out_operand);
}

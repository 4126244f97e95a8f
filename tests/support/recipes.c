/* The table of recipes, and functions that build whole modules from them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/recipes.h"

#include "ir/float_form/float_form.h"
#include "ir/ops/forms.h"
#include "ir/ops/infer/infer.h"
#include "plan/plan.h"

static const char inside_generic[] = "made inside of linalg.generic by its recipe";
#define CHECKED(verify, make, reason)                                                              \
  { verify, make, reason, NULL }
#define OP(stem, ...) extern const qn_inference qn_inference_##stem;
#include "ir/ops/ml_forms.def"
#undef OP

#define SHAPED(like, make)                                                                         \
  { NULL, make, NULL, &qn_inference_##like }
static const qn_recipe_row rows[] = {
    CHECKED(qn_verify_constant, qn_make_constant, NULL),
    CHECKED(qn_verify_int_op, qn_make_int_op, NULL),
    CHECKED(qn_verify_float_op, qn_make_float_op, NULL),
    CHECKED(qn_verify_cmp, qn_make_cmp, NULL),
    CHECKED(qn_verify_select, qn_make_select, NULL),
    CHECKED(qn_verify_cast, qn_make_cast, NULL),
    CHECKED(qn_verify_quant_cast, qn_make_quant_cast, NULL),
    CHECKED(qn_verify_tensor_dim, qn_make_dim, NULL),
    CHECKED(qn_verify_tensor_rank, qn_make_rank, NULL),
    CHECKED(qn_verify_tensor_splat, qn_make_splat, NULL),
    CHECKED(qn_verify_tensor_empty, qn_make_empty, NULL),
    CHECKED(qn_verify_tensor_from_elements, qn_make_from_elements, NULL),
    CHECKED(qn_verify_tensor_reshape, qn_make_reshape, NULL),
    CHECKED(qn_verify_tensor_cast, qn_make_tensor_cast, NULL),
    CHECKED(qn_verify_tensor_extract, qn_make_extract, NULL),
    CHECKED(qn_verify_linalg_generic, qn_make_generic, NULL),
    CHECKED(qn_verify_linalg_yield, NULL, inside_generic),
    CHECKED(qn_verify_linalg_index, NULL, inside_generic),
    CHECKED(qn_verify_scf_if, qn_make_if, NULL),
    CHECKED(qn_verify_scf_for, qn_make_for, NULL),
    CHECKED(qn_verify_scf_while, qn_make_while, NULL),
    CHECKED(qn_verify_scf_condition, NULL, "made inside of scf.while by its recipe"),
    CHECKED(qn_verify_scf_yield, NULL, "made inside of scf.if and scf.for by their recipes"),
    CHECKED(qn_verify_br, qn_make_br, NULL),
    CHECKED(qn_verify_cond_br, qn_make_cond_br, NULL),
    CHECKED(qn_verify_assert, qn_make_assert, NULL),
    CHECKED(qn_verify_shape_of, qn_make_shape_of, NULL),
    CHECKED(qn_verify_shape_num_elements, qn_make_num_elements, NULL),
    CHECKED(qn_verify_shape_split_at, qn_make_split_at, NULL),
    CHECKED(qn_verify_const_shape, qn_make_const_shape, NULL),
    CHECKED(qn_verify_ml_const, qn_make_ml_const, NULL),
    CHECKED(qn_verify_ml_conv, qn_make_conv, NULL),
    CHECKED(qn_verify_ml_linear, qn_make_linear, NULL),
    CHECKED(qn_verify_ml_matmul, qn_make_matmul, NULL),
    CHECKED(qn_verify_ml_alike, qn_make_numbers, NULL),
    CHECKED(qn_verify_ml_bits, qn_make_numbers, NULL),
    CHECKED(qn_verify_ml_compare, qn_make_comparison, NULL),
    CHECKED(qn_verify_ml_logical, qn_make_logical, NULL),
    CHECKED(qn_verify_ml_cast, qn_make_number_cast, NULL),
    CHECKED(qn_verify_ml_bitcast, qn_make_bits, NULL),
    CHECKED(qn_verify_ml_select, qn_make_choice, NULL),
    CHECKED(qn_verify_ml_arg, qn_make_place, NULL),
    CHECKED(qn_verify_ml_top, qn_make_top, NULL),
    CHECKED(qn_verify_ml_along, qn_make_along, NULL),
    CHECKED(qn_verify_ml_suppression, qn_make_suppression, NULL),
    CHECKED(qn_verify_ml_scatter, qn_make_scatter, NULL),
    CHECKED(qn_verify_ml_gather, qn_make_gather, NULL),
    CHECKED(qn_verify_ml_one_hot, qn_make_one_hot, NULL),
    CHECKED(qn_verify_ml_norm, qn_make_norm, NULL),
    CHECKED(qn_verify_ml_resize, qn_make_resize, NULL),
    CHECKED(qn_verify_ml_stack, qn_make_arranged, NULL),
    SHAPED(ml_add, qn_make_broadcast),
    SHAPED(ml_max_pool, qn_make_pool),
    SHAPED(ml_reduce_mean, qn_make_reduce),
    CHECKED(qn_verify_same_shape, qn_make_same_shape, NULL),
    CHECKED(qn_verify_ml_reexpress, qn_make_reexpress, NULL),
    CHECKED(qn_verify_ml_svdf, qn_make_svdf, NULL),
    CHECKED(qn_verify_ml_lstm, qn_make_lstm, NULL),
    CHECKED(qn_verify_ml_rnn, qn_make_rnn, NULL),
    CHECKED(qn_verify_ml_pad, qn_make_pad, NULL),
    CHECKED(qn_verify_ml_reshape, qn_make_same_elements, NULL),
    SHAPED(ml_squeeze, qn_make_same_elements),
    SHAPED(ml_expand_dims, qn_make_same_elements),
    SHAPED(ml_transpose, qn_make_transpose),
    CHECKED(qn_verify_ml_concat, qn_make_concat, NULL),
    CHECKED(qn_verify_ml_split, qn_make_split, NULL),
    SHAPED(ml_slice_by_index, qn_make_slice),
    SHAPED(ml_tile, qn_make_arranged),
    SHAPED(ml_reverse, qn_make_arranged),
    SHAPED(ml_mirror_pad, qn_make_arranged),
    SHAPED(ml_space_to_depth, qn_make_arranged),
    SHAPED(ml_depth_to_space, qn_make_arranged),
    SHAPED(ml_space_to_batch, qn_make_arranged),
    SHAPED(ml_batch_to_space, qn_make_arranged),
};
/* func.call has no verifier of its own. */
static const qn_recipe_row call = CHECKED(NULL, qn_make_call, NULL);
/* Ops that occur only at the integer stage. */
static const qn_recipe_row integer_form =
    CHECKED(NULL, NULL, "made by lower-to-integer from the op's model form");

const qn_recipe_row *qn_recipe_of(qn_op_kind kind) {
  const qn_op_info *info = &qn_op_infos[kind];
  if (qn_str_starts(qn_str_of(info->name), "ml.") && !(info->traits & QN_MODEL_STAGE))
    return &integer_form;
  if (kind == QN_OP_FUNC_CALL) return &call;
  qn_infer_fn *shape = qn_inference_of(kind)->shape;
  for (size_t i = 0; info->verify && i < QN_COUNT(rows); i++) {
    if (rows[i].verify == info->verify) return &rows[i];
    if (rows[i].like && rows[i].like->shape == shape) return &rows[i];
  }
  return NULL;
}

/* ---- any op ---- */

static bool is_of_model(qn_op_kind kind) {
  qn_str name = qn_str_of(qn_op_infos[kind].name);
  return qn_str_starts(name, "ml.");
}

/* Makes an op of a random kind; if that is impossible, of the next kind, and so on. */
static bool make_any(qn_random_model *m, bool of_model) {
  uint32_t start = (uint32_t)qn_choose(&m->choices, QN_OP_COUNT);
  for (uint32_t i = 0; i < QN_OP_COUNT; i++) {
    qn_op_kind kind = (qn_op_kind)((start + i) % QN_OP_COUNT);
    if (kind == QN_OP_UNREGISTERED) continue;
    const qn_recipe_row *row = qn_recipe_of(kind);
    if (!row || !row->make || is_of_model(kind) != of_model) continue;
    qn_random_next_line(m);
    if (row->make(m, kind)) return true;
  }
  return false;
}

bool qn_random_model_op(qn_random_model *m) {
  if (qn_random_chance(m, 12)) qn_make_boundary(m);
  return make_any(m, true);
}
bool qn_random_module_op(qn_random_model *m) { return make_any(m, false); }

/* ---- whole functions ---- */

/* Ends @main. Returns values without uses, the newest first, and sometimes values with uses. */
static void end(qn_random_model *m) {
  qn_value *results[QN_RANDOM_MAX_ARGS];
  uint32_t count = 0;
  for (uint32_t i = m->pool_count; i-- > 0 && count < QN_RANDOM_MAX_ARGS;) {
    qn_value *v = m->pool[i];
    if (v->op && (!qn_value_has_uses(v) || qn_random_chance(m, 8))) results[count++] = v;
  }
  if (count == 0 && m->pool_count) results[count++] = m->pool[m->pool_count - 1];
  qn_random_end(m, results, count);
}

void qn_random_fill_model(qn_random_model *m, uint32_t ops) {
  for (uint32_t i = 0; i < ops; i++) qn_random_model_op(m);
  end(m);
}

/* Whether the kind is a cast whose recipe needs a whole module. */
static bool is_boundary(qn_op_kind kind) {
  return kind == QN_OP_QUANT_QCAST || kind == QN_OP_QUANT_DCAST;
}

uint32_t qn_random_kinds(qn_op_kind out_kinds[QN_OP_COUNT]) {
  uint32_t count = 0;
  for (int kind = 0; kind < QN_OP_COUNT; kind++) {
    if (kind == QN_OP_UNREGISTERED) continue;
    const qn_recipe_row *row = qn_recipe_of((qn_op_kind)kind);
    bool made = is_of_model((qn_op_kind)kind) || is_boundary((qn_op_kind)kind);
    if (made && row && row->make) out_kinds[count++] = (qn_op_kind)kind;
  }
  return count;
}

/* Whether the verifier and the profile accept the op. Their messages are discarded. */
static bool has_plan(qn_random_model *m, const qn_op *op) {
  uint32_t errors = m->errors;
  qn_planner planner;
  qn_plan plan;
  qn_str reason;
  qn_op_verify *verify = qn_op_infos[op->kind].verify;
  bool is = (!verify || verify(&m->cx, op)) &&
            qn_planner_of(m->module, &m->cx.arena, m->cx.diag.unknown, &planner) == QN_OK &&
            qn_plan_of(&planner, op, &plan, &reason) == QN_OK;
  m->errors = errors;
  return is;
}

/* Adds the same op on elements that are not quantized, if the op supports them. */
static void add_twin(qn_random_model *m, const qn_op *op, const qn_type *element) {
  qn_op *twin = qn_random_twin(m, op, element);
  bool real = qn_type_is_float(element, QN_F32);
  if (real ? qn_float_form_problem(twin) != NULL : !has_plan(m, twin)) {
    qn_op_erase(m->module, twin);
    return;
  }
  for (uint32_t i = 0; i < twin->result_count; i++) qn_pool_add(m, qn_op_result(twin, i));
}

void qn_random_fill_kind(qn_random_model *m, qn_op_kind kind) {
  const qn_recipe_row *row = qn_recipe_of(kind);
  /* Ops that are computed in float get a twin below. */
  if (!qn_has_float_form(kind) && m->elements == QN_RANDOM_REAL && !is_boundary(kind))
    m->plain = qn_type_float(&m->cx, QN_F32);
  if (!qn_has_float_form(kind) && m->elements == QN_RANDOM_WHOLE && !is_boundary(kind) &&
      kind != QN_OP_ML_RESIZE_BILINEAR)
    m->plain = qn_type_i(&m->cx, 32);
  if (is_boundary(kind))
    qn_make_boundary(m);
  else if (row && row->make)
    (void)row->make(m, kind);
  const qn_value *made = m->pool_count ? m->pool[m->pool_count - 1] : NULL;
  const qn_op *op = made && made->op && made->op->kind == kind ? made->op : NULL;
  bool has_twin = qn_has_float_form(kind) && !qn_plan_record_of(kind)->exact;
  if (op && has_twin && qn_type_quant(made->type))
    add_twin(m, op,
             m->elements == QN_RANDOM_WHOLE ? qn_type_i(&m->cx, 32)
                                            : qn_type_float(&m->cx, QN_F32));
  if (op && m->elements == QN_RANDOM_WHOLE && kind != QN_OP_ML_CAST) /* some also move booleans */
    add_twin(m, op, qn_type_i(&m->cx, 1));
  end(m);
}

void qn_random_fill_module(qn_random_model *m, uint32_t ops) {
  static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 0};
  m->rank = (uint32_t)qn_random_between(m, 0, 3);
  int64_t elements = 1;
  for (uint32_t i = 0; i < m->rank; i++) {
    m->dims[i] = qn_random_pick(m, sizes, QN_COUNT(sizes));
    if (elements * m->dims[i] > 128) m->dims[i] = 1;
    elements *= m->dims[i];
  }
  for (uint32_t i = 0; i < ops; i++) qn_random_module_op(m);
  end(m);
}

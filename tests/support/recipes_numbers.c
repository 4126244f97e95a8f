/* Recipes of ops on numbers of any type, and of data movement ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/float_form.h"
#include "ir/ops/forms.h"
#include "tests/support/recipes.h"

static const qn_type *tensor(qn_random_model *m, const qn_type *element, const qn_value *like) {
  return qn_type_with_element(&m->cx, like->type, element);
}

/* A new argument as long as there is room for one, else a constant. */
static qn_value *given(qn_random_model *m, const qn_type *type) {
  bool full = qn_op_body(m->func)->arg_count >= QN_RANDOM_MAX_ARGS;
  return full ? qn_random_constant(m, type) : qn_random_input(m, type);
}

/* A tensor of f32 or i32 in a small random shape. */
static qn_value *plain(qn_random_model *m, bool whole) {
  int64_t dims[3];
  uint32_t rank = (uint32_t)qn_random_between(m, 1, 3);
  for (uint32_t i = 0; i < rank; i++) dims[i] = qn_random_between(m, 1, i + 1 == rank ? 20 : 4);
  const qn_type *element = whole ? qn_type_i(&m->cx, 32) : qn_type_float(&m->cx, QN_F32);
  return given(m, qn_type_tensor(&m->cx, element, rank, dims));
}

/* The kinds of elements that an op accepts. */
typedef enum taking { TAKES_REAL = 1, TAKES_WHOLE = 2, TAKES_QUANTIZED = 4 } taking;

/* A tensor of the model's kind of elements if the op accepts it, else of a kind that it accepts. */
static qn_value *numbers(qn_random_model *m, uint32_t takes) {
  qn_random_elements wanted = m->elements;
  if (wanted == QN_RANDOM_ANY)
    wanted = qn_random_chance(m, 2)   ? QN_RANDOM_QUANTIZED
             : qn_random_chance(m, 2) ? QN_RANDOM_WHOLE
                                      : QN_RANDOM_REAL;
  if (wanted == QN_RANDOM_QUANTIZED && (takes & TAKES_QUANTIZED)) return qn_random_activation(m, 0);
  bool whole = wanted == QN_RANDOM_WHOLE && (takes & TAKES_WHOLE);
  return plain(m, whole || !(takes & TAKES_REAL));
}

/* The type of x with another rank, and another or the same quantization. */
static const qn_type *requantized(qn_random_model *m, const qn_value *x, uint32_t rank,
                                  const int64_t *dims) {
  if (!qn_type_quant(x->type) || qn_random_chance(m, 2))
    return qn_type_tensor(&m->cx, qn_type_element(x->type), rank, dims);
  return qn_random_tensor(m, qn_random_quant(m), rank, dims);
}
static const qn_type *result_like(qn_random_model *m, const qn_value *x) {
  return requantized(m, x, x->type->shaped.rank, x->type->shaped.dims);
}

static qn_value *second(qn_random_model *m, const qn_type *type) {
  if (qn_random_is_variable(m)) return qn_random_input(m, type);
  return qn_type_quant(type) ? qn_random_bytes(m, type) : qn_random_constant(m, type);
}

/* A type with the shape of x, of its last dimension only, or of one element. */
static const qn_type *beside_type(qn_random_model *m, const qn_value *x, bool requantizes) {
  uint32_t rank = x->type->shaped.rank, skip = qn_random_chance(m, 3) ? rank - 1 : 0;
  const int64_t *dims = x->type->shaped.dims + skip;
  if (requantizes) return requantized(m, x, rank - skip, dims);
  return qn_type_tensor(&m->cx, qn_type_element(x->type), rank - skip, dims);
}
static qn_value *beside(qn_random_model *m, const qn_value *x) {
  return second(m, beside_type(m, x, true));
}

static bool keep(qn_random_model *m, qn_value *value) {
  qn_pool_add(m, value);
  return true;
}

/* The kinds that an op accepts. Ops without fractions are defined only on integers. */
static uint32_t taken_by(qn_op_kind kind) {
  static const qn_op_kind whole[] = {QN_OP_ML_FLOOR_DIV,
                                     QN_OP_ML_MAXIMUM,
                                     QN_OP_ML_MINIMUM,
                                     QN_OP_ML_NEG,
                                     QN_OP_ML_SQUARE,
                                     QN_OP_ML_ABS,
                                     QN_OP_ML_REDUCE_SUM,
                                     QN_OP_ML_REDUCE_MAX,
                                     QN_OP_ML_REDUCE_MIN,
                                     QN_OP_ML_REDUCE_PROD,
                                     QN_OP_ML_SQUARED_DIFFERENCE,
                                     QN_OP_ML_SIGN};
  if (kind == QN_OP_ML_FLOOR_MOD) return TAKES_WHOLE | TAKES_REAL;
  if (kind == QN_OP_ML_BITWISE_AND || kind == QN_OP_ML_BITWISE_XOR || kind == QN_OP_ML_SHIFT ||
      kind == QN_OP_ML_RIGHT_SHIFT)
    return TAKES_WHOLE;
  for (size_t i = 0; i < QN_COUNT(whole); i++)
    if (whole[i] == kind) return TAKES_WHOLE | TAKES_REAL | TAKES_QUANTIZED;
  return TAKES_REAL | TAKES_QUANTIZED;
}

bool qn_make_numbers(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = numbers(m, taken_by(kind));
  const qn_attr *axes = qn_random_i64s(m, (int64_t[]){0}, 1);
  for (const qn_attr_spec *a = qn_op_infos[kind].attrs; a->id; a++) {
    if (a->id != QN_A_AXES) continue;
    const qn_type *type = requantized(m, x, x->type->shaped.rank - 1, x->type->shaped.dims + 1);
    return keep(m,
                qn_build_1(&m->b, kind, type, QN_VALUES(x),
                           QN_ATTRS({"axes", axes}, {"keep_dims", qn_attr_bool(&m->cx, false)})));
  }
  if (qn_op_infos[kind].operands == 1)
    return keep(m, qn_build_1(&m->b, kind, result_like(m, x), QN_VALUES(x), NULL));
  qn_value *y = beside(m, x);
  return keep(m, qn_build_1(&m->b, kind, result_like(m, x), QN_VALUES(x, y), NULL));
}

/* The kinds that comparisons accept. No profile compares quantized 16-bit tensors, and a boolean
 * has no float form. */
static uint32_t taken_by_comparison(const qn_random_model *m) {
  return TAKES_REAL | TAKES_WHOLE | (m->words ? 0 : TAKES_QUANTIZED);
}

/* Uses a boolean as a result of the model, or as the operand of a cast. */
static bool keep_boolean(qn_random_model *m, qn_value *value) {
  if (qn_random_chance(m, 2)) return keep(m, value);
  return keep(m, qn_build_1(&m->b, QN_OP_ML_CAST, tensor(m, qn_type_i(&m->cx, 32), value),
                            QN_VALUES(value), NULL));
}

static qn_value *comparison(qn_random_model *m, qn_op_kind kind, qn_value *x) {
  qn_value *y = beside(m, x);
  return qn_build_1(&m->b, kind, tensor(m, qn_type_i(&m->cx, 1), x), QN_VALUES(x, y), NULL);
}

bool qn_make_comparison(qn_random_model *m, qn_op_kind kind) {
  return keep_boolean(m, comparison(m, kind, numbers(m, taken_by_comparison(m))));
}

bool qn_make_logical(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = numbers(m, taken_by_comparison(m)), *a = comparison(m, QN_OP_ML_LESS, x);
  if (qn_op_infos[kind].operands == 1)
    return keep_boolean(m, qn_build_1(&m->b, kind, a->type, QN_VALUES(a), NULL));
  qn_value *b = comparison(m, QN_OP_ML_EQUAL, x);
  return keep_boolean(m, qn_build_1(&m->b, kind, a->type, QN_VALUES(a, b), NULL));
}

bool qn_make_number_cast(qn_random_model *m, qn_op_kind kind) {
  const qn_type *types[] = {qn_type_i(&m->cx, 8), qn_type_i(&m->cx, 32), qn_type_i(&m->cx, 64),
                            qn_type_float(&m->cx, QN_F32)};
  qn_value *x = numbers(m, TAKES_REAL | TAKES_WHOLE);
  const qn_type *to = types[qn_choose(&m->choices, QN_COUNT(types))];
  return keep(m, qn_build_1(&m->b, kind, tensor(m, to, x), QN_VALUES(x), NULL));
}

/* The operand is an argument, because the bits of a computed NaN are not defined. */
bool qn_make_bits(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = plain(m, m->elements == QN_RANDOM_WHOLE);
  return keep(m, qn_build_1(&m->b, kind, tensor(m, qn_type_i(&m->cx, 32), x), QN_VALUES(x), NULL));
}

bool qn_make_choice(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = numbers(m, taken_by_comparison(m)), *y = second(m, beside_type(m, x, false));
  qn_value *holds = comparison(m, QN_OP_ML_GREATER, x);
  return keep(m, qn_build_1(&m->b, kind, x->type, QN_VALUES(holds, x, y), NULL));
}

/* ---- data movement ---- */

bool qn_make_place(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  int64_t axis = qn_random_between(m, 0, x->type->shaped.rank - 1), dims[8];
  uint32_t rank = 0;
  for (int64_t i = 0; i < x->type->shaped.rank; i++)
    if (i != axis) dims[rank++] = x->type->shaped.dims[i];
  const qn_type *type =
      qn_type_tensor(&m->cx, qn_type_i(&m->cx, qn_random_chance(m, 2) ? 32 : 64), rank, dims);
  return keep(m, qn_build_1(&m->b, kind, type, QN_VALUES(x),
                            QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)},
                                     {"keep_dims", qn_attr_bool(&m->cx, false)})));
}

bool qn_make_top(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  int64_t dims[8];
  uint32_t rank = x->type->shaped.rank;
  for (uint32_t i = 0; i < rank; i++) dims[i] = x->type->shaped.dims[i];
  dims[rank - 1] = qn_random_between(m, 1, dims[rank - 1]);
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_i(&m->cx, 32), rank, dims);
  return keep(m, qn_build_1(&m->b, kind, type, QN_VALUES(x),
                            QN_ATTRS({"k", qn_attr_i64(&m->cx, dims[rank - 1])})));
}

/* Boxes at few positions, so that boxes overlap and scores are equal. */
bool qn_make_suppression(qn_random_model *m, qn_op_kind kind) {
  const qn_type *f32 = qn_type_float(&m->cx, QN_F32);
  int64_t boxes[] = {qn_random_between(m, 1, 20), 4};
  int64_t scores[] = {qn_random_between(m, 1, 3), boxes[0]}, found[] = {scores[0], 3};
  qn_value *x = given(m, qn_type_tensor(&m->cx, f32, 2, boxes));
  qn_value *y = second(m, qn_type_tensor(&m->cx, f32, 2, scores));
  found[1] = qn_random_between(m, 1, 4);
  return keep(m, qn_build_1(&m->b, kind, qn_type_tensor(&m->cx, qn_type_i(&m->cx, 32), 2, found),
                            QN_VALUES(x, y),
                            QN_ATTRS({"k", qn_attr_i64(&m->cx, found[1])},
                                     {"score_threshold", qn_attr_float(&m->cx, 0.0, f32)},
                                     {"iou_threshold", qn_attr_float(&m->cx, 0.25, f32)})));
}

/* The kinds that the op accepts; those that profiles define on int8 get the quantization that the
 * kernels require of the result. */
static uint32_t taken_along(const qn_random_model *m, qn_op_kind kind, qn_random_affine *out_q) {
  *out_q = (qn_random_affine){0x1p-7, 0};
  if (kind == QN_OP_ML_CUMSUM) return TAKES_REAL | TAKES_WHOLE;
  if (kind == QN_OP_ML_LOG_SOFTMAX) *out_q = (qn_random_affine){0x1p-4, 127};
  bool rows = kind == QN_OP_ML_LOG_SOFTMAX || kind == QN_OP_ML_L2_NORM;
  return TAKES_REAL | (rows && !m->words && !m->is_unsigned ? TAKES_QUANTIZED : 0);
}

/* The op with random values of all attributes in its row. */
bool qn_make_along(qn_random_model *m, qn_op_kind kind) {
  qn_random_affine q;
  qn_value *x = numbers(m, taken_along(m, kind, &q));
  int64_t last = x->type->shaped.rank - 1;
  const qn_type *type = x->type;
  if (qn_type_quant(type)) type = qn_random_tensor(m, q, type->shaped.rank, type->shaped.dims);
  qn_value *y = qn_build_1(&m->b, kind, type, QN_VALUES(x), NULL);
  const qn_type *f64 = qn_type_float(&m->cx, QN_F64);
  for (const qn_attr_spec *a = qn_op_infos[kind].attrs; a->id; a++) {
    const qn_attr *value = qn_attr_float(&m->cx, 0.75, f64);
    if (a->id == QN_A_AXIS) value = qn_attr_i64(&m->cx, qn_random_between(m, 0, last));
    if (a->id == QN_A_RADIUS) value = qn_attr_i64(&m->cx, qn_random_between(m, 0, 3));
    if (a->id == QN_A_EXCLUSIVE) value = qn_attr_bool(&m->cx, qn_random_chance(m, 2));
    qn_op_set_attr(m->module, y->op, qn_attr_decls[a->id].name, value);
  }
  return keep(m, y);
}

/* Indices, some of them outside of the dimension; these count as the nearest index inside. */
static qn_value *indices(qn_random_model *m, uint32_t rank, const int64_t *dims) {
  int32_t values[16];
  int64_t count = 1;
  for (uint32_t i = 0; i < rank; i++) count *= dims[i];
  for (int64_t i = 0; i < count; i++) values[i] = (int32_t)qn_random_between(m, -1, 6);
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_i(&m->cx, 32), rank, dims);
  if (m->elements && qn_random_is_variable(m)) return qn_random_input(m, type);
  const qn_bytes payload = {(const uint8_t *)values, (size_t)count * sizeof *values};
  return qn_build_1(&m->b, QN_OP_ML_CONST, type, NULL, 0,
                    QN_ATTRS({"value", qn_attr_dense(&m->cx, type, payload, false)}));
}

static const qn_type *like(qn_random_model *m, const qn_value *x, uint32_t rank,
                           const int64_t *dims) {
  return qn_type_tensor(&m->cx, qn_type_element(x->type), rank, dims);
}

bool qn_make_gather(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, 0);
  uint32_t in = x->type->shaped.rank, rank = 0;
  int64_t dims[8], shape[] = {qn_random_between(m, 1, 4), 2};
  if (kind == QN_OP_ML_GATHER_ND) {
    shape[1] = qn_random_between(m, 1, in < 3 ? in : 3);
    dims[rank++] = shape[0];
    for (int64_t i = shape[1]; i < in; i++) dims[rank++] = x->type->shaped.dims[i];
    qn_value *at = indices(m, 2, shape);
    return keep(m, qn_build_1(&m->b, kind, like(m, x, rank, dims), QN_VALUES(x, at), NULL));
  }
  int64_t axis = qn_random_between(m, 0, in - 1);
  for (int64_t i = 0; i < in; i++) dims[rank++] = i == axis ? shape[0] : x->type->shaped.dims[i];
  qn_value *at = indices(m, 1, shape);
  return keep(m, qn_build_1(&m->b, kind, like(m, x, rank, dims), QN_VALUES(x, at),
                            QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)})));
}

/* One-hot rows of another tensor's elements; indices out of range set no element. */
bool qn_make_one_hot(qn_random_model *m, qn_op_kind kind) {
  const qn_value *like = numbers(m, TAKES_REAL | TAKES_WHOLE | TAKES_QUANTIZED);
  const qn_type *one = qn_type_tensor(&m->cx, qn_type_element(like->type), 1, (const int64_t[]){1});
  int64_t dims[] = {qn_random_between(m, 1, 4), 2}, axis = qn_random_between(m, 0, 2);
  qn_value *at = indices(m, 2, dims), *on = second(m, one), *off = second(m, one);
  qn_value *y = qn_build_inferred(
      &m->b, kind, qn_type_element(one), QN_VALUES(at, on, off),
      QN_ATTRS({"axis", qn_attr_i64(&m->cx, axis)}, {"depth", qn_attr_i64(&m->cx, 5)}));
  return y && keep(m, y);
}

bool qn_make_resize(qn_random_model *m, qn_op_kind kind) {
  static const char *const modes[] = {"asymmetric", "align_corners", "half_pixel"};
  qn_value *x = qn_random_activation(m, 4);
  int64_t dims[] = {x->type->shaped.dims[0], qn_random_between(m, 1, 7), qn_random_between(m, 1, 7),
                    x->type->shaped.dims[3]};
  const qn_attr *mode = qn_attr_string(&m->cx, qn_str_of(modes[qn_choose(&m->choices, 3)]));
  return keep(m, qn_build_1(&m->b, kind, like(m, x, 4, dims), QN_VALUES(x),
                            QN_ATTRS({"sampling_mode", mode})));
}

/* The op with attributes that are valid for this operand; its shape is inferred. */
bool qn_make_arranged(qn_random_model *m, qn_op_kind kind) {
  qn_value *x = qn_random_activation(m, kind == QN_OP_ML_STACK ? 0 : 4);
  uint32_t rank = x->type->shaped.rank;
  if (rank > 6) return false;
  int64_t ones[8], border[16] = {0}, two[] = {1, 1}, block = 1;
  for (uint32_t i = 0; i < rank; i++) ones[i] = 1;
  ones[qn_random_between(m, 0, rank - 1)] = 2;
  const int64_t *dims = x->type->shaped.dims;
  if (kind == QN_OP_ML_SPACE_TO_DEPTH && dims[1] % 2 == 0 && dims[2] % 2 == 0) block = 2;
  if (kind == QN_OP_ML_DEPTH_TO_SPACE && dims[3] % 4 == 0) block = 2;
  bool to_batch = kind == QN_OP_ML_SPACE_TO_BATCH;
  if (to_batch && rank > 2)
    two[0] = 2, border[0] = dims[1] % 2, two[1] = 3, border[3] = (3 - dims[2] % 3) % 3;
  if (kind == QN_OP_ML_BATCH_TO_SPACE && dims[0] % 2 == 0) two[0] = 2, border[1] = 1;
  if (kind == QN_OP_ML_MIRROR_PAD && dims[1] > 1) border[2] = 1, border[5] = dims[2] > 1;
  qn_attr_arg all[] = {{"axis", qn_attr_i64(&m->cx, 0)},
                       {"axes", qn_random_i64s(m, (int64_t[]){rank - 1}, 1)},
                       {"reps", qn_random_i64s(m, ones, rank)},
                       {"block_shape", qn_random_i64s(m, &block, 1)},
                       {"pad", qn_random_i64s(m, border, to_batch ? 4 : 2 * rank)},
                       {"crops", qn_random_i64s(m, border, 4)},
                       {"mode", qn_attr_string(&m->cx, qn_str_of("reflect"))}};
  if (to_batch || kind == QN_OP_ML_BATCH_TO_SPACE) all[3].value = qn_random_i64s(m, two, 2);
  qn_attr_arg used[QN_COUNT(all) + 1] = {{NULL, NULL}};
  uint32_t count = 0;
  for (const qn_attr_spec *a = qn_op_infos[kind].attrs; a->id; a++)
    for (size_t i = 0; i < QN_COUNT(all); i++)
      if (strcmp(all[i].name, qn_attr_decls[a->id].name) == 0) used[count++] = all[i];
  used[count] = (qn_attr_arg){NULL, NULL};
  bool beside_itself = kind != QN_OP_ML_STACK || !m->elements;
  qn_value *const operands[] = {x, beside_itself ? x : second(m, x->type)};
  qn_value *y = qn_build_inferred(&m->b, kind, qn_type_element(x->type), operands,
                                  kind == QN_OP_ML_STACK ? 2 : 1, used);
  return y && keep(m, y);
}

/* Normalization with mean, variance, gamma and beta, as far as the kind has them. Variances are
 * squares, so not negative. */
bool qn_make_norm(qn_random_model *m, qn_op_kind kind) {
  int64_t dims[4], axis = qn_random_between(m, 1, 3);
  for (int i = 0; i < 4; i++) dims[i] = qn_random_between(m, 1, i == 3 ? 20 : 4);
  const qn_type *f32 = qn_type_float(&m->cx, QN_F32);
  if (qn_op_body(m->func)->arg_count >= QN_RANDOM_MAX_ARGS) return false;
  qn_value *operands[5] = {qn_random_input(m, qn_type_tensor(&m->cx, f32, 4, dims))};
  uint32_t count = qn_op_infos[kind].operands, most = count + 2;
  count += (uint32_t)qn_random_between(m, 0, 2);
  const qn_type *vector = qn_type_tensor(&m->cx, f32, 1, &dims[axis]);
  for (uint32_t i = 1; i < count; i++) {
    operands[i] = second(m, vector);
    if (i == 2 && most == 5)
      operands[i] = qn_build_1(&m->b, QN_OP_ML_SQUARE, vector, QN_VALUES(operands[i]), NULL);
  }
  const qn_attr *at = qn_attr_i64(&m->cx, axis), *axes = qn_random_i64s(m, &axis, 1);
  qn_value *y =
      qn_build_1(&m->b, kind, operands[0]->type, operands, count,
                 kind == QN_OP_ML_LAYER_NORM ? QN_ATTRS({"axes", axes}) : QN_ATTRS({"axis", at}));
  qn_pool_add(m, y);
  return true;
}

/* Rows of another tensor; several may be written to the same index. */
bool qn_make_scatter(qn_random_model *m, qn_op_kind kind) {
  qn_value *updates = numbers(m, TAKES_REAL | TAKES_WHOLE);
  int64_t dims[8], rows = updates->type->shaped.dims[0];
  uint32_t rank = updates->type->shaped.rank;
  if (rank == 1 && rows > 16) return false;
  for (uint32_t i = 0; i < rank; i++) dims[i] = updates->type->shaped.dims[i];
  dims[0] = qn_random_between(m, 1, 6);
  qn_value *at = indices(m, 2, (const int64_t[]){rows, 1});
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_element(updates->type), rank, dims);
  return keep(m, qn_build_1(&m->b, kind, type, QN_VALUES(at, updates), NULL));
}

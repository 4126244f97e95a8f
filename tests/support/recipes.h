/* Recipes: functions that make an op of a given kind. A recipe is selected by the verifier of the
 * op, or by its shape inference, because ops that are checked equally can be made equally. A recipe
 * takes operands from the model's pool or makes them, and adds its results to the pool.
 * tests/unit/codegen/test_recipes.c checks that every row has a recipe, or a reason why it has
 * none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_RECIPES_H
#define QN_TESTS_SUPPORT_RECIPES_H

#include "ir/ops/forms.h"
#include "ir/ops/infer/infer.h"
#include "tests/support/random_model.h"

/* Returns false if nothing was made, because the pool has no suitable operands. */
typedef bool qn_recipe(qn_random_model *m, qn_op_kind kind);

typedef struct qn_recipe_row {
  qn_op_verify *verify;
  qn_recipe *make;
  const char *reason;       /* why the op has no recipe */
  const qn_inference *like; /* selects the row if ops with different shape rules share a verifier */
} qn_recipe_row;
/* The row of an op; NULL if the table has none. A row without a recipe has a `reason`. */
const qn_recipe_row *qn_recipe_of(qn_op_kind kind);

/* Adds one op: qn_random_model_op an op of the model dialect or one of its casts, the other
 * function any other op. A recipe may have to make several ops. */
bool qn_random_model_op(qn_random_model *m);
bool qn_random_module_op(qn_random_model *m);

/* Fills and ends @main, with up to `ops` ops of the model dialect. Unused values become results. */
void qn_random_fill_model(qn_random_model *m, uint32_t ops);
/* Stores the kinds of the model dialect that have a recipe; returns their number. */
uint32_t qn_random_kinds(qn_op_kind out_kinds[QN_OP_COUNT]);
/* Ends @main with one op of the kind and its twin on f32, if the kind is defined there. */
void qn_random_fill_kind(qn_random_model *m, qn_op_kind kind);
void qn_random_fill_module(qn_random_model *m, uint32_t ops);

/* recipes_ml.c */
qn_recipe qn_make_conv, qn_make_linear, qn_make_matmul, qn_make_broadcast, qn_make_pool,
    qn_make_reduce, qn_make_same_shape, qn_make_pad, qn_make_same_elements, qn_make_transpose,
    qn_make_concat, qn_make_split, qn_make_slice, qn_make_ml_const, qn_make_reexpress;
/* recipes_numbers.c */
qn_recipe qn_make_numbers, qn_make_comparison, qn_make_logical, qn_make_number_cast, qn_make_bits,
    qn_make_choice, qn_make_place, qn_make_top, qn_make_along, qn_make_suppression, qn_make_scatter,
    qn_make_gather, qn_make_one_hot, qn_make_resize, qn_make_arranged, qn_make_norm;
/* Usually one of the newest 8-bit tensors, so that ops form chains. `rank` 0: any rank except 0. */
qn_value *qn_random_activation(qn_random_model *m, uint32_t rank);
/* recipes_recurrent.c */
qn_recipe qn_make_svdf, qn_make_lstm, qn_make_rnn;
/* Makes casts between f32 and 8 bits. It is not in the table, because the casts have their own
 * recipes. */
void qn_make_boundary(qn_random_model *m);
/* recipes_scalar.c */
qn_recipe qn_make_constant, qn_make_int_op, qn_make_float_op, qn_make_cmp, qn_make_select,
    qn_make_cast, qn_make_quant_cast;
/* recipes_tensor.c */
qn_recipe qn_make_dim, qn_make_rank, qn_make_splat, qn_make_empty, qn_make_from_elements,
    qn_make_reshape, qn_make_tensor_cast, qn_make_extract, qn_make_generic;

/* recipes_control.c */
qn_recipe qn_make_if, qn_make_for, qn_make_while, qn_make_br, qn_make_cond_br, qn_make_assert,
    qn_make_call, qn_make_shape_of, qn_make_num_elements, qn_make_split_at, qn_make_const_shape;

/* ---- operands (random_pool.c) ---- */

void qn_pool_add(qn_random_model *m, qn_value *value);
/* Sets the location of the next ops to a new line, so that an error shows which op failed. */
void qn_random_next_line(qn_random_model *m);
typedef bool qn_type_predicate(const qn_type *type);
/* A value whose type satisfies `fits`: usually from the pool, else a new one of type `fresh`. */
qn_value *qn_pool_pick(qn_random_model *m, qn_type_predicate *fits, const qn_type *fresh);
/* Like qn_pool_pick, for one type. */
qn_value *qn_pool_of_type(qn_random_model *m, const qn_type *type);
/* A new argument or constant. */
qn_value *qn_random_fresh(qn_random_model *m, const qn_type *type);
/* An arith.constant of a static type that is not quantized. */
qn_value *qn_random_constant(qn_random_model *m, const qn_type *type);
qn_value *qn_random_index(qn_random_model *m, int64_t value);
/* Scalar types, and containers of the module's shape. */
const qn_type *qn_random_int_type(qn_random_model *m);
const qn_type *qn_random_float_type(qn_random_model *m);
const qn_type *qn_random_container(qn_random_model *m, const qn_type *element);
/* A quantized element type for tensors of type `type`, of any scheme that fits its shape. */
const qn_type *qn_random_uniform(qn_random_model *m, const qn_type *expressed,
                                 const qn_type *container);
/* Writes one stored element: a random, extreme or special value. */
void qn_random_element(qn_random_model *m, const qn_type *element, uint8_t *at);

#endif

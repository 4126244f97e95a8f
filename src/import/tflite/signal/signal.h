/* What the operators of tflite-micro's audio front end share: arithmetic on tensors of i64, in
 * which everything they hold fits, written out as ops of the model dialect. None of these is a row
 * of its own. uint32 tensors are i32 with the same bits, uint64 ones i64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_TFLITE_SIGNAL_H
#define QN_IMPORT_TFLITE_SIGNAL_H

#include "import/tflite/flexmap.h"
#include "import/tflite/tflite.h"

/* ---- options and operands ---- */

/* The option within [least, most]; reported when it is not. */
bool qn_signal_option(qn_graph_op *op, const char *name, int64_t least, int64_t most,
                      int64_t *out_value);
/* Operand i of a type and of rank 1, or (`any_rank`) of 1 and more. NULL, reported. */
qn_graph_tensor *qn_signal_input(qn_graph_op *op, uint32_t i, uint8_t dtype, bool any_rank);
/* Its value, in i64; uint16 and uint32 without a sign. */
qn_value *qn_signal_wide(qn_graph_op *op, qn_graph_tensor *tensor);
/* A constant operand of int16 as numbers; NULL, reported. */
const int64_t *qn_signal_numbers(qn_graph_op *op, uint32_t i, int64_t *out_count);
/* The low bits of `value` as output i of the type, in a shape. */
void qn_signal_define(qn_graph_op *op, uint32_t i, uint8_t dtype, const qn_graph_shape *shape,
                      qn_value *value);
/* What the operator keeps from one invocation to the next, zeros at first; NULL, reported, in a
 * branch or loop. `part` names it. */
qn_graph_variable *qn_signal_state(qn_graph_op *op, const char *part, const qn_type *type);

/* ---- arithmetic; NULL operands give NULL ---- */

qn_value *qn_signal_constants(qn_graph_op *op, const int64_t *values, const qn_graph_shape *shape);
qn_value *qn_signal_constant(qn_graph_op *op, int64_t value);
qn_value *qn_signal_two(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b);
/* With a constant second operand. */
qn_value *qn_signal_with(qn_graph_op *op, qn_op_kind kind, qn_value *a, int64_t b);
/* 1 where the comparison holds, else 0. */
qn_value *qn_signal_is(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b);
qn_value *qn_signal_pick(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b, qn_value *yes,
                         qn_value *no);
/* x * 2^n, to the right without regard of the sign. */
qn_value *qn_signal_shift(qn_graph_op *op, qn_value *x, int64_t n);
qn_value *qn_signal_low_32(qn_graph_op *op, qn_value *x);
qn_value *qn_signal_clamp(qn_graph_op *op, qn_value *x, int64_t low, int64_t high);
/* The low bits of a width, with their sign. */
qn_value *qn_signal_wrap(qn_graph_op *op, qn_value *x, uint32_t width);
/* How many bits uint32 values have up to their first. */
qn_value *qn_signal_bits(qn_graph_op *op, qn_value *x, int64_t most);
/* Over the last dimension of a matrix, which becomes a vector. */
qn_value *qn_signal_reduce(qn_graph_op *op, qn_op_kind kind, qn_value *x);
/* Elements of a vector. */
qn_value *qn_signal_gather(qn_graph_op *op, qn_value *x, qn_value *indices);
qn_value *qn_signal_view(qn_graph_op *op, qn_value *x, int64_t rows, int64_t columns);
qn_value *qn_signal_cut(qn_graph_op *op, qn_value *x, uint32_t axis, int64_t begin, int64_t end);
qn_value *qn_signal_join(qn_graph_op *op, qn_value *const *parts, uint32_t count, uint32_t axis);

#endif

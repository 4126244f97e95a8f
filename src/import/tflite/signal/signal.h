/* Helpers of the operators of tflite-micro's audio front end: i64 arithmetic, in which all their
 * values fit, built from ops of the model dialect. No such operator has its own op. uint32 tensors
 * are i32 with equal bits, uint64 ones i64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_TFLITE_SIGNAL_H
#define QN_IMPORT_TFLITE_SIGNAL_H

#include "import/tflite/flexmap.h"
#include "import/tflite/tflite.h"

/* ---- options and operands ---- */

/* Reads an option in [least, most]; reports other values. */
bool qn_signal_option(qn_graph_op *op, const char *name, int64_t least, int64_t most,
                      int64_t *out_value);
/* Operand i, of the given type and of rank 1, or with `any_rank` of rank >= 1. NULL if reported. */
qn_graph_tensor *qn_signal_input(qn_graph_op *op, uint32_t i, uint8_t dtype, bool any_rank);
/* The tensor's value as i64; uint16 and uint32 are zero-extended. */
qn_value *qn_signal_wide(qn_graph_op *op, qn_graph_tensor *tensor);
/* The elements of a constant int16 operand; NULL if reported. */
const int64_t *qn_signal_numbers(qn_graph_op *op, uint32_t i, int64_t *out_count);
/* Defines output i, of the given type and shape, from the low bits of `value`. */
void qn_signal_define(qn_graph_op *op, uint32_t i, uint8_t dtype, const qn_graph_shape *shape,
                      qn_value *value);
/* A state of the operator, initially 0; NULL, reported, in a subgraph, branch or loop. `part`:
 * suffix of its name. */
qn_graph_variable *qn_signal_state(qn_graph_op *op, const char *part, const qn_type *type);

/* ---- arithmetic; NULL operands give NULL ---- */

qn_value *qn_signal_constants(qn_graph_op *op, const int64_t *values, const qn_graph_shape *shape);
qn_value *qn_signal_constant(qn_graph_op *op, int64_t value);
qn_value *qn_signal_two(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b);
/* The op with a constant second operand. */
qn_value *qn_signal_with(qn_graph_op *op, qn_op_kind kind, qn_value *a, int64_t b);
/* 1 if the comparison holds, else 0. */
qn_value *qn_signal_is(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b);
qn_value *qn_signal_pick(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b, qn_value *yes,
                         qn_value *no);
/* x * 2^n; right shifts are logical. */
qn_value *qn_signal_shift(qn_graph_op *op, qn_value *x, int64_t n);
qn_value *qn_signal_low_32(qn_graph_op *op, qn_value *x);
qn_value *qn_signal_clamp(qn_graph_op *op, qn_value *x, int64_t low, int64_t high);
/* The low `width` bits, sign-extended. */
qn_value *qn_signal_wrap(qn_graph_op *op, qn_value *x, uint32_t width);
/* Bit length of uint32 values. */
qn_value *qn_signal_bits(qn_graph_op *op, qn_value *x, int64_t most);
/* Reduces a matrix along its last dimension to a vector. */
qn_value *qn_signal_reduce(qn_graph_op *op, qn_op_kind kind, qn_value *x);
/* Gathers elements of a vector. */
qn_value *qn_signal_gather(qn_graph_op *op, qn_value *x, qn_value *indices);
qn_value *qn_signal_view(qn_graph_op *op, qn_value *x, int64_t rows, int64_t columns);
qn_value *qn_signal_cut(qn_graph_op *op, qn_value *x, uint32_t axis, int64_t begin, int64_t end);
qn_value *qn_signal_join(qn_graph_op *op, qn_value *const *parts, uint32_t count, uint32_t axis);

#endif

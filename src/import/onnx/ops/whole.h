/* Arithmetic of plain integers of any width and sign. In the IR 16, 32 and 64 bits are signless,
 * and most ops are signed; unsigned numbers of up to 32 bits are computed as i64, which holds them,
 * and those of 64 bits by the ops that need no sign.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_WHOLE_H
#define QN_IMPORT_ONNX_OPS_WHOLE_H

#include "import/onnx/ops/parts.h"

/* Whether the type is a plain integer, not a boolean. */
bool qn_onnx_is_whole(uint8_t dtype);
bool qn_onnx_is_real(uint8_t dtype); /* float32 or float64 */
bool qn_onnx_is_unsigned(uint8_t dtype);
/* An integer type whose order the IR knows, or float32; others are reported. */
bool qn_onnx_is_ordered(qn_graph_op *op, const qn_graph_tensor *tensor);
/* The element type of the integers in the IR. */
const qn_type *qn_onnx_whole_type(const qn_graph_op *op, uint8_t dtype);
/* The numbers as i64; those of uint64 keep their bits. */
qn_value *qn_onnx_as_i64(qn_graph_op *op, qn_value *x, uint8_t dtype);
/* i64 as a type, wrapping. */
qn_value *qn_onnx_from_i64(qn_graph_op *op, qn_value *x, uint8_t dtype);
/* ADD, SUB, MUL, REAL_DIV (toward zero), FLOOR_MOD, MAXIMUM, MINIMUM, SHIFT and bits of two
 * operands of one type. */
qn_value *qn_onnx_whole_binary(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y,
                               uint8_t dtype);
/* A comparison, of any type. */
qn_value *qn_onnx_whole_compare(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y,
                                uint8_t dtype);
/* Numbers of any plain type as another one: floats toward zero, saturated; integers wrap. */
qn_value *qn_onnx_converted(qn_graph_op *op, qn_value *x, uint8_t from, uint8_t to);

#endif

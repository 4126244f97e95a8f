/* The verifiers that the op tables name. Each requires that the op has the operands, results,
 * regions and attributes of its table row, and reports every other violation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_VERIFIERS_H
#define QN_IR_OPS_VERIFIERS_H

#include "ir/op_attrs.h"

/* ir/numerics.c */
qn_op_verify qn_verify_module;
/* func.c (and builtin) */
qn_op_verify qn_verify_unrealized_cast, qn_verify_func, qn_verify_func_return,
    qn_verify_call_indirect;
/* arith.c (and math): the same class of types for all, casts, comparisons, constants */
qn_op_verify qn_verify_constant, qn_verify_int_op, qn_verify_float_op, qn_verify_cmp,
    qn_verify_select, qn_verify_cast;
/* scf.c */
qn_op_verify qn_verify_scf_for, qn_verify_scf_if, qn_verify_scf_while, qn_verify_scf_yield,
    qn_verify_scf_condition;
/* tensor.c */
qn_op_verify qn_verify_tensor_dim, qn_verify_tensor_rank, qn_verify_tensor_splat,
    qn_verify_tensor_empty, qn_verify_tensor_from_elements, qn_verify_tensor_reshape,
    qn_verify_tensor_cast, qn_verify_tensor_extract;
/* shape.c */
qn_op_verify qn_verify_shape_of, qn_verify_shape_num_elements, qn_verify_shape_split_at,
    qn_verify_const_shape;
/* linalg.c */
qn_op_verify qn_verify_linalg_generic, qn_verify_linalg_yield, qn_verify_linalg_index;
/* cf.c */
qn_op_verify qn_verify_br, qn_verify_cond_br, qn_verify_assert;
/* memref.c */
qn_op_verify qn_verify_global, qn_verify_get_global, qn_verify_view, qn_verify_memref_access;
/* vector.c */
qn_op_verify qn_verify_broadcast, qn_verify_bitcast, qn_verify_shuffle, qn_verify_extract,
    qn_verify_reduction;
/* tile.c */
qn_op_verify qn_verify_scratch, qn_verify_tile_load, qn_verify_tile_dot, qn_verify_tile_store;
/* quern.c */
qn_op_verify qn_verify_launch, qn_verify_dot, qn_verify_dot_blocks, qn_verify_dot_joined,
    qn_verify_madd, qn_verify_pack, qn_verify_round_to_int, qn_verify_widen_half, qn_verify_rescale,
    qn_verify_lookup, qn_verify_gather, qn_verify_prefetch, qn_verify_byte_shuffle,
    qn_verify_opaque;
/* quant.c */
qn_op_verify qn_verify_quant_cast;
/* ml_compute.c: convolution, matrix product, pooling, reduction, elementwise */
qn_op_verify qn_verify_ml_conv, qn_verify_ml_linear, qn_verify_ml_matmul,
    qn_verify_ml_integer_matmul, qn_verify_ml_8bit_form, qn_verify_same_shape, qn_verify_ml_lut,
    qn_verify_ml_rescale, qn_verify_ml_lut16, qn_verify_ml_softmax16, qn_verify_ml_reexpress;
/* ml_elements.c: numbers of any type */
qn_op_verify qn_verify_ml_alike, qn_verify_ml_bits, qn_verify_ml_compare, qn_verify_ml_logical,
    qn_verify_ml_cast, qn_verify_ml_bitcast, qn_verify_ml_select, qn_verify_ml_arg,
    qn_verify_ml_top, qn_verify_ml_along, qn_verify_ml_suppression, qn_verify_ml_scatter,
    qn_verify_ml_gather, qn_verify_ml_one_hot, qn_verify_ml_resize, qn_verify_ml_stack,
    qn_verify_ml_norm;
/* ml_hybrid.c: products of bytes between floats */
qn_op_verify qn_verify_ml_quantize_rows, qn_verify_ml_hybrid_linear, qn_verify_ml_hybrid_conv,
    qn_verify_ml_hybrid_depthwise_conv, qn_verify_ml_block_linear;
/* ml_recurrent.c: ops with states */
qn_op_verify qn_verify_ml_svdf, qn_verify_ml_lstm, qn_verify_ml_rnn;
/* ml_shape.c: constants and data movement */
qn_op_verify qn_verify_ml_const, qn_verify_ml_pad, qn_verify_ml_reshape, qn_verify_ml_movement,
    qn_verify_ml_concat, qn_verify_ml_split, qn_verify_ml_rows_to_depth;

/* quant.c: whether axis, number of scales and blocks of a quantized type fit the shape of the
 * tensor. True for types that are not uniformly quantized. */
bool qn_verify_quant_shape(qn_ir_context *cx, const qn_op *op, const qn_type *type);

/* symbol.c: qn_op_symbol_reference returns the symbol to which the op refers, and false if its kind
 * has no reference. qn_verify_symbol_use checks a reference; the target is NULL if the module does
 * not define the symbol. */
bool qn_op_symbol_reference(const qn_op *op, qn_str *out_name);
bool qn_verify_symbol_use(qn_ir_context *cx, const qn_op *op, const qn_op *target_or_null);

#endif

/* Import functions of operators that several formats have. Functions with `import_` in the name are
 * for tables of operators (qn_graph_row): they use the op kind of the row if several rows share the
 * function. The parameters of the other functions are the options of the operator, which formats
 * store differently. The comments at the functions list the operands in order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_OPS_H
#define QN_IMPORT_GRAPH_OPS_OPS_H

#include "import/graph/build.h"

/* ---- numbers.c, binary.c: functions of numbers of any type ---- */

void qn_graph_import_unary(qn_graph_op *op);       /* x, quantized or float32 */
void qn_graph_import_elementwise(qn_graph_op *op); /* x of any type */
void qn_graph_import_pair(qn_graph_op *op);        /* two operands, broadcast by numpy's rule */
void qn_graph_import_logical(qn_graph_op *op);     /* one or two boolean operands */
void qn_graph_import_comparison(qn_graph_op *op);
void qn_graph_import_select(qn_graph_op *op); /* condition, then, else */
/* As qn_graph_import_select; the condition can also be one boolean per batch element. */
void qn_graph_import_select_entries(qn_graph_op *op);
void qn_graph_import_atan2(qn_graph_op *op);
void qn_graph_import_add_n(qn_graph_op *op);
void qn_graph_import_arg(qn_graph_op *op); /* x, axis */
/* Sums, differences and products; `activation`: fused activation, or NULL. */
void qn_graph_binary(qn_graph_op *op, const qn_attr *activation);
void qn_graph_leaky_relu(qn_graph_op *op, double alpha);
void qn_graph_gelu(qn_graph_op *op, bool approximate);
/* Normalizes along the channels of x [N, H, W, C]. */
void qn_graph_local_response(qn_graph_op *op, int64_t radius, double offset, double alpha,
                             double beta);

/* ---- cast.c, quantize.c, dequantize.c: types ---- */

void qn_graph_import_cast(qn_graph_op *op);
/* The quantization parameters are those of the operand and result tensors. */
void qn_graph_import_quantize(qn_graph_op *op);
void qn_graph_import_dequantize(qn_graph_op *op);

/* ---- reduce.c ---- */

/* Operands: x, axes. `keep`: the reduced dimensions remain, with size 1. */
void qn_graph_reduce(qn_graph_op *op, bool keep);
/* Operand: x. Computes the softmax of beta * x along the last dimension. */
void qn_graph_softmax(qn_graph_op *op, double beta);

/* ---- shape.c: the same elements under another shape ---- */

/* Operands: x, sizes. `stated` has the sizes if there is no second operand. One size may be -1: it
 * follows from the number of elements. */
void qn_graph_reshape(qn_graph_op *op, qn_graph_list stated);
/* Drops the dimensions in `axes`, or every dimension of size 1 if `axes` is empty. */
void qn_graph_squeeze(qn_graph_op *op, qn_graph_list axes);
void qn_graph_import_expand_dims(qn_graph_op *op); /* x, axis */
void qn_graph_import_transpose(qn_graph_op *op);   /* x, permutation */

/* ---- slice.c, arrange.c, blocks.c: movement ---- */

void qn_graph_concat(qn_graph_op *op, int64_t axis);
/* Operands: axis, x. Splits x into as many parts as there are results; `parts` must be equal to
 * that number. */
void qn_graph_split(qn_graph_op *op, int64_t parts);
void qn_graph_import_split_v(qn_graph_op *op); /* x, sizes, axis */
void qn_graph_import_pad(qn_graph_op *op);     /* x, padding, optional padding value */
/* Options of STRIDED_SLICE. Bit i of a mask applies to element i of the operands begin, end and
 * strides. */
typedef struct qn_graph_slice_masks {
  int64_t begin, end; /* the slice has no bound at this end */
  /* the element represents all dimensions that have no element of their own */
  int64_t ellipsis;
  /* new_axis: inserts a dimension of size 1; shrink: selects one index and drops the dimension */
  int64_t new_axis, shrink;
  bool offset; /* elements of the operand end are relative to those of begin */
} qn_graph_slice_masks;
/* Operands: x, begin, end, strides. */
void qn_graph_strided_slice(qn_graph_op *op, const qn_graph_slice_masks *masks);
void qn_graph_import_slice(qn_graph_op *op); /* x, begin, sizes */
void qn_graph_stack(qn_graph_op *op, int64_t axis);
void qn_graph_unstack(qn_graph_op *op, int64_t axis);
/* Operands: x, indices. The first `batch` dimensions are common to both. */
void qn_graph_gather(qn_graph_op *op, int64_t axis, int64_t batch);
void qn_graph_import_gather_nd(qn_graph_op *op);
void qn_graph_import_tile(qn_graph_op *op);
void qn_graph_import_broadcast_to(qn_graph_op *op); /* x, sizes */
void qn_graph_import_reverse(qn_graph_op *op);      /* x, axes */
/* Operands: x, padding. `repeats`: the mirrored padding includes the edge elements. */
void qn_graph_mirror_pad(qn_graph_op *op, bool repeats);
/* Operands: x [N, H, W, C], and the height and width of the result. */
void qn_graph_resize(qn_graph_op *op, bool corners, bool half);
void qn_graph_blocks(qn_graph_op *op, int64_t block);
void qn_graph_import_batch_blocks(qn_graph_op *op);

/* ---- index.c, masks.c: by indices and comparisons ---- */

void qn_graph_one_hot(qn_graph_op *op, int64_t axis); /* indices, depth, on value, off value */
void qn_graph_import_embedding(qn_graph_op *op);      /* indices, rows */
void qn_graph_import_top(qn_graph_op *op);            /* x, k; results: values, indices */
void qn_graph_import_scatter(qn_graph_op *op);        /* indices, updates, sizes */
void qn_graph_import_update_slice(qn_graph_op *op);   /* x, update, begin */
void qn_graph_cumsum(qn_graph_op *op, bool is_exclusive, bool is_reverse);
void qn_graph_import_where(qn_graph_op *op);
void qn_graph_import_diagonal(qn_graph_op *op);
void qn_graph_import_set_diagonal(qn_graph_op *op);
void qn_graph_reverse_sequence(qn_graph_op *op, int64_t sequence, int64_t batch);
void qn_graph_import_segments(qn_graph_op *op);
void qn_graph_import_sign(qn_graph_op *op);
void qn_graph_import_relu_0_to_1(qn_graph_op *op);
void qn_graph_bucketize(qn_graph_op *op, qn_graph_list boundaries);

/* ---- known.c: results that are known with shapes or constants ---- */

void qn_graph_import_shape_of(qn_graph_op *op);
void qn_graph_import_rank(qn_graph_op *op);
void qn_graph_import_range(qn_graph_op *op);
void qn_graph_import_broadcast_args(qn_graph_op *op);
void qn_graph_import_fill(qn_graph_op *op);

/* ---- control.c: indices of subgraphs that may be read ---- */

/* The condition, then the arguments of both branches. */
void qn_graph_if(qn_graph_op *op, const uint32_t branches[2]);
/* As many results as operands. */
void qn_graph_while(qn_graph_op *op, uint32_t condition, uint32_t body);
void qn_graph_inline(qn_graph_op *op, uint32_t number);

#endif

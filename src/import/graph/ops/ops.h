/* Operators that formats share. `import_` functions are for rows (qn_graph_row): they take operands
 * in order, and use the row's kind if several rows share the function. Other functions take as
 * arguments what a format has as options.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_OPS_OPS_H
#define QN_IMPORT_GRAPH_OPS_OPS_H

#include "import/graph/build.h"

/* ---- numbers.c, binary.c: functions of numbers of any type ---- */

void qn_graph_import_unary(qn_graph_op *op);       /* quantized in 8 or 16 bits, or float32 */
void qn_graph_import_elementwise(qn_graph_op *op); /* of any type */
void qn_graph_import_pair(qn_graph_op *op);        /* two operands, numpy broadcast */
void qn_graph_import_logical(qn_graph_op *op);     /* one or two booleans */
void qn_graph_import_comparison(qn_graph_op *op);
void qn_graph_import_select(qn_graph_op *op); /* condition, then, else */
void qn_graph_import_select_entries(
    qn_graph_op *op); /* also with one condition per batch element */
void qn_graph_import_atan2(qn_graph_op *op);
void qn_graph_import_add_n(qn_graph_op *op);
void qn_graph_import_arg(qn_graph_op *op); /* x, the axis */
/* Sums, differences and products; `activation`: fused activation, or NULL. */
void qn_graph_binary(qn_graph_op *op, const qn_attr *activation);
void qn_graph_leaky_relu(qn_graph_op *op, double alpha);
void qn_graph_gelu(qn_graph_op *op, bool approximate);
/* Along the channels of NHWC. */
void qn_graph_local_response(qn_graph_op *op, int64_t radius, double offset, double alpha,
                             double beta);

/* ---- cast.c, quantize.c, dequantize.c: types ---- */

void qn_graph_import_cast(qn_graph_op *op);
/* Quantization parameters are those of the tensors. */
void qn_graph_import_quantize(qn_graph_op *op);
void qn_graph_import_dequantize(qn_graph_op *op);

/* ---- reduce.c ---- */

/* x, the axes. */
void qn_graph_reduce(qn_graph_op *op, bool keep);
/* Along the last dimension. */
void qn_graph_softmax(qn_graph_op *op, double beta);

/* ---- shape.c: the same elements under another shape ---- */

/* x, the sizes; `stated`: the sizes if there is no operand. One size may be -1: it follows from the
 * others. */
void qn_graph_reshape(qn_graph_op *op, qn_graph_list stated);
/* Drops the dimensions in `axes`, or every dimension of size 1 if `axes` is empty. */
void qn_graph_squeeze(qn_graph_op *op, qn_graph_list axes);
void qn_graph_import_expand_dims(qn_graph_op *op); /* x, one axis */
void qn_graph_import_transpose(qn_graph_op *op);   /* x, the permutation */

/* ---- slice.c, arrange.c, blocks.c: movement ---- */

void qn_graph_concat(qn_graph_op *op, int64_t axis);
/* The axis, x. Splits x into as many parts as there are results; `parts` must agree. */
void qn_graph_split(qn_graph_op *op, int64_t parts);
void qn_graph_import_split_v(qn_graph_op *op); /* x, the sizes, the axis */
void qn_graph_import_pad(qn_graph_op *op);     /* x, before and after each dimension, [value] */
/* Bit i applies to dimension i of the operands. */
typedef struct qn_graph_slice_masks {
  int64_t begin, end;       /* no bound at this end */
  int64_t ellipsis;         /* covers all dimensions that the operands do not list */
  int64_t new_axis, shrink; /* new_axis: inserts a dimension of 1; shrink: drops the dimension */
  bool offset;              /* ends are relative to the beginnings */
} qn_graph_slice_masks;
/* x, the beginnings, ends and strides. */
void qn_graph_strided_slice(qn_graph_op *op, const qn_graph_slice_masks *masks);
void qn_graph_import_slice(qn_graph_op *op); /* x, the beginnings, the sizes */
void qn_graph_stack(qn_graph_op *op, int64_t axis);
void qn_graph_unstack(qn_graph_op *op, int64_t axis);
/* x, the indices; the first `batch` dimensions are common to both. */
void qn_graph_gather(qn_graph_op *op, int64_t axis, int64_t batch);
void qn_graph_import_gather_nd(qn_graph_op *op);
void qn_graph_import_tile(qn_graph_op *op);
void qn_graph_import_broadcast_to(qn_graph_op *op); /* x, the sizes */
void qn_graph_import_reverse(qn_graph_op *op);      /* x, the axes */
/* `repeats`: the edge elements are repeated, too. */
void qn_graph_mirror_pad(qn_graph_op *op, bool repeats);
/* x of NHWC, height and width. */
void qn_graph_resize(qn_graph_op *op, bool corners, bool half);
void qn_graph_blocks(qn_graph_op *op, int64_t block);
void qn_graph_import_batch_blocks(qn_graph_op *op);

/* ---- index.c, masks.c: by indices and comparisons ---- */

void qn_graph_one_hot(qn_graph_op *op, int64_t axis); /* indices, depth, on, off */
void qn_graph_import_embedding(qn_graph_op *op);      /* indices, rows */
void qn_graph_import_top(qn_graph_op *op);            /* x, k: values and indices */
void qn_graph_import_scatter(qn_graph_op *op);        /* indices, updates, sizes */
void qn_graph_import_update_slice(qn_graph_op *op);   /* x, update, beginnings */
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

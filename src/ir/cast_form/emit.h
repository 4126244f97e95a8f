/* Helpers of the decomposition of quant casts: constants, dynamic sizes, reshapes of unranked
 * tensors, and the linalg.generic around an elementwise body.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CAST_FORM_EMIT_H
#define QN_IR_CAST_FORM_EMIT_H

#include "ir/builder.h"
#include "ir/types/quant_cast.h"

enum { QN_EMIT_MAX_RANK = 64 };

/* Cache of tensors of scales and zero points, by type: [quantizes][zero points]. */
typedef struct qn_grids {
  qn_map attrs[2][2];
} qn_grids;
void qn_grids_deinit(qn_grids *grids);

/* Returns a constant with value `attr` that is valid at op `at`. */
typedef qn_value *qn_emit_constant_fn(void *user, qn_op *at, const qn_attr *attr,
                                      const qn_type *type);

/* The decomposition of one cast. */
typedef struct qn_emit {
  qn_ir_context *cx;
  qn_builder b; /* insertion point */
  qn_op *cast;
  const qn_quant_uniform *q;
  bool quantizes;                /* quant.qcast */
  qn_emit_constant_fn *constant; /* NULL: an arith.constant at the insertion point */
  void *constant_user;
  qn_grids *grids;
  const qn_type *stored; /* signless integer type of stored values */
} qn_emit;

/* ---- values ---- */

qn_value *qn_emit_constant(qn_emit *e, const qn_attr *attr, const qn_type *type);
qn_value *qn_emit_index(qn_emit *e, int64_t value);
/* A constant of a scalar type. Integers are wrapped to the width, floats rounded to the format. */
qn_value *qn_emit_int(qn_emit *e, int64_t value, const qn_type *type);
qn_value *qn_emit_float(qn_emit *e, double value, const qn_type *type);
/* The scales or zero points as a tensor. Scales are rounded to the expressed type first. */
qn_value *qn_emit_scales(qn_emit *e, const qn_type *element);
qn_value *qn_emit_zero_points(qn_emit *e, const qn_type *element);
/* Scale i, rounded to the expressed type. */
static inline double qn_emit_scale(const qn_emit *e, uint32_t i) {
  return qn_quant_expressed_scale(e->q, e->q->scales[i]);
}

/* ---- shapes ---- */

/* Sizes of the dynamic dimensions of a ranked tensor, in order. */
uint32_t qn_emit_dynamic_sizes(qn_emit *e, qn_value *tensor, qn_value *out_sizes[QN_EMIT_MAX_RANK]);
/* shape.shape_of for an unranked tensor. */
qn_value *qn_emit_shape(qn_emit *e, qn_value *tensor);
/* Reshape an unranked tensor: qn_emit_flatten to one dimension, qn_emit_collapse to ? x channels x
 * ? around the axis. */
qn_value *qn_emit_flatten(qn_emit *e, qn_value *tensor, qn_value *shape);
qn_value *qn_emit_collapse(qn_emit *e, qn_value *tensor, qn_value *shape);
/* Reshapes back to an unranked tensor of that shape. */
qn_value *qn_emit_expand(qn_emit *e, qn_value *tensor, qn_value *shape);

/* ---- elementwise bodies ---- */

/* Map from the iteration space of a tensor of rank `rank` to the scales: the axis, or floordiv by
 * block sizes. `axis` is used per axis only. */
const qn_attr *qn_emit_grid_map(qn_emit *e, uint32_t rank, uint32_t axis);
/* Opens a linalg.generic over `tensor` and over the tensors of scales and zero points (`grids`),
 * indexed by `grid_map`, with results of type `element`. The builder is then in its body, whose
 * arguments are an element of the tensor, of each grid, and of the output. */
qn_op *qn_emit_open(qn_emit *e, qn_value *tensor, qn_value *const *grids, uint32_t grid_count,
                    const qn_attr *grid_map, const qn_type *element);
/* Yields `value`, leaves the body; returns the op's result. */
qn_value *qn_emit_close(qn_emit *e, qn_op *generic, qn_value *value);

#endif

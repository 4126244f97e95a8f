/* Builds ops of the model stage from a checked operator: attributes, results, and intermediate ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_BUILD_H
#define QN_IMPORT_GRAPH_BUILD_H

#include "import/graph/value.h"

/* ---- options, by the format's names ---- */

int64_t qn_graph_option(const qn_graph_op *op, const char *name);
double qn_graph_real_option(const qn_graph_op *op, const char *name);
qn_graph_list qn_graph_list_option(const qn_graph_op *op, const char *name);
qn_str qn_graph_string_option(const qn_graph_op *op, const char *name);

/* ---- results ---- */

/* A list of at most ten attributes. NULL values are omitted. */
typedef struct qn_graph_attrs {
  qn_named_attr items[10];
  uint32_t count;
} qn_graph_attrs;
void qn_graph_attr(qn_graph_attrs *attrs, const char *name, const qn_attr *value);
void qn_graph_attr_i64s(qn_graph_op *op, qn_graph_attrs *attrs, const char *name,
                        const int64_t *values, uint32_t count);

/* Builds the op that writes the outputs. Output i has shape shapes[i], which is compared with the
 * stored shape. `kind` is usually that of the operator's row in the format's table. */
void qn_graph_build(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                    uint32_t operand_count, qn_graph_attrs *attrs, const qn_graph_shape *shapes);
/* As qn_graph_build, for an operator that changes states: results after the outputs are the new
 * values of the states. */
void qn_graph_build_with_states(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                                uint32_t operand_count, qn_graph_attrs *attrs,
                                const qn_graph_shape *shape, qn_graph_tensor *const *states,
                                uint32_t state_count);
/* Builds results of the stored shapes, which have no elements, without the operator. */
void qn_graph_build_empty(qn_graph_op *op);
/* Reports that the results cannot be computed, because an operand has no elements. */
void qn_graph_refuse_empty(qn_graph_op *op);
/* Sets the value of an output that is computed by several ops. */
void qn_graph_define(qn_graph_op *op, qn_graph_tensor *tensor, const qn_graph_shape *shape,
                     qn_value *value);

/* The "activation" attribute of an operator without a fused activation whose results have this
 * element type: "finite" if the kernels of the profile clamp them to finite float32 values, else
 * NULL. */
const qn_attr *qn_graph_unfused(const qn_graph *graph, qn_graph_dtype dtype);

/* ---- intermediate ops, whose results are not tensors of the model ---- */

qn_value *qn_graph_part(qn_graph_op *op, qn_op_kind kind, const qn_type *element,
                        const qn_graph_shape *shape, qn_value *const *operands, uint32_t count,
                        const qn_attr_arg *attrs);
/* A reshape of `value`; `value` itself if it has the shape. */
qn_value *qn_graph_view(qn_graph_op *op, qn_value *value, const qn_graph_shape *shape);
/* A constant of these stored elements, which are copied. */
qn_value *qn_graph_const(qn_graph_op *op, const qn_type *element, const qn_graph_shape *shape,
                         const void *data);
/* A constant scalar with the low bits of `value`. */
qn_value *qn_graph_const_number(qn_graph_op *op, const qn_type *element, int64_t value);
/* A constant first, first + 1, ... along a dimension of `shape`, whose other dimensions are 1.
 * NULL, reported, if the file's budget does not allow that many elements. */
qn_value *qn_graph_counted(qn_graph_op *op, const qn_type *element, const qn_graph_shape *shape,
                           int64_t first);

#endif

/* From a checked operator to ops of the model stage: attributes, results, and ops in between.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_BUILD_H
#define QN_IMPORT_GRAPH_BUILD_H

#include "import/graph/value.h"

/* ---- options, by the format's names of them ---- */

int64_t qn_graph_option(const qn_graph_op *op, const char *name);
double qn_graph_real_option(const qn_graph_op *op, const char *name);
qn_graph_list qn_graph_list_option(const qn_graph_op *op, const char *name);
qn_str qn_graph_string_option(const qn_graph_op *op, const char *name);

/* ---- results ---- */

/* Attribute list of at most eight entries. NULL values are left out. */
typedef struct qn_graph_attrs {
  qn_named_attr items[8];
  uint32_t count;
} qn_graph_attrs;
void qn_graph_attr(qn_graph_attrs *attrs, const char *name, const qn_attr *value);
void qn_graph_attr_i64s(qn_graph_op *op, qn_graph_attrs *attrs, const char *name,
                        const int64_t *values, uint32_t count);

/* Builds the op that writes the outputs, output i with shapes[i], after comparing that with the
 * stored shape. `kind` is usually the row's. */
void qn_graph_build(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                    uint32_t operand_count, qn_graph_attrs *attrs, const qn_graph_shape *shapes);
/* The same of an operator that changes states: its results after the outputs are their new values.
 */
void qn_graph_build_with_states(qn_graph_op *op, qn_op_kind kind, qn_value *const *operands,
                                uint32_t operand_count, qn_graph_attrs *attrs,
                                const qn_graph_shape *shape, qn_graph_tensor *const *states,
                                uint32_t state_count);
/* Results of the stored shapes, which have no elements, without the operator. */
void qn_graph_build_empty(qn_graph_op *op);
/* Says that they can't be computed, as an operand has none. */
void qn_graph_refuse_empty(qn_graph_op *op);
/* The value of an output that other ops than one of the operator's own kind make. */
void qn_graph_define(qn_graph_op *op, qn_graph_tensor *tensor, const qn_graph_shape *shape,
                     qn_value *value);

/* ---- ops between those of the model: no tensors of it ---- */

qn_value *qn_graph_part(qn_graph_op *op, qn_op_kind kind, const qn_type *element,
                        const qn_graph_shape *shape, qn_value *const *operands, uint32_t count,
                        const qn_attr_arg *attrs);
/* A reshape; nothing where the shape is the value's. */
qn_value *qn_graph_view(qn_graph_op *op, qn_value *value, const qn_graph_shape *shape);
/* A constant of these stored elements, which are copied. */
qn_value *qn_graph_const(qn_graph_op *op, const qn_type *element, const qn_graph_shape *shape,
                         const void *data);
/* A constant scalar: its bits are the low ones of `value`. */
qn_value *qn_graph_const_number(qn_graph_op *op, const qn_type *element, int64_t value);
/* first, first + 1 ... along a dimension of `shape`, whose other dimensions are 1; NULL, reported,
 * when the file's size does not allow so many. */
qn_value *qn_graph_counted(qn_graph_op *op, const qn_type *element, const qn_graph_shape *shape,
                           int64_t first);

#endif

/* What steps are built of.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_DIFFER_GRAPH_BUILD_H
#define QN_TESTS_DIFFER_GRAPH_BUILD_H

#include "tests/differ/graph_steps.h"

const qn_type *graph_tensor(qn_random_model *m, uint32_t rank, const int64_t *dims); /* of f32 */
qn_value *graph_unary(qn_random_model *m, qn_op_kind kind, qn_value *x);
qn_value *graph_reals(qn_random_model *m, uint32_t rank, const int64_t *dims);
qn_value *graph_reshape(qn_random_model *m, qn_value *x, uint32_t rank, const int64_t *dims);
qn_value *graph_transpose(qn_random_model *m, qn_value *x, const int64_t *perm);
/* A constant to be broadcast to x. */
qn_value *graph_side(qn_random_model *m, const qn_value *x);

#endif

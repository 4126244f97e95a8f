/* Sums of products of integers whose zero points are known when the model runs: ConvInteger and
 * MatMulInteger.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_INTEGER_H
#define QN_IMPORT_ONNX_OPS_INTEGER_H

#include "import/onnx/value.h"

typedef struct qn_onnx_integer_product {
  qn_graph_tensor *x, *w; /* zero points are operands 2 and 3 */
  int64_t terms;          /* of a sum */
  qn_onnx_layout layout;  /* of x */
  const int64_t *perm;    /* of constant weights */
} qn_onnx_integer_product;

/* The output: an int32 tensor, by a recipe that lacks its operands. */
void qn_onnx_build_integer_product(qn_graph_op *op, const qn_onnx_integer_product *product,
                                   qn_onnx_recipe *recipe, const qn_graph_shape *shape);

#endif

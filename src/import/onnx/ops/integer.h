/* ConvInteger and MatMulInteger: sums of integer products whose zero points are known at run time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_INTEGER_H
#define QN_IMPORT_ONNX_OPS_INTEGER_H

#include "import/onnx/value.h"

typedef struct qn_onnx_integer_product {
  qn_graph_tensor *x, *w; /* zero points are operands 2 and 3 */
  int64_t terms;          /* products per sum */
  qn_onnx_layout layout;  /* of x */
  const int64_t *perm;    /* of constant weights */
} qn_onnx_integer_product;

/* Builds the int32 output from a recipe without operands. */
void qn_onnx_build_integer_product(qn_graph_op *op, const qn_onnx_integer_product *product,
                                   qn_onnx_recipe *recipe, const qn_graph_shape *shape);

#endif

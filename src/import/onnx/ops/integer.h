/* ConvInteger and MatMulInteger: sums of products of 8-bit integers minus their zero points. The
 * zero points of the weights are constants; that of the input may be computed at run time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_OPS_INTEGER_H
#define QN_IMPORT_ONNX_OPS_INTEGER_H

#include "import/onnx/value.h"

typedef struct qn_onnx_integer_product {
  qn_graph_tensor *x, *w; /* input and weights; their zero points are operands 2 and 3 */
  int64_t terms;          /* number of products per sum */
  qn_onnx_layout layout;  /* layout of the input */
  const int64_t *perm;    /* permutation that transposes the weights (qn_onnx_transposed) */
} qn_onnx_integer_product;

/* Builds the int32 output from a recipe without operands. */
void qn_onnx_build_integer_product(qn_graph_op *op, const qn_onnx_integer_product *product,
                                   qn_onnx_recipe *recipe, const qn_graph_shape *shape);

#endif

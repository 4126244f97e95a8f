/* Windows of convolutions and pools, of any number of ways: padding and sizes of results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_WINDOW_H
#define QN_IMPORT_GRAPH_WINDOW_H

#include "import/graph/build.h"

/* Height and width; of volumes the depth before. */
enum { QN_GRAPH_MOST_WAYS = 3 };
typedef struct qn_graph_window {
  int64_t kernel[QN_GRAPH_MOST_WAYS], dilation[QN_GRAPH_MOST_WAYS], stride[QN_GRAPH_MOST_WAYS],
      out[QN_GRAPH_MOST_WAYS];
  int64_t pad[2 * QN_GRAPH_MOST_WAYS]; /* before and after: top, bottom, left, right */
} qn_graph_window;

typedef enum qn_graph_padding {
  QN_GRAPH_PAD_SAME,       /* out = ceil(in / stride); the odd element is padded behind */
  QN_GRAPH_PAD_SAME_LOWER, /* the same, before */
  QN_GRAPH_PAD_VALID,      /* none */
  QN_GRAPH_PAD_GIVEN,      /* `pad` is the caller's */
} qn_graph_padding;

/* Kernel, dilation and stride are the caller's; pad and out follow. The ways are the dimensions
 * from `first` on: 1 of NHWC and NDHWC, 2 of NCHW; there are rank - 2 of them. */
bool qn_graph_place_window(qn_graph_op *op, const qn_graph_tensor *input, uint32_t first,
                           qn_graph_padding padding, qn_graph_window *window);
/* The same, of NHWC and NDHWC, from the result of a transposed convolution, whose shape an operand
 * states, with so many channels, to its input; and whether its sizes follow from the rest. */
bool qn_graph_place_transposed(qn_graph_op *op, qn_graph_tensor *stated,
                               const qn_graph_tensor *input, int64_t channels,
                               qn_graph_padding padding, qn_graph_window *window,
                               qn_graph_shape *out_result, bool *out_is_stated);

#endif

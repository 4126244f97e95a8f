/* Windows of convolutions and pools with 1 to 3 spatial dimensions: padding and result sizes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_WINDOW_H
#define QN_IMPORT_GRAPH_WINDOW_H

#include "import/graph/build.h"

/* Maximum spatial dimensions: (depth,) height, width. */
enum { QN_GRAPH_MOST_WAYS = 3 };
typedef struct qn_graph_window {
  int64_t kernel[QN_GRAPH_MOST_WAYS], dilation[QN_GRAPH_MOST_WAYS], stride[QN_GRAPH_MOST_WAYS],
      out[QN_GRAPH_MOST_WAYS];
  int64_t
      pad[2 * QN_GRAPH_MOST_WAYS]; /* before and after each dimension: top, bottom, left, right */
} qn_graph_window;

typedef enum qn_graph_padding {
  QN_GRAPH_PAD_SAME,       /* out = ceil(in / stride); an odd element of padding comes after */
  QN_GRAPH_PAD_SAME_LOWER, /* as SAME; an odd element of padding comes before */
  QN_GRAPH_PAD_VALID,      /* none */
  QN_GRAPH_PAD_GIVEN,      /* `pad` is set by the caller */
} qn_graph_padding;

/* Computes pad and output sizes from the caller's kernel, dilation and stride. Spatial dimensions
 * are the rank - 2 dimensions from `first` on: 1 for NHWC and NDHWC, 2 for NCHW. */
bool qn_graph_place_window(qn_graph_op *op, const qn_graph_tensor *input, uint32_t first,
                           qn_graph_padding padding, qn_graph_window *window);
/* As qn_graph_place_window, for a transposed convolution in NHWC or NDHWC: the window goes from its
 * result, whose shape an operand gives, with `channels` channels, to its input. Checks that the
 * sizes are consistent. */
bool qn_graph_place_transposed(qn_graph_op *op, qn_graph_tensor *stated,
                               const qn_graph_tensor *input, int64_t channels,
                               qn_graph_padding padding, qn_graph_window *window,
                               qn_graph_shape *out_result, bool *out_is_stated);

#endif

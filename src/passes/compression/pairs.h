/* Pairs of quantize and dequantize casts for values with a known range.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_COMPRESSION_PAIRS_H
#define QN_PASSES_COMPRESSION_PAIRS_H

#include "passes/support/graph.h"
#include "ir/ops/forms.h"

typedef struct qn_pairing qn_pairing;

/* Inserts a pair after the definition of `value`, once for all blocks, and returns the dequantized
 * value. NULL if the value is not an f32 tensor, has no range, is a constant, or is part of a pair
 * already. Other uses of the value are not changed. */
qn_value *qn_pair_behind(qn_rewriter *rw, qn_value *value);

/* The ops whose operands or results get pairs: convolutions, products, sums and pools. */
#define QN_PAIR_PATTERNS(apply)                                                                    \
  {                                                                                                \
    {"convolution", QN_OP_ML_CONV, apply, NULL},                                                   \
        {"depthwise", QN_OP_ML_DEPTHWISE_CONV, apply, NULL},                                       \
        {"transposed", QN_OP_ML_CONV_TRANSPOSE, apply, NULL},                                      \
        {"linear", QN_OP_ML_LINEAR, apply, NULL}, {"product", QN_OP_ML_MATMUL, apply, NULL},       \
        {"sum", QN_OP_ML_ADD, apply, NULL}, {"average", QN_OP_ML_AVG_POOL, apply, NULL},           \
        {"maximum", QN_OP_ML_MAX_POOL, apply, NULL},                                               \
  }
/* The options of a pass that inserts pairs, and the function that runs it with its patterns. */
extern const qn_option_spec qn_pair_options[];
QN_NODISCARD qn_status qn_put_pairs(qn_pass_context *pc, const qn_pattern *patterns,
                                    uint32_t count);

#endif

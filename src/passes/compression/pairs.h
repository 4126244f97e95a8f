/* Pairs of quantize and dequantize at values whose range is known.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_COMPRESSION_PAIRS_H
#define QN_PASSES_COMPRESSION_PAIRS_H

#include "passes/support/graph.h"

typedef struct qn_pairing qn_pairing;

/* The pair after what makes an f32 tensor that has a range, made once and for all blocks; NULL
 * where it has none, is a constant, or has a pair already. Its other readers stay. */
qn_value *qn_pair_behind(qn_rewriter *rw, qn_value *value);

/* The ops that pairs stand around: sums of products, sums, windows. */
#define QN_PAIR_PATTERNS(apply)                                                                    \
  {                                                                                                \
    {"convolution", QN_OP_ML_CONV, apply, NULL},                                                   \
        {"depthwise", QN_OP_ML_DEPTHWISE_CONV, apply, NULL},                                       \
        {"transposed", QN_OP_ML_CONV_TRANSPOSE, apply, NULL},                                      \
        {"linear", QN_OP_ML_LINEAR, apply, NULL}, {"product", QN_OP_ML_MATMUL, apply, NULL},       \
        {"sum", QN_OP_ML_ADD, apply, NULL}, {"average", QN_OP_ML_AVG_POOL, apply, NULL},           \
        {"maximum", QN_OP_ML_MAX_POOL, apply, NULL},                                               \
  }
/* The options of a pass that puts pairs, and a run of it. */
extern const qn_option_spec qn_pair_options[];
QN_NODISCARD qn_status qn_put_pairs(qn_pass_context *pc, const qn_pattern *patterns,
                                    uint32_t count);

#endif

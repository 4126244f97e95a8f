/* The named pipelines of passes on graphs, in the order of the list of passes that they restate;
 * each stands for its text.
 *
 *   graph-default   all of them; those that round included, so it runs when asked by name
 *   graph-exact     the same without those
 *   graph-cleanup   what comes at the end of both
 *
 * The order says: quantization first, while casts and what moves values between them are as
 * imported, and before constants fold, so that compressed weights stay compressed; pads are merged
 * before they go into convolutions; scales go before biases, which they multiply; what merging
 * leaves for noop-elimination and dead-code-elimination goes at the end. Some stand twice where
 * upstream has them once, so that a second run has nothing to do: what has come
 * to be read by one op alone, and scalars that are made one vector, as redundant ones went,
 * dequantized integers that were moved first, normalizations whose parameters a batch_norm has
 * taken, stacks that alternate by ones, and means that were sums and products.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/pass.h"

#define QUANTIZATION                                                                               \
  "cast-optimization,noop-elimination,int-op-canonicalization,"                                    \
  "nullify-redundant-quantization-zero-point,dequantize-quantize-pair-elimination,"
#define SCALES "distributive-quantized-binary-op-scale-normalization,"
#define COMPRESSED "dequantize-to-constexpr,"
#define QUOTIENTS "const-elimination,divide-to-multiply,"
#define CONSTANTS                                                                                  \
  "select-optimization,add-conv-transpose-output-shape,const-elimination," COMPRESSED              \
  "const-deduplication,loop-invariant-elimination,"                                                \
  "fuse-stack-split,noop-elimination,dead-code-elimination,"
#define LINEARS                                                                                    \
  "fuse-matmul-weight-bias,fuse-linear-bias,fuse-gelu-tanh-approximation,fuse-gelu-exact,"         \
  "fuse-gelu-sigmoid-approximation,"
#define PADS                                                                                       \
  "fuse-leaky-relu,rank0-expand-dims-swap,fuse-squeeze-expand-dims,compose-conv1d,"                \
  "use-reflection-padding,merge-consecutive-paddings,fuse-pad-conv,replace-stack-reshape,reduce-"  \
  "transposes,"                                                                                    \
  "fuse-dilated-conv,fuse-onehot-matmul-to-gather,"
#define REORDERED "reduce-transposes{reorder-sums=true},"
#define FUSIONS                                                                                    \
  "fuse-conv-scale,fuse-conv-bias,fuse-layernorm-or-instancenorm,fuse-elementwise-to-batchnorm,"   \
  "fuse-layernorm-or-instancenorm,"                                                                \
  "fuse-reduce-mean,fuse-conv-batchnorm,fuse-conv-scale,fuse-conv-bias,fuse-conv-batchnorm,"
#define PIXELS "detect-concat-interleave,concat-to-pixel-shuffle,replace-stack-reshape,"
#define REPEATED                                                                                   \
  "prelu-to-lrelu,merge-consecutive-relus,merge-consecutive-reshapes,"                             \
  "merge-consecutive-transposes,fuse-transpose-matmul,expand-high-rank-reshape-and-transpose,"     \
  "fuse-stack-split,reduce-transposes,transpose-pair-folding,reshape-pair-folding,remove-"         \
  "redundant-ops,rank0-expand-dims-swap,cast-optimization,"
#define CLEANUP(linears)                                                                           \
  "dead-code-elimination,const-elimination,const-deduplication,dead-code-elimination,"             \
  "merge-affine-dequantize-with-consecutive-ops," linears                                          \
  "fuse-transpose-matmul,loop-invariant-elimination,noop-elimination,reduce-transposes,"           \
  "remove-redundant-ops,merge-consecutive-relus,merge-consecutive-reshapes,"                       \
  "merge-consecutive-transposes,topological-reorder,dead-code-elimination"
#define ALL_LINEARS "expand-dynamic-linear,"

const qn_pass qn_pass_graph_default = {
    .name = "graph-default",
    .summary = "all passes on graphs, in upstream's order",
    .anchor = QN_ON_ANY,
    .numerics = QN_APPROXIMATE,
    .pipeline = QUANTIZATION SCALES COMPRESSED QUOTIENTS CONSTANTS LINEARS PADS REORDERED FUSIONS
        REORDERED PIXELS "fuse-prelu," REPEATED CLEANUP(ALL_LINEARS),
};

const qn_pass qn_pass_graph_exact = {
    .name = "graph-exact",
    .summary = "the passes on graphs that keep every bit, in upstream's order",
    .anchor = QN_ON_ANY,
    .numerics = QN_EXACT,
    .pipeline = QUANTIZATION COMPRESSED CONSTANTS PADS PIXELS REPEATED CLEANUP(""),
};

const qn_pass qn_pass_graph_cleanup = {
    .name = "graph-cleanup",
    .summary = "what cleans up behind other passes on graphs",
    .anchor = QN_ON_ANY,
    .numerics = QN_EXACT,
    .pipeline = CLEANUP(""),
};

/* The named pipelines of graph passes, in the order of upstream's list. Each name stands for the
 * text of a pipeline.
 *
 *   graph-default   all graph passes, including those that change rounding; runs only when named
 *   graph-exact     graph-default without the passes that are not exact
 *   graph-cleanup   the passes at the end of both
 *
 * Reasons for the order: Quantization passes come first, while casts and the ops between them are
 * as imported, and before constants fold, so that compressed weights stay compressed. Pads are
 * merged before they are folded into convolutions. Scales are folded before biases, because they
 * multiply biases, too. The passes noop-elimination and dead-code-elimination come last and remove
 * what merging leaves.
 *
 * Some passes appear twice although upstream has them once, so that a second run of the pipeline
 * changes nothing. Earlier passes can create new matches for them: values that have only one reader
 * left, scalars with only one expand_dims left, dequantized integers that were moved,
 * normalizations whose parameters a batch_norm has absorbed, stacks along a dimension of size 1,
 * and means that were sums and products.
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

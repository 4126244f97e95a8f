/* Elementwise ops that run in the kernel of the op that makes their operand.
 *
 * A chain starts at a root (convolution, depthwise, matrix product, or an elementwise op) and goes
 * on over single-use results of the same shape: lut, and integer_add, integer_sub whose other
 * operand is ready before the root; a pad of rows and columns may end the chain of a convolution,
 * whose kernel then stores inside of the border. The root's kernel then stores the last result of
 * the chain. The bits are those of the unfused ops: each post-op starts from the quantized 8-bit
 * value. With keep_tensors there are no chains. Which ops lead and
 * follow is in their schedules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FUSION_H
#define QN_LOWER_LOOPS_FUSION_H

#include "lower/loops/loops.h"

typedef struct qn_fusion qn_fusion;

qn_fusion *qn_fusion_find(qn_loops *lo, const qn_op *func);
void qn_fusion_destroy(qn_fusion *fusion); /* NULL is allowed */

/* The root in whose kernel `op` runs, as a post-op or because it feeds it (fuse_producer.h), or
 * NULL: the op has a kernel of its own. */
const qn_op *qn_fusion_root(const qn_loops *lo, const qn_op *op);
/* Whether the only result of `op` is read in the same kernel: it has no buffer. */
bool qn_fusion_is_consumed(const qn_loops *lo, const qn_op *op);
/* The tensor that the kernel of `root` stores: its own result when nothing follows. */
const qn_value *qn_fusion_result(const qn_loops *lo, const qn_op *root);

/* The pad at the end of the chain of `root`, or NULL. Its border is not part of the root's kernel.
 */
const qn_op *qn_fusion_pad(const qn_loops *lo, const qn_op *root);

/* The elementwise op that runs behind `op` in the same kernel, or NULL. */
const qn_op *qn_fusion_next(const qn_loops *lo, const qn_op *op);

/* Buffers that the post-ops read, appended to out_buffers[0 .. capacity); returns their number,
 * at most QN_FUSION_BUFFERS. The root's kernel passes them to qn_kernel_begin, from argument
 * `first_arg` on. */
enum { QN_FUSION_BUFFERS = 16 };
uint32_t qn_fusion_buffers(qn_loops *lo, const qn_op *root, qn_value **out_buffers);
/* In the kernel: `bytes` are consecutive elements of the quantized result of `op` (vector of i8),
 * the root or one of its post-ops, `element` the linear index of the first (index), not counting a
 * border. Returns what the ops after it make of them, to be stored instead; `first_arg` is the
 * argument of the first. Each element must be passed once only: a post-op may read the memory that
 * the result is stored to. */
qn_value *qn_fusion_emit(qn_kernel *k, const qn_op *op, uint32_t first_arg, qn_value *bytes,
                         qn_value *element);

/* A root's first post-op that can start from lanes of floats instead, which saves narrowing and
 * widening: a sum that is proved of floats. */
typedef struct qn_fusion_float_add {
  const qn_op *op; /* NULL: there is none */
  const struct qn_binary *binary;
  bool is_second;      /* what the root makes is the second operand */
  bool other_unsigned; /* the other operand, whose buffer is the first that post-ops read */
  bool is_unsigned;    /* the result */
  int32_t min, max;
} qn_fusion_float_add;
qn_fusion_float_add qn_fusion_float_add_of(const qn_loops *lo, const qn_op *root);
/* In the kernel: of stored values as floats, those of the result as i32, not clamped. */
qn_value *qn_fusion_add(qn_builder *b, const qn_fusion_float_add *sum, qn_value *x,
                        qn_value *other);

#endif

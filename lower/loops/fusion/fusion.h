/* Fused post-ops: elementwise ops that run in the kernel of the op that produces their operand.
 *
 * A chain is a root and its post-ops. The root is a convolution, depthwise convolution, matrix
 * product or elementwise op. A post-op is the only reader of the value before it, has the same
 * shape, and is a lut, or an integer_add or integer_sub whose other operand is computed before the
 * root. A dequantize_float with a large result may end the chain of a convolution. A pad of rows
 * and columns may end the chain of a convolution, or follow a concatenation: the kernel then stores
 * to the interior of the padded tensor. The root's kernel stores only the last result of the chain.
 * Results equal those of the unfused ops, because each post-op starts from the quantized 8-bit
 * value. If only data movement reads the last result of a chain, the kernel may store it where that
 * leads: some channels of a concatenation, or the transposed phases of a convolution, whether
 * padded or not (placement.h). With keep_tensors there are no chains, because every tensor must
 * exist. The schedule of an op says whether it can be a root or a post-op (schedule.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FUSION_FUSION_H
#define QN_LOWER_LOOPS_FUSION_FUSION_H

#include "lower/loops/fusion/placement.h"
#include "lower/loops/loops.h"

typedef struct qn_fusion qn_fusion;

qn_fusion *qn_fusion_find(qn_loops *lo, const qn_op *func);
void qn_fusion_destroy(qn_fusion *fusion); /* NULL is allowed */

/* The root whose kernel computes `op`, as a post-op or as a fused producer (fuse_producer.h); NULL
 * if `op` has its own kernel. */
const qn_op *qn_fusion_root(const qn_loops *lo, const qn_op *op);
/* Whether the only result of `op` is read in the kernel that computes it, so that it has no buffer.
 */
bool qn_fusion_is_consumed(const qn_loops *lo, const qn_op *op);
/* The tensor to which the kernel of `root` stores: the last result of the chain, or the root's own
 * result if it has no post-ops; or the tensor to which data movement would bring that. */
const qn_value *qn_fusion_result(const qn_loops *lo, const qn_op *root);

/* Where in that tensor. */
qn_placement qn_fusion_placement(const qn_loops *lo, const qn_op *root);
/* Whether the results are that whole tensor, in order. */
bool qn_fusion_is_dense(const qn_loops *lo, const qn_op *root);
/* The pad that ends the chain of `root`; NULL if none. The padding elements are stored by another
 * kernel. */
const qn_op *qn_fusion_pad(const qn_loops *lo, const qn_op *root);

/* Whether operand `i` of `op`, which moves it, is in the result already, because the kernel that
 * computes it stores it there. */
bool qn_fusion_is_placed(const qn_loops *lo, const qn_op *op, uint32_t i);

/* The post-op that follows `op` in the same kernel; NULL if none. */
const qn_op *qn_fusion_next(const qn_loops *lo, const qn_op *op);

/* Whether all post-ops of `root` are functions of one byte each. They read nothing that results
 * overwrite, so results may be stored more than once. */
bool qn_fusion_is_unary(const qn_loops *lo, const qn_op *root);

/* Stores the buffers that the post-ops of `root` read to out_buffers[QN_FUSION_BUFFERS] and returns
 * their number. The root's kernel passes them to qn_kernel_begin, from argument `first_arg` on. */
enum { QN_FUSION_BUFFERS = 16 };
uint32_t qn_fusion_buffers(qn_loops *lo, const qn_op *root, qn_value **out_buffers);
/* In the kernel: applies the post-ops after `op`, which is the root or one of its post-ops. `bytes`
 * (vector of i8) are consecutive elements of the quantized result of `op`; `element` is the linear
 * index of the first one, padding not counted; `first_arg` is the kernel argument of the first
 * buffer of qn_fusion_buffers. Returns what to store: bytes, or f32 after a dequantize_float. Each
 * element must be passed exactly once: a post-op may read the memory that its result overwrites. */
qn_value *qn_fusion_emit(qn_kernel *k, const qn_op *op, uint32_t first_arg, qn_value *bytes,
                         qn_value *element);

/* The same for a root with f32 results: each vector has results of `op`, and gets those of the
 * post-ops; any number of times. */
void qn_fusion_emit_floats(qn_kernel *k, const qn_op *op, qn_value **vectors, uint32_t count);

/* The first post-op of a root, if it is an addition that is proved exact on float lanes. It starts
 * from the root's float results, which saves narrowing to bytes and widening again. */
typedef struct qn_fusion_float_add {
  const qn_op *op; /* NULL if none */
  const struct qn_binary *binary;
  bool is_second;      /* the root's result is operand 1 of the addition */
  bool other_unsigned; /* storage of the other operand, whose buffer is the first of the post-ops */
  bool is_unsigned;    /* storage of the sum */
  int32_t min, max;
} qn_fusion_float_add;
qn_fusion_float_add qn_fusion_float_add_of(const qn_loops *lo, const qn_op *root);
/* In the kernel: adds stored values x (the root's result) and `other`, vectors of f32. Returns the
 * stored values of the sum as a vector of i32, not clamped to [min, max]. */
qn_value *qn_fusion_add(qn_builder *b, const qn_fusion_float_add *sum, qn_value *x,
                        qn_value *other);

#endif

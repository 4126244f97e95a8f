/* Shared state of the integer -> loops lowering: buffers, kernels, constants.
 *
 * The lowered module has memref.global constants, private kernels
 *   func.func private @conv_3(%arg0: memref<..>, ..., %lo: index, %hi: index)
 * and @main(inputs..., outputs..., states..., arena, sizes..., prepared), one block of memref.view
 * / memref.get_global / quern.launch, and the arithmetic of its counts. All buffers are
 * one-dimensional: i8 for 8-bit tensors, the element type otherwise. `prepared` exists only if some
 * results depend on constants alone (prepared.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_LOOPS_H
#define QN_LOWER_LOOPS_LOOPS_H

#include "ir/builder.h"
#include "ir/entry/entry.h"
#include "ir/ops/infer/cost.h"
#include "lower/lower.h"
#include "plan/plan.h"

typedef struct qn_loops qn_loops;

/* A loop of @main over groups of batch elements (batches.h). Tensors of the function have the
 * elements of one group. */
typedef struct qn_batch {
  int64_t elements;        /* of a call; 0: there is no loop */
  int64_t group;           /* of an iteration; divides `elements` */
  const qn_sized *size_of; /* [value id] whether a tensor has the batch, and in which dimension */
  const qn_block *body;    /* of the loop, once it exists */
} qn_batch;

struct qn_loops {
  qn_module *module;
  qn_pass_context
      *pass; /* pass context that collects --explain output (pass/explain.h); NULL if none */
  qn_ir_context *cx;
  qn_arena *scratch; /* memory that is reset after each op is lowered */
  qn_arena *kept;    /* memory that lives until all ops are lowered */
  const qn_target *target;
  bool keep_tensors;
  bool io_in_arena;       /* inputs and outputs have places in the arena (memory/plan.c) */
  int64_t constant_bytes; /* payload bytes of all constants in the function */
  int64_t channels;       /* output channels of all ops with weights in the function */
  qn_entry entry;         /* model signature of the lowered function */
  qn_batch batch;
  qn_value *const *sizes; /* arguments of @main, one per size of the entry */
  qn_builder main;        /* insertion point: end of the new @main, or of a block in it */
  qn_op *outermost;       /* outermost enclosing branch or loop at that point; NULL if none */
  qn_value **scalars;     /* scalars of the new @main, indexed by value id of the integer module */
  struct qn_memory_plan *plan; /* buffer assignment of all tensors (memory/plan.h) */
  struct qn_memrefs *memrefs;  /* SSA values of the buffers in @main */
  struct qn_kernel_cache *kernels;
  struct qn_constant_cache *constants;
  struct qn_proofs *proofs;   /* proved requantization forms (proofs.h) */
  struct qn_choices *choices; /* per-op decisions of the schedules (choices.h) */
  struct qn_fusion *fusion;   /* post-ops that run in their producer's kernel (fusion.h) */
  struct qn_producers
      *producers;             /* producers that run in their consumer's kernel (fuse_producer.h) */
  struct qn_row_groups *rows; /* ops that one kernel computes row by row (elements/row_groups.h) */
  const bool *prepared; /* [value id] results that are computed once (prepared.h); NULL: none */
  struct qn_place_of
      *places; /* buffers of the operands of tensor ops, indexed by value id (ops/tensor.c) */
};

typedef struct qn_memory_sizes {
  int64_t arena_bytes, prepared_bytes;
} qn_memory_sizes;

/* ---- tensors and constants, in @main ---- */

/* A builder for values that all of @main may read: at the insertion point, or before the outermost
 * branch or loop that contains it. */
static inline qn_builder qn_loops_outside(const qn_loops *lo) {
  if (!lo->outermost) return lo->main;
  qn_builder b = qn_builder_before(lo->module, lo->outermost);
  b.loc = lo->main.loc;
  return b;
}
/* The buffer of a tensor of the integer module, as an SSA value of @main. The type is memref<Nxi8>
 * for i8 and ui8. */
qn_value *qn_loops_buffer(qn_loops *lo, const qn_value *tensor);
/* A separate buffer for elements [first, first + count) of a tensor, so that kernels whose operands
 * differ only in the offset are equal. NULL if no view of a part is possible: for constants, for
 * arguments of @main with elements wider than a byte, and for arguments of dynamic size. */
qn_value *qn_loops_part(qn_loops *lo, const qn_value *tensor, int64_t first, int64_t count);
/* Memory that one kernel of `op` writes and a later kernel of `op` reads. */
qn_value *qn_loops_scratch(qn_loops *lo, const qn_op *op, const qn_type *element, int64_t count);
/* The same for a kernel that reads only `weights`, `bias` (NULL if none) and constants. If both are
 * known before the first call, the memory is prepared. */
qn_value *qn_loops_packed(qn_loops *lo, const qn_op *op, const qn_value *weights,
                          const qn_value *bias, const qn_type *element, int64_t count);
/* A constant buffer. Equal payloads share one global. `element`: i8, i16, i32, i64 or f32. */
qn_value *qn_loops_constant(qn_loops *lo, const qn_type *element, qn_bytes bytes);
/* Payload of a constant operand of an integer-stage op; asserts that the operand is constant. */
const qn_attr *qn_loops_payload(const qn_op *op, uint32_t operand);

/* The parameters of an op whose schedule has a `read` function. They are valid, because check.h has
 * checked them. Arrays are in `scratch`. */
qn_plan qn_loops_plan(const qn_loops *lo, const qn_op *op);

/* ---- kernels ---- */

typedef struct qn_kernel {
  qn_loops *lo;
  const qn_op *op;
  qn_op *func;
  qn_builder b;            /* insertion point in the kernel */
  qn_value *const *args;   /* [given] kernel argument of each buffer passed to begin */
  qn_value *lower, *upper; /* work items [lower, upper) of this call */
  uint32_t given;          /* elements of args, repeated buffers included */
  qn_value **buffers;      /* [arg_count] buffers in @main, without repetition */
  uint32_t arg_count;      /* elements of buffers */
  bool of_rows;            /* the kernel computes the row group of the op (elements/row_groups.h) */
  bool has_post_ops;       /* the kernel also computes the op's post-ops (fusion.h) */
  int32_t size;            /* dynamic size of the result's outermost dimension, or QN_SIZE_FIXED */
} qn_kernel;

/* Opens a kernel over buffers of @main. `stem` is the prefix of its name ("conv"). A buffer that is
 * given twice, as for an elementwise result in place of its operand, is passed once, and both
 * elements of `args` are the same argument. So the arguments of a kernel that writes never overlap.
 */
qn_kernel qn_kernel_begin(qn_loops *lo, const char *stem, const qn_op *op, qn_value *const *buffers,
                          uint32_t count);
/* Closes the kernel and launches it over work items [0, units). If it equals an earlier kernel, it
 * is dropped and the earlier one is launched. `macs` is the number of multiply-accumulates, for the
 * step table. If the result has a dynamic size, `units` is the number for the upper bound. The
 * items of one batch element must be consecutive, in batch order; the launch covers the batch
 * elements of the call. */
void qn_kernel_end(qn_kernel *k, int64_t units, int64_t macs);

/* The largest value of a size. */
static inline int64_t qn_loops_bound(const qn_loops *lo, int32_t size) {
  return lo->entry.sizes[size].bound;
}
/* The size of the outermost dimension of a tensor; QN_SIZE_FIXED if it is static, or if its only
 * possible value is 1. */
static inline int32_t qn_loops_size(const qn_loops *lo, const qn_value *tensor) {
  if (lo->entry.size_count == 0) return QN_SIZE_FIXED;
  int32_t size = lo->entry.size_of[tensor->id].size;
  return size != QN_SIZE_FIXED && qn_loops_bound(lo, size) > 1 ? size : QN_SIZE_FIXED;
}

/* Whether the result of `op` is built at each use: constants, scalars included, and tensor.empty.
 */
bool qn_loops_is_constant(const qn_op *op);

#endif

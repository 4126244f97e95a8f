/* Shared state of the integer -> loops lowering: where tensors live, kernels, constants.
 *
 * The module that results: memref.global constants, private kernels
 *   func.func private @conv_3(%arg0: memref<..>, ..., %lo: index, %hi: index)
 * and @main(inputs..., outputs..., states..., arena, sizes...), one block of memref.view /
 * memref.get_global / quern.launch, and the arithmetic of its counts. All buffers are
 * one-dimensional: i8 for 8-bit tensors, the element type otherwise.
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

struct qn_loops {
  qn_module *module;
  qn_pass_context *pass; /* that asks for explanations (pass/explain.h); or NULL */
  qn_ir_context *cx;
  qn_arena *scratch; /* until the next op is lowered */
  qn_arena *kept;    /* until all are */
  const qn_target *target;
  bool keep_tensors;
  int64_t constant_bytes; /* of all of the function */
  qn_entry entry;         /* of the function that is lowered */
  qn_value *const *sizes; /* arguments of @main, one per size of the entry */
  qn_builder main;        /* at the end of the new @main, or of a block in it */
  qn_op *outermost;       /* the branch or loop of the new @main that is being built, or NULL */
  qn_value **scalars;     /* in the new @main, by value id of the integer module (control/) */
  struct qn_memory_plan *plan; /* where every tensor value lives (memory/plan.h) */
  struct qn_memrefs *memrefs;  /* their SSA values in @main (memory/) */
  struct qn_kernel_cache *kernels;
  struct qn_constant_cache *constants;
  struct qn_proofs *proofs;       /* of requantizations (proofs.h) */
  struct qn_choices *choices;     /* what schedules have chosen of ops (choices.h) */
  struct qn_fusion *fusion;       /* which elementwise ops go into their producer's kernel */
  struct qn_producers *producers; /* which ops go into their reader's kernel */
  struct qn_place_of *places;     /* of the operands of tensor ops, by value id (ops/tensor.c) */
};

/* ---- tensors and constants, in @main ---- */

/* Where what all of @main may read is built: not in a branch or loop. */
static inline qn_builder qn_loops_outside(const qn_loops *lo) {
  if (!lo->outermost) return lo->main;
  qn_builder b = qn_builder_before(lo->module, lo->outermost);
  b.loc = lo->main.loc;
  return b;
}
/* The buffer of a tensor value of the integer module, as an SSA value of @main (memref<Nxi8> for
 * i8 and ui8). */
qn_value *qn_loops_buffer(qn_loops *lo, const qn_value *tensor);
/* Elements [first, first + count) of a tensor as a buffer of their own, so that kernels that differ
 * in the place only are one. NULL where it can't be viewed in part: a constant, or an argument of
 * @main of wide elements. */
qn_value *qn_loops_part(qn_loops *lo, const qn_value *tensor, int64_t first, int64_t count);
/* Memory of the arena for what one kernel of `op` leaves to the next. */
qn_value *qn_loops_scratch(qn_loops *lo, const qn_op *op, const qn_type *element, int64_t count);
/* A constant buffer; equal payloads share one global. `element`: i8, i16, i32, i64, f32. */
qn_value *qn_loops_constant(qn_loops *lo, const qn_type *element, qn_bytes bytes);
/* Payload of a constant operand of the integer module; asserts that it is one. */
const qn_attr *qn_loops_payload(const qn_op *op, uint32_t operand);

/* The parameters of an op whose schedule says how to read them; they have been checked (check.h).
 * Arrays live in `scratch`. */
qn_plan qn_loops_plan(const qn_loops *lo, const qn_op *op);

/* ---- kernels ---- */

typedef struct qn_kernel {
  qn_loops *lo;
  const qn_op *op;
  qn_op *func;
  qn_builder b;            /* in the kernel */
  qn_value *const *args;   /* one per buffer passed to begin, in order */
  qn_value *lower, *upper; /* the units of work of this call */
  uint32_t given;          /* entries of args */
  qn_value **buffers;      /* in @main, each once */
  uint32_t arg_count;      /* number of buffers */
  bool has_post_ops;       /* it does the work of the op's post-ops, too (fusion.h) */
  int32_t size;            /* of what it computes, or QN_SIZE_FIXED */
} qn_kernel;

/* Opens a kernel over buffers of @main. `stem` names it ("conv"). A buffer that is given twice (an
 * elementwise result in place of its operand) is passed once and both entries of `args` are the one
 * argument, so arguments of a kernel that writes never overlap. */
qn_kernel qn_kernel_begin(qn_loops *lo, const char *stem, const qn_op *op, qn_value *const *buffers,
                          uint32_t count);
/* Closes it: a kernel equal to an earlier one is dropped and the earlier one is launched over
 * [0, units). macs goes to the step table. Where what it computes has a size known at run time
 * only, `units` is the number for the largest; those of one entry stand together, in the order of
 * the entries, and the launch is over those that there are. */
void qn_kernel_end(qn_kernel *k, int64_t units, int64_t macs);

/* The size that the outermost dimension of a tensor has, or QN_SIZE_FIXED, also for one that can
 * only be 1. */
int32_t qn_loops_size(const qn_loops *lo, const qn_value *tensor);
/* The largest value of a size. */
static inline int64_t qn_loops_bound(const qn_loops *lo, int32_t size) {
  return lo->entry.sizes[size].bound;
}

/* Values that are made where they are read: constants, scalar or not, and tensor.empty. */
bool qn_loops_is_constant(const qn_op *op);

#endif

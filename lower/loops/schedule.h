/* What the lowering to loops asks of an op: one record per row of ops/ml.def (without those of
 * ops/ml_forms.def, which never come here) and ops/ml_integer.def, qn_schedule_STEM, beside the
 * function that builds its kernel; one for what linalg, arith and math do on tensors. An op without
 * a kernel says why. A missing record does not link, and no other file of the folder lists kinds of
 * ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_SCHEDULE_H
#define QN_LOWER_LOOPS_SCHEDULE_H

#include "lower/loops/loops.h"

/* Builds the op's kernel and launches it. It can rely on a verified module whose tensors are
 * static, have at least one element and, but for constants, an element type with a dtype (check.h).
 * Errors are reported at the op. */
typedef qn_status qn_loops_fn(qn_loops *lo, qn_op *op);

/* Which memory its results may have in common with its operands (memory/plan.c). */
typedef enum qn_sharing {
  QN_SHARES_NOTHING,
  QN_SHARES_WHOLE,    /* the result is the operand, in another shape */
  QN_SHARES_CUT,      /* the results are the operand's parts along an axis */
  QN_SHARES_RANGE,    /* the result is a range of the operand, where the slice is contiguous */
  QN_SHARES_JOINED,   /* the operands are the result's parts along an axis */
  QN_SHARES_LAST_USE, /* written lane by lane over an operand that nothing reads any more */
  QN_SHARES_OUTPUTS,  /* continues from the initial values of its outputs, or is written as DYING is
                       */
  QN_SHARING_COUNT
} qn_sharing;

/* How it runs in the kernel of the op before it (fusion.c). */
typedef enum qn_post_op_kind {
  QN_POST_OP_NONE,
  QN_POST_OP_UNARY,  /* each byte becomes another one */
  QN_POST_OP_BINARY, /* each byte and that of another tensor become one */
  QN_POST_OP_PAD     /* results are stored inside of a border; ends the chain */
} qn_post_op_kind;

typedef struct qn_schedule {
  qn_loops_fn *lower; /* NULL: no kernel, because of `none` */
  /* What is decided before chains are found (choices.h), in memory that is kept; `scratch` is left
   * as it was. NULL for an op that lowering will reject, and where there is nothing to choose. */
  void *(*choose)(qn_loops *lo, const qn_op *op);
  qn_plan_read_fn *read; /* its parameters, as the interpreter reads them; NULL: it has none */
  const char *none;
  uint32_t
      constants_from; /* operands from this one on go into constants of the kernel; 0: none do */
  qn_sharing sharing;
  qn_post_op_kind post_op;
  bool leads; /* its kernel passes its bytes through qn_fusion_emit: others may follow */
  /* Whether that would hold up the kernel that was chosen so much that a pair is better made on its
   * own. NULL: no. */
  bool (*parts)(qn_loops *lo, const qn_op *op);
  bool borders; /* its kernel can store rows inside of a border */
  bool between; /* it leads from tensors to scalars, or back */
  const struct qn_producer
      *producer; /* how others' kernels make rows of its result (fuse_producer.h); NULL: none do */
  /* Whether its kernel had better make the rows of operand 0 itself, which `from` makes; NULL: it
   * can't. */
  bool (*takes)(qn_loops *lo, qn_op *op, const qn_op *from);
  /* Whether its kernel computes operand 1, of constants, in registers. NULL: it reads it. */
  bool (*widens)(const qn_op *op);
} qn_schedule;

#define OP(stem, ...) extern const qn_schedule qn_schedule_##stem;
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP
extern const qn_schedule qn_schedule_generic;   /* linalg.generic, which names its outputs */
extern const qn_schedule qn_schedule_tensor_op; /* arith and math ops on tensors */
extern const qn_schedule qn_schedule_scalar_op; /* the same on scalars */
extern const qn_schedule qn_schedule_tensor_extract, qn_schedule_tensor_from_elements,
    qn_schedule_tensor_splat;

/* The op's parameters: NULL, or what is wrong with them. The operands that become constants are. */
const char *qn_schedule_read(qn_ir_context *cx, qn_arena *arena, const qn_op *op,
                             qn_plan *out_plan);

/* The record of an op; of ops of other dialects that have no kernel, one that says so. */
const qn_schedule *qn_schedule_of(const qn_op *op);

#endif

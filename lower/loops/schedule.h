/* Lowering of each op to loops: one table entry qn_schedule_STEM per row of ops/ml.def (without
 * ops/ml_forms.def, whose ops do not occur at this stage) and ops/ml_integer.def, and one for
 * linalg, arith and math ops on tensors. The entry is next to the function that builds the op's
 * kernel. An op without a kernel has the reason in its entry. A missing entry is a link error, and
 * no other file of the folder lists kinds of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_SCHEDULE_H
#define QN_LOWER_LOOPS_SCHEDULE_H

#include "lower/loops/fusion/placement.h"
#include "lower/loops/loops.h"

/* Builds the op's kernel and launches it. Requires a verified module whose tensors are static, have
 * at least one element and, except for constants, an element type with a dtype (check.h). Reports
 * errors at the op. */
typedef qn_status qn_loops_fn(qn_loops *lo, qn_op *op);

/* How results may share memory with operands (memory/plan.c). */
typedef enum qn_sharing {
  QN_SHARES_NOTHING,
  QN_SHARES_WHOLE,    /* the result is the operand with another shape */
  QN_SHARES_CUT,      /* the results are the operand's parts along an axis */
  QN_SHARES_RANGE,    /* the result is a range of the operand, where the slice is contiguous */
  QN_SHARES_JOINED,   /* the operands are the result's parts along an axis */
  QN_SHARES_LAST_USE, /* the result may overwrite an operand at its last use, lane by lane */
  QN_SHARES_OUTPUTS,  /* the result starts from the outputs' initial values, in their memory if
                         possible; else as LAST_USE */
  QN_SHARING_COUNT
} qn_sharing;

/* How the op runs as a post-op in the kernel of its producer (fusion/chains.c). */
typedef enum qn_post_op_kind {
  QN_POST_OP_NONE,
  QN_POST_OP_UNARY,      /* a function of each byte */
  QN_POST_OP_BINARY,     /* a function of each byte and the byte of another tensor */
  QN_POST_OP_FLOATS,     /* a function of each f32, if qn_elements_is_function */
  QN_POST_OP_DEQUANTIZE, /* the real value of each byte; ends the chain */
  QN_POST_OP_PAD         /* results are stored in the interior of a padded tensor; ends the chain */
} qn_post_op_kind;

typedef struct qn_schedule {
  qn_loops_fn *lower; /* NULL if there is no kernel; `none` has the reason */
  /* Makes the decisions that must precede fusion (choices.h), in `kept` memory; leaves `scratch`
   * unchanged. NULL if there are none. Returns NULL for an op that the lowering will reject. */
  void *(*choose)(qn_loops *lo, const qn_op *op);
  qn_plan_read_fn
      *read; /* reads the parameters, as the interpreter does; NULL if the op has none */
  const char *none;
  uint32_t constants_from; /* operands from this index on must be constant and become kernel
                              constants; 0: none */
  qn_sharing sharing;
  qn_post_op_kind post_op;
  bool leads; /* the op can be a fusion root: its kernel passes its result bytes through
                 qn_fusion_emit */
  /* Whether the op's kernel passes its f32 results through qn_fusion_emit_floats. NULL: no. */
  bool (*gives_floats)(const qn_op *op);
  bool parts; /* additions of its results have a kernel of their own where the target asks for it
                 (qn_target.adds_apart) */
  bool dequantizes; /* the kernel may store the real values of its result bytes where the target
                       asks for it (qn_target.dequantizes) */
  /* Whether the kernel can store its results at `at`, in the tensor of another op, and takes no
   * longer. NULL: no. */
  bool (*stores_at)(const qn_loops *lo, const qn_op *op, const qn_placement *at);
  /* Changes the placement of the result to that of operand `operand`, all of whose elements are
   * moved to the result unchanged; false if the operand has no placement. NULL: the op computes
   * something. */
  bool (*place)(const qn_op *op, uint32_t operand, qn_placement *at);
  bool borders; /* the kernel can store rows to the interior of a padded tensor */
  /* Whether result 1 may overwrite operand 1, a state, if it is no other operand: the kernel reads
     all elements before it writes them. */
  bool updates;
  bool between;                       /* the op converts between tensors and scalars */
  const struct qn_producer *producer; /* how a consumer's kernel computes rows of its result
                                         (fuse_producer.h); NULL if not possible */
  /* Whether computing operand 0, the result of `from`, in this op's kernel is faster than in a
   * separate kernel. NULL: not possible. */
  bool (*takes)(qn_loops *lo, qn_op *op, const qn_op *from);
  /* Whether its kernel widens the constant weights of operand 1 in registers. NULL: it reads
   * operand 1 from memory. */
  bool (*widens)(const qn_op *op);
} qn_schedule;

#define OP(stem, ...) extern const qn_schedule qn_schedule_##stem;
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/ml.def"
#include "ir/ops/ml_integer.def"
#undef QN_WITHOUT_ML_FORMS
#undef OP
extern const qn_schedule qn_schedule_generic;   /* linalg.generic, which has outputs as operands */
extern const qn_schedule qn_schedule_tensor_op; /* arith and math ops on tensors */
extern const qn_schedule qn_schedule_scalar_op; /* the same on scalars */
extern const qn_schedule qn_schedule_tensor_extract, qn_schedule_tensor_from_elements,
    qn_schedule_tensor_splat;

/* Reads the op's parameters. Returns NULL on success, else the reason. Operands from
 * `constants_from` on must be constant. */
const char *qn_schedule_read(qn_ir_context *cx, qn_arena *arena, const qn_op *op,
                             qn_plan *out_plan);

/* The table entry of an op. Ops of other dialects without a kernel share an entry with the reason.
 */
const qn_schedule *qn_schedule_of(const qn_op *op);

#endif

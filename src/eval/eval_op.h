/* Inside the interpreter: its state, and the function of every op, expanded from the op tables.
 *
 * One table of values serves the whole call tree, indexed by value id; a function that is already
 * active can't be called again (no stage produces recursion, and text that does is rejected).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_EVAL_OP_H
#define QN_EVAL_EVAL_OP_H

#include "base/map.h"
#include "eval/value.h"

/* Room for any scalar: f80 and f128 take 16 bytes, of which 8 hold a double. */
enum { QN_SCALAR_BYTES = 16 };
/* Rank limit of tensors made by tensor.reshape and of iteration spaces: arrays of this size are on
 * the stack.
 */
enum { QN_EVAL_MAX_RANK = 64 };

typedef struct qn_eval {
  const qn_module *module;
  qn_ir_context *cx;
  qn_arena *arena;     /* of the caller: storage of every value, kept until the call ends */
  qn_rt_value *values; /* by value id */
  qn_map globals;      /* memref.global op -> qn_rt_value* */
  qn_str_map symbols;  /* top-level symbol -> qn_op* */
  qn_map active;       /* func op -> itself while it runs */
  const qn_eval_options *options; /* never NULL */
  const qn_op *entry;             /* the function whose results are observed */
  uint32_t index_bits;            /* of the module */
  int64_t steps, rounds;          /* ops executed; how often loops without bounds went on */
  int64_t dynamic_bytes;          /* allocated for shapes that only the run tells */
  uint32_t depth;                 /* of blocks inside of blocks and calls */
  uint32_t taken;                 /* the successor that the last branch chose */
  const int64_t *point;           /* in the iteration space of the linalg.generic that runs */
} qn_eval;

/* Executes one op: reads operands, writes results. Terminators do nothing: the code that runs the
 * block reads their operands. */
typedef qn_status qn_eval_fn(qn_eval *ev, const qn_op *op);
extern qn_eval_fn *const qn_eval_table[]; /* by kind */
#define OP(stem, ...) qn_eval_fn qn_eval_##stem;
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/all.def" /* the others are all alike: ref/unary.c */
#undef QN_WITHOUT_ML_FORMS
#undef OP

/* ---- values ---- */

static inline qn_rt_value *qn_eval_operand(qn_eval *ev, const qn_op *op, uint32_t i) {
  return &ev->values[op->operands[i].value->id];
}
/* The slot of a result with its type set and, for tensors and vectors, storage for all elements
 * (reused when the op runs again). Static shapes only. */
qn_rt_value *qn_eval_result(qn_eval *ev, const qn_op *op, uint32_t i);
/* The same for any shape: the result has that static type at run time. Reports a type that is not
 * what the IR promises, and too large ones. */
QN_NODISCARD qn_status qn_eval_result_as(qn_eval *ev, const qn_op *op, uint32_t i,
                                         const qn_type *type, qn_rt_value **out_slot);
/* The same for an elementwise op: the shape of its operands, which must agree. */
QN_NODISCARD qn_status qn_eval_result_like_operands(qn_eval *ev, const qn_op *op,
                                                    qn_rt_value **out_slot);
/* Copies a value into the slot of another (block arguments, yielded values): vectors and tensors by
 * content, memrefs by window. */
void qn_eval_assign(qn_eval *ev, const qn_value *to, const qn_rt_value *from);

/* Element i, as qn_rt_int reads it. */
void qn_rt_set_int(qn_rt_value *value, int64_t i, int64_t x);
void qn_rt_set_float(qn_rt_value *value, int64_t i, double x);
/* The bytes of elements [0, count): of a scalar, a small staging copy in `scratch`. */
const uint8_t *qn_rt_bytes(const qn_rt_value *value, uint8_t scratch[QN_SCALAR_BYTES]);
/* Sets a scalar from bytes as produced by qn_rt_bytes. */
void qn_rt_set_scalar(qn_rt_value *value, const uint8_t *bytes);

/* ---- control ---- */

/* Runs the ops of a block up to and including its terminator. */
QN_NODISCARD qn_status qn_eval_block(qn_eval *ev, const qn_block *block);
/* Assigns values to block arguments as if at once: none is read after it has been overwritten. */
void qn_eval_assign_args(qn_eval *ev, const qn_block *block, uint32_t first_arg, const qn_op *from,
                         uint32_t first_operand, uint32_t count);
/* An interpreter for functions of a module, values in `arena`; entry: whose results are observed.
 */
void qn_eval_open(qn_eval *ev, const qn_module *module, const qn_op *entry, qn_arena *arena,
                  const qn_eval_options *options);
void qn_eval_close(qn_eval *ev);
/* Assigns the arguments of a function with a body, when they fit. */
QN_NODISCARD qn_status qn_eval_bind(qn_eval *ev, const qn_op *func, const qn_rt_value *const *args,
                                    uint32_t arg_count);
/* Assigns the arguments, runs the body along its branches; the results are the operands of the
 * terminator that ended it. */
QN_NODISCARD qn_status qn_eval_enter(qn_eval *ev, const qn_op *func, const qn_rt_value *const *args,
                                     uint32_t arg_count, const qn_op **out_return);
const qn_op *qn_eval_symbol(qn_eval *ev, qn_str name); /* NULL if absent */

/* Reports at the op: "'dialect.op' op <text>". Returns QN_INVALID. */
qn_status qn_eval_fail(qn_eval *ev, const qn_op *op, const char *format, ...) QN_PRINTF(3, 4);
/* The end of an elementwise op that has no result for its operands: fails, or makes zeros where the
 * numbers are not meant. */
QN_NODISCARD qn_status qn_eval_undefined(qn_eval *ev, const qn_op *op, const char *what);

#endif

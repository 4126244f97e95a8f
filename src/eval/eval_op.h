/* Internals of the interpreter: its state, and the evaluator of every op, expanded from the op
 * tables.
 *
 * One table of values, indexed by value id, serves the whole call tree. A function that is already
 * active cannot be called again: no stage produces recursion, and text with recursion is rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_EVAL_OP_H
#define QN_EVAL_EVAL_OP_H

#include <string.h>

#include "base/map.h"
#include "eval/value.h"

/* Bytes of any scalar: f80 and f128 take 16, of which 8 hold a double. */
enum { QN_SCALAR_BYTES = 16 };
/* Maximum rank of results of tensor.reshape and of iteration spaces, because arrays of this size
 * are on the stack. */
enum { QN_EVAL_MAX_RANK = 64 };

typedef struct qn_eval {
  const qn_module *module;
  qn_ir_context *cx;
  qn_arena *arena;     /* the caller's arena: storage of all values until the call ends */
  qn_rt_value *values; /* [value id] */
  qn_map globals;      /* memref.global op -> qn_rt_value* */
  qn_str_map symbols;  /* top-level symbol -> qn_op* */
  qn_map active;       /* func op -> itself while it runs */
  const qn_eval_options *options; /* never NULL */
  const qn_op *entry;             /* the function whose results are observed */
  bool timed;                     /* the call has a deadline */
  uint32_t index_bits;            /* of the module */
  int64_t steps, rounds;          /* ops executed; iterations of unbounded loops */
  int64_t dynamic_bytes;          /* bytes allocated for dynamic shapes */
  uint32_t depth;                 /* nesting depth of blocks and calls */
  uint32_t taken;                 /* index of the successor that the last branch selected */
  const int64_t *point; /* current point in the iteration space of the running linalg.generic */
} qn_eval;

/* Executes one op: reads operands, writes results. Terminators do nothing, because the code that
 * runs their block reads their operands. */
typedef qn_status qn_eval_fn(qn_eval *ev, const qn_op *op);
extern qn_eval_fn *const qn_eval_table[]; /* [op kind] */
#define OP(stem, ...) qn_eval_fn qn_eval_##stem;
#define QN_WITHOUT_ML_FORMS
#include "ir/ops/all.def" /* all other rows share one evaluator in ref/unary.c */
#undef QN_WITHOUT_ML_FORMS
#undef OP

/* ---- values ---- */

static inline qn_rt_value *qn_eval_operand(qn_eval *ev, const qn_op *op, uint32_t i) {
  return &ev->values[op->operands[i].value->id];
}
/* Whether the value has the type, and storage from an earlier run of its op. */
static inline bool qn_rt_is_open(const qn_rt_value *value, const qn_type *type) {
  return value->type == type && value->capacity > 0;
}
/* Sets the type of a result, and gives it storage if it is a tensor or vector. */
qn_rt_value *qn_eval_open_result(qn_eval *ev, const qn_op *op, uint32_t i);
/* The value of a result, with its type set and, for tensors and vectors, storage for all elements
 * (reused when the op runs again). Static shapes only. */
static inline qn_rt_value *qn_eval_result(qn_eval *ev, const qn_op *op, uint32_t i) {
  qn_rt_value *slot = &ev->values[op->results[i].id];
  return qn_rt_is_open(slot, op->results[i].type) ? slot : qn_eval_open_result(ev, op, i);
}
/* As qn_eval_result, for any shape: the result has static type `type` at run time. Reports types
 * that contradict the IR's, and sizes that are too large. */
QN_NODISCARD qn_status qn_eval_result_as(qn_eval *ev, const qn_op *op, uint32_t i,
                                         const qn_type *type, qn_rt_value **out_slot);
/* As qn_eval_result_like_operands, for tensors, whose shape may be dynamic. */
QN_NODISCARD qn_status qn_eval_tensor_like_operands(qn_eval *ev, const qn_op *op,
                                                    qn_rt_value **out_slot);
/* As qn_eval_result, for an elementwise op: the result has the shape of the operands, which must
 * agree. */
static inline qn_status qn_eval_result_like_operands(qn_eval *ev, const qn_op *op,
                                                     qn_rt_value **out_slot) {
  const qn_type *declared = op->results[0].type;
  bool is_static = !qn_type_is_shaped(declared) || declared->kind == QN_TYPE_VECTOR;
  if (!is_static) return qn_eval_tensor_like_operands(ev, op, out_slot);
  *out_slot = qn_eval_result(ev, op, 0);
  return QN_OK;
}
/* Copies a value (to block arguments, from yielded values): vectors and tensors by content, memrefs
 * by reference. */
void qn_eval_assign(qn_eval *ev, const qn_value *to, const qn_rt_value *from);

/* Copies the bytes of a value; those of vectors of usual sizes without a call. */
static inline void qn_rt_copy(uint8_t *to, const uint8_t *from, int64_t size) {
  switch (size) {
  case 16:
    memcpy(to, from, 16);
    break;
  case 32:
    memcpy(to, from, 32);
    break;
  case 64:
    memcpy(to, from, 64);
    break;
  default:
    memcpy(to, from, (size_t)size);
    break;
  }
}

/* Repeats a pattern of `period` > 0 bytes as often as it fits. */
void qn_rt_fill(uint8_t *to, int64_t size, const uint8_t *pattern, int64_t period);

/* Element i of integers of 1, 2, 4 or 8 bytes, extended by the sign or, if `is_unsigned`, by zeros.
 */
static inline int64_t qn_read_int(const uint8_t *p, int64_t i, uint32_t bytes, bool is_unsigned) {
  uint64_t x = 0;
  switch (bytes) { /* constant sizes, which need no call */
  case 1:
    memcpy(&x, p + i, 1);
    break;
  case 2:
    memcpy(&x, p + 2 * i, 2);
    break;
  case 4:
    memcpy(&x, p + 4 * i, 4);
    break;
  default:
    memcpy(&x, p + 8 * i, 8);
    return (int64_t)x;
  }
  uint32_t spare = 64 - 8 * bytes;
  return is_unsigned ? (int64_t)x : (int64_t)(x << spare) >> spare;
}
/* Sets element i to the low bytes of x. */
static inline void qn_write_int(uint8_t *p, int64_t i, uint32_t bytes, int64_t x) {
  switch (bytes) {
  case 1:
    memcpy(p + i, &x, 1);
    break;
  case 2:
    memcpy(p + 2 * i, &x, 2);
    break;
  case 4:
    memcpy(p + 4 * i, &x, 4);
    break;
  default:
    memcpy(p + 8 * i, &x, 8);
    break;
  }
}

/* Sets element i, as qn_rt_int reads it. */
void qn_rt_set_int(qn_rt_value *value, int64_t i, int64_t x);
void qn_rt_set_float(qn_rt_value *value, int64_t i, double x);
const uint8_t *qn_rt_scalar_bytes(const qn_rt_value *value, uint8_t scratch[QN_SCALAR_BYTES]);
/* The bytes of elements [0, count): of a scalar, a small staging copy in `scratch`. */
static inline const uint8_t *qn_rt_bytes(const qn_rt_value *value,
                                         uint8_t scratch[QN_SCALAR_BYTES]) {
  return qn_type_is_shaped(value->type) ? value->data : qn_rt_scalar_bytes(value, scratch);
}
/* Sets a scalar from bytes as produced by qn_rt_bytes. */
void qn_rt_set_scalar(qn_rt_value *value, const uint8_t *bytes);

/* ---- control ---- */

/* Runs the ops of a block up to and including its terminator. */
QN_NODISCARD qn_status qn_eval_block(qn_eval *ev, const qn_block *block);
/* Assigns values to block arguments simultaneously: none is read after it has been overwritten. */
void qn_eval_assign_args(qn_eval *ev, const qn_block *block, uint32_t first_arg, const qn_op *from,
                         uint32_t first_operand, uint32_t count);
/* Opens an interpreter for functions of a module, with values in `arena`. `entry`: the function
 * whose results are observed. */
void qn_eval_open(qn_eval *ev, const qn_module *module, const qn_op *entry, qn_arena *arena,
                  const qn_eval_options *options);
void qn_eval_close(qn_eval *ev);
/* Assigns the arguments of a function with a body; reports arguments that do not fit. */
QN_NODISCARD qn_status qn_eval_bind(qn_eval *ev, const qn_op *func, const qn_rt_value *const *args,
                                    uint32_t arg_count);
/* Assigns the arguments and runs the body along its branches. The results are the operands of the
 * final terminator. */
QN_NODISCARD qn_status qn_eval_enter(qn_eval *ev, const qn_op *func, const qn_rt_value *const *args,
                                     uint32_t arg_count, const qn_op **out_return);
const qn_op *qn_eval_symbol(qn_eval *ev, qn_str name); /* NULL if absent */

/* Reports at the op: "'dialect.op' op <text>". Returns QN_INVALID. */
qn_status qn_eval_fail(qn_eval *ev, const qn_op *op, const char *format, ...) QN_PRINTF(3, 4);
/* Ends an elementwise op whose result is undefined for its operands: reports an error, or sets
 * zeros if options->is_meant says that the operands are placeholders. */
QN_NODISCARD qn_status qn_eval_undefined(qn_eval *ev, const qn_op *op, const char *what);

#endif

/* Values at run time, and how a run of the interpreter is watched.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_VALUE_H
#define QN_EVAL_VALUE_H

#include "ir/module.h"

/* A value at run time. Scalars sit in `i` or `f`; tensors and vectors are row-major elements of
 * qn_type_bytes each (i1 as a byte) in `data`; a memref is a window of memory. The type of a tensor
 * is the static one that it has at run time, whatever less the IR says: tensor<2x4xf32> where that
 * says tensor<?x4xf32> or tensor<*xf32>. */
typedef struct qn_rt_value {
  const qn_type *type;
  int64_t i;        /* integers and index, sign-extended; i1 as 0 or 1 */
  double f;         /* floats */
  uint8_t *data;    /* tensor, vector, memref; not owned */
  int64_t size;     /* bytes at data */
  bool constant;    /* memref: a store is an error */
  int64_t capacity; /* bytes at data that the interpreter may use again; callers leave it 0 */
} qn_rt_value;

/* Whether a tensor of the static type may stand where the IR says `declared`. */
bool qn_type_may_be(const qn_type *type, const qn_type *declared);
/* Element i of a tensor, vector or memref; scalars ignore i. */
int64_t qn_rt_int(const qn_rt_value *value, int64_t i);
double qn_rt_float(const qn_rt_value *value, int64_t i);
/* Number of elements; 1 for scalars. */
int64_t qn_rt_count(const qn_rt_value *value);

/* Sees every result of every op of the entry function's body (model and integer stages), before any
 * other op does. The bytes of a tensor, which no other value shares, may be replaced. */
typedef void qn_eval_observer(void *user, const qn_op *op, uint32_t result,
                              const qn_rt_value *value);

typedef struct qn_eval_options {
  qn_eval_observer *observe;
  void *user;
  int64_t max_steps; /* ops executed before QN_LIMIT; 0: no limit */
  /* Whether the numbers that the op computes with are meant. Where they only stand for others, what
   * they have no result for is 0, no error. NULL: all are meant. */
  bool (*is_meant)(void *user, const qn_op *op);
} qn_eval_options;

#endif

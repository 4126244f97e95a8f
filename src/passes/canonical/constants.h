/* The constants of one function (or other region that may be closed to values from outside): each
 * value once, at the start of its body.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_CANONICAL_CONSTANTS_H
#define QN_PASSES_CANONICAL_CONSTANTS_H

#include "base/map.h"
#include "ir/builder.h"

typedef struct qn_constants {
  qn_module *module;
  bool newest_first; /* as MLIR's folder has them; else in the order in which they came */
  qn_map pools;      /* region -> pool */
  struct qn_constant_pool *first;
  qn_arena arena;
} qn_constants;

void qn_constants_init(qn_constants *constants, qn_module *module);
void qn_constants_deinit(qn_constants *constants);

/* The value of `attr` with `type`, usable at `at`: an earlier constant, or a new arith.constant.
 * NULL when the type has no arith.constant. */
qn_value *qn_constants_get(qn_constants *constants, qn_op *at, const qn_attr *attr,
                           const qn_type *type);
/* Enters an existing constant op. Returns the value that stands for it: its own result, after the
 * op was moved to the start of the body unless it is there, or that of an equal constant that
 * was there before. */
qn_value *qn_constants_enter(qn_constants *constants, qn_op *constant);
/* To be called before a constant op is erased by anybody else. */
void qn_constants_forget(qn_constants *constants, qn_op *constant);

#endif

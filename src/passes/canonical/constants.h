/* The constants of a function, or of another region that can be isolated from values outside: each
 * constant exists once, at the start of the body.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_CANONICAL_CONSTANTS_H
#define QN_PASSES_CANONICAL_CONSTANTS_H

#include "base/map.h"
#include "ir/builder.h"

typedef struct qn_constants {
  qn_module *module;
  /* order of constants: newest first as in MLIR's folder, else in order of creation */
  bool newest_first;
  qn_map pools; /* region -> pool */
  struct qn_constant_pool *first;
  qn_arena arena;
} qn_constants;

void qn_constants_init(qn_constants *constants, qn_module *module);
void qn_constants_deinit(qn_constants *constants);

/* Returns a constant with the value `attr` and type `type` that dominates `at`: an existing one, or
 * a new arith.constant. NULL if there is no arith.constant of that type. */
qn_value *qn_constants_get(qn_constants *constants, qn_op *at, const qn_attr *attr,
                           const qn_type *type);
/* Enters an existing constant op. If an equal constant was entered before, returns that one's
 * result. Otherwise moves the op to the start of the body, unless only constants precede it, and
 * returns its own result. */
qn_value *qn_constants_enter(qn_constants *constants, qn_op *constant);
/* Removes a constant from the pools. Must be called before another pass or pattern erases the
 * op. */
void qn_constants_forget(qn_constants *constants, qn_op *constant);

#endif

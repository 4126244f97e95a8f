/* Constant folding by the interpreter: one definition of every operation's result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_FOLD_H
#define QN_EVAL_FOLD_H

#include "ir/module.h"

/* Default limit in bytes of operands and results; larger ones are not folded. */
enum { QN_FOLD_MAX_BYTES = 4096 };

typedef struct qn_folder qn_folder;
qn_folder *qn_folder_create(const qn_module *module);
void qn_folder_destroy(qn_folder *folder);
/* Sets the limit in bytes of each operand and result; the caller must have checked the op's cost.
 */
void qn_folder_set_limit(qn_folder *folder, int64_t bytes);

/* Also folds linalg.generic whose body reads only constants from outside, and operands that are
 * tensors with unspecified elements. The caller must have checked the number of iterations. */
void qn_folder_allow_bodies(qn_folder *folder);

/* Folds an op that is pure, has only constant operands, and results of static types within the
 * folder's limit: returns their values as attributes (one per result, in the context's arena).
 * Quant casts also fold if an operand is a storage cast of a constant; a quantized result is
 * returned as stored signless integers. Returns false if it cannot fold, also if the result is
 * undefined (division by zero). Reports nothing. */
bool qn_fold(qn_folder *folder, const qn_op *op, const qn_attr **out_values);

#endif

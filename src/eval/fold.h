/* Constant folding by the interpreter: one definition of every operation's result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_FOLD_H
#define QN_EVAL_FOLD_H

#include "ir/module.h"

/* Payloads above this many bytes are left to run time, unless a folder is given another limit. */
enum { QN_FOLD_MAX_BYTES = 4096 };

typedef struct qn_folder qn_folder;
qn_folder *qn_folder_create(const qn_module *module);
void qn_folder_destroy(qn_folder *folder);
/* Limit in bytes of each operand and result; a caller that sets it has checked the op's cost. */
void qn_folder_set_limit(qn_folder *folder, int64_t bytes);

/* When the op is pure, all its operands are constants and its results have static types of at most
 * the folder's limit: computes their values as attributes (one per result, in the context's arena).
 * Quant casts also fold if an operand is a storage cast of a constant; a quantized result is given
 * as stored integers, signless. False when it can't, also when the result is undefined (a division
 * by zero). Reports nothing. */
bool qn_fold(qn_folder *folder, const qn_op *op, const qn_attr **out_values);

#endif

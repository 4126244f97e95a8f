/* The interpreter's function table, expanded from the op tables. An op without an evaluator is a
 * link error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/eval_op.h"
#include "ir/ops/forms.h"

#define OP(stem, ...) qn_eval_fn qn_eval_##stem;
#include "ir/ops/ml_forms.def"
#undef OP

qn_eval_fn *const qn_eval_table[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = qn_eval_##stem,
#include "ir/ops/all.def"
#undef OP
};

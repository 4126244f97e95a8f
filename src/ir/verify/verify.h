/* The verifier: see verify.c for the numbered list of invariants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_VERIFY_H
#define QN_IR_VERIFY_H

#include "ir/module.h"

/* Reports every violation. QN_INVALID when there was one. */
QN_NODISCARD qn_status qn_verify(qn_module *module);

typedef enum qn_stage { QN_STAGE_MODEL, QN_STAGE_INTEGER, QN_STAGE_LOOPS } qn_stage;
const char *qn_stage_name(qn_stage stage);
bool qn_stage_of_name(qn_str name, qn_stage *out_stage);
/* Every op is legal at the stage, no !quant type at integer and loops. Reports what is not. */
QN_NODISCARD qn_status qn_verify_stage(qn_module *module, qn_stage stage);
/* The same of one op, without reporting. */
bool qn_op_is_legal(const qn_op *op, qn_stage stage);

#endif

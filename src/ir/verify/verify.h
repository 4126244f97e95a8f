/* The verifier: see verify.c for the numbered list of invariants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_VERIFY_H
#define QN_IR_VERIFY_H

#include "ir/module.h"

/* Reports every violation; QN_INVALID if there is one. */
QN_NODISCARD qn_status qn_verify(qn_module *module);

typedef enum qn_stage { QN_STAGE_MODEL, QN_STAGE_INTEGER, QN_STAGE_LOOPS } qn_stage;
const char *qn_stage_name(qn_stage stage);
bool qn_stage_of_name(qn_str name, qn_stage *out_stage);
/* Checks that every op is legal at the stage, and that types at the stages integer and loops are
 * not of the quant dialect. Reports every violation. */
QN_NODISCARD qn_status qn_verify_stage(qn_module *module, qn_stage stage);
/* Whether one op is legal at the stage; reports nothing. */
bool qn_op_is_legal(const qn_op *op, qn_stage stage);

#endif

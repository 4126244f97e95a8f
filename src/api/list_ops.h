/* The op tables as JSON, for qn_list.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_LIST_OPS_H
#define QN_API_LIST_OPS_H

#include "api/json.h"

/* Per op: name, stages, summary, counts of operands, results and regions, traits, attributes. */
json_t *qn_list_ops(qn_json *pool);
/* Per dialect: name, number of ops. */
json_t *qn_list_dialects(qn_json *pool);

#endif

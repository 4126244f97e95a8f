/* Parts of the report on a model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_INSPECT_H
#define QN_API_INSPECT_H

#include "api/json.h"

/* A row for every numbered tensor that an op of the main function writes; borrowed from the pool.
 */
json_t *qn_inspect_tensors(qn_json *pool, const qn_module *module);

#endif

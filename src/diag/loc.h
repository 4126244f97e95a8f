/* The table of locations, owned by the diagnostic engine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_DIAG_LOC_H
#define QN_DIAG_LOC_H

#include "diag/diag.h"

typedef struct qn_loc_table qn_loc_table;

/* Creates engine->locs and engine->unknown; engine->arena must be set. */
void qn_loc_table_init(qn_diag_engine *engine);
void qn_loc_table_deinit(qn_diag_engine *engine);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_RUNTIME_PACK_ROWS_H
#define QN_LOWER_LOOPS_RUNTIME_PACK_ROWS_H

#include "lower/loops/matrix/runtime_pack/quads.h"

/* Packs the quads of a tile whose weights are stored by row (qn_runtime_pack_is_by_row), without
 * initial accumulators. */
void qn_runtime_pack_pack_rows(qn_gemm_emitter *e);

#endif

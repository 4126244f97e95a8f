/* SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GIVEN_ROWS_H
#define QN_LOWER_LOOPS_GIVEN_ROWS_H

#include "lower/loops/matrix/given/quads.h"

/* The quads of a tile of weights that lie by row (qn_given_is_by_row), without start values. */
void qn_given_pack_rows(qn_gemm_emitter *e);

#endif

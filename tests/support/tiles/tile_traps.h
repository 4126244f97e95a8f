/* Lets this process execute AMX instructions on a CPU without AMX: the handler of the
 * illegal-instruction signal emulates them. On a CPU with AMX the CPU executes them.
 *
 * Programs that link this file also get its qn_cg_x86_grant instead of codegen's. On a CPU with
 * AVX-512, the features then include those of AMX, so that tests which query the levels of this
 * machine find the AMX level.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_TILE_TRAPS_H
#define QN_TESTS_SUPPORT_TILE_TRAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/tiles/tile_unit.h"

/* Starts the emulation. It lasts until other code handles the signal; cmocka does so at the start
 * of each test. Returns whether instructions are emulated, that is, the CPU lacks AMX. */
bool qn_tile_traps_start(void);
/* Number of instructions that were emulated for the calling thread, and per name (tile_unit.h). */
uint64_t qn_tile_traps_count(void);
/* The AMX state of the calling thread; NULL on a CPU with AMX. */
const qn_tile_unit *qn_tile_traps_unit(void);

#endif

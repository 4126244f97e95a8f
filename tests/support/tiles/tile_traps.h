/* Lets this process execute code for the tile unit on a CPU without one: the signal that such an
 * instruction raises executes it. A CPU that has the unit does so itself.
 *
 * Programs that link this also get qn_cg_x86_grant from here, in the place of codegen's: the
 * features of a CPU with AVX-512 then include those of tiles, so that tests that look what this
 * machine runs find the level.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_TILE_TRAPS_H
#define QN_TESTS_SUPPORT_TILE_TRAPS_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/support/tiles/tile_unit.h"

/* From here on, until somebody else handles the signal: cmocka does so at the start of each test.
 * Whether it is this emulation that executes them. */
bool qn_tile_traps_start(void);
/* How many instructions the calling thread has had executed, and by name (tile_unit.h). */
uint64_t qn_tile_traps_count(void);
/* The calling thread's unit; not where the CPU has one. */
const qn_tile_unit *qn_tile_traps_unit(void);

#endif

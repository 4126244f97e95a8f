/* Tests on machines of other architectures than x86-64: nothing emulates AMX.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tiles/tile_traps.h"

#include <stddef.h>

bool qn_tile_traps_start(void) { return false; }
uint64_t qn_tile_traps_count(void) { return 0; }
const qn_tile_unit *qn_tile_traps_unit(void) { return NULL; }

/* For programs that know nothing of the tile unit: it is there before main.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tiles/tile_traps.h"

static void __attribute__((constructor)) start(void) { (void)qn_tile_traps_start(); }

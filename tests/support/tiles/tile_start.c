/* Starts the emulation of AMX before main, for programs that do not start it themselves.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/tiles/tile_traps.h"

static void __attribute__((constructor)) start(void) { (void)qn_tile_traps_start(); }

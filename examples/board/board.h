/* What the example needs of a board: text for the developer's terminal, a timer, and an end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* By semihosting: a debugger, or the emulator, prints it. */
void board_print(const char *text);
void board_print_number(uint32_t number);

/* A request to the debugger or emulator: operation and argument of Arm's semihosting. */
uintptr_t board_semihost(uintptr_t operation, uintptr_t argument);

/* Cortex-M only. Starts a timer. board_timer returns the cycles of the core since then, below 2^24.
 */
void board_timer_start(void);
uint32_t board_timer(void);

/* Called by the start-up code; what it returns is the exit code of the emulator: 0 is success. */
int firmware_main(void);

#ifdef __cplusplus
}
#endif

#endif

/* What C output needs of the C library; board.c has it. SPDX-License-Identifier: Apache-2.0 */
#ifndef BOARD_STRING_H
#define BOARD_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memset(void *to, int value, size_t size);

#endif

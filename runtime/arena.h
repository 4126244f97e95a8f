/* The one allocation of an instance.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_ARENA_H
#define QN_RUNTIME_ARENA_H

#include <stdint.h>

/* Allocates `bytes` bytes aligned to QN_ABI_ALIGN; NULL if there is no memory. An arena of 0 bytes
 * is also a valid pointer. The memory is zeroed, so that a read of bytes that were never written
 * gives the same bits every time. */
void *qn_runtime_arena_create(uint64_t bytes);
void qn_runtime_arena_destroy(void *arena); /* NULL is allowed */

#endif

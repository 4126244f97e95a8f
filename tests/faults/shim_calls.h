/* What the parts of the shared object share: shim.c knows which calls are ours and which one fails,
 * the others are in the places of libc's functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_FAULTS_SHIM_CALLS_H
#define QN_TESTS_FAULTS_SHIM_CALLS_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
/* Where the interposed function was called from. */
#define HERE __builtin_return_address(0)
/* libc's own of the same name. */
#define NEXT(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

/* Whether this call fails. Kinds: m memory, f files, t threads. */
bool shim_hit(const void *caller, char kind, const char *function);
/* A block that we made, and one that is gone; whether that was ours. */
void shim_note_block(void *memory, const void *caller);
bool shim_forget_block(const void *memory);
/* One more (1) or less (-1), if the caller is ours. */
void shim_count_file(const void *caller, int by);
void shim_count_mapping(const void *caller, int by);

#endif

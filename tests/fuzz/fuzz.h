/* The one function of a fuzz target, as libFuzzer and replay.c call it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_FUZZ_H
#define QN_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0. A defect ends the process: by a sanitizer, an assertion or abort(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif

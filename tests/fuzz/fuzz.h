/* The function that libFuzzer and replay.c call, and code that the targets share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_FUZZ_H
#define QN_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "diag/diag.h"

/* Returns 0. A defect ends the process: by a sanitizer, an assertion or abort(). */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A handler of diagnostics that renders them to a qn_text: rendering is tested, too. */
static inline void fuzz_render(void *user, const qn_diag *diag) {
  qn_text *text = user;
  qn_text_clear(text);
  qn_diag_render(diag, (qn_str){NULL, 0}, false, text);
}

static inline void fuzz_require(bool condition) {
  if (!condition) abort();
}

#endif

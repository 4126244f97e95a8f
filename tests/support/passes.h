/* Looks up the passes of a pipeline text, for tests that check the module after each pass.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_PASSES_H
#define QN_TESTS_SUPPORT_PASSES_H

#include "lower/lower.h"

enum { QN_TEST_MAX_PASSES = 16 };
typedef struct qn_test_passes {
  const qn_pass *pass[QN_TEST_MAX_PASSES];
  uint32_t count;
} qn_test_passes;

/* Looks up the passes of `text` in the table of lower/. Required passes are included; the order is
 * that of execution. */
qn_test_passes qn_test_passes_of(qn_ir_context *cx, const char *text);

#endif

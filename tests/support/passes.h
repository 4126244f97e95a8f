/* Passes by the text of a pipeline, for tests that look at the module after each.
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

/* What the text stands for, of passes of lower/ and those that they need, in order. */
qn_test_passes qn_test_passes_of(qn_ir_context *cx, const char *text);

#endif

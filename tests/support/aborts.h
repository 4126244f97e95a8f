/* Planted mistakes: whether broken promises end the process by the assertion that states them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_SUPPORT_ABORTS_H
#define QN_TESTS_SUPPORT_ABORTS_H

#include <stdbool.h>

typedef void qn_test_mistake(void *user);

/* Runs `mistake` in a child process. Whether it is aborted by an assertion whose condition contains
 * `condition`. */
bool qn_test_aborts(qn_test_mistake *mistake, void *user, const char *condition);

/* Mistakes with the conditions that they break. */
typedef struct qn_test_promise {
  qn_test_mistake *broken;
  const char *condition;
} qn_test_promise;
/* Prints the promises that are broken without an abort, and returns how many. */
int qn_test_unnoticed(const qn_test_promise *promises, int count);

#endif

/* Assertions of internal invariants. No input can make QN_ASSERT or QN_UNREACHABLE fail: bad input
 * is reported as a diagnostic instead.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_CHECK_H
#define QN_BASE_CHECK_H

#include <stdnoreturn.h>

/* Prints the source location and the failed condition, then aborts the process. Release builds keep
 * the assertions, because a compiler that continues with a broken invariant emits wrong code. */
noreturn void qn_check_failed(const char *file, int line, const char *what);

#define QN_ASSERT(condition)                                                                       \
  ((condition) ? (void)0 : qn_check_failed(__FILE__, __LINE__, #condition))
#define QN_UNREACHABLE(what) qn_check_failed(__FILE__, __LINE__, what)

/* Number of elements of an array (not of a pointer). */
#define QN_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the status from the calling function unless it is QN_OK: the only macro that jumps. */
#define QN_TRY(expression)                                                                         \
  do {                                                                                             \
    qn_status try_status_ = (expression);                                                          \
    if (try_status_ != QN_OK) return try_status_;                                                  \
  } while (0)

#if defined(__GNUC__)
#define QN_PRINTF(format_index, first_argument)                                                    \
  __attribute__((format(printf, format_index, first_argument)))
#else
#define QN_PRINTF(format_index, first_argument)
#endif

#endif

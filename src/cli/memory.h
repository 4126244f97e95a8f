/* Memory of the tool. Its process is the boundary that the library comes back to and the tool need
 * not: without memory it says so and ends with CLI_LIMIT. No output is half-written then, because
 * files are written by the library in one call.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_MEMORY_H
#define QN_CLI_MEMORY_H

#include <stdnoreturn.h>

noreturn void cli_no_memory(void);
/* What malloc and its like gave; does not come back when that is NULL. */
void *cli_need(void *memory);
/* printf to malloc'ed text. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
char *
cli_text(const char *format, ...);

#endif

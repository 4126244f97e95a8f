/* Memory allocation of the tool. If an allocation fails, the process prints a message and exits
 * with CLI_LIMIT. No output file is left incomplete, because the library writes files atomically.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_MEMORY_H
#define QN_CLI_MEMORY_H

#include <stdnoreturn.h>

noreturn void cli_no_memory(void);
/* Returns `memory`, a result of malloc or a similar function. If it is NULL, ends the process. */
void *cli_need(void *memory);
/* Like printf, to a text that the caller frees. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
char *
cli_text(const char *format, ...);

#endif

/* Memory allocation of the tool.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

noreturn void cli_no_memory(void) {
  fputs("quern: error: out of memory\n", stderr);
  exit(CLI_LIMIT);
}

void *cli_need(void *memory) {
  if (!memory) cli_no_memory();
  return memory;
}

char *cli_text(const char *format, ...) {
  char *text;
  va_list arguments;
  va_start(arguments, format);
  int size = vasprintf(&text, format, arguments);
  va_end(arguments);
  if (size < 0) cli_no_memory();
  return text;
}

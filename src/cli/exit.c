/* Exit codes of commands, and the final error message.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli.h"

cli_exit cli_exit_of(qn_status status) {
  static const cli_exit codes[] = {
      [QN_OK] = CLI_OK,
      [QN_INVALID] = CLI_INVALID,
      [QN_UNSUPPORTED] = CLI_UNSUPPORTED,
      [QN_NOT_FOUND] = CLI_USAGE,
      [QN_IO] = CLI_INVALID,
      [QN_LIMIT] = CLI_LIMIT,
      [QN_INTERNAL] = CLI_INTERNAL,
  };
  return (size_t)status < CLI_COUNT(codes) ? codes[status] : CLI_INTERNAL;
}

cli_exit cli_usage_of(qn_status status) {
  if (status == QN_OK) return CLI_OK;
  return status == QN_LIMIT ? CLI_LIMIT : CLI_USAGE;
}

cli_exit cli_fail(const cli *c, cli_exit code, const char *format, ...) {
  cli_progress_clear(c->progress);
  char *message;
  va_list arguments;
  va_start(arguments, format);
  int size = vasprintf(&message, format, arguments);
  va_end(arguments);
  if (size >= 0) qn_make_printable(message);
  fprintf(stderr, "quern %s: error: %s\n", c->command->name, size < 0 ? format : message);
  if (size >= 0) free(message);
  if (code == CLI_USAGE) fprintf(stderr, "'quern %s --help' describes it\n", c->command->name);
  return code;
}

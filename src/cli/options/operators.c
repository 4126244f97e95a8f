/* --operators: ascending indices and ranges of indices.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "cli/options/rows.h"

enum { MOST_OPERATORS = 1 << 20 };

/* Parses "10" or "10-20" at *at, and advances *at after it. */
static bool read_range(const char **at, int64_t *first, int64_t *last) {
  if (!cli_read_integer(*at, at, first) || *first < 0) return false;
  *last = *first;
  if (**at == '-' && !cli_read_integer(*at + 1, at, last)) return false;
  return *last >= *first && *last < MOST_OPERATORS;
}

/* Stores the indices in `numbers` unless it is NULL. Returns their number; 0 if the list is
 * invalid. */
static uint32_t read_list(const char *text, uint32_t *numbers) {
  uint32_t count = 0;
  int64_t first, last, before = -1;
  for (const char *at = text;; at++) {
    if (!read_range(&at, &first, &last) || first <= before) return 0;
    for (int64_t i = first; i <= last; i++, count++)
      if (numbers) numbers[count] = (uint32_t)i;
    before = last;
    if (*at != ',') return *at ? 0 : count;
  }
}

cli_exit cli_set_operators(cli *c) {
  const char *text = c->options.operators;
  if (!text) return CLI_OK;
  c->operator_count = read_list(text, NULL);
  if (c->operator_count == 0)
    return cli_fail(c, CLI_USAGE, "--operators takes ascending numbers like 2,10-20, not '%s'",
                    text);
  c->operators = cli_need(calloc(c->operator_count, sizeof *c->operators));
  (void)read_list(text, c->operators);
  return CLI_OK;
}

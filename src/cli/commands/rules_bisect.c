/* quern rules bisect: finds the application of a rule after which a check fails, by bisection. Each
 * step performs the applications up to a limit on a fresh copy of the model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/reduce.h"
#include "cli/rules.h"

typedef struct bisection {
  rules_job *job;
  reduction r;
  char *log; /* of all applications */
} bisection;

/* Whether the check succeeds after `limit` applications; -1: all applications, whose log is kept.
 */
static cli_exit is_good(bisection *b, int64_t limit, bool *out_good) {
  qn_rewrite_options options = cli_rules_options(b->job);
  qn_model *model;
  char *text = NULL;
  size_t size;
  options.limit = limit;
  options.log = limit < 0;
  cli_exit code = cli_rules_load_one(b->job, 0, &model);
  if (code != CLI_OK) return code;
  if (limit >= 0) qn_context_set_parts_handler(b->job->c->context, reduce_drop_message, NULL);
  code = cli_exit_of(qn_rules_apply(b->job->rules, model, &options, &text, &size));
  qn_context_set_parts_handler(b->job->c->context, NULL, NULL);
  if (code == CLI_OK && limit < 0) {
    json_t *report = json_loadb(text, size, 0, NULL);
    const char *log = json_string_value(json_object_get(report, "log"));
    b->log = strdup(log ? log : "");
    json_decref(report);
  }
  qn_free(text);
  if (code == CLI_OK) code = reduce_check(&b->r, model, out_good);
  qn_model_destroy(model);
  return code;
}

static const char *line_of(const bisection *b, int64_t number) {
  const char *at = b->log ? b->log : "";
  while (*at && strtoll(at, NULL, 10) != number) {
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  return at;
}

static cli_exit halve(bisection *b, int64_t good, int64_t bad) {
  cli_exit code = CLI_OK;
  while (code == CLI_OK && bad - good > 1) {
    int64_t middle = good + (bad - good) / 2;
    bool holds = false;
    code = is_good(b, middle, &holds);
    if (holds)
      good = middle;
    else
      bad = middle;
  }
  if (code != CLI_OK) return code;
  const char *line = line_of(b, bad);
  printf("the check first fails after application %.*s\n", (int)strcspn(line, "\n"), line);
  return CLI_MISMATCH;
}

static cli_exit bisect(bisection *b) {
  bool holds;
  cli_exit code = is_good(b, -1, &holds);
  if (code != CLI_OK) return code;
  int64_t all = 0;
  for (const char *at = b->log; at && *at; at++) all += *at == '\n';
  if (holds) {
    printf("the check succeeds after all %lld applications\n", (long long)all);
    return CLI_OK;
  }
  code = is_good(b, 0, &holds);
  if (code != CLI_OK) return code;
  if (!holds) return cli_fail(b->job->c, CLI_INVALID, "the check fails without any rule");
  return halve(b, 0, all);
}

cli_exit cli_rules_bisect(rules_job *job) {
  bisection b = {.job = job, .r = {.c = job->c}};
  if (!job->c->options.check) return cli_fail(job->c, CLI_USAGE, "--check COMMAND is missing");
  cli_exit code = cli_rules_add(job, 0);
  if (code == CLI_OK) code = reduce_make_file(&b.r);
  if (code != CLI_OK) return code;
  code = bisect(&b);
  unlink(b.r.file);
  free(b.log);
  return code;
}

/* Reduces a module by removing ops in chunks, which are halved down to single ops, repeatedly until
 * nothing can be removed. Each attempt runs in a process of its own, so that a pass that crashes
 * counts as a failure. The failure must stay the same: the same pass with the same status or
 * signal, or the check.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/reduce.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How a module failed; text is empty if it did not. */
typedef struct verdict {
  char text[160];
} verdict;

typedef struct search {
  reduction *r;
  char *text; /* text of the smallest module so far */
  size_t size;
  verdict failure; /* failure of the input */
  uint32_t attempts;
} search;

/* Exit codes of the child process. */
enum { ALL_GOOD, PASS_FAILED, PASS_BROKE, CHECK_FAILED, NOT_VALID, CANNOT_TRY };
static const char *const outcomes[] = {[PASS_FAILED] = "fails",
                                       [PASS_BROKE] = "breaks the IR",
                                       [CHECK_FAILED] = "the check fails",
                                       [NOT_VALID] = "the module is not valid"};

static cli_exit load(const search *s, qn_model **out_model) {
  qn_load_options options = cli_load_options(s->r->c);
  qn_bytes bytes = {(const uint8_t *)s->text, s->size};
  return cli_exit_of(
      qn_model_load_memory(s->r->c->context, bytes, s->r->name, &options, out_model));
}

/* ---- in the child ---- */

/* Tells the parent which pass starts, because the pass may crash. */
static void tell_pass(void *user, const qn_pass_step *step) {
  char name[80] = "";
  snprintf(name, sizeof name, "%s", step->pass);
  ssize_t written = write(*(int *)user, name, sizeof name);
  (void)written;
}

static int try_in_child(search *s, int to) {
  enum { SECONDS = 60 };
  alarm(SECONDS);
  qn_model *model;
  qn_context_set_parts_handler(s->r->c->context, reduce_drop_message, NULL);
  if (load(s, &model) != CLI_OK) return NOT_VALID;
  qn_run_options run = QN_RUN_OPTIONS_INIT;
  run.config = s->r->c->options.config;
  run.bisect_limit = -1;
  run.on_step = tell_pass;
  run.user = &to;
  qn_status status = qn_model_run(model, s->r->pipeline, &run);
  if (status != QN_OK) return status == QN_INTERNAL ? PASS_BROKE : PASS_FAILED;
  bool good = true;
  if (s->r->c->options.check && reduce_check(s->r, model, &good) != CLI_OK) return CANNOT_TRY;
  return good ? ALL_GOOD : CHECK_FAILED;
}

/* ---- in the parent ---- */

static void put_verdict(int code, const char *pass, int signal, verdict *out) {
  size_t size = sizeof out->text;
  if (signal)
    snprintf(out->text, size, "pass '%s' ends the process with signal %d", pass, signal);
  else if (code == PASS_FAILED || code == PASS_BROKE)
    snprintf(out->text, size, "pass '%s' %s", pass, outcomes[code]);
  else
    snprintf(out->text, size, "%s", code > 0 ? outcomes[code] : "");
}

static cli_exit judge(search *s, verdict *out_verdict) {
  int ends[2], status = 0;
  char pass[80] = "";
  *out_verdict = (verdict){""};
  if (pipe(ends) != 0) return cli_fail(s->r->c, CLI_LIMIT, "no pipe can be made");
  fflush(NULL);
  s->attempts++;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    _exit(try_in_child(s, ends[1]));
  }
  close(ends[1]);
  while (child > 0 && read(ends[0], pass, sizeof pass) > 0) continue;
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child)
    return cli_fail(s->r->c, CLI_LIMIT, "no process can be made");
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code == CANNOT_TRY) return CLI_USAGE;
  put_verdict(code, pass, WIFSIGNALED(status) ? WTERMSIG(status) : 0, out_verdict);
  return CLI_OK;
}

/* Tries the module without the places [first, first + count). The smaller module is kept if it
 * fails like the input. *out_places is the number of places. */
static cli_exit attempt(search *s, uint32_t kind, uint32_t first, uint32_t count,
                        uint32_t *out_places, bool *out_smaller) {
  qn_model *model;
  uint32_t applied;
  search smaller = *s;
  *out_smaller = false;
  cli_exit code = load(s, &model);
  if (code != CLI_OK) return code;
  code = cli_exit_of(qn_model_reduce(model, kind, first, count, &applied, out_places));
  smaller.text = NULL;
  if (applied && code == CLI_OK)
    code = cli_exit_of(qn_model_print(model, NULL, &smaller.text, &smaller.size));
  qn_model_destroy(model);
  if (!applied || code != CLI_OK) return code;
  verdict v;
  code = judge(&smaller, &v);
  s->attempts = smaller.attempts;
  *out_smaller = code == CLI_OK && strcmp(v.text, s->failure.text) == 0;
  char *unused = smaller.text;
  if (*out_smaller) {
    unused = s->text;
    s->text = smaller.text;
    s->size = smaller.size;
  }
  qn_free(unused);
  return code;
}

/* Applies one kind of reduction in chunks of all places, half of them, a quarter ... one. */
static cli_exit reduce_by(search *s, uint32_t kind, bool *changed) {
  uint32_t places, ignored;
  bool smaller;
  cli_exit code = attempt(s, kind, 0, 0, &places, &smaller); /* count the places only */
  for (uint32_t chunk = places; chunk > 0 && code == CLI_OK; chunk /= 2) {
    for (uint32_t end = places; end > 0 && code == CLI_OK;) {
      uint32_t first = end > chunk ? end - chunk : 0;
      code = attempt(s, kind, first, end - first, &ignored, &smaller);
      *changed = *changed || smaller;
      end = first;
    }
    if (code == CLI_OK) code = attempt(s, kind, 0, 0, &places, &smaller);
    if (chunk > places) chunk = places;
  }
  return code;
}

static cli_exit search_all(search *s) {
  cli_exit code = judge(s, &s->failure);
  if (code != CLI_OK) return code;
  if (!s->failure.text[0]) return cli_fail(s->r->c, CLI_INVALID, "nothing fails");
  for (bool changed = true; changed && code == CLI_OK;) {
    changed = false;
    for (uint32_t i = 0; qn_reduction_name(i) && code == CLI_OK; i++)
      code = reduce_by(s, i, &changed);
  }
  return code;
}

cli_exit reduce_ops(reduction *r) {
  search s = {.r = r};
  qn_model *model;
  qn_load_options options = cli_load_options(r->c);
  qn_status status = qn_model_load_memory(r->c->context, r->input, r->name, &options, &model);
  if (status != QN_OK) return cli_exit_of(status);
  status = qn_model_print(model, NULL, &s.text, &s.size);
  qn_model_destroy(model);
  cli_exit code = status == QN_OK ? search_all(&s) : cli_exit_of(status);
  if (code == CLI_OK) {
    const char *output = r->c->options.output;
    fprintf(stderr, "%s; %u modules were tried\n", s.failure.text, s.attempts);
    code = cli_write_file(r->c, output ? output : "-", s.text, s.size);
  }
  qn_free(s.text);
  return code;
}

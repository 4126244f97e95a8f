/* quern opt: processes the parts of an input in order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/opt.h"

#include <stdlib.h>
#include <string.h>

#include "cli/expect.h"
#include "cli/interpret.h"

typedef struct part {
  size_t begin, end;
  uint32_t line; /* line at which the part starts, from 1 */
} part;

static cli_exit print(const opt_job *job, const qn_model *model, FILE *out) {
  char *text = NULL;
  size_t size;
  qn_status status = qn_model_print(model, &job->text, &text, &size);
  if (status == QN_OK) fwrite(text, 1, size, out);
  qn_free(text);
  return cli_exit_of(status);
}

/* Output of the last step of a run, as a step of its own, so that --timing includes it. */
typedef struct output {
  cli *c;
  const opt_job *job;
  const qn_model *model;
  FILE *out;
  cli_exit code;
} output;

static void put_out(void *user) {
  output *o = user;
  o->code = o->job->executes ? cli_interpret(o->c, o->model, o->job->engine, o->out)
                             : print(o->job, o->model, o->out);
}

/* Checks that the text of a model parses to a model that prints the same text. */
static cli_exit check_round_trip(cli *c, const qn_model *model) {
  char *text = NULL, *again = NULL;
  size_t size, again_size = 0;
  qn_load_options load = cli_load_options(c);
  qn_model *second = NULL;
  qn_text_options options = QN_TEXT_OPTIONS_INIT;
  options.locations = 1;
  load.no_implicit_module = 0;
  qn_status status = qn_model_print(model, &options, &text, &size);
  if (status == QN_OK) {
    qn_bytes bytes = {(const uint8_t *)text, size};
    status = qn_model_load_memory(c->context, bytes, "printed", &load, &second);
  }
  if (status == QN_OK) status = qn_model_print(second, &options, &again, &again_size);
  bool same = status == QN_OK && size == again_size && memcmp(text, again, size) == 0;
  qn_model_destroy(second);
  qn_free(text);
  qn_free(again);
  if (status == QN_LIMIT)
    return cli_exit_of(status); /* the printed form exceeds a limit of nesting or size */
  return same ? CLI_OK : cli_fail(c, CLI_INTERNAL, "what is printed does not read back the same");
}

static cli_exit run_part(cli *c, const opt_job *job, part p, FILE *out) {
  qn_load_options load = cli_load_options(c);
  if (c->options.split_input) {
    load.part_begin = p.begin;
    load.part_end = p.end;
  }
  qn_bytes bytes = {(const uint8_t *)job->input, job->input_size};
  qn_model *model;
  qn_status status = qn_model_load_memory(c->context, bytes, job->name, &load, &model);
  if (status != QN_OK) return cli_exit_of(status);
  if (c->options.verify_roundtrip) {
    cli_exit code = check_round_trip(c, model);
    if (code != CLI_OK) {
      qn_model_destroy(model);
      return code;
    }
  }
  output o = {.c = c, .job = job, .model = model, .out = out};
  qn_run_options run = job->run;
  run.output = put_out;
  run.user = &o;
  status = qn_model_run(model, job->pipeline, &run);
  qn_model_destroy(model);
  return status == QN_OK ? o.code : cli_exit_of(status);
}

/* Runs a part. With --verify-diagnostics, the result is whether the diagnostics were the expected
 * ones. */
static cli_exit check_part(cli *c, const opt_job *job, part p, FILE *out) {
  if (!c->options.verify_diagnostics) return run_part(c, job, p, out);
  expectations expected;
  cli_exit code =
      expect_read(c, job->name, job->input + p.begin, p.end - p.begin, p.line, &expected);
  if (code != CLI_OK) return code;
  expected.only_expected = strcmp(c->options.verify_diagnostics, "only-expected") == 0;
  qn_context_set_parts_handler(c->context, expect_take, &expected);
  (void)run_part(c, job, p, out);
  qn_context_set_parts_handler(c->context, NULL, NULL);
  return expect_end(&expected);
}

/* Finds the end of the part that starts at `p->begin`. Returns the start of the next part, or the
 * size of the input for the last part. A marker is at the start of a line, followed by blanks
 * only. */
static size_t find_end(const opt_job *job, const char *marker, part *p, uint32_t *out_next_line) {
  size_t size = strlen(marker);
  uint32_t line = p->line;
  for (size_t at = p->begin; at < job->input_size; line++) {
    const char *newline = memchr(job->input + at, '\n', job->input_size - at);
    size_t end = newline ? (size_t)(newline - job->input) : job->input_size;
    size_t blanks = end > at + size ? strspn(job->input + at + size, " \t\r") : 0;
    if (end >= at + size && memcmp(job->input + at, marker, size) == 0 &&
        at + size + blanks == end) {
      p->end = at;
      *out_next_line = line + 1;
      return newline ? end + 1 : end;
    }
    at = newline ? end + 1 : end;
  }
  p->end = job->input_size;
  return SIZE_MAX;
}

static cli_exit run_parts(cli *c, const opt_job *job, FILE *out) {
  const char *marker = c->options.split_input;
  part p = {.begin = 0, .end = job->input_size, .line = 1};
  if (!marker) return check_part(c, job, p, out);
  if (!marker[0]) marker = "// -----";
  cli_exit worst = CLI_OK;
  for (;;) {
    uint32_t line = 0;
    size_t next = find_end(job, marker, &p, &line);
    cli_exit code = check_part(c, job, p, out);
    if (code > worst) worst = code;
    if (next == SIZE_MAX) return worst;
    fprintf(out, "\n%s\n", marker);
    p = (part){.begin = next, .line = line};
  }
}

cli_exit opt_run(cli *c, const opt_job *job) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) return cli_fail(c, CLI_LIMIT, "out of memory");
  cli_exit code = run_parts(c, job, out);
  bool whole = !ferror(out);
  if (fclose(out) != 0 || !whole) cli_no_memory();
  /* with several parts, those without errors are printed; with expected diagnostics, all are */
  bool prints = code == CLI_OK || c->options.split_input || c->options.verify_diagnostics;
  if (prints) {
    cli_exit wrote = cli_write_file(c, c->options.output ? c->options.output : "-", text, size);
    if (wrote > code) code = wrote;
  }
  free(text);
  return code;
}

/* verify --record: runs the model on the inputs of each case and writes the case's directory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/recording/record.h"

#include "cli/recording/files.h"
#include "cli/recording/recording.h"
#include "cli/tensors/persistent.h"

typedef struct recorder {
  cli *c;
  const qn_model *model;
  qn_executable *executable;
  cli_tensors tensors;
  bool tells; /* prints a line per case */
} recorder;

static cli_exit record_one(recorder *r, const char *name) {
  recording all;
  cli_tensors *t = &r->tensors;
  qn_executable_reset(r->executable);
  cli_exit code = cli_exit_of(qn_executable_invoke(r->executable, (const void *const *)t->inputs,
                                                   (void *const *)t->outputs));
  if (code == CLI_OK) code = recording_take(r->c, r->model, r->executable, NULL, &all);
  if (code != CLI_OK) return code;
  if (all.count == 0)
    code = cli_fail(r->c, CLI_UNSUPPORTED,
                    "no operator of the model writes a tensor that has a number");
  if (code == CLI_OK) code = recording_write_case(r->c, &all, t, r->c->options.record, name);
  if (code == CLI_OK && r->tells)
    printf("%s/%s: %zu tensors, %u inputs, %u outputs\n", r->c->options.record, name, all.count,
           t->input_count, t->output_count);
  recording_free(&all);
  return code;
}

static cli_exit record_random(recorder *r, int64_t seed) {
  char name[40];
  for (uint32_t i = 0; i < r->tensors.input_count; i++)
    cli_tensors_randomize(&r->tensors, i, (uint64_t)seed);
  snprintf(name, sizeof name, "random%lld", (long long)seed);
  return record_one(r, name);
}

static cli_exit record_all(recorder *r) {
  const cli_options *o = &r->c->options;
  bool given = cli_tensors_given(r->c);
  int64_t random = o->cases ? o->cases : given ? 0 : 2;
  cli_exit code = cli_make_folder(r->c, o->record);
  if (code == CLI_OK && given) code = cli_tensors_bind(r->c, &r->tensors, false);
  if (code == CLI_OK && given) code = record_one(r, "given");
  for (int64_t seed = 1; seed <= random && code == CLI_OK; seed++) code = record_random(r, seed);
  return code;
}

static cli_exit record(cli *c, const qn_model *model, bool tells) {
  recorder r = {.c = c, .model = model, .tells = tells};
  cli_exit code = cli_compile(c, model, true, &r.executable);
  if (code == CLI_OK) code = cli_set_sizes(c, r.executable);
  if (code == CLI_OK) code = cli_tensors_create(c, r.executable, &r.tensors);
  if (code == CLI_OK) code = record_all(&r);
  cli_tensors_destroy(&r.tensors);
  qn_executable_destroy(r.executable);
  return code;
}

cli_exit record_model(cli *c, const qn_model *model) { return record(c, model, false); }

cli_exit record_cases(cli *c) {
  qn_model *model = NULL;
  cli_exit code = cli_load(c, &model);
  if (code == CLI_OK) code = record(c, model, true);
  qn_model_destroy(model);
  return code;
}

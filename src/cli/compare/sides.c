/* Recordings of the two sides: read, or made by running a model with that side's options.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/sides.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/memory.h"

bool side_is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Options of one side stand in for those of both while its model is at work. */
static cli_options take_side(cli *c, side_name side, const char *path) {
  cli_options all = c->options, *o = &c->options;
  const cli_side *own = &o->sides[side];
  o->argument = path;
  if (own->engine) o->engine = own->engine;
  if (own->stage) o->stage = own->stage;
  if (own->numerics) o->numerics = own->numerics;
  if (own->cpu) o->cpu = own->cpu;
  return all;
}

static cli_exit read_inputs(cli *c, cli_tensors *t, const char *folder) {
  cli_exit code = CLI_OK;
  for (uint32_t i = 0; i < t->input_count && code == CLI_OK; i++) {
    char *path = cli_text("%s/in%u.npy", folder, i);
    code = cli_tensors_read_input(c, t, i, path);
    free(path);
  }
  return code;
}

/* ---- feeding ---- */

/* All of the data has to be there: no files are read in the middle of an invocation. */
static cli_exit load_all(cli *c, recording *from) {
  cli_exit code = CLI_OK;
  const void *data;
  for (size_t i = 0; i < from->count && code == CLI_OK; i++)
    code = recording_data(c, &from->tensors[i], &data);
  return code;
}

static const void *feed(void *user, int64_t index, const void *data, size_t bytes) {
  const recorded *t = recording_by_index(user, index);
  (void)data;
  return t && t->info.bytes == bytes ? t->data : NULL;
}

/* ---- running ---- */

static cli_exit run_executable(cli *c, const qn_model *model, qn_executable *executable,
                               const char *inputs, recording *fed, recording *out) {
  cli_tensors t;
  cli_exit code = cli_tensors_create(c, executable, &t);
  if (code != CLI_OK) return code;
  code = inputs ? read_inputs(c, &t, inputs) : cli_tensors_bind(c, &t, true);
  if (code == CLI_OK && fed)
    code = cli_exit_of(qn_executable_replace_tensors(executable, feed, fed));
  if (code == CLI_OK)
    code = cli_exit_of(
        qn_executable_invoke(executable, (const void *const *)t.inputs, (void *const *)t.outputs));
  if (code == CLI_OK) code = recording_take(c, model, executable, NULL, out);
  cli_tensors_destroy(&t);
  return code;
}

static cli_exit run_model(cli *c, const char *inputs, recording *fed, recording *out) {
  qn_model *model;
  qn_executable *executable;
  cli_exit code = cli_load(c, &model);
  if (code != CLI_OK) return code;
  code = cli_compile(c, model, true, &executable);
  if (code == CLI_OK) {
    code = run_executable(c, model, executable, inputs, fed, out);
    qn_executable_destroy(executable);
  }
  qn_model_destroy(model);
  return code;
}

cli_exit side_open(cli *c, side_name side, const char *path, const char *inputs,
                   recording *out_recording) {
  *out_recording = (recording){0};
  if (side_is_folder(path)) return recording_read(c, path, out_recording);
  cli_options all = take_side(c, side, path);
  cli_exit code = run_model(c, inputs, NULL, out_recording);
  c->options = all;
  return code;
}

cli_exit side_alone(cli *c, side_name side, const char *path, recording *from, const char *inputs,
                    recording *out_recording) {
  *out_recording = (recording){0};
  cli_exit code = load_all(c, from);
  if (code != CLI_OK) return code;
  cli_options all = take_side(c, side, path);
  bool replaces = c->options.stage && strcmp(c->options.stage, "loops") != 0;
  if (!replaces) c->options.stage = "model";
  c->options.engine = "interpreter";
  code = run_model(c, inputs, from, out_recording);
  c->options = all;
  return code;
}

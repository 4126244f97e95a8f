/* Recordings of the two sides: read, or made by running a model with that side's options.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/sides.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/compare/feed.h"

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

/* ---- running ---- */

static cli_exit run_executable(cli *c, const qn_model *model, qn_executable *executable,
                               const recording *inputs, recording *fed, recording *out) {
  cli_tensors t;
  cli_exit code = cli_tensors_create(c, executable, &t);
  if (code != CLI_OK) return code;
  code = inputs ? feed_inputs(c, &t, inputs) : cli_tensors_bind(c, &t, true);
  if (code == CLI_OK && fed)
    code = cli_exit_of(qn_executable_replace_tensors(executable, feed_tensor, fed));
  if (code == CLI_OK)
    code = cli_exit_of(
        qn_executable_invoke(executable, (const void *const *)t.inputs, (void *const *)t.outputs));
  if (code == CLI_OK) code = recording_take(c, model, executable, NULL, out);
  if (code == CLI_OK) feed_keep_inputs(&t, out);
  cli_tensors_destroy(&t);
  return code;
}

static cli_exit run_model(cli *c, const recording *inputs, recording *fed, recording *out) {
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

cli_exit side_open(cli *c, side_name side, const char *path, const recording *inputs,
                   recording *out_recording) {
  *out_recording = (recording){0};
  if (side_is_folder(path)) return recording_read(c, path, out_recording);
  cli_options all = take_side(c, side, path);
  cli_exit code = run_model(c, inputs, NULL, out_recording);
  c->options = all;
  return code;
}

cli_exit side_alone(cli *c, side_name side, const char *path, recording *fed,
                    const recording *inputs, recording *out_recording) {
  *out_recording = (recording){0};
  cli_options all = take_side(c, side, path);
  bool replaces = c->options.stage && strcmp(c->options.stage, "loops") != 0;
  if (!replaces) c->options.stage = "model";
  c->options.engine = "interpreter";
  cli_exit code = run_model(c, inputs, fed, out_recording);
  c->options = all;
  return code;
}

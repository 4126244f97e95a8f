/* Recordings of the two sides: read, or made by running a model with that side's options.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/compare/feed.h"
#include "cli/tensors/persistent.h"

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
  if (own->any_size) o->any_size = true;
  return all;
}

/* ---- running ---- */

/* What stands in for what operators write; without a function nothing does. */
typedef struct feeding {
  qn_replace_fn *tensor;
  void *user;
} feeding;

static cli_exit run_executable(cli *c, const qn_model *model, qn_executable *executable,
                               const recording *inputs, const feeding *fed, recording *out) {
  cli_tensors t;
  cli_exit code = cli_set_sizes(c, executable);
  if (code == CLI_OK) code = cli_tensors_create(c, executable, &t);
  if (code != CLI_OK) return code;
  code = inputs ? feed_inputs(c, &t, inputs) : cli_tensors_bind(c, &t, true);
  if (code == CLI_OK && fed->tensor)
    code = cli_exit_of(qn_executable_replace_tensors(executable, fed->tensor, fed->user));
  if (code == CLI_OK)
    code = cli_exit_of(
        qn_executable_invoke(executable, (const void *const *)t.inputs, (void *const *)t.outputs));
  if (code == CLI_OK && out) code = recording_take(c, model, executable, NULL, out);
  if (code == CLI_OK && out) feed_keep_inputs(&t, out);
  cli_tensors_destroy(&t);
  return code;
}

static cli_exit run_model(cli *c, const recording *inputs, feeding fed, recording *out) {
  qn_model *model;
  qn_executable *executable;
  cli_exit code = cli_load(c, &model);
  if (code != CLI_OK) return code;
  code = cli_compile(c, model, true, &executable);
  if (code == CLI_OK) {
    code = run_executable(c, model, executable, inputs, &fed, out);
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
  cli_exit code = run_model(c, inputs, (feeding){0}, out_recording);
  c->options = all;
  return code;
}

/* Tensors are replaced by the interpreter, at these stages. */
static cli_options take_fed_side(cli *c, side_name side, const char *path) {
  cli_options all = take_side(c, side, path);
  bool replaces = c->options.stage && strcmp(c->options.stage, "loops") != 0;
  if (!replaces) c->options.stage = "model";
  c->options.engine = "interpreter";
  return all;
}

cli_exit side_alone(cli *c, side_name side, const char *path, recording *fed,
                    const recording *inputs, recording *out_recording) {
  *out_recording = (recording){0};
  cli_options all = take_fed_side(c, side, path);
  cli_exit code = run_model(c, inputs, (feeding){feed_tensor, fed}, out_recording);
  c->options = all;
  return code;
}

/* ---- one element ---- */

typedef struct asked {
  recording *fed;
  const side_element *of;
  double answer;
} asked;

static const void *answer_tensor(void *user, int64_t index, const void *data, size_t bytes) {
  asked *k = user;
  const qn_tensor_info *info = &k->of->tensor->info;
  if (index == info->index && bytes == info->bytes)
    k->answer = cli_tensor_stored(info, data, k->of->element);
  return feed_tensor(k->fed, index, data, bytes);
}

static void say_nothing(void *user, int severity, const char *message) {
  (void)user;
  (void)severity;
  (void)message;
}

double side_answer(const cli *c, side_name side, const char *path, recording *fed,
                   const recording *inputs, const char *profile, const side_element *of) {
  cli own = *c;
  asked k = {fed, of, NAN};
  own.context = qn_context_create();
  if (!own.context) return NAN;
  qn_context_set_handler(own.context, say_nothing, NULL);
  take_fed_side(&own, side, path);
  own.options.numerics = profile;
  if (cli_set_limits(&own) != CLI_OK ||
      run_model(&own, inputs, (feeding){answer_tensor, &k}, NULL) != CLI_OK)
    k.answer = NAN;
  qn_context_destroy(own.context);
  return k.answer;
}

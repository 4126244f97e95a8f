/* Recordings of the two sides: read from a directory, or made by running a model with the options
 * of that side.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/sides.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/tensors/persistent.h"

bool side_is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Replaces the common options by the options of one side. Returns the previous options, which the
 * caller restores. */
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

/* Callback that replaces results of operators; `tensor` is NULL if none are replaced. */
typedef struct feeding {
  qn_replace_fn *tensor;
  void *user;
} feeding;

static cli_exit run_executable(cli *c, const qn_model *model, qn_executable *executable,
                               const side_inputs *inputs, const feeding *fed, recording *out) {
  cli_tensors t;
  cli_exit code = cli_set_sizes(c, executable);
  if (code == CLI_OK) code = cli_tensors_create(c, executable, &t);
  if (code != CLI_OK) return code;
  t.ranges = inputs->ranges;
  t.range_count = inputs->range_count;
  code = inputs->from ? feed_inputs(c, &t, inputs->from) : cli_tensors_bind(c, &t, true);
  if (code == CLI_OK && inputs->peer) feed_align(&t, inputs->peer);
  if (code == CLI_OK && fed->tensor)
    code = cli_exit_of(qn_executable_replace_tensors(executable, fed->tensor, fed->user));
  if (code == CLI_OK)
    code = cli_exit_of(
        qn_executable_invoke(executable, (const void *const *)t.inputs, (void *const *)t.outputs));
  if (code == CLI_OK && out) code = recording_take(c, model, executable, NULL, out);
  if (code == CLI_OK && out) feed_keep_inputs(&t, out);
  if (code == CLI_OK && out) out->random = t.random;
  cli_tensors_destroy(&t);
  return code;
}

static cli_exit run_model(cli *c, const side_inputs *inputs, feeding fed, recording *out) {
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

cli_exit side_open(cli *c, side_name side, const char *path, const side_inputs *inputs,
                   recording *out_recording) {
  *out_recording = (recording){0};
  if (side_is_folder(path)) return recording_read(c, path, out_recording);
  cli_options all = take_side(c, side, path);
  cli_exit code = run_model(c, inputs, (feeding){0}, out_recording);
  c->options = all;
  return code;
}

/* Like take_side, and selects the interpreter, which replaces tensors, and a stage at which it
 * can. */
static cli_options take_fed_side(cli *c, side_name side, const char *path) {
  cli_options all = take_side(c, side, path);
  bool replaces = c->options.stage && strcmp(c->options.stage, "loops") != 0;
  if (!replaces) c->options.stage = "model";
  c->options.engine = "interpreter";
  return all;
}

cli_exit side_alone(cli *c, side_name side, const char *path, feed *fed, const side_inputs *inputs,
                    recording *out_recording) {
  *out_recording = (recording){0};
  cli_options all = take_fed_side(c, side, path);
  cli_exit code = run_model(c, inputs, (feeding){feed_tensor, &fed->tensors}, out_recording);
  c->options = all;
  return code;
}

/* ---- ranges of inputs ---- */

static cli_range range_of(const qn_tensor_info *info) {
  static const qn_dtype types[] = {QN_DTYPE_I8, QN_DTYPE_U8, QN_DTYPE_I16};
  static const double lows[] = {-128, 0, -32768}, highs[] = {127, 255, 32767};
  for (size_t i = 0; info->scale > 0 && i < CLI_COUNT(types); i++)
    if (info->dtype == types[i])
      return (cli_range){info->scale * (lows[i] - (double)info->zero_point),
                         info->scale * (highs[i] - (double)info->zero_point)};
  return (cli_range){0, 0};
}

static cli_exit read_ranges(cli *c, cli_range **out_ranges, uint32_t *out_count) {
  qn_model *model;
  qn_executable *executable;
  cli_exit code = cli_load(c, &model);
  if (code != CLI_OK) return code;
  code = cli_compile(c, model, false, &executable);
  qn_model_destroy(model);
  if (code != CLI_OK) return code;
  *out_count = qn_executable_input_count(executable);
  *out_ranges = cli_need(calloc(*out_count + 1, sizeof **out_ranges));
  for (uint32_t i = 0; i < *out_count; i++) {
    qn_tensor_info info = qn_executable_input(executable, i);
    (*out_ranges)[i] = range_of(&info);
  }
  qn_executable_destroy(executable);
  return CLI_OK;
}

cli_exit side_ranges(cli *c, side_name side, const char *path, cli_range **out_ranges,
                     uint32_t *out_count) {
  cli_options all = take_side(c, side, path);
  c->options.engine = "interpreter"; /* the interpreter needs no compilation */
  c->options.stage = NULL;
  cli_exit code = read_ranges(c, out_ranges, out_count);
  c->options = all;
  return code;
}

/* ---- one element ---- */

typedef struct asked {
  feed *fed;
  const side_element *of;
  double answer;
} asked;

static const void *answer_tensor(void *user, int64_t index, const void *data, size_t bytes) {
  asked *k = user;
  const qn_tensor_info *info = &k->of->tensor->info;
  if (index == info->index && bytes == info->bytes)
    k->answer = cli_tensor_stored(info, data, k->of->element);
  return feed_tensor(&k->fed->tensors, index, data, bytes);
}

static void say_nothing(void *user, int severity, const char *message) {
  (void)user;
  (void)severity;
  (void)message;
}

double side_answer(const cli *c, side_name side, const char *path, feed *fed,
                   const side_inputs *inputs, const char *profile, const side_element *of) {
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

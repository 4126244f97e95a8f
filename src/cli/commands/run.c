/* quern run: runs a model, once or several times (--then).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/document.h"
#include "cli/labels.h"
#include "cli/recording/files.h"
#include "cli/recording/recording.h"
#include "cli/table.h"
#include "cli/tensors/persistent.h"
#include "cli/tensors/tensors.h"

/* ---- expectations ---- */

static cli_exit check_one(cli *c, const cli_tensors *t, const cli_binding *binding,
                          uint32_t *next_unnamed) {
  const char *rest;
  int64_t index = cli_tensor_named(t->executable, true, binding->text, &rest);
  if (index < 0) index = (*next_unnamed)++;
  if (index >= (int64_t)t->output_count) {
    return cli_fail(c, CLI_USAGE, "'%s' is one expectation too many: the model has %u outputs",
                    binding->text, t->output_count);
  }
  if (rest[0] != '@')
    return cli_fail(c, CLI_USAGE, "--expect takes [NAME=]@FILE.npy, not '%s'", rest);
  qn_tensor_info info = qn_executable_output(t->executable, (uint32_t)index);
  char *file;
  npy array;
  cli_exit code = cli_read_npy(c, rest + 1, &info, &file, &array);
  if (code != CLI_OK) return code;
  cli_difference d = cli_compare(&info, t->outputs[index], array.data);
  if (d.count) {
    code =
        cli_fail(c, CLI_MISMATCH,
                 "output %lld '%s' differs from %s in %zu of %zu elements, by at most %g; first at "
                 "element %zu: %g, but %g is expected",
                 (long long)index, info.name, rest + 1, d.count, cli_tensor_elements(&info),
                 d.largest, d.first, cli_tensor_stored(&info, t->outputs[index], d.first),
                 cli_tensor_stored(&info, array.data, d.first));
  }
  qn_free(file);
  return code;
}

/* Checks all expectations. If there is a worse error than a mismatch, returns that. */
static cli_exit check_expectations(cli *c, const cli_tensors *t) {
  uint32_t next = 0;
  cli_exit worst = CLI_OK;
  for (size_t i = c->run_begin; cli_in_run(c, i); i++) {
    if (c->options.bindings[i].kind != CLI_EXPECT) continue;
    cli_exit code = check_one(c, t, &c->options.bindings[i], &next);
    if (code > worst) worst = code;
  }
  return worst;
}

/* ---- saving ---- */

static cli_exit add_state(cli *c, const cli_tensors *t, uint32_t k, cli_files *files) {
  qn_tensor_info info = qn_executable_state(t->executable, k);
  void *data = malloc(info.bytes + 1);
  if (!data) return cli_fail(c, CLI_LIMIT, "out of memory");
  qn_executable_read_state(t->executable, k, data);
  cli_exit code = cli_files_add_array(c, files, c->options.save, "state", k, &info, data);
  free(data);
  return code;
}

/* Saves all outputs and states, or nothing. */
static cli_exit save(cli *c, const cli_tensors *t) {
  const char *folder = c->options.save;
  cli_files files = {0};
  cli_exit code = CLI_OK;
  for (uint32_t i = 0; i < t->output_count && code == CLI_OK; i++) {
    qn_tensor_info info = qn_executable_output(t->executable, i);
    code = cli_files_add_array(c, &files, folder, "out", i, &info, t->outputs[i]);
  }
  for (uint32_t k = 0; k < qn_executable_state_count(t->executable) && code == CLI_OK; k++)
    code = add_state(c, t, k, &files);
  if (code == CLI_OK) code = cli_make_folder(c, folder);
  if (code == CLI_OK) code = cli_files_write(c, &files);
  cli_files_free(&files);
  return code;
}

static cli_exit dump(cli *c, const qn_model *model, const cli_tensors *t,
                     const replacements *replaced) {
  recording r;
  cli_exit code = recording_take(c, model, t->executable, replaced, &r);
  if (code != CLI_OK) return code;
  code = recording_write_dump(c, &r, t, c->options.dump);
  recording_free(&r);
  return code;
}

/* ---- printing ---- */

static void print_outputs(const cli_tensors *t) {
  static const cli_column columns[] = {
      {"output", 'l'}, {"type", 'l'}, {"min", 'r'}, {"max", 'r'}, {"mean", 'r'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  for (uint32_t i = 0; i < t->output_count; i++) {
    qn_tensor_info info = qn_executable_output(t->executable, i);
    char type[128];
    cli_tensor_type(&info, type, sizeof type);
    size_t count = cli_tensor_elements(&info);
    double min = 0, max = 0, sum = 0;
    for (size_t k = 0; k < count; k++) {
      double value = cli_tensor_real(&info, t->outputs[i], k);
      if (k == 0 || value < min) min = value;
      if (k == 0 || value > max) max = value;
      sum += value;
    }
    cli_table_cell(&table, "%s", info.name);
    cli_table_cell(&table, "%s", type);
    cli_table_cell(&table, "%.6g", min);
    cli_table_cell(&table, "%.6g", max);
    cli_table_cell(&table, "%.6g", count ? sum / (double)count : 0);
  }
  cli_table_end(&table, stdout);
}

static void print_classes(const cli_tensors *t, const label_rank *ranks, size_t count) {
  static const cli_column columns[] = {{"class", 'r'}, {"score", 'r'}, {"label", 'l'}};
  qn_tensor_info info = qn_executable_output(t->executable, 0);
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  for (size_t i = 0; i < count; i++) {
    cli_table_cell(&table, "%zu", ranks[i].index);
    cli_table_cell(&table, "%.4f", cli_tensor_real(&info, t->outputs[0], ranks[i].index));
    cli_table_cell(&table, "%s", ranks[i].label);
  }
  cli_table_end(&table, stdout);
}

static cli_exit print_json(const cli *c, const cli_tensors *t, const label_rank *ranks,
                           size_t count) {
  json_t *outputs = json_array(), *classes = json_array();
  for (uint32_t i = 0; i < t->output_count; i++) {
    qn_tensor_info info = qn_executable_output(t->executable, i);
    json_t *shape = json_array(), *values = json_array();
    for (uint32_t k = 0; k < info.rank; k++)
      json_array_append_new(shape, json_integer(info.dims[k]));
    for (size_t k = 0; k < cli_tensor_elements(&info); k++) {
      bool is_real =
          info.dtype == QN_DTYPE_F32 || info.dtype == QN_DTYPE_F16 || info.dtype == QN_DTYPE_F64;
      json_t *value = is_real
                          ? json_real(cli_tensor_stored(&info, t->outputs[i], k))
                          : json_integer((json_int_t)cli_tensor_stored(&info, t->outputs[i], k));
      json_array_append_new(values, value ? value : json_null());
    }
    json_array_append_new(
        outputs, json_pack("{s:o, s:s, s:o, s:f, s:I, s:o}", "name", cli_json_text(info.name),
                           "dtype", qn_dtype_name(info.dtype), "shape", shape, "scale", info.scale,
                           "zero_point", (json_int_t)info.zero_point, "values", values));
  }
  qn_tensor_info first = qn_executable_output(t->executable, 0);
  for (size_t i = 0; i < count; i++) {
    double score = cli_tensor_real(&first, t->outputs[0], ranks[i].index);
    json_array_append_new(classes,
                          json_pack("{s:I, s:f, s:o}", "class", (json_int_t)ranks[i].index, "score",
                                    score, "label", cli_json_text(ranks[i].label)));
  }
  json_t *all =
      json_pack("{s:o, s:o}", "model", cli_json_text(c->options.argument), "outputs", outputs);
  if (count) json_object_set(all, "classes", classes);
  json_decref(classes);
  return cli_print_document(c, all, JSON_COMPACT);
}

static cli_exit print_results(cli *c, const cli_tensors *t) {
  labels names = {0};
  label_rank *ranks = NULL;
  size_t count = 0;
  if (c->options.labels || c->options.top) {
    if (t->output_count == 0) return cli_fail(c, CLI_USAGE, "the model has no output to rank");
    cli_exit read = c->options.labels ? labels_read(c, c->options.labels, &names) : CLI_OK;
    if (read != CLI_OK) return read;
    qn_tensor_info info = qn_executable_output(t->executable, 0);
    size_t top = c->options.top ? (size_t)c->options.top : 5;
    ranks = labels_rank(&names, &info, t->outputs[0], top, &count);
  }
  cli_exit code = CLI_OK;
  if (c->options.json) {
    code = print_json(c, t, ranks, count);
  } else if (ranks) {
    print_classes(t, ranks, count);
  } else {
    print_outputs(t);
  }
  free(ranks);
  labels_free(&names);
  return code;
}

/* ---- the command ---- */

static cli_exit invoke(cli *c, qn_executable *executable, cli_tensors *t) {
  c->progress = cli_progress_begin("running", c->options.verbose);
  qn_status status =
      qn_executable_invoke(executable, (const void *const *)t->inputs, (void *const *)t->outputs);
  cli_progress_end(c->progress);
  c->progress = NULL;
  return cli_exit_of(status);
}

/* Advances to the bindings after the next --then. Returns false if there is none. */
static bool next_run(cli *c) {
  size_t end = c->run_begin;
  while (cli_in_run(c, end)) end++;
  bool more = end < c->options.binding_count;
  if (more) c->run_begin = end + 1;
  return more;
}

/* Performs all runs, also after a mismatch. */
static cli_exit run_all(cli *c, qn_executable *executable, cli_tensors *t) {
  cli_exit worst = CLI_OK;
  do {
    cli_exit code = cli_tensors_bind(c, t, false);
    if (code == CLI_OK) code = invoke(c, executable, t);
    if (code == CLI_OK) code = print_results(c, t);
    if (code == CLI_OK) code = check_expectations(c, t);
    if (code > CLI_MISMATCH) return code;
    if (code > worst) worst = code;
  } while (next_run(c));
  return worst;
}

/* Writes the requested files, with the results of the last run. */
static cli_exit write_files(cli *c, const qn_model *model, const cli_tensors *t,
                            const replacements *replaced) {
  cli_exit code = c->options.dump ? dump(c, model, t, replaced) : CLI_OK;
  return code == CLI_OK && c->options.save ? save(c, t) : code;
}

static cli_exit use_executable(cli *c, const qn_model *model, qn_executable *executable,
                               replacements *replaced) {
  cli_tensors t;
  cli_exit code = cli_set_sizes(c, executable);
  if (code == CLI_OK) code = cli_read_states(c, executable);
  if (code == CLI_OK) code = replacements_use(c, replaced, executable);
  if (code == CLI_OK) code = cli_tensors_create(c, executable, &t);
  if (code != CLI_OK) return code;
  code = run_all(c, executable, &t);
  cli_exit written = code <= CLI_MISMATCH ? replacements_check(c, replaced) : code;
  if (written <= CLI_MISMATCH) written = write_files(c, model, &t, replaced);
  cli_tensors_destroy(&t);
  return written != CLI_OK ? written : code;
}

static cli_exit run_model(cli *c, const qn_model *model, replacements *replaced) {
  qn_executable *executable;
  cli_exit code = cli_compile(c, model, c->options.dump != NULL, &executable);
  if (code != CLI_OK) return code;
  code = use_executable(c, model, executable, replaced);
  qn_executable_destroy(executable);
  return code;
}

static cli_exit run(cli *c) {
  qn_model *model = NULL;
  replacements replaced;
  cli_exit code = replacements_read(c, &replaced);
  if (code != CLI_OK) return code;
  code = cli_load(c, &model);
  if (code == CLI_OK) code = run_model(c, model, &replaced);
  qn_model_destroy(model);
  replacements_free(&replaced);
  return code;
}

static const char *const options[] = {"input",    "image",    "expect",  "labels",       "top",
                                      "save",     "engine",   "stage",   "threads",      "cpu",
                                      "features", "optimize", "json",    "then",         "state",
                                      "size",     "dump",     "replace", "disable-pass", NULL};
static const char *const frequent[] = {"input",    "image",  "labels",  "top",  "save", "expect",
                                       "numerics", "engine", "threads", "json", NULL};

const cli_command cli_run = {
    .name = "run",
    .argument = "MODEL",
    .summary = "run a model",
    .groups = CLI_LOADING | CLI_REWRITING | CLI_KEEPING,
    .options = options,
    .frequent = frequent,
    .details = "A literal with one value fills the whole tensor. random:SEED is uniform over the "
               "type; floats\n"
               "are in [-1, 1). An image is scaled (bilinear) to the input's height and width; for "
               "one channel\n"
               "its luma is used. Byte p means the real value a + p / 255 * (b - a). [a, b] is "
               "whichever of\n"
               "[-1, 1], [0, 1] and [0, 255] is nearest to the range of the input's quantization; "
               "for float32\n"
               "inputs it is [-1, 1].\n"
               "Without --labels or --top, the range of each output is printed as real values.\n",
    .run = run,
};

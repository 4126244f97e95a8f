/* Makes a recording of an invocation of this tool. The report of qn_model_inspect describes each
 * tensor.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/location.h"
#include "cli/recording/recording.h"

typedef struct taker {
  const qn_executable *executable;
  const json_t *report;      /* report on the model */
  json_t *tensors, *outputs; /* rows of the report, by index of the tensor */
  const replacements *replaced;
  recording *to;
  size_t capacity;
  bool failed; /* an allocation failed */
} taker;

static qn_dtype dtype_named(const char *name) {
  int dtype = QN_DTYPE_I8;
  while (npy_dtype_size((qn_dtype)dtype) && strcmp(qn_dtype_name((qn_dtype)dtype), name) != 0)
    dtype++;
  return (qn_dtype)dtype;
}

/* The rows of a list of the report, by the index of their tensor. */
static json_t *rows_by_number(const json_t *report, const char *list) {
  json_t *rows = json_object(), *row;
  size_t i;
  json_array_foreach(json_object_get(report, list), i, row) {
    char key[24];
    snprintf(key, sizeof key, "%lld",
             (long long)json_integer_value(json_object_get(row, "tensor")));
    json_object_set(rows, key, row);
  }
  return rows;
}

static void set(json_t *row, const char *key, json_t *value) {
  json_object_set_new(row, key, value ? value : json_null());
}

/* The name of a tensor. The location of an operator names its first result; the list of outputs
 * names some others. */
static json_t *name_of(const taker *k, const json_t *op, int64_t index) {
  char key[24];
  snprintf(key, sizeof key, "%lld", (long long)index);
  const json_t *output = json_object_get(k->outputs, key);
  if (output) return json_incref(json_object_get(output, "name"));
  bool first = json_integer_value(json_array_get(json_object_get(op, "tensors"), 0)) == index;
  size_t size = 0;
  const char *location = json_string_value(json_object_get(op, "location"));
  const char *name = first && location ? cli_location_tensor(location, &size) : NULL;
  return json_stringn(name ? name : "", size);
}

/* The shape in this invocation; the report has the upper bounds of dynamic sizes. */
static json_t *shape_of(const taker *k, const json_t *tensor) {
  json_t *shape = json_copy(json_object_get(tensor, "shape"));
  const char *name = json_string_value(json_object_get(tensor, "size"));
  size_t dimension = (size_t)json_integer_value(json_object_get(tensor, "size_dimension"));
  for (uint32_t i = 0; name && i < qn_executable_size_count(k->executable); i++) {
    qn_size_info size = qn_executable_size(k->executable, i);
    if (strcmp(size.name, name) == 0) json_array_set_new(shape, dimension, json_integer(size.size));
  }
  return shape;
}

static json_t *row_of(const taker *k, int64_t index, const json_t *tensor) {
  static const char *const same[] = {"dtype", "scales", "zero_points", "axis"};
  size_t number = (size_t)json_integer_value(json_object_get(tensor, "operator"));
  const json_t *op = json_array_get(json_object_get(k->report, "operators"), number);
  json_t *row = json_object();
  set(row, "tensor", json_integer(index));
  set(row, "name", name_of(k, op, index));
  set(row, "operator", json_incref(json_object_get(op, "location")));
  set(row, "op", json_incref(json_object_get(op, "op")));
  set(row, "multiplier", json_incref(json_object_get(op, "multiplier")));
  set(row, "reads", json_incref(json_object_get(op, "reads")));
  set(row, "reads_inputs", json_incref(json_object_get(op, "reads_inputs")));
  set(row, "shape", shape_of(k, tensor));
  for (size_t i = 0; i < CLI_COUNT(same); i++)
    set(row, same[i], json_incref(json_object_get(tensor, same[i])));
  return row;
}

static void fill_info(recorded *t, size_t bytes) {
  const json_t *shape = json_object_get(t->row, "shape");
  const json_t *scales = json_object_get(t->row, "scales");
  const char *name = json_string_value(json_object_get(t->row, "name"));
  t->info =
      (qn_tensor_info){.name = name ? name : "",
                       .dtype = dtype_named(json_string_value(json_object_get(t->row, "dtype"))),
                       .rank = (uint32_t)json_array_size(shape),
                       .bytes = bytes,
                       .index = json_integer_value(json_object_get(t->row, "tensor"))};
  for (uint32_t i = 0; i < t->info.rank && i < NPY_MAX_RANK; i++)
    t->dims[i] = json_integer_value(json_array_get(shape, i));
  if (json_array_size(scales) != 1) return;
  t->info.scale = json_number_value(json_array_get(scales, 0));
  t->info.zero_point =
      json_integer_value(json_array_get(json_object_get(t->row, "zero_points"), 0));
}

static bool grow(taker *k) {
  if (k->to->count < k->capacity) return true;
  size_t capacity = k->capacity ? 2 * k->capacity : 64;
  recorded *tensors = realloc(k->to->tensors, capacity * sizeof *tensors);
  if (!tensors) return false;
  k->to->tensors = tensors;
  k->capacity = capacity;
  return true;
}

static void add_taken(taker *k, int64_t index, const json_t *tensor, const void *data,
                      size_t bytes) {
  void *copy = malloc(bytes + 1);
  if (!copy || !grow(k)) {
    free(copy);
    k->failed = true;
    return;
  }
  const void *instead = replacements_find(k->replaced, index, bytes);
  if (bytes) memcpy(copy, instead ? instead : data, bytes);
  recorded *t = &k->to->tensors[k->to->count++];
  *t = (recorded){.row = row_of(k, index, tensor), .data = copy};
  fill_info(t, bytes);
  digest_sha256(copy, bytes, t->sha256);
  set(t->row, "sha256", json_string(t->sha256));
}

/* Records a tensor when it is written. If several ops of a later stage write a tensor, only the
 * first write is recorded, as verify compares; then its row is used up. */
static void take(void *user, int64_t index, const void *data, size_t bytes) {
  taker *k = user;
  char key[24];
  snprintf(key, sizeof key, "%lld", (long long)index);
  json_t *tensor = json_incref(json_object_get(k->tensors, key));
  if (!tensor) return;
  json_object_del(k->tensors, key);
  if (json_array_size(json_object_get(tensor, "shape")) <= NPY_MAX_RANK)
    add_taken(k, index, tensor, data, bytes);
  json_decref(tensor);
}

/* NULL if the file can't be read again, as standard input. */
static json_t *digest_of_file(cli *c) {
  const char *path = c->options.argument;
  char *data, digest[DIGEST_HEX];
  size_t size;
  if (!path || strcmp(path, "-") == 0 || cli_read_file(c, path, &data, &size) != CLI_OK)
    return NULL;
  digest_sha256(data, size, digest);
  qn_free(data);
  return json_string(digest);
}

static json_t *head_of(cli *c, const json_t *report, const qn_executable *executable) {
  bool jit = cli_engine(c) == QN_ENGINE_JIT;
  const json_t *stage = json_object_get(report, "stage");
  json_t *head = json_object();
  set(head, "version", json_integer(RECORDING_VERSION));
  set(head, "made_by", json_sprintf("quern %s", qn_version()));
  set(head, "model", json_incref(json_object_get(report, "model")));
  set(head, "model_sha256", digest_of_file(c));
  set(head, "numerics", json_incref(json_object_get(report, "numerics")));
  set(head, "engine", json_string(jit ? "jit" : "interpreter"));
  set(head, "stage",
      jit                ? NULL
      : c->options.stage ? json_string(c->options.stage)
                         : json_string(json_string_value(stage)));
  set(head, "cpu", json_string(qn_executable_get_stats(executable).level));
  return head;
}

cli_exit recording_take(cli *c, const qn_model *model, const qn_executable *executable,
                        const replacements *replaced, recording *out_recording) {
  *out_recording = (recording){.ordered = true};
  char *text;
  size_t size;
  qn_status status = qn_model_inspect(model, &text, &size);
  if (status != QN_OK) return cli_exit_of(status);
  json_t *report = json_loadb(text, size, 0, NULL);
  qn_free(text);
  taker k = {.executable = executable,
             .report = report,
             .tensors = rows_by_number(report, "tensors"),
             .outputs = rows_by_number(report, "outputs"),
             .replaced = replaced,
             .to = out_recording};
  out_recording->head = head_of(c, report, executable);
  status = qn_executable_tensors(executable, take, &k);
  json_decref(k.tensors);
  json_decref(k.outputs);
  json_decref(report);
  recording_finish(out_recording);
  cli_exit code = k.failed ? cli_fail(c, CLI_LIMIT, "out of memory") : cli_exit_of(status);
  if (code != CLI_OK) recording_free(out_recording);
  return code;
}

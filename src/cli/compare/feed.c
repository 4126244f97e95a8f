/* Replaces tensors of a model by those of the other side of a comparison.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/feed.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/compare/encoding.h"
#include "cli/memory.h"

/* ---- tensors ---- */

static void reject(json_t *unfed, const recorded *target, const char *why) {
  char key[24];
  snprintf(key, sizeof key, "%lld", (long long)target->info.index);
  json_object_set_new(unfed, key, json_string(why));
}

/* Converts one tensor. If that is not possible, records the reason in out->unfed. */
static cli_exit feed_one(cli *c, recorded *source, const recorded *target, const feed_how *how,
                         feed *out) {
  const void *data;
  cli_exit code = recording_data(c, source, &data);
  if (code != CLI_OK) return code;
  recorded *fed = &out->tensors.tensors[out->tensors.count];
  fed->info = target->info;
  memcpy(fed->dims, target->dims, sizeof fed->dims);
  fed->data = cli_need(malloc(target->info.bytes + 1));
  encoding_result result = ENCODING_NONE;
  bool known = data && (!encodings_differ(source, target) || encodings_have_reals(source, target));
  if (known) result = encoding_convert(&source->info, data, &target->info, fed->data);
  if (result == ENCODING_EXACT || (result == ENCODING_NEAREST && how->nearest)) {
    out->tensors.count++;
    return CLI_OK;
  }
  free(fed->data);
  *fed = (recorded){0};
  reject(out->unfed, target,
         result == ENCODING_NEAREST
             ? "has values that are none in the encoding of the side that runs"
             : "has another shape or type on the side that runs");
  return CLI_OK;
}

cli_exit feed_make(cli *c, recording *from, const recording *to, const feed_how *how,
                   feed *out_feed) {
  const recording *a = how->from_a ? from : to, *b = how->from_a ? to : from;
  *out_feed = (feed){.tensors = {.tensors = cli_need(calloc(a->count + 1, sizeof(recorded)))},
                     .unfed = json_object(),
                     .has_inputs = how->has_inputs};
  cli_exit code = CLI_OK;
  for (size_t i = 0; i < a->count && code == CLI_OK; i++) {
    recorded *in_a = &a->tensors[i], *in_b = tensor_map_find(how->map, in_a, b);
    recorded *source = how->from_a ? in_a : in_b, *target = how->from_a ? in_b : in_a;
    if (in_b && target->data && target->info.index >= 0)
      code = feed_one(c, source, target, how, out_feed);
  }
  recording_finish(&out_feed->tensors);
  return code;
}

void feed_free(feed *f) {
  recording_free(&f->tensors);
  json_decref(f->unfed);
  *f = (feed){0};
}

/* ---- operators whose inputs were not replaced ---- */

char *feed_lacks(const feed *f, const recorded *runs) {
  size_t i;
  json_t *number;
  json_array_foreach(json_object_get(runs->row, "reads"), i, number) {
    int64_t index = json_integer_value(number);
    if (recording_by_index(&f->tensors, index)) continue;
    char key[24];
    snprintf(key, sizeof key, "%lld", (long long)index);
    const char *why = json_string_value(json_object_get(f->unfed, key));
    return cli_text("tensor %lld, which it reads, %s", (long long)index,
                    why ? why : "is not on the other side");
  }
  bool reads_inputs = json_array_size(json_object_get(runs->row, "reads_inputs")) > 0;
  if (!reads_inputs || f->has_inputs) return NULL;
  return cli_text("the model's input, which it reads, is not what the other side had");
}

const void *feed_tensor(void *user, int64_t index, const void *data, size_t bytes) {
  const recorded *t = recording_by_index(user, index);
  (void)data;
  return t && t->info.bytes == bytes ? t->data : NULL;
}

/* ---- inputs ---- */

static cli_exit feed_file(cli *c, cli_tensors *t, uint32_t i, const char *path) {
  char *file;
  size_t size;
  npy array;
  cli_exit code = cli_read_file(c, path, &file, &size);
  if (code != CLI_OK) return code;
  const char *problem = npy_decode(file, size, &array);
  if (!problem) code = cli_tensors_fit(c, t, i, array.rank, array.dims);
  qn_tensor_info info = qn_executable_input(t->executable, i);
  qn_tensor_info is = {
      .rank = array.rank, .dims = array.dims, .dtype = array.dtype, .bytes = array.bytes};
  bool floats = !problem && is.dtype == QN_DTYPE_F32 && info.dtype != is.dtype;
  bool fed = floats && encoding_convert(&is, array.data, &info, t->inputs[i]) != ENCODING_NONE;
  qn_free(file);
  if (fed || code != CLI_OK) return code;
  /* reports files that are not float arrays, and wrong shapes */
  return cli_tensors_read_input(c, t, i, path);
}

static cli_exit feed_given(cli *c, cli_tensors *t, uint32_t i, const recording *from) {
  const recorded *given = i < from->given_count ? &from->given[i] : NULL;
  cli_exit code = given ? cli_tensors_fit(c, t, i, given->info.rank, given->info.dims) : CLI_OK;
  if (code != CLI_OK) return code;
  qn_tensor_info info = qn_executable_input(t->executable, i);
  if (given && encoding_convert(&given->info, given->data, &info, t->inputs[i]) != ENCODING_NONE)
    return CLI_OK;
  return cli_fail(c, CLI_INVALID, "input '%s' of one side has another type or shape on the other",
                  info.name);
}

cli_exit feed_inputs(cli *c, cli_tensors *t, const recording *from) {
  cli_exit code = CLI_OK;
  for (uint32_t i = 0; i < t->input_count && code == CLI_OK; i++) {
    char *path = from->inputs ? cli_text("%s/in%u.npy", from->inputs, i) : NULL;
    code = path ? feed_file(c, t, i, path) : feed_given(c, t, i, from);
    free(path);
  }
  return code;
}

void feed_align(cli_tensors *t, const recording *peer) {
  for (uint32_t i = 0; i < t->input_count && i < peer->given_count; i++) {
    const recorded *given = &peer->given[i];
    qn_tensor_info info = qn_executable_input(t->executable, i);
    if (!encoding_is_same(&given->info, &info))
      (void)encoding_convert(&given->info, given->data, &info, t->inputs[i]);
  }
}

cli_exit feed_read_inputs(cli *c, recording *r) {
  size_t capacity = 0;
  cli_exit code = CLI_OK;
  bool more = r->inputs && !r->given;
  while (more && code == CLI_OK) {
    char *path = cli_text("%s/in%zu.npy", r->inputs, r->given_count);
    more = access(path, F_OK) == 0;
    if (more && r->given_count == capacity) {
      capacity = capacity ? 2 * capacity : 4;
      r->given = cli_need(realloc(r->given, capacity * sizeof *r->given));
    }
    if (more) {
      recorded *given = &r->given[r->given_count++];
      *given = (recorded){.path = path, .info = {.name = "", .index = -1}};
      const void *data;
      code = recording_data(c, given, &data);
    } else {
      free(path);
    }
  }
  for (size_t i = 0; i < r->given_count; i++) r->given[i].info.dims = r->given[i].dims;
  return code;
}

void feed_keep_inputs(const cli_tensors *t, recording *to) {
  to->given = cli_need(calloc(t->input_count + 1, sizeof *to->given));
  to->given_count = t->input_count;
  for (uint32_t i = 0; i < t->input_count; i++) {
    recorded *given = &to->given[i];
    given->info = qn_executable_input(t->executable, i);
    for (uint32_t d = 0; d < given->info.rank && d < NPY_MAX_RANK; d++)
      given->dims[d] = given->info.dims[d];
    given->row = json_pack("{s:s}", "name", given->info.name);
    given->info.name = "";
    given->info.dims = given->dims;
    given->data = cli_need(malloc(given->info.bytes + 1));
    memcpy(given->data, t->inputs[i], given->info.bytes);
  }
}

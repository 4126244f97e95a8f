/* Feeding a model with what the other side has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/compare/feed.h"

#include <stdlib.h>
#include <string.h>

#include "cli/compare/loss.h"
#include "cli/memory.h"

static void put(qn_dtype dtype, void *to, size_t i, double value) {
  if (dtype == QN_DTYPE_I8) ((int8_t *)to)[i] = (int8_t)value;
  if (dtype == QN_DTYPE_U8) ((uint8_t *)to)[i] = (uint8_t)value;
  if (dtype == QN_DTYPE_I16) ((int16_t *)to)[i] = (int16_t)value;
}

/* False: the data is not of this tensor. */
static bool store(const qn_tensor_info *to, const qn_tensor_info *from, const void *data,
                  void *out_data) {
  size_t count = cli_tensor_elements(to);
  if (cli_tensor_elements(from) != count) return false;
  if (loss_is_of(from, to)) {
    for (size_t i = 0; i < count; i++)
      put(to->dtype, out_data, i, loss_store(to, cli_tensor_stored(from, data, i)));
    return true;
  }
  if (from->dtype != to->dtype) return false;
  memcpy(out_data, data, to->bytes);
  return true;
}

/* ---- tensors ---- */

cli_exit feed_make(cli *c, recording *from, const recording *to, const tensor_map *map, bool from_a,
                   recording *out_fed) {
  const recording *a = from_a ? from : to, *b = from_a ? to : from;
  *out_fed = (recording){.tensors = cli_need(calloc(a->count + 1, sizeof(recorded)))};
  for (size_t i = 0; i < a->count; i++) {
    recorded *in_a = &a->tensors[i], *in_b = tensor_map_find(map, in_a, b);
    recorded *source = from_a ? in_a : in_b, *target = from_a ? in_b : in_a;
    const void *data;
    if (!in_b || !target->data || target->info.index < 0) continue;
    cli_exit code = recording_data(c, source, &data);
    if (code != CLI_OK) return code;
    recorded *fed = &out_fed->tensors[out_fed->count];
    fed->info = target->info;
    memcpy(fed->dims, target->dims, sizeof fed->dims);
    fed->data = cli_need(malloc(target->info.bytes + 1));
    if (data && store(&target->info, &source->info, data, fed->data))
      out_fed->count++;
    else
      free(fed->data);
  }
  recording_finish(out_fed);
  return CLI_OK;
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
  bool floats = !problem && loss_is_of(&is, &info);
  bool fed = floats && store(&info, &is, array.data, t->inputs[i]);
  qn_free(file);
  if (fed || code != CLI_OK) return code;
  /* what is no array of floats, or not of this shape, is told there */
  return cli_tensors_read_input(c, t, i, path);
}

static cli_exit feed_given(cli *c, cli_tensors *t, uint32_t i, const recording *from) {
  const recorded *given = i < from->given_count ? &from->given[i] : NULL;
  cli_exit code = given ? cli_tensors_fit(c, t, i, given->info.rank, given->info.dims) : CLI_OK;
  if (code != CLI_OK) return code;
  qn_tensor_info info = qn_executable_input(t->executable, i);
  if (given && store(&info, &given->info, given->data, t->inputs[i])) return CLI_OK;
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

void feed_keep_inputs(const cli_tensors *t, recording *to) {
  to->given = cli_need(calloc(t->input_count + 1, sizeof *to->given));
  to->given_count = t->input_count;
  for (uint32_t i = 0; i < t->input_count; i++) {
    recorded *given = &to->given[i];
    given->info = qn_executable_input(t->executable, i);
    for (uint32_t d = 0; d < given->info.rank && d < NPY_MAX_RANK; d++)
      given->dims[d] = given->info.dims[d];
    given->info.name = "";
    given->info.dims = given->dims;
    given->data = cli_need(malloc(given->info.bytes + 1));
    memcpy(given->data, t->inputs[i], given->info.bytes);
  }
}

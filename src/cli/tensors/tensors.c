/* Buffers of an executable, and the sources of their contents.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/tensors/tensors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/tensors/literal.h"
#include "cli/tensors/image.h"

/* ---- buffers ---- */

static void *new_buffer(size_t bytes) {
  enum { ALIGN = 64 };
  void *buffer = aligned_alloc(ALIGN, (bytes + ALIGN) / ALIGN * ALIGN);
  if (buffer) memset(buffer, 0, bytes);
  return buffer;
}

/* Bytes of a tensor at the upper bound of its dynamic size. */
static size_t most_bytes(const qn_executable *executable, const qn_tensor_info *info) {
  if (info->size < 0) return info->bytes;
  size_t entry = info->bytes / (size_t)info->dims[info->size_dimension];
  return entry * (size_t)qn_executable_size(executable, (uint32_t)info->size).bound;
}

cli_exit cli_tensors_create(cli *c, qn_executable *executable, cli_tensors *out_tensors) {
  cli_tensors t = {.executable = executable,
                   .input_count = qn_executable_input_count(executable),
                   .output_count = qn_executable_output_count(executable)};
  t.inputs = calloc(t.input_count + 1, sizeof *t.inputs);
  t.outputs = calloc(t.output_count + 1, sizeof *t.outputs);
  bool ok = t.inputs && t.outputs;
  for (uint32_t i = 0; ok && i < t.input_count; i++) {
    qn_tensor_info info = qn_executable_input(executable, i);
    ok = (t.inputs[i] = new_buffer(most_bytes(executable, &info))) != NULL;
  }
  for (uint32_t i = 0; ok && i < t.output_count; i++) {
    qn_tensor_info info = qn_executable_output(executable, i);
    ok = (t.outputs[i] = new_buffer(most_bytes(executable, &info))) != NULL;
  }
  *out_tensors = t;
  if (ok) return CLI_OK;
  cli_tensors_destroy(out_tensors);
  return cli_fail(c, CLI_LIMIT, "out of memory for inputs and outputs");
}

void cli_tensors_destroy(cli_tensors *t) {
  for (uint32_t i = 0; t->inputs && i < t->input_count; i++) free(t->inputs[i]);
  for (uint32_t i = 0; t->outputs && i < t->output_count; i++) free(t->outputs[i]);
  free(t->inputs);
  free(t->outputs);
  *t = (cli_tensors){0};
}

/* ---- elements ---- */

/* The number that these bits are in binary16. */
static double half_of(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  double size = exponent == 31 ? (mantissa ? (double)NAN : (double)INFINITY)
                : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                               : ldexp(mantissa, -24);
  return bits >> 15 ? -size : size;
}

double cli_tensor_stored(const qn_tensor_info *info, const void *data, size_t i) {
  switch (info->dtype) {
  case QN_DTYPE_I8:
    return ((const int8_t *)data)[i];
  case QN_DTYPE_U8:
    return ((const uint8_t *)data)[i];
  case QN_DTYPE_I16:
    return ((const int16_t *)data)[i];
  case QN_DTYPE_I32:
    return ((const int32_t *)data)[i];
  case QN_DTYPE_I64:
    return (double)((const int64_t *)data)[i];
  case QN_DTYPE_F32:
    return (double)((const float *)data)[i];
  case QN_DTYPE_BOOL:
    return ((const uint8_t *)data)[i];
  case QN_DTYPE_U16:
    return ((const uint16_t *)data)[i];
  case QN_DTYPE_U32:
    return ((const uint32_t *)data)[i];
  case QN_DTYPE_U64:
    return (double)((const uint64_t *)data)[i];
  case QN_DTYPE_F16:
    return half_of(((const uint16_t *)data)[i]);
  case QN_DTYPE_F64:
    return ((const double *)data)[i];
  }
  return 0;
}

double cli_tensor_real(const qn_tensor_info *info, const void *data, size_t i) {
  double stored = cli_tensor_stored(info, data, i);
  return info->scale > 0 ? info->scale * (stored - (double)info->zero_point) : stored;
}

size_t cli_tensor_elements(const qn_tensor_info *info) {
  size_t size = npy_dtype_size(info->dtype);
  return size ? info->bytes / size : 0;
}

cli_difference cli_compare(const qn_tensor_info *info, const void *is, const void *expected) {
  cli_difference difference = {0};
  size_t size = npy_dtype_size(info->dtype), count = cli_tensor_elements(info);
  for (size_t i = 0; i < count; i++) {
    if (memcmp((const char *)is + i * size, (const char *)expected + i * size, size) == 0) continue;
    if (difference.count++ == 0) difference.first = i;
    double by = cli_tensor_stored(info, is, i) - cli_tensor_stored(info, expected, i);
    if (by < 0) by = -by;
    if (by > difference.largest) difference.largest = by;
  }
  return difference;
}

static void format_type(qn_dtype dtype, uint32_t rank, const int64_t *dims, char *out,
                        size_t size) {
  size_t used = 0;
  for (uint32_t i = 0; i < rank && used < size; i++) {
    used += (size_t)snprintf(out + used, size - used, "%lldx", (long long)dims[i]);
  }
  if (used < size) snprintf(out + used, size - used, "%s", qn_dtype_name(dtype));
}

void cli_tensor_type(const qn_tensor_info *info, char *out, size_t size) {
  format_type(info->dtype, info->rank, info->dims, out, size);
}

/* ---- sources ---- */

static cli_exit check_type(cli *c, const char *what, const qn_tensor_info *info, qn_dtype dtype,
                           uint32_t rank, const int64_t *dims) {
  bool same = dtype == info->dtype && rank == info->rank;
  for (uint32_t i = 0; same && i < rank; i++) same = dims[i] == info->dims[i];
  if (same) return CLI_OK;
  char is[128], wanted[128];
  format_type(dtype, rank, dims, is, sizeof is);
  cli_tensor_type(info, wanted, sizeof wanted);
  return cli_fail(c, CLI_INVALID, "%s is %s, but tensor '%s' is %s", what, is, info->name, wanted);
}

/* Reads an array of any type. */
static cli_exit read_array(cli *c, const char *path, char **out_file, npy *out_array) {
  size_t size;
  cli_exit code = cli_read_file(c, path, out_file, &size);
  if (code != CLI_OK) return code;
  const char *problem = npy_decode(*out_file, size, out_array);
  const char *kind = problem ? qn_file_kind((qn_bytes){(uint8_t *)*out_file, size}) : NULL;
  if (!problem) return CLI_OK;
  qn_free(*out_file);
  return kind ? cli_fail(c, CLI_INVALID, "%s: %s; by its first bytes it is %s", path, problem, kind)
              : cli_fail(c, CLI_INVALID, "%s: %s", path, problem);
}

cli_exit cli_read_npy(cli *c, const char *path, const qn_tensor_info *info, char **out_file,
                      npy *out_array) {
  cli_exit code = read_array(c, path, out_file, out_array);
  if (code != CLI_OK) return code;
  code = check_type(c, path, info, out_array->dtype, out_array->rank, out_array->dims);
  if (code != CLI_OK) qn_free(*out_file);
  return code;
}

static bool is_given(const cli *c, cli_binding_kind kind) {
  size_t i = 0;
  while (i < c->options.binding_count && c->options.bindings[i].kind != kind) i++;
  return i < c->options.binding_count;
}

bool cli_tensors_given(const cli *c) { return is_given(c, CLI_INPUT) || is_given(c, CLI_IMAGE); }

cli_exit cli_tensors_fit(cli *c, cli_tensors *t, uint32_t index, uint32_t rank,
                         const int64_t *dims) {
  qn_tensor_info info = qn_executable_input(t->executable, index);
  bool open = info.size >= 0 && rank == info.rank && !is_given(c, CLI_SIZE);
  for (uint32_t i = 0; i < index && open; i++)
    open = qn_executable_input(t->executable, i).size != info.size;
  if (!open) return CLI_OK;
  uint32_t size = (uint32_t)info.size;
  int64_t entries = dims[info.size_dimension];
  if (entries < 1 || entries > qn_executable_size(t->executable, size).bound) return CLI_OK;
  return cli_exit_of(qn_executable_set_size(t->executable, size, entries));
}

cli_exit cli_tensors_read_recorded(cli *c, cli_tensors *t, uint32_t index, const char *path) {
  char *file;
  npy array;
  cli_exit code = read_array(c, path, &file, &array);
  if (code != CLI_OK) return code;
  code = cli_tensors_fit(c, t, index, array.rank, array.dims);
  qn_tensor_info info = qn_executable_input(t->executable, index);
  if (code == CLI_OK) code = check_type(c, path, &info, array.dtype, array.rank, array.dims);
  if (code == CLI_OK) memcpy(t->inputs[index], array.data, array.bytes);
  qn_free(file);
  return code;
}

cli_exit cli_tensors_read_input(cli *c, cli_tensors *t, uint32_t index, const char *path) {
  qn_tensor_info info = qn_executable_input(t->executable, index);
  char *file;
  npy array;
  cli_exit code = cli_read_npy(c, path, &info, &file, &array);
  if (code != CLI_OK) return code;
  memcpy(t->inputs[index], array.data, array.bytes);
  qn_free(file);
  return CLI_OK;
}

/* Next random number (SplitMix64). */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

void cli_tensors_randomize(cli_tensors *t, uint32_t index, uint64_t seed) {
  qn_tensor_info info = qn_executable_input(t->executable, index);
  const cli_range *range = index < t->range_count ? &t->ranges[index] : NULL;
  bool ranged = range && range->low < range->high;
  double low = ranged ? range->low : -1, width = ranged ? range->high - range->low : 2;
  uint64_t state = seed + index;
  t->random = true;
  size_t size = npy_dtype_size(info.dtype), count = cli_tensor_elements(&info);
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = next_random(&state);
    double wide = (double)(bits >> 40) * 0x1p-24 * width + low;
    float real = (float)wide;
    uint16_t half = (uint16_t)((bits & 0x83FF) | 0x3000); /* 1/8 to 1/4, either sign */
    uint8_t truth = bits & 1;
    const void *from = info.dtype == QN_DTYPE_F32    ? (const void *)&real
                       : info.dtype == QN_DTYPE_F64  ? (const void *)&wide
                       : info.dtype == QN_DTYPE_F16  ? (const void *)&half
                       : info.dtype == QN_DTYPE_BOOL ? (const void *)&truth
                                                     : (const void *)&bits;
    memcpy((char *)t->inputs[index] + i * size, from, size);
  }
}

static cli_exit read_literal(cli *c, cli_tensors *t, uint32_t index, const char *text) {
  qn_tensor_info info = qn_executable_input(t->executable, index);
  literal value;
  const char *problem = literal_parse(text, &value);
  if (problem) return cli_fail(c, CLI_USAGE, "--input %s: %s", text, problem);
  cli_exit code = check_type(c, "the literal", &info, value.dtype, value.rank, value.dims);
  if (code == CLI_OK) memcpy(t->inputs[index], value.data, info.bytes);
  literal_free(&value);
  return code;
}

static cli_exit read_source(cli *c, cli_tensors *t, uint32_t index, const char *text) {
  static const char random[] = "random:";
  if (text[0] == '@') return cli_tensors_read_input(c, t, index, text + 1);
  if (strncmp(text, random, sizeof random - 1) != 0) return read_literal(c, t, index, text);
  const char *end, *digits = text + sizeof random - 1;
  uint64_t seed;
  if (!cli_read_unsigned(digits, &end, &seed) || *end) {
    return cli_fail(c, CLI_USAGE, "random:SEED takes a number from 0 to 2^64 - 1, not '%s'",
                    digits);
  }
  cli_tensors_randomize(t, index, seed);
  return CLI_OK;
}

/* ---- binding ---- */

int64_t cli_tensor_named(const qn_executable *executable, bool output, const char *text,
                         const char **out_rest) {
  uint32_t count =
      output ? qn_executable_output_count(executable) : qn_executable_input_count(executable);
  for (uint32_t i = 0; i < count; i++) {
    qn_tensor_info info =
        output ? qn_executable_output(executable, i) : qn_executable_input(executable, i);
    size_t size = strlen(info.name);
    if (size > 0 && strncmp(text, info.name, size) == 0 && text[size] == '=') {
      *out_rest = text + size + 1;
      return i;
    }
  }
  *out_rest = text;
  return -1;
}

/* Reports text with a '=' that is not a literal: its name is not an input, or its type is
 * unknown. */
static cli_exit fail_unknown(cli *c, const cli_tensors *t, const char *text) {
  char names[512] = "";
  for (uint32_t i = 0, used = 0; i < t->input_count && used < sizeof names; i++)
    used += (uint32_t)snprintf(names + used, sizeof names - used, "%s'%s'", i ? ", " : "",
                               qn_executable_input(t->executable, i).name);
  return cli_fail(c, CLI_USAGE,
                  "'%.*s' is neither an input nor the type of a literal: inputs are %s",
                  (int)strcspn(text, "="), text, names);
}

static bool has_unknown_name(const cli_binding *binding) {
  const char *text = binding->text;
  return binding->kind == CLI_INPUT && text[0] != '@' && strchr(text, '=') && !literal_is_one(text);
}

static cli_exit bind_one(cli *c, cli_tensors *t, const cli_binding *binding, bool *bound) {
  const char *rest;
  int64_t index = cli_tensor_named(t->executable, false, binding->text, &rest);
  if (index < 0 && has_unknown_name(binding)) return fail_unknown(c, t, binding->text);
  if (index < 0) {
    for (index = 0; index < (int64_t)t->input_count && bound[index];) index++;
  }
  if (index == (int64_t)t->input_count) {
    return cli_fail(c, CLI_USAGE, "'%s' is one input too many: the model has %u", binding->text,
                    t->input_count);
  }
  bound[index] = true;
  if (binding->kind == CLI_INPUT) return read_source(c, t, (uint32_t)index, rest);
  qn_tensor_info info = qn_executable_input(t->executable, (uint32_t)index);
  return image_read(c, rest, &info, t->inputs[index]);
}

cli_exit cli_tensors_bind(cli *c, cli_tensors *t, bool random_default) {
  bool *bound = calloc(t->input_count + 1, sizeof *bound);
  if (!bound) return cli_fail(c, CLI_LIMIT, "out of memory");
  cli_exit code = CLI_OK;
  for (size_t i = c->run_begin; cli_in_run(c, i) && code == CLI_OK; i++) {
    const cli_binding *binding = &c->options.bindings[i];
    bool fills = binding->kind == CLI_INPUT || binding->kind == CLI_IMAGE;
    if (fills) code = bind_one(c, t, binding, bound);
  }
  for (uint32_t i = 0; i < t->input_count && code == CLI_OK; i++) {
    if (bound[i] || c->run_begin > 0) continue;
    if (!random_default) {
      char type[128];
      qn_tensor_info info = qn_executable_input(t->executable, i);
      cli_tensor_type(&info, type, sizeof type);
      code = cli_fail(c, CLI_USAGE, "input '%s' (%s) is not given: use --input or --image",
                      info.name, type);
    } else {
      cli_tensors_randomize(t, i, 1);
    }
  }
  free(bound);
  return code;
}

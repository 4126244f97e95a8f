/* Buffers for the inputs and outputs of an executable, which the command line fills.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_TENSORS_H
#define QN_CLI_TENSORS_H

#include "cli/cli.h"
#include "cli/tensors/npy.h"

typedef struct cli_tensors {
  qn_executable *executable;
  uint32_t input_count, output_count;
  void **inputs, **outputs; /* aligned to 64 bytes, with the upper bounds of dynamic sizes */
  /* [range_count] ranges of random floats per input; NULL: [-1, 1) */
  const struct cli_range *ranges;
  uint32_t range_count;
  bool random; /* some input is random */
} cli_tensors;

typedef struct cli_range {
  double low, high; /* if both are equal, the range is [-1, 1) */
} cli_range;

cli_exit cli_tensors_create(cli *c, qn_executable *executable, cli_tensors *out_tensors);
void cli_tensors_destroy(cli_tensors *tensors);

/* Fills the inputs from --input and --image. Inputs without either are random with seed 1 if
 * `random_default`, else an error. In runs after the first, inputs that are not named keep their
 * values. */
cli_exit cli_tensors_bind(cli *c, cli_tensors *tensors, bool random_default);
/* Fills input `index` with random values of a seed, uniform over the type; floats are uniform over
 * their range. */
void cli_tensors_randomize(cli_tensors *tensors, uint32_t index, uint64_t seed);
/* Reads an .npy file into input `index`; shape and type must match. */
cli_exit cli_tensors_read_input(cli *c, cli_tensors *tensors, uint32_t index, const char *path);

/* Whether the command line has --input or --image. */
bool cli_tensors_given(const cli *c);
/* Sets a dynamic size from the dimensions [rank] of an array for input `index`, if this is the
 * first input with that size. A size given by --size stays, and so does a size that does not
 * fit. */
cli_exit cli_tensors_fit(cli *c, cli_tensors *tensors, uint32_t index, uint32_t rank,
                         const int64_t *dims);
/* Reads a recorded input, which also determines dynamic sizes. */
cli_exit cli_tensors_read_recorded(cli *c, cli_tensors *tensors, uint32_t index, const char *path);

/* Splits "NAME=REST" if NAME is an input (or output) of the executable. Returns its index, and
 * *out_rest after the '='. Returns -1 if there is no such name; *out_rest is then the whole
 * text. */
int64_t cli_tensor_named(const qn_executable *executable, bool output, const char *text,
                         const char **out_rest);

/* Reads an .npy file that must have the shape and type of a tensor. *out_file has the data; the
 * caller frees it. */
cli_exit cli_read_npy(cli *c, const char *path, const qn_tensor_info *info, char **out_file,
                      npy *out_array);
/* Writes "1x224x224x3xint8". */
void cli_tensor_type(const qn_tensor_info *info, char *out, size_t size);
/* Element i as a number: its stored value, or its real value. */
double cli_tensor_stored(const qn_tensor_info *info, const void *data, size_t i);
double cli_tensor_real(const qn_tensor_info *info, const void *data, size_t i);
size_t cli_tensor_elements(const qn_tensor_info *info);

/* The first element that differs, its stored values, and the number of elements that differ. */
typedef struct cli_difference {
  size_t count, first;
  double largest; /* largest difference of stored values */
} cli_difference;
cli_difference cli_compare(const qn_tensor_info *info, const void *is, const void *expected);

#endif

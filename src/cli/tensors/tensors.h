/* Buffers for the inputs and outputs of an executable, filled from the command line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_TENSORS_H
#define QN_CLI_TENSORS_H

#include "cli/cli.h"
#include "cli/tensors/npy.h"

typedef struct cli_tensors {
  qn_executable *executable;
  uint32_t input_count, output_count;
  void **inputs, **outputs;       /* aligned to 64 bytes, of the tensors' largest sizes */
  const struct cli_range *ranges; /* what random floats of an input are drawn from; NULL: [-1, 1) */
  uint32_t range_count;
  bool random; /* an input was drawn */
} cli_tensors;

typedef struct cli_range {
  double low, high; /* equal: [-1, 1) */
} cli_range;

cli_exit cli_tensors_create(cli *c, qn_executable *executable, cli_tensors *out_tensors);
void cli_tensors_destroy(cli_tensors *tensors);

/* Fills the inputs from --input and --image; `random_default`: those without one get random:1, else
 * they are an error. Those that a run after the first does not name stay. */
cli_exit cli_tensors_bind(cli *c, cli_tensors *tensors, bool random_default);
/* Fills input `index` with the values of a seed, uniform over the type; floats over their range. */
void cli_tensors_randomize(cli_tensors *tensors, uint32_t index, uint64_t seed);
/* Copies an .npy file into input `index`; shape and type must be the tensor's. */
cli_exit cli_tensors_read_input(cli *c, cli_tensors *tensors, uint32_t index, const char *path);

/* Whether --input or --image is on the command line. */
bool cli_tensors_given(const cli *c);
/* Gives the executable the size that an array of these dimensions has where input `index` is the
 * first that leaves it open. --size, where it is given, stays, and so does what does not fit. */
cli_exit cli_tensors_fit(cli *c, cli_tensors *tensors, uint32_t index, uint32_t rank,
                         const int64_t *dims);
/* Reads an input that was recorded, which says sizes, too. */
cli_exit cli_tensors_read_recorded(cli *c, cli_tensors *tensors, uint32_t index, const char *path);

/* "NAME=REST" for a name of the executable's inputs (or outputs): its number, and *out_rest behind
 * the '='. -1 when there is no such name in front: *out_rest is the whole text. */
int64_t cli_tensor_named(const qn_executable *executable, bool output, const char *text,
                         const char **out_rest);

/* An .npy file that must have the shape and type of a tensor. *out_file holds the data; free it. */
cli_exit cli_read_npy(cli *c, const char *path, const qn_tensor_info *info, char **out_file,
                      npy *out_array);
/* "1x224x224x3xint8". */
void cli_tensor_type(const qn_tensor_info *info, char *out, size_t size);
/* Element i as a number: the stored value, or the real one. */
double cli_tensor_stored(const qn_tensor_info *info, const void *data, size_t i);
double cli_tensor_real(const qn_tensor_info *info, const void *data, size_t i);
size_t cli_tensor_elements(const qn_tensor_info *info);

/* Index and stored values of the first element that differs; how many do. */
typedef struct cli_difference {
  size_t count, first;
  double largest; /* of the stored values */
} cli_difference;
cli_difference cli_compare(const qn_tensor_info *info, const void *is, const void *expected);

#endif

/* Runs a model compiled ahead of time on recorded inputs and compares its outputs, byte by byte.
 * Linked with the object alone: aot_main CASE-FOLDER.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"

extern const qn_abi_model model_model;

enum { MAX_TENSORS = 16 };

/* The payload of CASE/<stem><index>.npy, which must have `bytes` bytes. */
static void *read_npy(const char *folder, const char *stem, unsigned index, size_t bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%u.npy", folder, stem, index);
  FILE *file = fopen(path, "rb");
  unsigned char head[10];
  if (!file || fread(head, 1, sizeof head, file) != sizeof head) {
    fprintf(stderr, "%s: can't be read\n", path);
    exit(2);
  }
  fseek(file, head[8] | head[9] << 8, SEEK_CUR);
  void *data = malloc(bytes + 1);
  if (!data || fread(data, 1, bytes + 1, file) != bytes) { /* nothing may be left over */
    fprintf(stderr, "%s: has another size\n", path);
    exit(2);
  }
  fclose(file);
  return data;
}

int main(int argc, char **argv) {
  const qn_abi_model *model = &model_model;
  const void *inputs[MAX_TENSORS];
  void *outputs[MAX_TENSORS];
  if (argc != 2 || model->version != QN_ABI_VERSION || model->input_count > MAX_TENSORS ||
      model->output_count > MAX_TENSORS)
    return 2;
  for (unsigned i = 0; i < model->input_count; i++)
    inputs[i] = read_npy(argv[1], "in", i, model->inputs[i].bytes);
  for (unsigned i = 0; i < model->output_count; i++) outputs[i] = malloc(model->outputs[i].bytes);
  size_t arena = (model->arena_bytes + QN_ABI_ALIGN) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  qn_abi_call call = {
      .inputs = inputs, .outputs = outputs, .arena = aligned_alloc(QN_ABI_ALIGN, arena)};
  memset(call.arena, 0xA5, arena); /* it holds nothing between calls */
  model->invoke(&call);
  unsigned differing = 0;
  for (unsigned i = 0; i < model->output_count; i++) {
    const unsigned char *expected = read_npy(argv[1], "out", i, model->outputs[i].bytes);
    for (size_t k = 0; k < model->outputs[i].bytes; k++)
      differing += ((unsigned char *)outputs[i])[k] != expected[k];
  }
  printf("%s: %u bytes differ\n", argv[1], differing);
  return differing != 0;
}

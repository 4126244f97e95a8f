/* Runs a model compiled ahead of time on recorded inputs and compares its outputs byte by byte. If
 * a case has several invocations, they run in turn from the initial states. It is linked with the
 * object only: aot_main CASE-FOLDER. Exit code 1: bytes differ, 2: a file or the model is wrong, 3:
 * this machine does not run the code. With -DUNIT_IS_EMULATED=1 a unit that the machine lacks is
 * part of the program (tests/support/tiles).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/prepared.h"

#ifndef UNIT_IS_EMULATED
#define UNIT_IS_EMULATED 0
#endif

extern const qn_abi_model model_model;

enum { MAX_TENSORS = 16 };

/* "CASE/in0.npy"; for the second of several invocations "CASE/in0.1.npy". */
static void path_of(char path[4096], const char *folder, const char *stem, unsigned index,
                    int invocation) {
  char order[16] = "";
  if (invocation >= 0) snprintf(order, sizeof order, ".%d", invocation);
  snprintf(path, 4096, "%s/%s%u%s.npy", folder, stem, index, order);
}

static int is_there(const char *folder, int invocation) {
  char path[4096];
  path_of(path, folder, "in", 0, invocation);
  FILE *file = fopen(path, "rb");
  if (file) fclose(file);
  return file != NULL;
}

/* Reads the data of the file, which must have `bytes` bytes. */
static void *read_npy(const char *folder, const char *stem, unsigned index, int invocation,
                      size_t bytes) {
  char path[4096];
  path_of(path, folder, stem, index, invocation);
  FILE *file = fopen(path, "rb");
  unsigned char head[10];
  if (!file || fread(head, 1, sizeof head, file) != sizeof head) {
    fprintf(stderr, "%s: can't be read\n", path);
    exit(2);
  }
  fseek(file, head[8] | head[9] << 8, SEEK_CUR);
  void *data = malloc(bytes + 1);
  if (!data || fread(data, 1, bytes + 1, file) != bytes) { /* the file must end here */
    fprintf(stderr, "%s: has another size\n", path);
    exit(2);
  }
  fclose(file);
  return data;
}

/* Runs one call, and returns the number of bytes that differ. */
static unsigned run(const qn_abi_model *model, const char *folder, int invocation, void *states,
                    const void *prepared) {
  const void *inputs[MAX_TENSORS];
  void *outputs[MAX_TENSORS];
  for (unsigned i = 0; i < model->input_count; i++)
    inputs[i] = read_npy(folder, "in", i, invocation, model->inputs[i].bytes);
  for (unsigned i = 0; i < model->output_count; i++) outputs[i] = malloc(model->outputs[i].bytes);
  size_t arena = (model->arena_bytes + QN_ABI_ALIGN) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  qn_abi_call call = {.inputs = inputs,
                      .outputs = outputs,
                      .states = states,
                      .prepared = prepared,
                      .arena = aligned_alloc(QN_ABI_ALIGN, arena)};
  memset(call.arena, 0xA5, arena); /* the arena keeps nothing between calls */
  if (model->invoke(&call) != 0) exit(2);
  unsigned differing = 0;
  for (unsigned i = 0; i < model->output_count; i++) {
    const unsigned char *expected = read_npy(folder, "out", i, invocation, model->outputs[i].bytes);
    for (size_t k = 0; k < model->outputs[i].bytes; k++)
      differing += ((unsigned char *)outputs[i])[k] != expected[k];
  }
  return differing;
}

int main(int argc, char **argv) {
  const qn_abi_model *model = &model_model;
  if (argc != 2 || !qn_abi_is_known(model) || model->input_count > MAX_TENSORS ||
      model->output_count > MAX_TENSORS)
    return 2;
  /* Always called: it also asks the system for tiles. */
  const int is_supported = !model->supported || model->supported();
  if (!is_supported && !UNIT_IS_EMULATED) {
    fprintf(stderr, "this machine does not run %s\n", model->target);
    return 3;
  }
  size_t size = (model->state_bytes + QN_ABI_ALIGN) / QN_ABI_ALIGN * QN_ABI_ALIGN;
  void *states = aligned_alloc(QN_ABI_ALIGN, size);
  memset(states, 0xA5, size); /* the reset writes all of it */
  if (model->reset) model->reset(states);
  const void *prepared = prepare_constants(model);
  int plain = is_there(argv[1], -1), calls = plain;
  unsigned differing = plain ? run(model, argv[1], -1, states, prepared) : 0;
  for (int i = 0; !plain && is_there(argv[1], i); i++, calls++)
    differing += run(model, argv[1], i, states, prepared);
  printf("%s: %d calls, %u bytes differ\n", argv[1], calls, differing);
  return differing != 0 || calls == 0;
}

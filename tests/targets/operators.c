/* Runs many models of one executable on one input each: operators [-f] FILE. With -f they run
 * whatever the CPU says that it has. The file holds, per model in
 * the order of `models`, the bytes of its inputs and of the expected outputs. Prints a line per
 * output that differs: model, output, type, differing elements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/abi.h"

extern const qn_abi_model *const models[];
extern const uint32_t model_count;

enum { MAX_TENSORS = 64 };

static void *fail(const char *what, int model) {
  fprintf(stderr, "model %d: %s\n", model, what);
  exit(2);
}

static void *memory(uint64_t bytes, int model) {
  void *block = aligned_alloc(QN_ABI_ALIGN, (bytes / QN_ABI_ALIGN + 1) * QN_ABI_ALIGN);
  return block ? block : fail("no memory", model);
}

static void *read_bytes(FILE *file, uint64_t bytes, int model) {
  void *block = memory(bytes, model);
  if (fread(block, 1, bytes, file) != bytes) fail("the file is too short", model);
  return block;
}

static uint64_t element_bytes(uint32_t dtype) {
  static const unsigned char bytes[] = {
      [QN_ABI_I8] = 1,  [QN_ABI_U8] = 1,  [QN_ABI_I16] = 2,  [QN_ABI_I32] = 4,
      [QN_ABI_I64] = 8, [QN_ABI_F32] = 4, [QN_ABI_BOOL] = 1, [QN_ABI_U16] = 2,
      [QN_ABI_U32] = 4, [QN_ABI_U64] = 8, [QN_ABI_F16] = 2,  [QN_ABI_F64] = 8};
  return bytes[dtype];
}

static long differing(const unsigned char *a, const unsigned char *b, uint64_t bytes,
                      uint64_t element) {
  long count = 0;
  for (uint64_t at = 0; at < bytes; at += element) count += memcmp(a + at, b + at, element) != 0;
  return count;
}

static void *prepared(const qn_abi_model *m, int model) {
  if (m->version != QN_ABI_VERSION_PREPARED || m->prepared_bytes == 0) return NULL;
  void *block = memory(m->prepared_bytes, model);
  m->prepare(block);
  return block;
}

/* The number of elements that differ. */
static long run(FILE *file, const qn_abi_model *m, int model, int forced) {
  const void *inputs[MAX_TENSORS];
  void *outputs[MAX_TENSORS];
  if (m->version != QN_ABI_VERSION && m->version != QN_ABI_VERSION_PREPARED)
    fail("another version", model);
  if (m->input_count > MAX_TENSORS || m->output_count > MAX_TENSORS || m->size_count > 0)
    fail("unexpected tensors", model);
  if (m->supported && !m->supported() && !forced) fail("does not run here", model);
  for (uint32_t i = 0; i < m->input_count; i++)
    inputs[i] = read_bytes(file, m->inputs[i].bytes, model);
  for (uint32_t i = 0; i < m->output_count; i++) outputs[i] = memory(m->outputs[i].bytes, model);
  void *arena = memory(m->arena_bytes, model), *states = memory(m->state_bytes, model);
  void *constants = prepared(m, model);
  if (m->reset) m->reset(states);
  qn_abi_call call = {.inputs = inputs,
                      .outputs = outputs,
                      .arena = arena,
                      .states = states,
                      .prepared = constants};
  if (m->invoke(&call) != 0) fail("does not end", model);
  long differ = 0;
  for (uint32_t i = 0; i < m->output_count; i++) {
    const qn_abi_tensor *t = &m->outputs[i];
    void *expected = read_bytes(file, t->bytes, model);
    long count = differing(outputs[i], expected, t->bytes, element_bytes(t->dtype));
    if (count) printf("%d %u %u %ld\n", model, i, t->dtype, count);
    differ += count;
    free(expected);
    free(outputs[i]);
  }
  for (uint32_t i = 0; i < m->input_count; i++) free((void *)inputs[i]);
  free(arena);
  free(states);
  free(constants);
  return differ;
}

int main(int count, char **arguments) {
  int forced = count > 1 && strcmp(arguments[1], "-f") == 0;
  FILE *file = count == 2 + forced ? fopen(arguments[count - 1], "rb") : NULL;
  if (!file) fail("no file of inputs and outputs", -1);
  long differ = 0;
  for (uint32_t i = 0; i < model_count; i++) differ += run(file, models[i], (int)i, forced);
  if (fgetc(file) != EOF) fail("the file is too long", (int)model_count);
  fclose(file);
  return differ != 0;
}

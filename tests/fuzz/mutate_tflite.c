/* Mutations of .tflite files. Seeds are sample models of all operators. Fields of the file's
 * tables, which are aligned words, are set to extreme values, copied to each other, or changed by
 * little, so that most inputs pass the checks of the container.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/choices.h"
#include "tests/support/tflite_samples.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static size_t sample(uint8_t *data, size_t max_size, qn_choices *c) {
  qn_tfb *b = qn_tfb_create();
  qn_tflite_samples[qn_choose(c, qn_tflite_sample_count)].build(b);
  qn_bytes file = qn_tfb_finish(b);
  size_t size = file.size < max_size ? file.size : max_size;
  memcpy(data, file.data, size);
  qn_tfb_destroy(b);
  return size;
}

/* Changes a field of 1, 2, 4 or 8 bytes. Scalars in a table are aligned to their size. */
static void change_field(uint8_t *data, size_t size, qn_choices *c) {
  static const int64_t borders[] = {0,         1,         -1,         2,          127,        -128,
                                    255,       INT32_MAX, INT32_MIN,  0x7f800000, 0x7fc00000, 65535,
                                    INT64_MAX, INT64_MIN, 0x3f800000, 4,          8,          16};
  size_t bytes = (size_t)1 << qn_choose(c, 4);
  if (size < bytes) return;
  uint8_t *at = data + qn_choose(c, size / bytes) * bytes;
  int64_t value = 0;
  memcpy(&value, at, bytes);
  switch (qn_choose(c, 4)) {
  case 0:
    value = (int64_t)((uint64_t)value + (uint64_t)qn_choose(c, 9) - 4); /* wraps */
    break;
  case 1:
    memcpy(&value, data + qn_choose(c, size / bytes) * bytes, bytes);
    break;
  case 2:
    value ^= (int64_t)(UINT64_C(1) << qn_choose(c, 8 * bytes));
    break;
  default:
    value = borders[qn_choose(c, sizeof borders / sizeof *borders)];
  }
  memcpy(at, &value, bytes);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  qn_choices c = qn_choices_of_seed(seed);
  uint64_t how = qn_choose(&c, 16);
  if (how == 0 || size == 0) return sample(data, max_size, &c);
  if (how < 4) return LLVMFuzzerMutate(data, size, max_size);
  for (uint64_t i = 1 + qn_choose(&c, 3); i > 0; i--) change_field(data, size, &c);
  return size;
}

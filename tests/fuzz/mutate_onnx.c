/* Mutations of .onnx files. Seeds are sample models of all operators. Fields of messages are set to
 * extreme values, removed, repeated, or exchanged with other fields of their message. Lengths of
 * the enclosing messages are updated, so that most inputs have a valid wire format.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "import/onnx/wire.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/choices.h"
#include "tests/support/onnx_samples.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static size_t put_back(uint8_t *data, size_t max_size, const uint8_t *from, size_t size) {
  if (size > max_size) size = max_size;
  if (size) memcpy(data, from, size);
  return size;
}

static size_t sample(uint8_t *data, size_t max_size, qn_choices *c) {
  qn_onb *b = qn_onb_create();
  qn_onnx_samples[qn_choose(c, qn_onnx_sample_count)].build(b);
  qn_bytes file = qn_onnx_sample_finish(b);
  size_t size = put_back(data, max_size, file.data, file.size);
  qn_onb_destroy(b);
  return size;
}

/* Whether bytes parse as a message. Text and numbers rarely do. */
static bool is_message(qn_bytes bytes) {
  qn_wire w = {bytes.data, 0, bytes.size};
  qn_wire_field f;
  while (w.at < w.end)
    if (qn_wire_next(&w, &f) || f.field > 64) return false;
  return bytes.size > 0;
}

static uint32_t count_fields(qn_bytes bytes) {
  qn_wire w = {bytes.data, 0, bytes.size};
  qn_wire_field f;
  uint32_t count = 0;
  while (w.at < w.end && !qn_wire_next(&w, &f)) count++;
  return count;
}

static int64_t border(qn_choices *c) {
  static const int64_t borders[] = {0,  1,   -1,  2,   3,         4,         7,
                                    8,  127, 128, 255, INT32_MAX, INT32_MIN, INT64_MAX,
                                    16, 22,  255, 256, INT64_MIN, 1 << 20};
  return borders[qn_choose(c, QN_COUNT(borders))];
}

static void put_field(qn_text *out, const qn_wire_field *f) {
  if (f->wire == QN_WIRE_VARINT)
    qn_onb_put_int(out, f->field, (int64_t)f->number);
  else if (f->wire == QN_WIRE_BYTES)
    qn_onb_put_bytes(out, f->field, f->bytes.data, f->bytes.size);
  else {
    qn_onb_put_varint(out, (uint64_t)f->field << 3 | f->wire);
    qn_text_put(out, (qn_str){(const char *)&f->number, f->wire == QN_WIRE_32 ? 4 : 8});
  }
}

static void change(qn_bytes bytes, qn_choices *c, qn_text *out);

/* Writes the chosen field with a change. */
static void change_field(const qn_wire_field *f, qn_choices *c, qn_text *out) {
  qn_wire_field g = *f;
  if (f->wire == QN_WIRE_BYTES && is_message(f->bytes) && qn_choose(c, 8)) {
    qn_text inner = {0};
    change(f->bytes, c, &inner);
    qn_onb_put_message(out, f->field, &inner);
    qn_text_deinit(&inner);
    return;
  }
  switch (qn_choose(c, 6)) {
  case 0:
    return; /* the field is removed */
  case 1:
    put_field(out, f); /* twice */
    break;
  case 2:
    g.field = 1 + (uint32_t)qn_choose(c, 26);
    break;
  default:
    if (f->wire != QN_WIRE_BYTES)
      g.number =
          qn_choose(c, 2) ? (uint64_t)border(c) : f->number ^ (UINT64_C(1) << qn_choose(c, 64));
    else if (f->bytes.size > 0) {
      qn_text copy = {0};
      qn_text_put(&copy, (qn_str){(const char *)f->bytes.data, f->bytes.size});
      copy.data[qn_choose(c, copy.size)] = (char)border(c);
      qn_onb_put_bytes(out, f->field, copy.data, copy.size - (qn_choose(c, 4) == 0));
      qn_text_deinit(&copy);
      return;
    }
  }
  put_field(out, &g);
}

/* Changes one field of a message, or exchanges it with another one. */
static void change(qn_bytes bytes, qn_choices *c, qn_text *out) {
  qn_wire w = {bytes.data, 0, bytes.size};
  qn_wire_field f, kept = {0};
  uint32_t count = count_fields(bytes), chosen = (uint32_t)qn_choose(c, count ? count : 1);
  bool swap = qn_choose(c, 16) == 0, has_kept = false;
  for (uint32_t i = 0; w.at < w.end && !qn_wire_next(&w, &f); i++) {
    if (i != chosen) {
      put_field(out, &f);
      if (has_kept) put_field(out, &kept);
      has_kept = false;
    } else if (swap) {
      kept = f;
      has_kept = true;
    } else {
      change_field(&f, c, out);
    }
  }
  if (has_kept) put_field(out, &kept);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  qn_choices c = qn_choices_of_seed(seed);
  uint64_t how = qn_choose(&c, 16);
  if (how == 0 || size == 0) return sample(data, max_size, &c);
  if (how < 3) return LLVMFuzzerMutate(data, size, max_size);
  for (uint64_t i = 1 + qn_choose(&c, 3); i > 0; i--) {
    qn_text out = {0};
    change((qn_bytes){data, size}, &c, &out);
    size = put_back(data, max_size, (const uint8_t *)out.data, out.size);
    qn_text_deinit(&out);
  }
  return size;
}

/* Imports every operator with tensors of any types, quantized or not, with and without elements.
 * Each sample model is imported with the code of every operator: all tensors of one type retyped
 * together, single tensors and pairs of tensors. A model must be rejected with a message; or the
 * imported module must verify, read back from its text, and be lowered to valid loops or be
 * rejected on the way. Argument "all": every case, a quarter of an hour; default: a sample of the
 * cases.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/unit/import/import_test.h"

#include <malloc.h>
#include <string.h>

#include "api/passes/pipelines.h"
#include "ir/clone.h"
#include "tests/support/tflite_samples.h"
#include "text/text.h"

/* Type codes of the file format. Only some of them can be imported. */
enum { INT4 = 17, INT2 = 19, TYPES = 20 };
static const uint8_t widths[TYPES] = {4, 2, 4, 1, 8, 0, 1, 2, 8, 1, 8, 16, 8, 0, 0, 4, 2, 1, 2, 1};
static const uint8_t types[] = {0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 12, 13, 15, 16, INT4, 18, INT2};

#define SUPPORTED(...) true,
#define NAMED(...) false,
static const bool is_supported[] = {
#include "import/tflite/ops.def"
};
#undef SUPPORTED
#undef NAMED

/* One case in `share` is tried. */
#ifdef __SANITIZE_ADDRESS__
static uint32_t share = 997;
#else
static uint32_t share = 71;
#endif
static uint64_t cases, imported, failures;

typedef struct dress {
  uint8_t type;
  int quantized; /* 0: no; 1: by a scale; 2: by a scale and a zero point */
} dress;
enum { DRESSES = 3 * QN_COUNT(types) };

static dress dress_of(uint32_t i) { return (dress){types[i / 3], (int)(i % 3)}; }

/* Sets the type of a tensor. A constant keeps its first bytes, as many as the new type needs. */
static void retype(qn_tfb_tensor *tensor, dress to, uint8_t *room, size_t capacity) {
  static const float scale = 0.5f;
  static const int64_t zero_points[] = {0, 3};
  tensor->type = to.type;
  tensor->scales = to.quantized ? &scale : NULL;
  tensor->scale_count = to.quantized > 0;
  tensor->zero_points = to.quantized ? &zero_points[to.quantized - 1] : NULL;
  tensor->zero_point_count = to.quantized > 0;
  if (!tensor->data) return;
  size_t count = 1;
  for (uint32_t d = 0; d < tensor->shape.count; d++) count *= (size_t)tensor->shape.data[d];
  size_t size = count * widths[to.type];
  if (to.type == INT4) size = (count + 1) / 2;
  if (to.type == INT2) size = (count + 3) / 4;
  assert_true(size <= capacity);
  memset(room, 0, size);
  memcpy(room, tensor->data, size < tensor->size ? size : tensor->size);
  tensor->data = room;
  tensor->size = size;
}

static bool reads_back(qn_module *module) {
  qn_text printed = {0};
  qn_module *again = NULL;
  qn_text_print(module, NULL, &printed);
  bool good = qn_text_parse(module->cx, qn_text_view(&printed), qn_str_of("p"), &again) == QN_OK &&
              qn_op_equal(module->op, again->op);
  if (!good) fprintf(stderr, "%s", printed.data);
  qn_module_destroy(again);
  qn_text_deinit(&printed);
  return good;
}

/* Lowers the module to loops, stage by stage. The module is destroyed. */
static bool lowers(qn_module *module) {
  const qn_lower_config config = {.target = qn_targets(&(uint32_t){0})};
  const qn_run_settings settings = qn_pipeline_settings(&config);
  for (int stage = QN_STAGE_MODEL; stage < QN_STAGE_LOOPS; stage++) {
    qn_status status = qn_pipeline_lower(module, &settings, (qn_stage)stage, (qn_stage)(stage + 1));
    if (status == QN_UNSUPPORTED || status == QN_LIMIT) return true;
    if (status != QN_OK || qn_verify(module) != QN_OK ||
        qn_verify_stage(module, (qn_stage)(stage + 1)) != QN_OK)
      return false;
  }
  return true;
}

static void check(qn_tfb *b, const char *name, int32_t code) {
  import_run run;
  import_bytes(&run, qn_tfb_finish(b), NULL);
  bool sane = run.status == QN_OK || run.status == QN_INVALID || run.status == QN_UNSUPPORTED ||
              run.status == QN_LIMIT;
  assert_true(sane && (run.status == QN_OK || run.messages.size > 0));
  cases++;
  if (run.module) {
    bool valid = reads_back(run.module) && lowers(run.module);
    if (!valid) fprintf(stderr, "%s as operator %d: %s\n", name, code, run.messages.data);
    imported++;
    failures += !valid;
  }
  import_end(&run);
}

/* One case: a sample model with another operator code, other types of some tensors, or another size
 * of a dimension. */
typedef struct change {
  uint32_t sample;
  int32_t code; /* negative: the sample's own code */
  int32_t tensors[2];
  dress dresses[2];
  int32_t alike;          /* all tensors of this tensor's type take dresses[0]; negative: none */
  int32_t size_was, size; /* dimensions of size_was become `size`; 0: none */
} change;

enum { ROOM = 4096, MOST_DIMENSIONS = 8, MOST_TENSORS = 32 };

static void resize(qn_tfb_tensor *tensor, const change *c, int32_t dims[MOST_DIMENSIONS]) {
  if (tensor->data || tensor->shape.count > MOST_DIMENSIONS) return;
  for (uint32_t d = 0; d < tensor->shape.count; d++)
    dims[d] = tensor->shape.data[d] == c->size_was ? c->size : tensor->shape.data[d];
  tensor->shape.data = dims;
}

static void try(const change *c) {
  static uint64_t turn;
  if (turn++ % share) return;
  static uint8_t room[MOST_TENSORS][ROOM];
  int32_t dims[MOST_TENSORS][MOST_DIMENSIONS];
  uint32_t count;
  qn_tfb *b = qn_tfb_create();
  qn_tflite_samples[c->sample].build(b);
  if (c->code >= 0) qn_tfb_recode(b, c->code);
  qn_tfb_tensor *tensors = qn_tfb_tensors(b, &count);
  assert_true(count <= MOST_TENSORS);
  uint8_t alike = c->alike >= 0 ? tensors[c->alike].type : 0;
  for (uint32_t i = 0; i < count; i++) {
    for (int k = 0; k < 2; k++)
      if (c->tensors[k] == (int32_t)i) retype(&tensors[i], c->dresses[k], room[i], ROOM);
    if (c->alike >= 0 && tensors[i].type == alike)
      retype(&tensors[i], c->dresses[0], room[i], ROOM);
    if (c->size_was) resize(&tensors[i], c, dims[i]);
  }
  check(b, qn_tflite_samples[c->sample].name, c->code);
  qn_tfb_destroy(b);
}

/* ---- which ---- */

/* For each type of the sample's tensors: all its tensors get each other type, with each size set to
 * 0. */
static void together(uint32_t sample, int32_t code) {
  static const int32_t sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  uint32_t count;
  qn_tfb *b = qn_tfb_create();
  qn_tflite_samples[sample].build(b);
  const qn_tfb_tensor *tensors = qn_tfb_tensors(b, &count);
  uint32_t seen = 0;
  for (uint32_t t = 0; t < count; t++) {
    if (seen >> tensors[t].type & 1) continue;
    seen |= 1u << tensors[t].type;
    for (uint32_t i = 0; i < DRESSES; i++)
      for (size_t s = 0; s < QN_COUNT(sizes); s++)
        try(&(change){.sample = sample,
                      .code = code,
                      .tensors = {-1, -1},
                      .alike = (int32_t)t,
                      .dresses = {dress_of(i)},
                      .size_was = sizes[s]});
  }
  qn_tfb_destroy(b);
}

static void each_code(void **state) {
  (void)state;
  failures = 0;
  for (uint32_t sample = 0; sample < qn_tflite_sample_count; sample++)
    for (int32_t code = 0; code < (int32_t)QN_COUNT(is_supported); code++)
      if (is_supported[code]) together(sample, code);
  assert_int_equal(failures, 0);
}

static void each_pair(void **state) {
  (void)state;
  failures = 0;
  for (uint32_t sample = 0; sample < qn_tflite_sample_count; sample++) {
    uint32_t count;
    qn_tfb *b = qn_tfb_create();
    qn_tflite_samples[sample].build(b);
    qn_tfb_tensors(b, &count);
    qn_tfb_destroy(b);
    for (uint32_t t = 0; t < count * count; t++)
      for (uint32_t i = 0; i < DRESSES * DRESSES; i++)
        if (t / count <= t % count)
          try(&(change){.sample = sample,
                        .code = -1,
                        .tensors = {(int32_t)(t / count), (int32_t)(t % count)},
                        .alike = -1,
                        .dresses = {dress_of(i / DRESSES), dress_of(i % DRESSES)}});
  }
  assert_int_equal(failures, 0);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "all") == 0) share = 1;
  mallopt(M_MMAP_THRESHOLD, 1 << 28); /* contexts are created too often for a mapping each */
  mallopt(M_TRIM_THRESHOLD, 1 << 28);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_code),
      cmocka_unit_test(each_pair),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  printf("%llu models, %llu imported\n", (unsigned long long)cases, (unsigned long long)imported);
  return failed;
}

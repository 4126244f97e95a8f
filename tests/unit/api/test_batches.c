/* A batch that @main computes in groups of elements: on every engine its results are those of the
 * elements one by one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "every_engine.h"

/* An addition of ELEMENTS elements takes 3 * 16 KiB of each, more than the L2 of any level. */
enum { ELEMENTS = 24, IMAGE = 64 * 64 * 4, POOLED = IMAGE / 4, FLOATS = 40, MOST_TEXT = 4096 };

/* Bytes and floats go in and out. $ is the batch. */
static const char template[] =
    "!x = !quant.uniform<i8:f32, 0.5:3>\n"
    "!y = !quant.uniform<i8:f32, 0.25:-3>\n"
    "!w = !quant.uniform<i8<-127:127>:f32, 0.0625>\n"
    "module attributes {quern.numerics = \"litert-ref\"} {\n"
    "func.func @main(%x: tensor<$x64x64x4x!x>, %y: tensor<$x64x64x4x!y>, %f: tensor<$x40xf32>)\n"
    "    -> (tensor<$x64x64x4x!x>, tensor<$x32x32x4x!x>, tensor<$x40xf32>) {\n"
    "  %0 = \"ml.add\"(%x, %y) : (tensor<$x64x64x4x!x>, tensor<$x64x64x4x!y>)\n"
    "      -> tensor<$x64x64x4x!x>\n"
    "  %1 = \"ml.max_pool\"(%0) {kernel_sizes = array<i64: 2, 2>, strides = array<i64: 2, 2>,\n"
    "      pad = array<i64: 0, 0, 0, 0>}\n"
    "      : (tensor<$x64x64x4x!x>) -> tensor<$x32x32x4x!x>\n"
    "  %2 = \"ml.relu\"(%f) : (tensor<$x40xf32>) -> tensor<$x40xf32>\n"
    "  return %0, %1, %2 : tensor<$x64x64x4x!x>, tensor<$x32x32x4x!x>, tensor<$x40xf32>\n"
    "}}\n";

/* The text with every $ replaced by the batch. */
static qn_model *load_batch(engines *e, int batch) {
  char text[MOST_TEXT];
  size_t used = 0;
  for (const char *at = template; *at; at++) {
    assert_true(used + 16 < sizeof text);
    if (*at == '$')
      used += (size_t)snprintf(text + used, sizeof text - used, "%d", batch);
    else
      text[used++] = *at;
  }
  text[used] = '\0';
  return load_text(e, text);
}

/* The tensors of a call, each before a page without access. */
typedef struct tensors {
  guarded x, y, f, sum, pooled, floats;
} tensors;

static tensors create(int batch) {
  size_t n = (size_t)batch;
  return (tensors){.x = guarded_create(n * IMAGE),
                   .y = guarded_create(n * IMAGE),
                   .f = guarded_create(n * FLOATS * sizeof(float)),
                   .sum = guarded_create(n * IMAGE),
                   .pooled = guarded_create(n * POOLED),
                   .floats = guarded_create(n * FLOATS * sizeof(float))};
}

static void destroy(tensors *t) {
  guarded *all[] = {&t->x, &t->y, &t->f, &t->sum, &t->pooled, &t->floats};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) guarded_destroy(all[i]);
}

static void invoke(const engines *e, qn_executable *x, tensors *t) {
  const void *inputs[] = {t->x.data, t->y.data, t->f.data};
  void *outputs[] = {t->sum.data, t->pooled.data, t->floats.data};
  if (qn_executable_invoke(x, inputs, outputs) != QN_OK) fail_msg("%s", e->messages);
}

static void fill(tensors *t) {
  fill_bytes(t->x.data, (size_t)ELEMENTS * IMAGE, 1);
  fill_bytes(t->y.data, (size_t)ELEMENTS * IMAGE, 2);
  for (int i = 0; i < ELEMENTS * FLOATS; i++) {
    float value = (float)(i * 37 % 101 - 50);
    memcpy(t->f.data + (size_t)i * sizeof value, &value, sizeof value);
  }
}

/* The results of each element alone, with the interpreter at the model stage. */
static void run_one_by_one(engines *e, tensors *all) {
  qn_model *model = load_batch(e, 1);
  qn_executable *x = compile_for(e, model, 0);
  tensors one = create(1);
  for (size_t i = 0; i < ELEMENTS; i++) {
    memcpy(one.x.data, all->x.data + i * IMAGE, IMAGE);
    memcpy(one.y.data, all->y.data + i * IMAGE, IMAGE);
    memcpy(one.f.data, all->f.data + i * FLOATS * sizeof(float), FLOATS * sizeof(float));
    invoke(e, x, &one);
    memcpy(all->sum.data + i * IMAGE, one.sum.data, IMAGE);
    memcpy(all->pooled.data + i * POOLED, one.pooled.data, POOLED);
    memcpy(all->floats.data + i * FLOATS * sizeof(float), one.floats.data, FLOATS * sizeof(float));
  }
  destroy(&one);
  qn_executable_destroy(x);
  qn_model_destroy(model);
}

static void the_bits_are_those_of_single_elements(void **unused) {
  (void)unused;
  engines e;
  engines_open(&e);
  tensors want = create(ELEMENTS), got = create(ELEMENTS);
  fill(&want);
  fill(&got);
  run_one_by_one(&e, &want);
  qn_model *model = load_batch(&e, ELEMENTS);
  for (size_t k = 0; k < e.count; k++) {
    qn_executable *x = compile_for(&e, model, k);
    invoke(&e, x, &got);
    bool equal = memcmp(want.sum.data, got.sum.data, (size_t)ELEMENTS * IMAGE) == 0 &&
                 memcmp(want.pooled.data, got.pooled.data, (size_t)ELEMENTS * POOLED) == 0 &&
                 memcmp(want.floats.data, got.floats.data, ELEMENTS * FLOATS * sizeof(float)) == 0;
    if (!equal) fail_msg("%s: other results than one element after the other", e.names[k]);
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  destroy(&want);
  destroy(&got);
  engines_close(&e);
}

/* Bytes of the steps count every group. */
static void steps_count_all_groups(void **unused) {
  (void)unused;
  engines e;
  engines_open(&e);
  qn_model *model = load_batch(&e, ELEMENTS);
  for (size_t k = 0; k < e.count; k++) {
    if (e.options[k].engine != QN_ENGINE_JIT) continue;
    qn_executable *x = compile_for(&e, model, k);
    size_t bytes = 0;
    for (uint32_t i = 0; i < qn_executable_step_count(x); i++)
      bytes += qn_executable_step(x, i).value_bytes;
    assert_true(bytes >= (size_t)ELEMENTS * (3 * IMAGE + POOLED));
    qn_executable_destroy(x);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bits_are_those_of_single_elements),
      cmocka_unit_test(steps_count_all_groups),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

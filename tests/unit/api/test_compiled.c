/* Functions on tensors as machine code. Random quantized casts of every kind of shape, granularity
 * and rounding, lowered by lower-quant-ops, give the interpreter's results at every level that this
 * machine runs. An argument sets the number of cases (default: a few).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/quern.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "own_levels.h"

enum { MAX_TEXT = 4096 };
static unsigned case_count = 8;

/* ---- random cases ---- */

static uint64_t draw(uint64_t *seed, uint64_t below) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (*seed >> 33) % below;
}

static void put(char *text, const char *format, ...) {
  size_t used = strlen(text);
  va_list arguments;
  va_start(arguments, format);
  int size = vsnprintf(text + used, MAX_TEXT - used, format, arguments);
  va_end(arguments);
  assert_true(size >= 0 && (size_t)size < MAX_TEXT - used);
}

typedef struct sample {
  char module[MAX_TEXT], input[MAX_TEXT], pipeline[96];
} sample;

enum { ROWS = 4, COLUMNS = 6 };

typedef struct storage {
  const char *name;
  int64_t min, max; /* range of stored values */
} storage;
static const storage storages[] = {{"i8", -128, 127},
                                   {"u8", 0, 255},
                                   {"i8<-8:7>", -8, 7},
                                   {"u8<20:200>", 20, 200},
                                   {"i16", -32768, 32767},
                                   {"u16", 0, 65535},
                                   {"i32", -2147483647 - 1, 2147483647},
                                   {"u32", 0, 4294967295},
                                   {"i4", -8, 7},
                                   {"u4", 0, 15},
                                   {"i3", -4, 3},
                                   {"u12", 0, 4095},
                                   {"i24", -8388608, 8388607}};

static void put_parameters(char *text, uint64_t *seed, const storage *s, const char *separator,
                           unsigned count) {
  for (unsigned i = 0; i < count; i++)
    put(text, "%s%.9g:%lld", i ? separator : "", (double)(1 + draw(seed, 5000)) * 0.0007,
        (long long)(s->min + (int64_t)draw(seed, (uint64_t)(s->max - s->min + 1))));
}

static void put_type(char *text, uint64_t *seed, const storage *s, const char *real) {
  unsigned scheme = (unsigned)draw(seed, 3);
  put(text, "!q = !quant.uniform<%s:%s", s->name, real);
  if (scheme == 0) {
    put(text, ", ");
    put_parameters(text, seed, s, "", 1);
  } else if (scheme == 1) {
    put(text, ":1, {");
    put_parameters(text, seed, s, ", ", COLUMNS);
    put(text, "}");
  } else {
    put(text, ":{0:2, 1:3}, {{");
    put_parameters(text, seed, s, ", ", COLUMNS / 3);
    put(text, "}, {");
    put_parameters(text, seed, s, ", ", COLUMNS / 3);
    put(text, "}}");
  }
  put(text, ">\n");
}

typedef struct expressed {
  const char *name, *nan, *least; /* least: minus infinity */
} expressed;
static const expressed expresseds[] = {{"f16", "0x7E00", "0xFC00"},
                                       {"bf16", "0x7FC0", "0xFF80"},
                                       {"f32", "0x7FC00000", "0xFF800000"},
                                       {"f64", "0x7FF8000000000000", "0xFFF0000000000000"}};

static void put_number(char *text, uint64_t *seed, const storage *s, int quantizes,
                       const expressed *e) {
  uint64_t kind = draw(seed, 12);
  if (!quantizes)
    put(text, "%lld", (long long)(s->min + (int64_t)draw(seed, (uint64_t)(s->max - s->min + 1))));
  else if (kind < 2)
    put(text, "%s", kind == 0 ? e->nan : e->least);
  else if (kind == 2)
    put(text, "-6.0e+4");
  else
    put(text, "%.6f", (double)((int64_t)draw(seed, 2000001) - 1000000) * 0.0005);
}

static void make_sample(sample *out, unsigned number) {
  static const char *const roundings[] = {"even", "away", "toward-zero", "floor",
                                          "stochastic seed=3"};
  static const char *const shapes[] = {"4x6x", "?x6x", "4x?x", "?x?x", "*x"};
  uint64_t seed = number + 1;
  const storage *s = &storages[draw(&seed, sizeof storages / sizeof *storages)];
  const expressed *e = &expresseds[draw(&seed, sizeof expresseds / sizeof *expresseds)];
  int quantizes = (int)draw(&seed, 2);
  const char *shape = shapes[draw(&seed, 5)];
  memset(out, 0, sizeof *out);
  put_type(out->module, &seed, s, e->name);
  if (shape[0] == '*' && strstr(out->module, ":{0:")) shape = "?x?x"; /* sub-channel: ranked */
  const char *from = quantizes ? e->name : "!q", *to = quantizes ? "!q" : e->name;
  put(out->module,
      "func.func @f(%%x: tensor<%s%s>) -> tensor<%s%s> {\n"
      "  %%0 = quant.%s %%x : tensor<%s%s> to tensor<%s%s>\n"
      "  return %%0 : tensor<%s%s>\n}\n",
      shape, from, shape, to, quantizes ? "qcast" : "dcast", shape, from, shape, to, shape, to);
  for (int r = 0; r < ROWS; r++) {
    put(out->input, r ? "], [" : "dense<[[");
    for (int i = 0; i < COLUMNS; i++) {
      put(out->input, i ? ", " : "");
      put_number(out->input, &seed, s, quantizes, e);
    }
  }
  put(out->input, "]]> : tensor<%dx%dx%s>", ROWS, COLUMNS, quantizes ? e->name : "i64");
  snprintf(out->pipeline, sizeof out->pipeline,
           "builtin.module(func.func(lower-quant-ops{rounding=%s}))", roundings[draw(&seed, 5)]);
}

/* ---- both engines ---- */

static char *result_of(const qn_model *model, const sample *s, const char *level) {
  qn_interpret_options options = QN_INTERPRET_OPTIONS_INIT;
  qn_argument argument = {.constant = s->input};
  char *text = NULL;
  size_t size;
  options.engine = level ? QN_ENGINE_JIT : QN_ENGINE_INTERPRETER;
  options.cpu = level;
  if (qn_model_interpret(model, &options, &argument, 1, &text, &size) != QN_OK)
    fail_msg("%s at %s with %s does not run", s->module, level ? level : "no level", s->input);
  return text;
}

static void compiled_is_interpreted(void **state) {
  (void)state;
  unsigned ran = 0;
  own_levels levels;
  levels_find(&levels);
  for (unsigned number = 0; number < case_count; number++) {
    sample s;
    make_sample(&s, number);
    qn_context *context = qn_context_create();
    qn_model *model;
    qn_bytes bytes = {(const uint8_t *)s.module, strlen(s.module)};
    assert_int_equal(qn_model_load_memory(context, bytes, "case.mlir", NULL, &model), QN_OK);
    assert_int_equal(qn_model_run_pipeline(model, s.pipeline, NULL), QN_OK);
    char *expected = result_of(model, &s, NULL);
    for (size_t i = 0; i < levels.count; i++) {
      if (!qn_host_runs(levels.names[i])) continue;
      char *got = result_of(model, &s, levels.names[i]);
      if (strcmp(got, expected) != 0)
        fail_msg("%s%s with %s at %s: %s, not %s", s.module, s.pipeline, s.input, levels.names[i],
                 got, expected);
      qn_free(got);
      ran++;
    }
    qn_free(expected);
    qn_model_destroy(model);
    qn_context_destroy(context);
  }
  assert_true(ran >= case_count);
}

/* ---- functions that can't be compiled are named ---- */

static char last[512];
static void remember(void *user, int severity, const char *message) {
  (void)user, (void)severity;
  strncpy(last, message, sizeof last - 1);
}

static void unsupported_is_located(void **state) {
  (void)state;
  static const struct {
    const char *module, *message;
    qn_status status;
  } cases[] = {
      {"func.func @f(%x: tensor<4xi8>) -> tensor<4xi8> {\n"
       "  %0 = arith.divsi %x, %x : tensor<4xi8>\n  return %0 : tensor<4xi8>\n}\n",
       "case.mlir:2:8: error: 'arith.divsi' op divides by what may be 0 or -1", QN_UNSUPPORTED},
      {"func.func @f(%x: tensor<4xf80>) -> tensor<4xf80> {\n"
       "  return %x : tensor<4xf80>\n}\n",
       "case.mlir:1:1: error: 'func.func' op has elements of type 'tensor<4xf80>'", QN_UNSUPPORTED},
      {"func.func @f(%x: tensor<4xindex>) -> tensor<?xf32> {\n"
       "  %c = arith.constant 0 : index\n"
       "  %n = tensor.extract %x[%c] : tensor<4xindex>\n"
       "  %0 = tensor.empty(%n) : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}\n",
       "case.mlir:4:8: error: 'tensor.empty' op depends on numbers", QN_UNSUPPORTED},
      {"func.func @f(%x: tensor<?xi8>) -> tensor<?xi8> {\n"
       "  %c = arith.constant 0 : index\n  %three = arith.constant 3 : index\n"
       "  %n = tensor.dim %x, %c : tensor<?xi8>\n"
       "  %0 = arith.cmpi eq, %n, %three : index\n"
       "  cf.assert %0, \"needs three\"\n  return %x : tensor<?xi8>\n}\n",
       "case.mlir:6:3: error: 'cf.assert' op failed: needs three", QN_INVALID},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    qn_context *context = qn_context_create();
    qn_context_set_handler(context, remember, NULL);
    qn_model *model;
    qn_bytes bytes = {(const uint8_t *)cases[i].module, strlen(cases[i].module)};
    assert_int_equal(qn_model_load_memory(context, bytes, "case.mlir", NULL, &model), QN_OK);
    qn_interpret_options options = QN_INTERPRET_OPTIONS_INIT;
    options.engine = QN_ENGINE_JIT;
    qn_argument argument = {.dtype = i == 1 ? QN_DTYPE_F32 : QN_DTYPE_I8,
                            .rank = 1,
                            .dims = (const int64_t[]){4},
                            .data = (const float[]){0, 0, 0, 0}};
    char *text = NULL;
    size_t size;
    assert_int_equal(qn_model_interpret(model, &options, &argument, 1, &text, &size),
                     cases[i].status);
    assert_non_null(strstr(last, cases[i].message));
    qn_model_destroy(model);
    qn_context_destroy(context);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) case_count = (unsigned)strtoul(argv[1], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(compiled_is_interpreted),
                                     cmocka_unit_test(unsupported_is_located)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

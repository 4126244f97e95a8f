/* Prepared constants: weights that are widened and packed before the first call and never in one,
 * in every engine, shared by clones, and in an object whose caller owns the memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "every_engine.h"

/* Depthwise and batched products of floats with 8-bit weights of different values. */
#define MODEL                                                                                      \
  "!w = !quant.uniform<i8:f32, 0.0625>\nmodule {\n"                                                \
  "func.func @main(%x: tensor<1x4x4x160xf32>, %m: tensor<4x3x20xf32>)\n"                           \
  "    -> (tensor<1x4x4x160xf32>, tensor<4x3x16xf32>) {\n"                                         \
  "  %d = \"ml.const\"() {value = dense<\"0x%s\"> : tensor<160x3x3x1xi8>}"                         \
  "      : () -> tensor<160x3x3x1x!w>\n"                                                           \
  "  %b = \"ml.const\"() {value = dense<\"0x%s\"> : tensor<4x20x16xi8>}"                           \
  "      : () -> tensor<4x20x16x!w>\n"                                                             \
  "  %0 = \"ml.conv\"(%x, %d) {strides = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>,\n"        \
  "      dilations = array<i64: 1, 1>, groups = 160 : i64}\n"                                      \
  "      : (tensor<1x4x4x160xf32>, tensor<160x3x3x1x!w>) -> tensor<1x4x4x160xf32>\n"               \
  "  %1 = \"ml.matmul\"(%m, %b) : (tensor<4x3x20xf32>, tensor<4x20x16x!w>) -> "                    \
  "tensor<4x3x16xf32>\n"                                                                           \
  "  return %0, %1 : tensor<1x4x4x160xf32>, tensor<4x3x16xf32>\n}\n}\n"
enum { X = 4 * 4 * 160, M = 4 * 3 * 20, Y = X, Z = 4 * 3 * 16, DEPTHWISE = 1440, BATCHED = 1280 };
enum { CLIENTS = 4, RUNS = 20 };

typedef struct values {
  float x[X], m[M];
} values;
typedef struct results {
  float y[Y], z[Z];
} results;

static void put_weights(char *out, int count) {
  for (int i = 0; i < count; i++) snprintf(out + 2 * i, 3, "%02x", (unsigned)(i * 37 + 11) & 0xFF);
}

static qn_model *load(engines *e) {
  static const char text[] = MODEL;
  static char first[2 * DEPTHWISE + 1], second[2 * BATCHED + 1];
  char *whole = malloc(sizeof text + sizeof first + sizeof second);
  const char *rest = text;
  const char *parts[] = {first, second};
  assert_non_null(whole);
  put_weights(first, DEPTHWISE);
  put_weights(second, BATCHED);
  char *end = whole;
  for (int i = 0; i < 2; i++) { /* the text has other percent signs */
    const char *at = strstr(rest, "0x%s") + 2;
    memcpy(end, rest, (size_t)(at - rest));
    end += at - rest;
    end = stpcpy(end, parts[i]);
    rest = at + 2;
  }
  strcpy(end, rest);
  qn_model *model = load_text(e, whole);
  free(whole);
  return model;
}

static void fill(values *v, int client) {
  for (int i = 0; i < X; i++) v->x[i] = (float)((i * 7 + client * 31) % 23 - 11) / 8.0F;
  for (int i = 0; i < M; i++) v->m[i] = (float)((i * 5 + client * 13) % 19 - 9) / 4.0F;
}

static qn_status invoke(qn_executable *executable, const values *in, results *out) {
  return qn_executable_invoke(executable, (const void *[]){in->x, in->m},
                              (void *[]){out->y, out->z});
}

static qn_executable *compile(engines *e, const qn_model *model,
                              const qn_compile_options *options) {
  qn_executable *executable = NULL;
  if (qn_compile(model, options, &executable) != QN_OK) fail_msg("%s", e->messages);
  return executable;
}

/* The definition is the model stage; a second call gives the same as the first. */
static void every_engine_gives_the_same_bits(void **unused) {
  engines e;
  values in;
  static results expected, out;
  (void)unused;
  engines_open(&e);
  qn_model *model = load(&e);
  fill(&in, 0);
  for (size_t i = 0; i < e.count; i++) {
    qn_executable *executable = compile(&e, model, &e.options[i]);
    for (int run = 0; run < 2; run++) {
      memset(&out, 0xA5, sizeof out);
      assert_int_equal(invoke(executable, &in, i == 0 && run == 0 ? &expected : &out), QN_OK);
      if (i > 0 || run > 0) assert_memory_equal(&out, &expected, sizeof out);
    }
    qn_executable_destroy(executable);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

/* The steps of a call are the products and what depends on the inputs. */
static void calls_do_not_prepare(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  qn_model *model = load(&e);
  for (size_t i = 3; i < e.count; i++) {
    qn_executable *executable = compile(&e, model, &e.options[i]);
    uint32_t count = qn_executable_step_count(executable);
    assert_in_range(count, 2, 3); /* padding and two products */
    for (uint32_t k = 0; k < count; k++) {
      const char *kernel = qn_executable_step(executable, k).kernel;
      assert_null(strstr(kernel, "pack"));
      assert_null(strstr(kernel, "dequantize"));
    }
    qn_executable_destroy(executable);
  }
  qn_model_destroy(model);
  engines_close(&e);
}

/* ---- clones ---- */

typedef struct client {
  pthread_t thread;
  qn_context *context;
  qn_executable *executable;
  int number;
  bool ok;
  results out[RUNS];
} client;

static void *run_client(void *user) {
  client *c = user;
  values in;
  fill(&in, c->number);
  c->ok = true;
  for (int run = 0; run < RUNS && c->ok; run++)
    c->ok = invoke(c->executable, &in, &c->out[run]) == QN_OK;
  return NULL;
}

static void clones_share_what_is_prepared(void **unused) {
  engines e;
  (void)unused;
  engines_open(&e);
  qn_model *model = load(&e);
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  qn_executable *executable = compile(&e, model, &options);
  client *clients = calloc(CLIENTS, sizeof *clients);
  assert_non_null(clients);
  for (int i = 0; i < CLIENTS; i++) {
    client *c = &clients[i];
    *c = (client){.context = qn_context_create(), .number = i};
    assert_int_equal(qn_executable_clone(executable, c->context, &c->executable), QN_OK);
  }
  for (int i = 0; i < CLIENTS; i++)
    assert_int_equal(pthread_create(&clients[i].thread, NULL, run_client, &clients[i]), 0);
  for (int i = 0; i < CLIENTS; i++) {
    client *c = &clients[i];
    values in;
    static results expected;
    assert_int_equal(pthread_join(c->thread, NULL), 0);
    assert_true(c->ok);
    fill(&in, i);
    assert_int_equal(invoke(executable, &in, &expected), QN_OK);
    for (int run = 0; run < RUNS; run++)
      assert_memory_equal(&c->out[run], &expected, sizeof expected);
    qn_executable_destroy(c->executable);
    qn_context_destroy(c->context);
  }
  free(clients);
  qn_executable_destroy(executable);
  qn_model_destroy(model);
  engines_close(&e);
}

/* ---- objects ---- */

/* Calls without prepared memory do nothing. One prepared block serves two arenas. */
static const char program[] =
    "#include <stdio.h>\n#include <string.h>\n#include \"net.h\"\n"
    "#define ALIGNED(p) ((p) + (NET_ARENA_ALIGN - (uintptr_t)(p) % NET_ARENA_ALIGN))\n"
    "static unsigned char a[NET_ARENA_BYTES + NET_ARENA_ALIGN], b[sizeof a];\n"
    "static unsigned char p[NET_PREPARED_BYTES + NET_ARENA_ALIGN];\n"
    "static float x[NET_INPUT_0_BYTES / 4], m[NET_INPUT_1_BYTES / 4];\n"
    "static float y[NET_OUTPUT_0_BYTES / 4], z[NET_OUTPUT_1_BYTES / 4];\n"
    "int main(void) {\n"
    "  FILE *in = fopen(\"in\", \"rb\"), *out = fopen(\"out\", \"wb\");\n"
    "  if (!in || !out || fread(x, sizeof x, 1, in) != 1 || fread(m, sizeof m, 1, in) != 1)\n"
    "    return 1;\n"
    "  y[0] = 99;\n"
    "  if (net_run(x, m, y, z, 0, ALIGNED(a)) != -1 || y[0] != 99) return 2;\n"
    "  memset(p, 0xA5, sizeof p);\n"
    "  if (net_run(x, m, y, z, ALIGNED(p), ALIGNED(a)) != -1 || y[0] != 99) return 3;\n"
    "  net_prepare(ALIGNED(p));\n"
    "  if (net_run(x, m, y, z, ALIGNED(p), ALIGNED(a)) != 0) return 4;\n"
    "  if (net_run(x, m, y, z, ALIGNED(p), ALIGNED(b)) != 0) return 5;\n"
    "  return fwrite(y, sizeof y, 1, out) + fwrite(z, sizeof z, 1, out) == 2 && fclose(out) == 0\n"
    "             ? 0 : 6;\n"
    "}\n";

static void write_file(engines *e, const char *folder, const char *name, const void *data,
                       size_t size) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(qn_context_write_file(e->context, path, (qn_bytes){data, size}), QN_OK);
}

static void emit(engines *e, const qn_model *model, const char *folder) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.symbol = "net";
  char *bytes, *header;
  size_t size, header_size;
  assert_int_equal(qn_emit_form(model, &options, QN_FORM_OBJECT, &bytes, &size), QN_OK);
  assert_int_equal(qn_emit_header(model, &options, &header, &header_size), QN_OK);
  write_file(e, folder, "net.o", bytes, size);
  write_file(e, folder, "net.h", header, header_size);
  write_file(e, folder, "main.c", program, sizeof program - 1);
  qn_free(bytes);
  qn_free(header);
}

static void objects_are_prepared_by_their_caller(void **unused) {
  engines e;
  values in;
  static results expected, out;
  char folder[] = "/tmp/quern-prepared-XXXXXX", line[512];
  (void)unused;
  engines_open(&e);
  qn_model *model = load(&e);
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  qn_executable *executable = compile(&e, model, &options);
  fill(&in, 3);
  assert_int_equal(invoke(executable, &in, &expected), QN_OK);
  assert_non_null(mkdtemp(folder));
  emit(&e, model, folder);
  write_file(&e, folder, "in", &in, sizeof in);
  snprintf(line, sizeof line,
           "cd %s && cc -std=c99 -Wall -Wextra -Wpedantic -Werror main.c net.o -o main && ./main",
           folder);
  assert_int_equal(system(line), 0);
  snprintf(line, sizeof line, "%s/out", folder);
  FILE *file = fopen(line, "rb");
  assert_non_null(file);
  assert_int_equal(fread(&out, sizeof out, 1, file), 1);
  fclose(file);
  assert_memory_equal(&out, &expected, sizeof out);
  snprintf(line, sizeof line, "rm -rf %s", folder);
  assert_int_equal(system(line), 0);
  qn_executable_destroy(executable);
  qn_model_destroy(model);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_engine_gives_the_same_bits),
      cmocka_unit_test(calls_do_not_prepare),
      cmocka_unit_test(clones_share_what_is_prepared),
      cmocka_unit_test(objects_are_prepared_by_their_caller),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

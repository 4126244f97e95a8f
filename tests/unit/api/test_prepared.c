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

static void put_weights(char *out, int count, int first) {
  for (int i = 0; i < count; i++)
    snprintf(out + 2 * i, 3, "%02x", (unsigned)(i * 37 + first) & 0xFF);
}

/* `weight`: the first of the weights. */
static qn_model *load_with(engines *e, int weight) {
  static const char text[] = MODEL;
  static char first[2 * DEPTHWISE + 1], second[2 * BATCHED + 1];
  char *whole = malloc(sizeof text + sizeof first + sizeof second);
  const char *rest = text;
  const char *parts[] = {first, second};
  assert_non_null(whole);
  put_weights(first, DEPTHWISE, weight);
  put_weights(second, BATCHED, weight);
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

static qn_model *load(engines *e) { return load_with(e, 11); }

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

/* Calls without prepared memory do nothing: NULL, memory that is not filled, filled by a model with
 * other weights, or not aligned. One prepared block serves several arenas, and so does a copy.
 * Calls only read it, and neither they nor net_prepare access memory next to it. */
static const char program[] =
    "#define _DEFAULT_SOURCE 1\n"
    "#include <stdio.h>\n#include <string.h>\n#include <sys/mman.h>\n"
    "#include \"net.h\"\n"
    "void other_net_prepare(void *prepared);\n"
    "#define ALIGNED(p) ((p) + (NET_ARENA_ALIGN - (uintptr_t)(p) % NET_ARENA_ALIGN))\n"
    "enum { PAGE = 65536, PAGES = (NET_PREPARED_BYTES + PAGE - 1) / PAGE * PAGE };\n"
    "static unsigned char a[NET_ARENA_BYTES + NET_ARENA_ALIGN], b[sizeof a];\n"
    "static unsigned char p[NET_PREPARED_BYTES + 2 * NET_ARENA_ALIGN], q[sizeof p], r[sizeof p];\n"
    "static float x[NET_INPUT_0_BYTES / 4], m[NET_INPUT_1_BYTES / 4];\n"
    "static float y[NET_OUTPUT_0_BYTES / 4], z[NET_OUTPUT_1_BYTES / 4], w[NET_OUTPUT_0_BYTES / "
    "4];\n"
    "static int is_refused(const void *prepared) {\n"
    "  y[0] = 99;\n"
    "  return net_run(x, m, y, z, prepared, ALIGNED(a)) == -1 && y[0] == 99;\n"
    "}\n"
    "/* At the first and at the last byte between pages without access. */\n"
    "static int is_fenced(size_t at) {\n"
    "  unsigned char *all = mmap(0, PAGES + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, "
    "0);\n"
    "  if (all == MAP_FAILED) return 0;\n"
    "  all += PAGE;\n"
    "  if (mprotect(all, PAGES, PROT_READ | PROT_WRITE) != 0) return 0;\n"
    "  net_prepare(all + at);\n"
    "  if (mprotect(all, PAGES, PROT_READ) != 0) return 0;\n"
    "  memset(y, 0, sizeof y);\n"
    "  return net_run(x, m, y, z, all + at, ALIGNED(a)) == 0 && memcmp(y, w, sizeof y) == 0;\n"
    "}\n"
    "int main(void) {\n"
    "  FILE *in = fopen(\"in\", \"rb\"), *out = fopen(\"out\", \"wb\");\n"
    "  if (!in || !out || fread(x, sizeof x, 1, in) != 1 || fread(m, sizeof m, 1, in) != 1)\n"
    "    return 1;\n"
    "  memset(p, 0xA5, sizeof p);\n"
    "  memcpy(q, p, sizeof p);\n"
    "  if (!is_refused(0) || !is_refused(ALIGNED(p))) return 2;\n"
    "  net_prepare(ALIGNED(p) + 4);\n"
    "  net_prepare(0);\n"
    "  if (memcmp(p, q, sizeof p) != 0 || !is_refused(ALIGNED(p) + 4)) return 3;\n"
    "  other_net_prepare(ALIGNED(p));\n"
    "  if (!is_refused(ALIGNED(p))) return 4;\n"
    "  net_prepare(ALIGNED(p));\n"
    "  if (net_run(x, m, w, z, ALIGNED(p), ALIGNED(a)) != 0) return 5;\n"
    "  if (net_run(x, m, y, z, ALIGNED(p), ALIGNED(b)) != 0) return 6;\n"
    "  memcpy(q, p, sizeof p);\n"
    "  net_prepare(ALIGNED(p));\n"
    "  if (memcmp(p, q, sizeof p) != 0) return 7;\n"
    "  memcpy(ALIGNED(r), ALIGNED(p), NET_PREPARED_BYTES);\n"
    "  memset(p, 0, sizeof p);\n"
    "  if (net_run(x, m, y, z, ALIGNED(r), ALIGNED(a)) != 0) return 8;\n"
    "  if (memcmp(y, w, sizeof y) != 0) return 9;\n"
    "  if (!is_fenced(0) || !is_fenced(PAGES - NET_PREPARED_BYTES)) return 10;\n"
    "  return fwrite(y, sizeof y, 1, out) + fwrite(z, sizeof z, 1, out) == 2 && fclose(out) == 0\n"
    "             ? 0 : 11;\n"
    "}\n";

static void emit_object(engines *e, const qn_model *model, const char *folder, const char *name) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.symbol = "net";
  char *bytes;
  size_t size;
  assert_int_equal(qn_emit_form(model, &options, QN_FORM_OBJECT, &bytes, &size), QN_OK);
  engines_write(e, folder, name, bytes, size);
  qn_free(bytes);
}

static void emit_header(engines *e, const qn_model *model, const char *folder) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.symbol = "net";
  char *header;
  size_t size;
  assert_int_equal(qn_emit_header(model, &options, &header, &size), QN_OK);
  engines_write(e, folder, "net.h", header, size);
  qn_free(header);
}

/* The program, and the objects of the model and of one that differs in its weights only. */
static void emit(engines *e, const qn_model *model, const char *folder) {
  qn_model *other = load_with(e, 12);
  emit_object(e, model, folder, "net.o");
  emit_object(e, other, folder, "other.o");
  emit_header(e, model, folder);
  engines_write(e, folder, "main.c", program, sizeof program - 1);
  qn_model_destroy(other);
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
  engines_write(&e, folder, "in", &in, sizeof in);
  snprintf(line, sizeof line,
           "cd %s && objcopy --prefix-symbols=other_ other.o &&"
           " cc -std=c99 -Wall -Wextra -Wpedantic -Werror main.c net.o other.o -o main && ./main",
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

/* Objects compiled ahead of time: states, sizes and the check of the CPU, used through the
 * generated header by programs that link only the object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>

#include "every_engine.h"
#include "own_levels.h"

/* sum' = sum + x[first entry]; y[n] = z[n] + sum' */
#define MODEL(shape, sizes)                                                                        \
  "!q = !quant.uniform<i8:f32, 0.5:0>\nmodule attributes {quern.numerics = \"litert-ref\"} {\n"    \
  "func.func @main(%z: tensor<" shape "x!q> {quern.name = \"z\", quern.sizes = [" sizes "]},\n"    \
  "    %s: tensor<1x5x!q> {quern.role = \"state\", quern.name = \"sum\",\n"                        \
  "                        quern.initial = dense<[[1, 2, 3, 4, 5]]> : tensor<1x5xi8>},\n"          \
  "    %x: tensor<1x5x!q> {quern.name = \"x\"})\n"                                                 \
  "    -> (tensor<" shape                                                                          \
  "x!q> {quern.name = \"y\"}, tensor<1x5x!q> {quern.role = \"state\"}) {\n"                        \
  "  %t = \"ml.add\"(%s, %x) : (tensor<1x5x!q>, tensor<1x5x!q>) -> tensor<1x5x!q>\n"               \
  "  %y = \"ml.add\"(%z, %t) : (tensor<" shape "x!q>, tensor<1x5x!q>) -> tensor<" shape "x!q>\n"   \
  "  return %y, %t : tensor<" shape "x!q>, tensor<1x5x!q>\n}\n}\n"
static const char model_text[] = MODEL("6x5", "\"rows\"");
static const char second_text[] = MODEL("1x6x5", "\"\", \"rows\"");

/* Compiled as C99 and as C++. Two sets of states alternate on one arena with arbitrary contents;
 * bytes after the sizes stay unchanged. */
static const char program[] =
    "#include \"net.h\"\n"
    "static unsigned char memory[NET_ARENA_BYTES + 2 * NET_STATE_BYTES + 3 * NET_ARENA_ALIGN];\n"
    "static unsigned char *aligned(unsigned char *p) {\n"
    "  return p + (NET_ARENA_ALIGN - (uintptr_t)p % NET_ARENA_ALIGN) % NET_ARENA_ALIGN;\n}\n"
    "int main(void) {\n"
    "  int8_t z[NET_INPUT_0_BYTES], x[NET_INPUT_1_BYTES], y[NET_OUTPUT_0_BYTES];\n"
    "  unsigned char *a = aligned(memory), *b = aligned(a + NET_STATE_BYTES);\n"
    "  unsigned char *arena = aligned(b + NET_STATE_BYTES);\n"
    "  int i, run;\n"
    "  if (!net_supported()) return 10;\n"
    "  net_reset(a); net_reset(b);\n"
    "  for (i = 0; i < 30; i++) z[i] = (int8_t)i;\n"
    "  for (i = 0; i < 5; i++) x[i] = 2;\n"
    "  for (run = 1; run <= 3; run++) {\n"
    "    for (i = 0; i < NET_ARENA_BYTES; i++) arena[i] = 0xA5;\n"
    "    for (i = 0; i < 30; i++) y[i] = 99;\n"
    "    if (net_run(z, x, y, run, a, arena) != 0) return 1;\n"
    "    for (i = 0; i < 30; i++)\n"
    "      if (y[i] != (i < run * NET_OUTPUT_0_ENTRY_BYTES ? i + i % 5 + 1 + 2 * run : 99)) return "
    "2;\n"
    "  }\n"
    "  for (i = 0; i < 5; i++) if (((int8_t *)b)[NET_STATE_0_OFFSET + i] != i + 1) return 3;\n"
    "  for (i = 0; i < 5; i++) if (((int8_t *)a)[NET_STATE_0_OFFSET + i] != i + 7) return 4;\n"
    "  if (net_run(z, x, y, 0, a, arena) != -1) return 5;\n"
    "  if (net_run(z, x, y, NET_SIZE_0_MAX + 1, a, arena) != -1) return 6;\n"
    "  if (net_run(z, x, y, 1, a + 1, arena) != -1 || net_run(z, x, y, 1, 0, arena) != -1) return "
    "9;\n"
    "  for (i = 0; i < 5; i++) if (((int8_t *)a)[NET_STATE_0_OFFSET + i] != i + 7) return 7;\n"
    "  return NET_STATE_COUNT == 1 && NET_SIZE_COUNT == 1 && NET_STATE_0_SCALE == 0.5 ? 0 : 8;\n"
    "}\n";

static void emit(engines *e, const qn_model *model, const char *triple, const char *cpu,
                 const char *folder) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.triple = triple;
  options.cpu = cpu;
  options.symbol = "net";
  char *bytes, *header;
  size_t size, header_size;
  assert_int_equal(qn_emit_form(model, &options, QN_FORM_OBJECT, &bytes, &size), QN_OK);
  assert_int_equal(qn_emit_header(model, &options, &header, &header_size), QN_OK);
  engines_write(e, folder, "net.o", bytes, size);
  engines_write(e, folder, "net.h", header, header_size);
  qn_free(bytes);
  qn_free(header);
}

static int shell(const char *folder, const char *command) {
  char line[1024];
  snprintf(line, sizeof line, "cd %s && { %s; }", folder, command);
  return system(line);
}

static void check_programs(const char *text) {
  char folder[] = "/tmp/quern-ahead-XXXXXX";
  engines e;
  engines_open(&e);
  assert_non_null(mkdtemp(folder));
  qn_model *model = load_text(&e, text);
  for (size_t k = 3; k < e.count; k++) {
    emit(&e, model, NULL, e.names[k], folder);
    engines_write(&e, folder, "main.c", program, strlen(program));
    assert_int_equal(shell(folder,
                           "cc -std=c99 -Wall -Wextra -Wpedantic -Werror -no-pie main.c net.o "
                           "-o main && ./main"),
                     0);
    assert_int_equal(shell(folder,
                           "c++ -x c++ -std=c++17 -Wall -Wextra -Werror -c main.c -o main.o "
                           "&& c++ main.o net.o -o main && ./main"),
                     0);
    assert_int_equal(shell(folder, "test -z \"$(nm -u net.o)\""), 0);
    assert_int_equal(
        shell(folder, "test \"$(nm -g --defined-only net.o | awk '{print $3}' | sort | tr '\\n' "
                      "' ')\" = 'net_invoke net_model net_reset net_supported '"),
        0);
    assert_int_equal(shell(folder, "! readelf -SW net.o | grep ' WA ' | grep -v 'data.rel.ro' | "
                                   "grep -v ' 000000 00  WA'"),
                     0);
  }
  assert_int_equal(shell(folder, "rm -rf main main.o main.c net.o net.h"), 0);
  rmdir(folder);
  qn_model_destroy(model);
  engines_close(&e);
}

static void programs_keep_states(void **unused) {
  (void)unused;
  check_programs(model_text);
}

static void sizes_stand_behind_ones(void **unused) {
  (void)unused;
  check_programs(second_text);
}

/* Objects for every level of this architecture, also for levels that this machine lacks: the check
 * of the CPU runs on every machine. */
static void objects_know_their_cpu(void **unused) {
  own_levels levels;
  char folder[] = "/tmp/quern-ahead-XXXXXX";
  engines e;
  (void)unused;
  engines_open(&e);
  assert_non_null(mkdtemp(folder));
  qn_model *model = load_text(&e, model_text);
  levels_find(&levels);
  assert_true(levels.count >= 2);
  for (size_t k = 0; k < levels.count; k++) {
    char path[64], command[128];
    emit(&e, model, NULL, levels.names[k], folder);
    snprintf(command, sizeof command, "cc -shared net.o -o net%zu.so", k);
    assert_int_equal(shell(folder, command), 0);
    snprintf(path, sizeof path, "%s/net%zu.so", folder, k);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail_msg("%s", dlerror());
    int32_t (*supported)(void);
    *(void **)&supported = dlsym(library, "net_supported");
    assert_non_null(supported);
    int32_t runs = qn_host_runs(levels.names[k]) != 0;
    if (supported() != runs)
      fail_msg("%s: %d, but the host says %d", levels.names[k], supported(), runs);
    dlclose(library);
  }
  assert_int_equal(shell(folder, "rm -f net*.so net.o net.h"), 0);
  rmdir(folder);
  qn_model_destroy(model);
  engines_close(&e);
}

/* A matrix product that uses AMX tiles at levels that have them. */
static const char product_text[] =
    "!x = !quant.uniform<i8:f32, 0.5:3>\n!w = !quant.uniform<i8<-127:127>:f32, 0.01>\n"
    "module attributes {quern.numerics = \"litert-ref\"} {\n"
    "func.func @main(%x: tensor<20x80x!x> {quern.name = \"x\"}) -> (tensor<20x33x!x> {quern.name = "
    "\"y\"}) {\n"
    "  %w = \"ml.const\"() {value = dense<7> : tensor<33x80xi8>} : () -> tensor<33x80x!w>\n"
    "  %y = \"ml.linear\"(%x, %w) : (tensor<20x80x!x>, tensor<33x80x!w>) -> tensor<20x33x!x>\n"
    "  return %y : tensor<20x33x!x>\n}\n}\n";

/* Objects of every level have no undefined symbol, also those with the system call that enables AMX
 * tiles. They have no writable data, only memory that the caller passes. */
static void products_need_nothing(void **unused) {
  static const struct {
    const char *level;
    bool tiles;
  } cases[] = {
      {"x86-64", false}, {"x86-64-v3", false}, {"avx512vbmi", false}, {"x86-64-amx", true}};
  char folder[] = "/tmp/quern-ahead-XXXXXX";
  engines e;
  (void)unused;
  engines_open(&e);
  assert_non_null(mkdtemp(folder));
  qn_model *model = load_text(&e, product_text);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    emit(&e, model, "x86_64-linux-gnu", cases[k].level, folder);
    assert_int_equal(shell(folder, "test -z \"$(nm -u net.o)\""), 0);
    assert_int_equal(shell(folder, "! readelf -SW net.o | grep ' WA ' | grep -v 'data.rel.ro' | "
                                   "grep -v ' 000000 00  WA'"),
                     0);
    bool has_tiles = shell(folder, "objdump -d net.o | grep -q tdpb") == 0;
    bool asks = shell(folder, "objdump -d net.o | grep -q syscall") == 0;
    assert_int_equal(has_tiles, cases[k].tiles);
    assert_int_equal(asks, cases[k].tiles);
  }
  assert_int_equal(shell(folder, "rm -f net.o net.h"), 0);
  rmdir(folder);
  qn_model_destroy(model);
  engines_close(&e);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(programs_keep_states),
      cmocka_unit_test(sizes_stand_behind_ones),
      cmocka_unit_test(objects_know_their_cpu),
      cmocka_unit_test(products_need_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

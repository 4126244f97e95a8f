/* Ahead-of-time compilation: the object needs no library, the header compiles, and constants have
 * their bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "two_steps.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/output.h"
#include "codegen/context.h"
#include "ir/builder.h"

static void write_text(const char *path, qn_str text) {
  const char *reason = NULL;
  size_t failed;
  qn_bytes bytes = {(const uint8_t *)text.data, text.size};
  qn_output output = {path, &bytes, 1, false};
  assert_int_equal(qn_outputs_write(&output, 1, &failed, &reason), QN_OK);
}

static int run(const char *format, const char *dir) {
  qn_text command = {0};
  qn_text_format(&command, "cd %s && { %s; } >log 2>&1", dir, format);
  int status = system(command.data);
  qn_text_deinit(&command);
  return status;
}

/* The program includes the header first, so that it must be self-contained. */
static const char program[] =
    "#include \"net.h\"\n"
    "static uint8_t in[net_in_bytes], arena_memory[NET_ARENA_BYTES + NET_ARENA_ALIGN];\n"
    "static int8_t out[NET_OUTPUT_0_BYTES];\n"
    "static uint8_t own[NET_ARENA_BYTES] __attribute__((aligned(NET_ARENA_ALIGN)));\n"
    "static struct { uint8_t first, rest[NET_ARENA_BYTES]; } odd;\n"
    "static uint8_t small[NET_ARENA_BYTES - 1] __attribute__((aligned(NET_ARENA_ALIGN)));\n"
    "NET_CHECK_ARENA(own);\n"
    "#ifdef REJECTED\n"
    "NET_CHECK_ARENA(REJECTED);\n"
    "#endif\n"
    "int main(void) {\n"
    "  uint8_t *arena = arena_memory + NET_ARENA_ALIGN - (uintptr_t)arena_memory % "
    "NET_ARENA_ALIGN;\n"
    "  for (int i = 0; i < 1000; i++) in[i] = (uint8_t)(i * 3);\n"
    "  if (!net_arena_fits(own, sizeof own) || net_arena_fits(small, sizeof small)) return 3;\n"
    "  if (net_arena_fits(odd.rest, sizeof odd.rest)) return 4;\n"
    "  if (net_run(in, out, odd.rest) != -1 || net_run(in, out, 0) != -1 || out[0]) return 5;\n"
    "  if (net_run(in, out, arena) != 0) return 6;\n"
    "  for (int i = 0; i < 1000; i++) if ((uint8_t)out[i] != (uint8_t)(i * 3 + 14)) return 1;\n"
    "  return NET_INPUT_0_SCALE == 0.5 && NET_INPUT_0_ZERO_POINT == -3 ? 0 : 2;\n"
    "}\n";

static void object_stands_alone(void **state) {
  (void)state;
  char dir[] = "/tmp/quern-codegen-XXXXXX", path[64];
  assert_non_null(mkdtemp(dir));
  session s;
  session_open(&s, two_steps);
  s.options.symbol = qn_str_of("net");
  qn_text object = {0}, header = {0};
  fixture_expect(&s.f, fixture_emit(s.module, &s.options, QN_EMIT_OBJECT, &object), QN_OK);
  fixture_expect(&s.f, qn_codegen_header(s.module, &s.options, &header), QN_OK);
  snprintf(path, sizeof path, "%s/net.o", dir);
  write_text(path, qn_text_view(&object));
  snprintf(path, sizeof path, "%s/net.h", dir);
  write_text(path, qn_text_view(&header));
  snprintf(path, sizeof path, "%s/main.c", dir);
  write_text(path, qn_str_of(program));
  assert_int_equal(
      run("cc -std=c99 -Wall -Wextra -Wpedantic -Werror -Dnet_in_bytes=NET_INPUT_0_BYTES "
          "main.c net.o -o main && ./main",
          dir),
      0);
  assert_int_equal(run("c++ -x c++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only net.h", dir), 0);
  static const char *const compilers[] = {"cc -std=c99", "c++ -x c++ -std=c++17"};
  static const char *const arenas[] = {"odd.rest", "small", "own"};
  for (size_t i = 0; i < QN_COUNT(compilers) * QN_COUNT(arenas); i++) {
    const char *arena = arenas[i % QN_COUNT(arenas)];
    char line[192];
    snprintf(line, sizeof line, "%s -Dnet_in_bytes=1 -DREJECTED=%s -fsyntax-only main.c 2>said",
             compilers[i / QN_COUNT(arenas)], arena);
    assert_int_equal(run(line, dir) == 0, strcmp(arena, "own") == 0);
    bool named = run("grep -q 'net_arena_is_too_small_or_not_aligned' said", dir) == 0;
    assert_int_equal(named, strcmp(arena, "own") != 0);
  }
  /* No undefined symbol, three exported symbols, no writable data. */
  assert_int_equal(run("test -z \"$(nm -u net.o)\"", dir), 0);
  assert_int_equal(
      run("test \"$(nm -g --defined-only net.o | awk '{print $3}' | sort | tr '\\n' ' ')\" = "
          "'net_invoke net_model net_supported '",
          dir),
      0);
  assert_int_equal(
      run("! readelf -SW net.o | grep ' WA ' | grep -v 'data.rel.ro' | grep -v ' 000000 00  WA'",
          dir),
      0);
  assert_int_equal(run("rm -f net.o net.h main.c main log", dir), 0);
  rmdir(dir);
  qn_text_deinit(&object);
  qn_text_deinit(&header);
  session_close(&s);
}

/* Copies, fills and float rounding, for which LLVM might call the C library, at every level. */
static void nothing_is_left_undefined(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = fixture_kernel(
      &f, 4096, 4096, 4096, "",
      "%c1 = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
      "%zero = \"arith.constant\"() <{value = 0 : i8}> : () -> i8\n"
      "\"scf.for\"(%lo, %hi, %c1) ({\n^bb0(%i: index):\n"
      "  %x = \"memref.load\"(%in, %i) : (memref<4096xi8>, index) -> i8\n"
      "  \"memref.store\"(%x, %out, %i) : (i8, memref<4096xi8>, index) -> ()\n"
      "  \"scf.yield\"() : () -> ()\n}) : (index, index, index) -> ()\n"
      "\"scf.for\"(%lo, %hi, %c1) ({\n^bb0(%i: index):\n"
      "  \"memref.store\"(%zero, %out, %i) : (i8, memref<4096xi8>, index) -> ()\n"
      "  \"scf.yield\"() : () -> ()\n}) : (index, index, index) -> ()\n"
      "%v = \"vector.load\"(%in, %c0) : (memref<4096xi8>, index) -> vector<512xi8>\n"
      "\"vector.store\"(%v, %out, %c0) : (vector<512xi8>, memref<4096xi8>, index) -> ()\n"
      "%w = \"memref.view\"(%out, %c0) : (memref<4096xi8>, index) -> memref<16xf64>\n"
      "%d = \"memref.load\"(%w, %c1) : (memref<16xf64>, index) -> f64\n"
      "%e = \"math.round\"(%d) : (f64) -> f64\n"
      "%g = \"math.roundeven\"(%e) : (f64) -> f64\n"
      "%h = \"arith.maximumf\"(%g, %d) : (f64, f64) -> f64\n"
      "%j = \"arith.minnumf\"(%h, %d) : (f64, f64) -> f64\n"
      "%k = \"arith.fptoui\"(%j) : (f64) -> i64\n"
      "%l = \"arith.uitofp\"(%k) : (i64) -> f32\n"
      "%m = \"math.floor\"(%l) : (f32) -> f32\n"
      "%n = \"arith.extf\"(%m) : (f32) -> f64\n"
      "\"memref.store\"(%n, %w, %c0) : (f64, memref<16xf64>, index) -> ()\n"
      "%o = \"memref.view\"(%out, %c0) : (memref<4096xi8>, index) -> memref<16xf16>\n"
      "%p = \"arith.truncf\"(%n) : (f64) -> f16\n"
      "%q = \"arith.sitofp\"(%k) : (i64) -> f16\n"
      "%r = \"arith.divf\"(%p, %q) : (f16, f16) -> f16\n"
      "%s = \"arith.extf\"(%r) : (f16) -> f32\n"
      "%t = \"arith.truncf\"(%s) : (f32) -> bf16\n"
      "%u = \"arith.bitcast\"(%t) : (bf16) -> f16\n"
      "\"memref.store\"(%u, %o, %c0) : (f16, memref<16xf16>, index) -> ()\n");
  char dir[] = "/tmp/quern-codegen-XXXXXX", path[64];
  assert_non_null(mkdtemp(dir));
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) {
    if (!levels[i].f64) continue;
    qn_codegen_options options = fixture_options(&f, levels[i].name);
    qn_text object = {0};
    fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_OBJECT, &object), QN_OK);
    snprintf(path, sizeof path, "%s/net.o", dir);
    write_text(path, qn_text_view(&object));
    assert_int_equal(run("test -z \"$(nm -u net.o)\"", dir), 0);
    qn_text_deinit(&object);
  }
  static const char *const triples[] = {"aarch64-linux-gnu", "aarch64-none-elf",
                                        "riscv64-linux-gnu"};
  for (size_t i = 0; i < QN_COUNT(triples); i++) {
    qn_codegen_options options = fixture_options(&f, "generic");
    qn_text object = {0};
    fixture_expect(
        &f, qn_codegen_target_resolve(&f.cx, triples[i], "baseline", NULL, &options.target), QN_OK);
    bool is_arm = strncmp(triples[i], "aarch64", strlen("aarch64")) == 0;
    assert_string_equal(options.target.level->name, is_arm ? "armv8" : "rv64");
    fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_OBJECT, &object), QN_OK);
    snprintf(path, sizeof path, "%s/net.o", dir);
    write_text(path, qn_text_view(&object));
    assert_int_equal(run("test -z \"$(nm -u net.o)\"", dir), 0);
    qn_text_deinit(&object);
  }
  assert_int_equal(run("rm -f net.o log", dir), 0);
  rmdir(dir);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* A large constant is emitted as one array. Element by element, 4 MB would take many seconds. */
static void large_constants_are_copied_whole(void **state) {
  (void)state;
  enum { BYTES = 4 << 20 };
  fixture f;
  fixture_init(&f);
  qn_module *module =
      fixture_kernel(&f, 16, 16, 1, "",
                     "%x = \"memref.load\"(%in, %c0) : (memref<16xi8>, index) -> i8\n"
                     "\"memref.store\"(%x, %out, %c0) : (i8, memref<16xi8>, index) -> ()\n");
  uint8_t *payload = malloc(BYTES);
  fixture_random(payload, BYTES, 9);
  const qn_type *i8 = qn_type_i(&f.cx, 8);
  const qn_type *tensor = qn_type_tensor(&f.cx, i8, 1, (int64_t[]){BYTES});
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), module->op->loc);
  qn_build_0(
      &b, QN_OP_MEMREF_GLOBAL, NULL, 0,
      QN_ATTRS({"sym_name", qn_attr_string(&f.cx, qn_str_of("weights"))},
               {"type", qn_attr_type(&f.cx, qn_type_buf(&f.cx, i8, BYTES))},
               {"constant", qn_attr_unit(&f.cx)},
               {"initial_value", qn_attr_dense(&f.cx, tensor, (qn_bytes){payload, BYTES}, true)}));
  qn_codegen_options options = fixture_options(&f, "baseline");
  qn_text object = {0};
  fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_OBJECT, &object), QN_OK);
  assert_non_null(memmem(object.data, object.size, payload, BYTES));
  qn_text_deinit(&object);
  free(payload);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* ---- placeholders for large constants ---- */

enum { FIRST = 5000, SECOND = 70001, SMALL = 64 };

/* The first bytes of a placeholder, as in codegen/emit/placeholders.c. */
static const char marker[24] = "quern: constant number";

static void add_constant(fixture *f, qn_module *module, const char *name, const uint8_t *bytes,
                         int64_t size) {
  const qn_type *i8 = qn_type_i(&f->cx, 8);
  const qn_type *tensor = qn_type_tensor(&f->cx, i8, 1, &size);
  const qn_bytes payload = {bytes, (size_t)size};
  qn_builder b = qn_builder_at_end(module, qn_op_body(module->op), module->op->loc);
  qn_build_0(&b, QN_OP_MEMREF_GLOBAL, NULL, 0,
             QN_ATTRS({"sym_name", qn_attr_string(&f->cx, qn_str_of(name))},
                      {"type", qn_attr_type(&f->cx, qn_type_buf(&f->cx, i8, size))},
                      {"constant", qn_attr_unit(&f->cx)},
                      {"initial_value", qn_attr_dense(&f->cx, tensor, payload, true)}));
}

typedef struct constants {
  uint8_t first[FIRST], small[SMALL], second[SECOND];
} constants;

/* Two constants with placeholders, and a small one without between them. */
static qn_module *module_of(fixture *f, const constants *c) {
  qn_module *module =
      fixture_kernel(f, 16, 16, 1, "",
                     "%x = \"memref.load\"(%in, %c0) : (memref<16xi8>, index) -> i8\n"
                     "\"memref.store\"(%x, %out, %c0) : (i8, memref<16xi8>, index) -> ()\n");
  add_constant(f, module, "first", c->first, FIRST);
  add_constant(f, module, "small", c->small, SMALL);
  add_constant(f, module, "second", c->second, SECOND);
  return module;
}

static void fill(constants *c) {
  fixture_random(c->first, FIRST, 1);
  fixture_random(c->small, SMALL, 2);
  fixture_random(c->second, SECOND, 3);
}

static void put_marker(uint8_t *to, uint64_t number) {
  memcpy(to, marker, sizeof marker);
  memcpy(to + sizeof marker, &number, sizeof number);
}

/* The object as LLVM emits it without placeholders. */
static void emit_whole(const qn_module *module, const qn_codegen_options *options, qn_text *out) {
  qn_cg_source source;
  assert_int_equal(qn_cg_source_open(&source, &qn_cg_llvm, module, options, 1), QN_OK);
  qn_cg *cg = qn_cg_create();
  assert_int_equal(qn_cg_init(cg, &source, 0), QN_OK);
  assert_int_equal(qn_cg_optimize(cg), QN_OK);
  assert_int_equal(qn_cg_emit_file(cg, LLVMObjectFile), QN_OK);
  qn_text_put(out, (qn_str){LLVMGetBufferStart(cg->file), LLVMGetBufferSize(cg->file)});
  qn_cg_destroy(cg);
  qn_cg_source_close(&source);
}

/* Returns whether the object that LLVM emits with placeholders can be completed. */
static bool placeholders_are_told_apart(const qn_module *module, const qn_codegen_options *options,
                                        size_t placeholders) {
  qn_cg_source source;
  qn_text object = {0};
  assert_int_equal(qn_cg_source_open(&source, &qn_cg_llvm, module, options, 1), QN_OK);
  source.placeholders = true;
  qn_cg *cg = qn_cg_create();
  assert_int_equal(qn_cg_init(cg, &source, 0), QN_OK);
  assert_int_equal(qn_cg_optimize(cg), QN_OK);
  assert_int_equal(qn_cg_emit_file(cg, LLVMObjectFile), QN_OK);
  assert_int_equal(cg->placeholders.count, placeholders);
  qn_text_put(&object, (qn_str){LLVMGetBufferStart(cg->file), LLVMGetBufferSize(cg->file)});
  bool replaced = qn_cg_replace_placeholders(cg, (uint8_t *)object.data, object.size);
  qn_text_deinit(&object);
  qn_cg_destroy(cg);
  qn_cg_source_close(&source);
  return replaced;
}

static void check_object(const constants *c, size_t placeholders, bool told_apart) {
  static const char *const triples[] = {"x86_64-linux-gnu", "aarch64-linux-gnu",
                                        "riscv64-linux-gnu"};
  for (size_t i = 0; i < QN_COUNT(triples); i++) {
    fixture f;
    fixture_init(&f);
    qn_module *module = module_of(&f, c);
    qn_codegen_options options = fixture_options(&f, "baseline");
    fixture_expect(
        &f, qn_codegen_target_resolve(&f.cx, triples[i], "baseline", NULL, &options.target), QN_OK);
    for (int section = 0; section < 2; section++) {
      qn_text whole = {0}, object = {0};
      options.section = section ? ".weights" : NULL;
      emit_whole(module, &options, &whole);
      assert_int_equal(placeholders_are_told_apart(module, &options, placeholders), told_apart);
      fixture_expect(&f, fixture_emit(module, &options, QN_EMIT_OBJECT, &object), QN_OK);
      assert_int_equal(object.size, whole.size);
      assert_memory_equal(object.data, whole.data, whole.size);
      qn_text_deinit(&whole);
      qn_text_deinit(&object);
    }
    qn_module_destroy(module);
    fixture_deinit(&f);
  }
}

/* The object has the same bytes as without placeholders. */
static void placeholders_change_nothing(void **state) {
  (void)state;
  constants c;
  fill(&c);
  check_object(&c, 2, true);
  memset(c.first, 0, FIRST - 1); /* 0 up to the last byte */
  check_object(&c, 2, true);
  memset(c.first, 0, FIRST); /* all bytes equal: a splat */
  check_object(&c, 1, true);
  memset(c.first, 1, FIRST - 1); /* ends with 0: a string, placed elsewhere by LLVM */
  check_object(&c, 1, true);
}

/* A model may contain any bytes, also those of placeholders. */
static void a_model_may_look_like_placeholders(void **state) {
  (void)state;
  constants c;
  for (uint64_t number = 0; number < 3; number++) { /* within a constant that has a placeholder */
    fill(&c);
    put_marker(c.second, number);
    put_marker(c.second + SECOND - 32, number);
    check_object(&c, 2, true);
  }
  for (uint64_t number = 0; number < 3; number++) { /* within a small constant */
    fill(&c);
    put_marker(c.small, number);
    check_object(&c, 2, false);
  }
}

/* If the size of files is limited, LLVM writes none. */
static void no_file_where_files_are_bounded(void **state) {
  (void)state;
  pid_t child = fork();
  if (child == 0) {
    constants c;
    if (setrlimit(RLIMIT_FSIZE, &(struct rlimit){16, 16}) != 0) _exit(9);
    fill(&c);
    check_object(&c, 2, true);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

/* ---- text ---- */

/* The name of a layer comes from the file: it must not end its comment. */
static void text_names_layers(void **state) {
  (void)state;
  static const struct {
    qn_emit form;
    const char *wanted;
  } rows[] = {{QN_EMIT_LLVM, "\n; one?line\n; two\ndefine internal void @model_invoke("},
              {QN_EMIT_ASM, "\n# one?line\n# two\nmodel_invoke:"}};
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    session s;
    session_open(&s, two_steps);
    s.options.symbol = qn_str_of("net");
    qn_text text = {0};
    fixture_expect(&s.f, fixture_emit(s.module, &s.options, rows[i].form, &text), QN_OK);
    assert_non_null(strstr(text.data, rows[i].wanted));
    qn_text_deinit(&text);
    session_close(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(object_stands_alone),
      cmocka_unit_test(text_names_layers),
      cmocka_unit_test(nothing_is_left_undefined),
      cmocka_unit_test(large_constants_are_copied_whole),
      cmocka_unit_test(placeholders_change_nothing),
      cmocka_unit_test(a_model_may_look_like_placeholders),
      cmocka_unit_test(no_file_where_files_are_bounded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

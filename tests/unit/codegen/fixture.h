/* Shared by the tests of codegen/: small modules of the loops stage as text, run by the interpreter
 * and by the JIT at every level that this machine supports.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEST_CODEGEN_FIXTURE_H
#define QN_TEST_CODEGEN_FIXTURE_H

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "codegen/codegen.h"
#include "eval/eval.h"
#include "ir/context.h"
#include "ir/verify/verify.h"
#include "text/text.h"

#include <cmocka.h>

typedef struct fixture {
  qn_ir_context cx;
  qn_text messages; /* all diagnostics, one per line */
} fixture;

static void fixture_note(void *user, const qn_diag *diag) {
  qn_text *messages = user;
  qn_diag_render(diag, (qn_str){0}, false, messages);
  qn_text_putc(messages, '\n');
}

static void fixture_init(fixture *f) {
  *f = (fixture){0};
  qn_ir_context_init(&f->cx);
  f->cx.diag.handler = fixture_note;
  f->cx.diag.user = &f->messages;
}

static void fixture_deinit(fixture *f) {
  qn_ir_context_deinit(&f->cx);
  qn_text_deinit(&f->messages);
}

/* Fails the test with the diagnostics unless the status is `want`. */
static void fixture_expect(fixture *f, qn_status status, qn_status want) {
  if (status != want) fail_msg("%s: %s", qn_status_name(status), f->messages.data);
}

/* Parses a module and verifies it at the loops stage. */
static inline qn_module *fixture_parse(fixture *f, const char *text) {
  qn_module *module = NULL;
  fixture_expect(f, qn_text_parse(&f->cx, qn_str_of(text), qn_str_of("test.mlir"), &module), QN_OK);
  fixture_expect(f, qn_verify(module), QN_OK);
  fixture_expect(f, qn_verify_stage(module, QN_STAGE_LOOPS), QN_OK);
  return module;
}

/* Whether this machine has the architecture: then it runs the first level of it. */
static inline bool fixture_is_host(const char *architecture) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++)
    if (levels[i].architecture && strcmp(levels[i].architecture, architecture) == 0 &&
        qn_codegen_host_runs(&levels[i]))
      return true;
  return false;
}

/* The target triple of the level's architecture; NULL for any architecture. */
static inline const char *fixture_triple_of(const char *cpu) {
  static char triple[64];
  const qn_target *level = cpu ? qn_target_find(qn_str_of(cpu)) : NULL;
  if (!level || !level->architecture) return NULL;
  const char *system = "unknown-elf";
  if (strncmp(level->architecture, "thumb", 5) == 0) system = "none-eabi";
  if (strcmp(level->architecture, "x86_64") == 0) system = "pc-linux-gnu";
  snprintf(triple, sizeof triple, "%s-%s", level->architecture, system);
  return triple;
}

/* The same, but NULL for the host's architecture. */
static inline const char *fixture_triple(const char *cpu) {
  const qn_target *level = cpu ? qn_target_find(qn_str_of(cpu)) : NULL;
  bool is_host = level && level->architecture && fixture_is_host(level->architecture);
  return is_host ? NULL : fixture_triple_of(cpu);
}

static inline qn_codegen_options fixture_options(fixture *f, const char *cpu) {
  qn_codegen_options options = {.symbol = qn_str_of("model")};
  fixture_expect(
      f, qn_codegen_target_resolve(&f->cx, fixture_triple(cpu), cpu, NULL, &options.target), QN_OK);
  return options;
}

/* A module with one kernel @k over the byte buffers `in` and `out`. The caller provides `globals`
 * and `body`. The kernel has %in, %out, %lo and %hi, and may use %c0. */
static inline qn_module *fixture_kernel(fixture *f, size_t in_bytes, size_t out_bytes,
                                        int64_t units, const char *globals, const char *body) {
  qn_text text = {0};
  qn_text_format(
      &text,
      "\"builtin.module\"() ({\n%s"
      "\"func.func\"() <{function_type = (memref<%zuxi8>, memref<%zuxi8>, index, index) -> (), "
      "sym_name = \"k\", sym_visibility = \"private\"}> ({\n"
      "^bb0(%%in: memref<%zuxi8>, %%out: memref<%zuxi8>, %%lo: index, %%hi: index):\n"
      "%%c0 = \"arith.constant\"() <{value = 0 : index}> : () -> index\n%s"
      "\"func.return\"() : () -> ()\n}) : () -> ()\n",
      globals, in_bytes, out_bytes, in_bytes, out_bytes, body);
  qn_text_format(
      &text,
      "\"func.func\"() <{arg_attrs = [{quern.role = \"input\", quern.name = \"in\", quern.dtype = "
      "\"i8\", quern.shape = array<i64: %zu>}, {quern.role = \"output\", quern.name = \"out\", "
      "quern.dtype = \"i8\", quern.shape = array<i64: %zu>}], "
      "function_type = (memref<%zuxi8>, memref<%zuxi8>) -> (), sym_name = \"main\"}> ({\n"
      "^bb0(%%in: memref<%zuxi8>, %%out: memref<%zuxi8>):\n"
      "%%n = \"arith.constant\"() <{value = %lld : index}> : () -> index\n"
      "\"quern.launch\"(%%in, %%out, %%n) {kernel = @k} : (memref<%zuxi8>, memref<%zuxi8>, index) "
      "-> ()\n"
      "\"func.return\"() : () -> ()\n}) : () -> ()\n"
      "}) {quern.arena_bytes = 0 : i64} : () -> ()\n",
      in_bytes, out_bytes, in_bytes, out_bytes, in_bytes, out_bytes, (long long)units, in_bytes,
      out_bytes);
  qn_module *module = fixture_parse(f, text.data);
  qn_text_deinit(&text);
  return module;
}

/* Runs @main of a module of fixture_kernel in the interpreter. */
static inline void fixture_eval(fixture *f, qn_module *module, const uint8_t *in, uint8_t *out) {
  const qn_op *main_op = qn_module_main(module);
  qn_rt_value args[2] = {{0}};
  for (int i = 0; i < 2; i++) {
    args[i].type = qn_op_body(main_op)->args[i]->type;
    args[i].size = qn_type_elements(args[i].type);
  }
  args[0].data = (uint8_t *)(uintptr_t)in;
  args[1].data = out;
  qn_arena arena;
  qn_arena_init(&arena);
  fixture_expect(f, qn_eval_call(module, main_op, args, 2, NULL, &arena, NULL), QN_OK);
  qn_arena_deinit(&arena);
}

static inline uint8_t *fixture_room(void *user, size_t size) {
  qn_text *out = user;
  qn_text_clear(out);
  char *room = qn_text_reserve(out, size);
  room[size] = '\0';
  out->size = size;
  return (uint8_t *)room;
}

static inline qn_status fixture_emit(qn_module *module, const qn_codegen_options *options,
                                     qn_emit what, qn_text *out) {
  return qn_codegen_emit(module, options, what, fixture_room, out);
}

/* Runs it as machine code for the CPU `cpu`. */
static inline void fixture_jit(fixture *f, qn_module *module, const char *cpu, const uint8_t *in,
                               uint8_t *out) {
  qn_codegen_options options = fixture_options(f, cpu);
  qn_jit *jit = NULL;
  fixture_expect(f, qn_jit_create(module, &options, &jit), QN_OK);
  qn_abi_call call = {.inputs = (const void *[]){in}, .outputs = (void *[]){out}};
  qn_jit_model(jit)->invoke(&call);
  qn_jit_destroy(jit);
}

/* Sets the width of index to that of the level. */
static inline void fixture_set_index(qn_module *module, const qn_target *level) {
  qn_op_set_attr(module, module->op, "quern.index_bits",
                 qn_attr_i64(module->cx, level->index_bits));
}

/* Whether a level of 32 bits has rejected the module, because it has no floats and no wide index.
 */
static inline bool fixture_is_too_narrow(const fixture *f) {
  return strstr(f->messages.data, "computes with ") ||
         strstr(f->messages.data, "has an index in memory") ||
         strstr(f->messages.data, "an index of the level");
}

/* Compiles an object for the level. For a level of 32 bits or of RISC-V, whose back ends need long
 * for wide vectors, it emits LLVM IR only. For 32 bits the module may be rejected: for floats,
 * 64-bit divisions, an index in memory, or an index constant that is too large. */
static inline void fixture_assemble(fixture *f, qn_module *module, const qn_target *level) {
  qn_codegen_options options = fixture_options(f, level->name);
  qn_text object = {0};
  fixture_set_index(module, level);
  qn_text_clear(&f->messages);
  bool narrow = level->index_bits < 64;
  bool is_risc_v = level->architecture && strcmp(level->architecture, "riscv64") == 0;
  qn_status status =
      fixture_emit(module, &options, narrow || is_risc_v ? QN_EMIT_LLVM : QN_EMIT_OBJECT, &object);
  bool lacks = narrow && status == QN_UNSUPPORTED && fixture_is_too_narrow(f);
  if (!lacks) fixture_expect(f, status, QN_OK);
  assert_true(lacks || object.size > 0);
  qn_text_deinit(&object);
  fixture_set_index(module, qn_target_find(qn_str_of("generic")));
}

/* Writes a file of a test. */
static inline void fixture_write(const char *path, qn_str text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(text.data, 1, text.size, file), text.size);
  assert_int_equal(fclose(file), 0);
}

/* Compiles C output with a compiler and its flags, and calls SYMBOL_invoke of a symbol "model". */
static inline void fixture_run_c(qn_str c, const char *compiler, const uint8_t *in, uint8_t *out) {
  char dir[] = "/tmp/quern-c-XXXXXX", source[64], library[64], command[512];
  assert_non_null(mkdtemp(dir));
  snprintf(source, sizeof source, "%s/model.c", dir);
  snprintf(library, sizeof library, "%s/model.so", dir);
  snprintf(command, sizeof command,
           "%s -std=c99 -Wall -Wextra -Werror -pedantic -shared -fPIC %s -o %s", compiler, source,
           library);
  fixture_write(source, c);
  if (system(command) != 0) fail_msg("%s", command);
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) fail_msg("%s", dlerror());
  const qn_abi_model *model = dlsym(handle, "model_model");
  assert_non_null(model);
  qn_abi_call call = {.inputs = (const void *[]){in}, .outputs = (void *[]){out}};
  void *arena = aligned_alloc(QN_ABI_ALIGN, (model->arena_bytes / QN_ABI_ALIGN + 1) * QN_ABI_ALIGN);
  call.arena = arena;
  assert_int_equal(model->supported(), 1);
  assert_int_equal(model->invoke(&call), 0);
  free(arena);
  dlclose(handle);
  unlink(library);
  unlink(source);
  rmdir(dir);
}

/* The C output must agree with the interpreter, or be rejected with a reason. */
static inline void fixture_check_c(fixture *f, qn_module *module, const uint8_t *in,
                                   const uint8_t *want, size_t out_bytes) {
  uint8_t *got = calloc(1, out_bytes);
  qn_codegen_options options = fixture_options(f, getenv("QN_TEST_C"));
  qn_text c = {0};
  qn_text_clear(&f->messages);
  fixture_set_index(module, options.target.level);
  qn_status status = qn_codegen_c(module, &options, &c);
  bool lacks = status == QN_UNSUPPORTED &&
               (strstr(f->messages.data, "has no C code") || fixture_is_too_narrow(f));
  if (lacks) {
    printf("no C: %s", f->messages.data);
  } else {
    fixture_expect(f, status, QN_OK);
    fixture_run_c(qn_text_view(&c), "cc -O1 -Wno-type-limits", in, got);
    for (size_t k = 0; k < out_bytes; k++)
      if (got[k] != want[k]) fail_msg("C, byte %zu: %d instead of %d", k, got[k], want[k]);
  }
  qn_text_deinit(&c);
  free(got);
}

/* The interpreter and the JIT must agree at every level that the machine supports; for other
 * levels, the module is only compiled. The result must be `expected` if it is not NULL. With
 * QN_TEST_C in the environment, the C output for the level that it names is checked instead. */
static inline void fixture_check_levels(fixture *f, qn_module *module, const uint8_t *in,
                                        size_t out_bytes, const uint8_t *expected) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  uint8_t *want = calloc(1, out_bytes), *got = malloc(out_bytes);
  fixture_eval(f, module, in, want);
  if (expected) assert_memory_equal(want, expected, out_bytes);
  bool c_only = getenv("QN_TEST_C") != NULL;
  if (c_only) fixture_check_c(f, module, in, want, out_bytes);
  for (uint32_t i = 0; i < count && !c_only; i++) {
    if (!qn_codegen_host_runs(&levels[i])) {
      fixture_assemble(f, module, &levels[i]);
      continue;
    }
    memset(got, 0, out_bytes);
    fixture_jit(f, module, levels[i].name, in, got);
    for (size_t k = 0; k < out_bytes; k++)
      if (got[k] != want[k])
        fail_msg("level %s, byte %zu: %d instead of %d", levels[i].name, k, got[k], want[k]);
  }
  free(want);
  free(got);
}

/* Pseudo-random bytes, the same in every run. */
static inline void fixture_random(uint8_t *bytes, size_t size, uint32_t seed) {
  for (size_t i = 0; i < size; i++) {
    seed = seed * 1664525u + 1013904223u;
    bytes[i] = (uint8_t)(seed >> 24);
  }
}

#endif

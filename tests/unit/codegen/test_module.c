/* Properties of a compiled module: descriptor, steps, arena, threads, reproducible bytes, and
 * memory that is never writable and executable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "two_steps.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "codegen/context.h"
#include "codegen/source.h"
#include "ir/builder.h"
#include "ir/walk.h"

static void struct_layouts_agree(void **state) {
  (void)state;
  /* qn_cg_init asserts all offsets for the target, and qn_cg_abi_place that its rule is that of
   * this compiler. Here: the tables list all fields. */
  unsigned count;
  const qn_cg_abi_struct *structs = qn_cg_abi_structs(&count);
  assert_int_equal(count, 8);
  for (unsigned i = 0; i < count; i++) {
    size_t at[QN_CG_ABI_MAX_FIELDS], last = structs[i].count - 1;
    assert_int_equal(qn_cg_abi_place(&structs[i], sizeof(void *), at), structs[i].size);
    assert_int_equal(at[0], 0);
    for (unsigned k = 1; k <= last; k++)
      assert_true(at[k] >= at[k - 1] + 4 && at[k] <= at[k - 1] + 8 * QN_ABI_MAX_RANK);
    assert_int_equal(structs[i].size - at[last], 8);
  }
}

/* With 32-bit pointers, fields of 64 bits are at multiples of 8, as C compilers for Arm and RISC-V
 * place them. */
static void narrow_pointers_have_a_layout(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t size, last;
  } expected[] = {{"qn_abi_tensor", 248, 240}, {"qn_abi_size", 16, 8},
                  {"qn_abi_call", 40, 36},     {"qn_abi_probe", 40, 32},
                  {"qn_abi_step", 24, 16},     {"qn_abi_loop", 16, 8},
                  {"qn_abi_model", 104, 96},   {"qn_abi_prepared_model", 120, 112}};
  unsigned count;
  const qn_cg_abi_struct *structs = qn_cg_abi_structs(&count);
  for (unsigned i = 0; i < count; i++) {
    size_t at[QN_CG_ABI_MAX_FIELDS];
    assert_string_equal(structs[i].name, expected[i].name);
    assert_int_equal(qn_cg_abi_place(&structs[i], 4, at), expected[i].size);
    assert_int_equal(at[structs[i].count - 1], expected[i].last);
  }
}

static void descriptor_says_what_the_attributes_say(void **state) {
  (void)state;
  session s;
  session_open(&s, two_steps);
  qn_jit *jit;
  fixture_expect(&s.f, qn_jit_create(s.module, &s.options, &jit), QN_OK);
  const qn_abi_model *m = qn_jit_model(jit);
  assert_int_equal(m->version, QN_ABI_VERSION);
  assert_int_equal(m->input_count, 1);
  assert_int_equal(m->output_count, 1);
  assert_int_equal(m->step_count, 2);
  assert_int_equal(m->probe_count, 2);
  assert_int_equal(m->arena_bytes, 1024);
  assert_string_equal(m->inputs[0].name, "x*/");
  assert_int_equal(m->inputs[0].dtype, QN_ABI_U8);
  assert_int_equal(m->inputs[0].rank, 2);
  assert_int_equal(m->inputs[0].dims[0], 10);
  assert_int_equal(m->inputs[0].dims[1], 100);
  assert_int_equal(m->inputs[0].bytes, SIZE);
  assert_true(m->inputs[0].scale == 0.5);
  assert_int_equal(m->inputs[0].zero_point, -3);
  assert_int_equal(m->inputs[0].index, 12);
  assert_int_equal(m->outputs[0].index, -1);
  assert_string_equal(m->steps[0].name, "first");
  assert_int_equal(m->steps[0].macs, 5);
  assert_string_equal(m->steps[1].name, "second");
  assert_int_equal(m->probes[0].offset, 24);
  assert_true(m->probes[1].offset == UINT64_MAX);
  assert_string_equal(m->numerics, "litert-ref");
  char target[64];
  snprintf(target, sizeof target, "%s (%.*s)", s.options.target.level->name,
           QN_STR_ARG(s.options.target.cpu));
  assert_string_equal(m->target, target);
  assert_true(qn_jit_code_bytes(jit) > 500);
  qn_jit_destroy(jit);
  session_close(&s);
}

typedef struct trace {
  int64_t steps[8];
  int step_count;
  int64_t counts[8];
  int for_count;
} trace;

static void note_step(void *user, int64_t k) {
  trace *t = user;
  t->steps[t->step_count++] = k;
}

/* Runs the kernel in three chunks, the last one first. */
static void note_for(void *pool, qn_abi_kernel *kernel, void *const *args, int64_t count) {
  trace *t = pool;
  t->counts[t->for_count++] = count;
  kernel(args, count / 2, count);
  kernel(args, count / 3, count / 2);
  kernel(args, 0, count / 3);
}

static void calls_back_and_uses_the_arena(void **state) {
  (void)state;
  session s;
  session_open(&s, two_steps);
  qn_jit *jit;
  fixture_expect(&s.f, qn_jit_create(s.module, &s.options, &jit), QN_OK);
  static _Alignas(QN_ABI_ALIGN) uint8_t arena[1024];
  uint8_t in[SIZE], out[SIZE];
  trace t = {0};
  fixture_random(in, SIZE, 5);
  qn_abi_call call = {.inputs = (const void *[]){in},
                      .outputs = (void *[]){out},
                      .arena = arena,
                      .parallel_for = note_for,
                      .pool = &t,
                      .step = note_step,
                      .user = &t};
  qn_jit_model(jit)->invoke(&call);
  for (int i = 0; i < SIZE; i++) {
    assert_int_equal(arena[24 + i], (uint8_t)(in[i] + 7));
    assert_int_equal(out[i], (uint8_t)(in[i] + 14));
  }
  assert_int_equal(t.step_count, 3);
  for (int i = 0; i < 3; i++) assert_int_equal(t.steps[i], i);
  assert_int_equal(t.for_count, 2);
  assert_int_equal(t.counts[0], SIZE);
  qn_jit_destroy(jit);
  session_close(&s);
}

static void bytes_are_reproducible(void **state) {
  (void)state;
  static const qn_emit kinds[] = {QN_EMIT_LLVM, QN_EMIT_ASM, QN_EMIT_OBJECT};
  for (size_t i = 0; i < QN_COUNT(kinds); i++) {
    qn_text first = {0}, second = {0};
    for (int round = 0; round < 2; round++) {
      session s;
      session_open(&s, two_steps);
      fixture_expect(&s.f, fixture_emit(s.module, &s.options, kinds[i], round ? &second : &first),
                     QN_OK);
      session_close(&s);
    }
    assert_true(first.size > 100);
    assert_true(qn_str_equal(qn_text_view(&first), qn_text_view(&second)));
    qn_text_deinit(&first);
    qn_text_deinit(&second);
  }
}

static bool memory_is_writable_and_executable(void) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  bool found = false;
  while (maps && fgets(line, sizeof line, maps)) {
    const char *access = strchr(line, ' ');
    found = found || (access && access[2] == 'w' && access[3] == 'x');
  }
  if (maps) fclose(maps);
  return found;
}

static void memory_is_never_writable_and_executable(void **state) {
  (void)state;
  session s;
  session_open(&s, two_steps);
  qn_jit *jit;
  fixture_expect(&s.f, qn_jit_create(s.module, &s.options, &jit), QN_OK);
  assert_false(memory_is_writable_and_executable());
  qn_jit_destroy(jit);
  session_close(&s);
}

/* ---- parts ---- */

enum { CHAINS = 5, LINKS = 300 };

/* CHAINS kernels of LINKS additions; kernel i adds its constant LINKS times to out[i]. */
static qn_module *chain_module(fixture *f) {
  qn_text text = {0};
  qn_text_puts(&text, "\"builtin.module\"() ({\n");
  for (int i = 0; i < CHAINS; i++) {
    qn_text_format(
        &text,
        "\"memref.global\"() <{sym_name = \"c%d\", type = memref<1xi8>, initial_value = dense<%d> "
        ": "
        "tensor<1xi8>, constant}> : () -> ()\n"
        "\"func.func\"() <{function_type = (memref<8xi8>, index, index) -> (), sym_name = \"k%d\", "
        "sym_visibility = \"private\"}> ({\n^bb0(%%out: memref<8xi8>, %%lo: index, %%hi: index):\n"
        "%%g = \"memref.get_global\"() <{name = @c%d}> : () -> memref<1xi8>\n"
        "%%c0 = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
        "%%at = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
        "%%c = \"memref.load\"(%%g, %%c0) : (memref<1xi8>, index) -> i8\n"
        "%%x0 = \"memref.load\"(%%out, %%at) : (memref<8xi8>, index) -> i8\n",
        i, 2 * i + 1, i, i, i);
    for (int k = 0; k < LINKS; k++)
      qn_text_format(&text, "%%x%d = \"arith.addi\"(%%x%d, %%c) : (i8, i8) -> i8\n", k + 1, k);
    qn_text_format(&text,
                   "\"memref.store\"(%%x%d, %%out, %%at) : (i8, memref<8xi8>, index) -> ()\n"
                   "\"func.return\"() : () -> ()\n}) : () -> ()\n",
                   LINKS);
  }
  qn_text_puts(&text,
               "\"func.func\"() <{arg_attrs = [{quern.role = \"output\", quern.dtype = \"i8\", "
               "quern.shape = "
               "array<i64: 8>}], function_type = (memref<8xi8>) -> (), sym_name = \"main\"}> ({\n"
               "^bb0(%out: memref<8xi8>):\n"
               "%n = \"arith.constant\"() <{value = 1 : index}> : () -> index\n");
  for (int i = 0; i < CHAINS; i++)
    qn_text_format(
        &text, "\"quern.launch\"(%%out, %%n) {kernel = @k%d} : (memref<8xi8>, index) -> ()\n", i);
  qn_text_puts(
      &text,
      "\"func.return\"() : () -> ()\n}) : () -> ()\n}) {quern.arena_bytes = 0 : i64} : () -> ()\n");
  qn_module *module = fixture_parse(f, text.data);
  qn_text_deinit(&text);
  return module;
}

static void kernels_are_dealt_out_evenly(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = chain_module(&f);
  qn_codegen_options options = fixture_options(&f, "baseline");
  for (uint32_t most = 1; most <= 9; most++) {
    qn_cg_source source;
    fixture_expect(&f, qn_cg_source_open(&source, &qn_cg_llvm, module, &options, most), QN_OK);
    uint32_t kernels[QN_CODE_MAX_PARTS] = {0};
    assert_int_equal(source.parts, most < 3 ? most : 3); /* 1500 ops suffice for three threads */
    QN_FOR_EACH_OP(op, qn_op_body(module->op))
    if (op->kind == QN_OP_FUNC && op != source.interface.main)
      kernels[qn_cg_part_of(&source, op)]++;
    for (uint32_t i = 0; i < source.parts; i++)
      assert_in_range(kernels[i], CHAINS / source.parts, CHAINS / source.parts + 1);
    qn_cg_source_close(&source);
  }
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* Kernels and constants of one part are used by other parts. */
static void parts_link(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = chain_module(&f);
  qn_codegen_options options = fixture_options(&f, "baseline");
  qn_jit *jit = NULL;
  fixture_expect(&f, qn_jit_create(module, &options, &jit), QN_OK);
  uint8_t out[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  qn_abi_call call = {.outputs = (void *[]){out}};
  qn_jit_model(jit)->invoke(&call);
  for (int i = 0; i < 8; i++)
    assert_int_equal(out[i], (uint8_t)(i + 1 + (i < CHAINS ? LINKS * (2 * i + 1) : 0)));
  qn_jit_destroy(jit);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* ---- threads ---- */

typedef struct kept {
  uint32_t parts;
  size_t sizes[QN_CODE_MAX_PARTS];
  qn_text bytes;
} kept;

static void keep(void *user, const qn_code *code) {
  kept *k = user;
  k->parts = code->count;
  for (uint32_t i = 0; i < code->count; i++)
    qn_text_put(&k->bytes, (qn_str){(const char *)code->parts[i].data, code->parts[i].size});
}

static void any_threads_make_the_same_code(void **state) {
  (void)state;
  static const uint32_t threads[] = {1, 2, 8, 0};
  kept made[QN_COUNT(threads)] = {0};
  fixture f;
  fixture_init(&f);
  qn_module *module = chain_module(&f);
  qn_codegen_options options = fixture_options(&f, "baseline");
  options.keep = keep;
  for (size_t i = 0; i < QN_COUNT(threads); i++) {
    options.threads = threads[i];
    options.keep_user = &made[i];
    qn_jit *jit = NULL;
    fixture_expect(&f, qn_jit_create(module, &options, &jit), QN_OK);
    qn_jit_destroy(jit);
    qn_str first = qn_text_view(&made[0].bytes), bytes = qn_text_view(&made[i].bytes);
    assert_int_equal(made[i].parts, 3);
    assert_int_equal(bytes.size, first.size);
    assert_memory_equal(bytes.data, first.data, first.size);
  }
  for (size_t i = 0; i < QN_COUNT(threads); i++) qn_text_deinit(&made[i].bytes);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

/* ---- constants outside of the objects ---- */

enum { LARGE = 1 << 20, AT = LARGE - 3 };

/* Adds element AT of a large constant and an element of a large splat to both outputs. */
static qn_module *large_module(fixture *f) {
  qn_text text = {0};
  qn_text_format(&text,
                 "\"builtin.module\"() ({\n\"memref.global\"() <{sym_name = \"large\", type = "
                 "memref<%dxi8>, initial_value = dense<\"0x",
                 LARGE);
  for (int i = 0; i < LARGE; i++) qn_text_format(&text, "%02X", i % 101);
  qn_text_format(
      &text,
      "\"> : tensor<%dxi8>, constant}> : () -> ()\n\"memref.global\"() <{sym_name = \"same\", type "
      "= memref<%dxi8>, initial_value = dense<7> : tensor<%dxi8>, constant}> : () -> ()\n"
      "\"func.func\"() <{arg_attrs = [{quern.role = \"output\", quern.dtype = \"i8\", quern.shape "
      "= array<i64: 1>}], function_type = (memref<1xi8>) -> (), sym_name = \"main\"}> ({\n"
      "^bb0(%%out: memref<1xi8>):\n"
      "%%l = \"memref.get_global\"() <{name = @large}> : () -> memref<%dxi8>\n"
      "%%s = \"memref.get_global\"() <{name = @same}> : () -> memref<%dxi8>\n"
      "%%n = \"arith.constant\"() <{value = 1 : index}> : () -> index\n"
      "\"quern.launch\"(%%out, %%l, %%s, %%n) {kernel = @k} : (memref<1xi8>, memref<%dxi8>, "
      "memref<%dxi8>, index) -> ()\n\"func.return\"() : () -> ()\n}) : () -> ()\n",
      LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE);
  qn_text_format(
      &text,
      "\"func.func\"() <{function_type = (memref<1xi8>, memref<%dxi8>, memref<%dxi8>, index, "
      "index) "
      "-> (), sym_name = \"k\", sym_visibility = \"private\"}> ({\n^bb0(%%out: memref<1xi8>, %%l: "
      "memref<%dxi8>, %%s: memref<%dxi8>, %%lo: index, %%hi: index):\n"
      "%%zero = \"arith.constant\"() <{value = 0 : index}> : () -> index\n"
      "%%at = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
      "%%a = \"memref.load\"(%%l, %%at) : (memref<%dxi8>, index) -> i8\n"
      "%%b = \"memref.load\"(%%s, %%at) : (memref<%dxi8>, index) -> i8\n"
      "%%sum = \"arith.addi\"(%%a, %%b) : (i8, i8) -> i8\n"
      "\"memref.store\"(%%sum, %%out, %%zero) : (i8, memref<1xi8>, index) -> ()\n"
      "\"func.return\"() : () -> ()\n}) : () -> ()\n}) {quern.arena_bytes = 0 : i64} : () -> ()\n",
      LARGE, LARGE, LARGE, LARGE, AT, LARGE, LARGE);
  qn_module *module = fixture_parse(f, text.data);
  qn_text_deinit(&text);
  return module;
}

static void check_large(const qn_jit *jit) {
  uint8_t out = 0;
  qn_abi_call call = {.outputs = (void *[]){&out}};
  qn_jit_model(jit)->invoke(&call);
  assert_int_equal(out, AT % 101 + 7);
  assert_true(qn_jit_code_bytes(jit) > 2 * (size_t)LARGE);
  assert_true(qn_jit_code_bytes(jit) < 2 * (size_t)LARGE + (64 << 10));
}

/* Stores the parts consecutively, so that their addresses are not aligned. */
static void keep_apart(void *user, const qn_code *code) {
  kept *k = user;
  k->parts = code->count;
  for (uint32_t i = 0; i < code->count; i++) {
    k->sizes[i] = code->parts[i].size;
    qn_text_put(&k->bytes, (qn_str){(const char *)code->parts[i].data, code->parts[i].size});
  }
}

static void link_kept(fixture *f, const qn_codegen_options *options, kept *made, qn_jit **out_jit) {
  qn_code code = {.count = made->parts};
  const uint8_t *at = (const uint8_t *)made->bytes.data;
  for (uint32_t i = 0; i < code.count; at += made->sizes[i++])
    code.parts[i] = (qn_bytes){at, made->sizes[i]};
  fixture_expect(f, qn_jit_link(&f->cx, options, &code, out_jit), QN_OK);
  qn_text_deinit(&made->bytes);
}

/* Large constants are not in LLVM's object. They are available when it is linked, even if the
 * module is destroyed. */
static void large_constants_are_apart(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = large_module(&f);
  qn_codegen_options options = fixture_options(&f, "baseline");
  kept made = {0};
  options.keep = keep_apart;
  options.keep_user = &made;
  qn_jit *jit = NULL;
  fixture_expect(&f, qn_jit_create(module, &options, &jit), QN_OK);
  qn_module_destroy(module);
  check_large(jit);
  qn_jit_destroy(jit);
  assert_int_equal(made.parts, 2);
  assert_true(made.sizes[0] < 64 << 10);
  link_kept(&f, &options, &made, &jit);
  check_large(jit);
  qn_jit_destroy(jit);
  fixture_deinit(&f);
}

/* The large constant in a sealed file, as lowering leaves it. */
static qn_module *sealed_module(fixture *f) {
  qn_module *module = large_module(f);
  qn_op *global = qn_op_body(module->op)->first;
  const qn_attr *value = qn_op_find(global, QN_A_INITIAL_VALUE);
  qn_file *file = qn_file_sealed(value->dense.bytes);
  qn_module_retain_file(module, file);
  qn_op_set_attr(module, global, "initial_value",
                 qn_attr_dense(&f->cx, value->type, qn_file_bytes(file), true));
  qn_file_release(file);
  return module;
}

/* The constant is copied, and its file is unmapped when the module is destroyed. The code that is
 * kept has a copy, too. */
static void sealed_constants_move(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = sealed_module(&f);
  void *sealed = (void *)(uintptr_t)qn_file_bytes(module->files[module->file_count - 1]).data;
  unsigned char page;
  qn_codegen_options options = fixture_options(&f, "baseline");
  kept made = {0};
  options.keep = keep_apart;
  options.keep_user = &made;
  qn_jit *jit = NULL;
  fixture_expect(&f, qn_jit_create(module, &options, &jit), QN_OK);
  assert_int_equal(mincore(sealed, 1, &page), 0); /* the module still has it */
  qn_module_destroy(module);
  assert_int_equal(mincore(sealed, 1, &page), -1);
  check_large(jit);
  qn_jit_destroy(jit);
  link_kept(&f, &options, &made, &jit);
  check_large(jit);
  qn_jit_destroy(jit);
  fixture_deinit(&f);
}

/* Counts differences instead of asserting, because cmocka is used by one thread only. */
static void *use_own_context(void *failures) {
  for (int round = 0; round < 3; round++) {
    fixture f;
    fixture_init(&f);
    qn_module *module = chain_module(&f);
    qn_codegen_options options = fixture_options(&f, "baseline");
    qn_jit *jit = NULL;
    uint8_t out[8] = {0};
    if (qn_jit_create(module, &options, &jit) == QN_OK) {
      qn_abi_call call = {.outputs = (void *[]){out}};
      qn_jit_model(jit)->invoke(&call);
    }
    for (int i = 0; i < CHAINS; i++) *(int *)failures += out[i] != (uint8_t)(LINKS * (2 * i + 1));
    qn_jit_destroy(jit);
    qn_module_destroy(module);
    fixture_deinit(&f);
  }
  return NULL;
}

static void two_contexts_in_two_threads(void **state) {
  (void)state;
  pthread_t threads[2];
  int failures[2] = {0};
  for (int i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, use_own_context, &failures[i]), 0);
  for (int i = 0; i < 2; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
  assert_int_equal(failures[0] + failures[1], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(struct_layouts_agree),
      cmocka_unit_test(narrow_pointers_have_a_layout),
      cmocka_unit_test(descriptor_says_what_the_attributes_say),
      cmocka_unit_test(calls_back_and_uses_the_arena),
      cmocka_unit_test(bytes_are_reproducible),
      cmocka_unit_test(memory_is_never_writable_and_executable),
      cmocka_unit_test(kernels_are_dealt_out_evenly),
      cmocka_unit_test(parts_link),
      cmocka_unit_test(any_threads_make_the_same_code),
      cmocka_unit_test(large_constants_are_apart),
      cmocka_unit_test(sealed_constants_move),
      cmocka_unit_test(two_contexts_in_two_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The elementary functions as machine code in vectors, at every level that the machine supports:
 * the bits must equal those of the C functions that the interpreter calls. One bit pattern in some
 * thousands is tested; with an argument, all.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include "quant/elementary.h"

enum { COUNT = 4096, LANES = 16, MAX_LEVELS = 32 };
static uint32_t step = 4099;

/* The first COUNT elements of the input are x, the others are y. `lanes` 0: scalars. */
static qn_module *build(fixture *f, const qn_function_row *row, int lanes) {
  qn_text body = {0};
  char type[32] = "f32";
  const char *stem = lanes ? "vector" : "memref";
  if (lanes) snprintf(type, sizeof type, "vector<%dxf32>", lanes);
  qn_text_format(&body,
                 "%%x_in = \"memref.view\"(%%in, %%c0) : (memref<%dxi8>, index) -> memref<%dxf32>\n"
                 "%%to = \"memref.view\"(%%out, %%c0) : (memref<%dxi8>, index) -> memref<%dxf32>\n"
                 "%%half = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                 "%%y_in = \"memref.view\"(%%in, %%half) : (memref<%dxi8>, index) -> "
                 "memref<%dxf32>\n"
                 "%%step = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                 "%%end = \"arith.constant\"() <{value = %d : index}> : () -> index\n"
                 "\"scf.for\"(%%c0, %%end, %%step) ({\n^bb0(%%k: index):\n",
                 8 * COUNT, COUNT, 4 * COUNT, COUNT, 4 * COUNT, 8 * COUNT, COUNT, lanes ? lanes : 1,
                 COUNT);
  for (const char *name = "xy"; *name; name++)
    qn_text_format(&body, "%%%c = \"%s.load\"(%%%c_in, %%k) : (memref<%dxf32>, index) -> %s\n",
                   *name, stem, *name, COUNT, type);
  qn_text_format(&body, "%%r = \"%s\"(%%x%s) : (%s%s%s) -> %s\n", row->name,
                 row->arguments > 1 ? ", %y" : "", type, row->arguments > 1 ? ", " : "",
                 row->arguments > 1 ? type : "", type);
  qn_text_format(&body,
                 "\"%s.store\"(%%r, %%to, %%k) : (%s, memref<%dxf32>, index) -> ()\n"
                 "\"scf.yield\"() : () -> ()\n}) : (index, index, index) -> ()\n",
                 stem, type, COUNT);
  qn_module *module = fixture_kernel(f, 8 * COUNT, 4 * COUNT, 1, "", body.data);
  qn_text_deinit(&body);
  return module;
}

/* Bits of a y that is near 1 or of any magnitude. */
static uint32_t second(uint32_t bits) {
  uint32_t mixed = bits * 2654435761u;
  return mixed & 1 ? mixed : 0x3F000000 + (mixed >> 7 & 0x80FFFFFF);
}

static void run(qn_jit *jit, const uint32_t *in, uint32_t *out) {
  qn_abi_call call = {.inputs = (const void *[]){in}, .outputs = (void *[]){out}};
  qn_jit_model(jit)->invoke(&call);
}

static void compare(const char *level, const qn_function_row *row, const uint32_t *in,
                    const uint32_t *got, const uint32_t *wanted) {
  if (memcmp(got, wanted, COUNT * sizeof *got) == 0) return;
  for (int i = 0; i < COUNT; i++)
    if (got[i] != wanted[i])
      fail_msg("%s at %s: of %#x, %#x: %#x instead of %#x", row->name, level, in[i], in[COUNT + i],
               got[i], wanted[i]);
}

static void check(qn_function function, int lanes) {
  static uint32_t in[2 * COUNT];
  static uint32_t wanted[COUNT], got[COUNT];
  fixture f;
  fixture_init(&f);
  const qn_function_row *row = &qn_functions[function];
  qn_module *module = build(&f, row, lanes);
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  qn_jit *jits[MAX_LEVELS] = {NULL};
  assert_true(count <= MAX_LEVELS);
  for (uint32_t i = 0; i < count; i++) {
    qn_codegen_options options = fixture_options(&f, levels[i].name);
    if (qn_codegen_host_runs(&levels[i]))
      fixture_expect(&f, qn_jit_create(module, &options, &jits[i]), QN_OK);
  }
  for (uint64_t b = 0; b < UINT64_C(1) << 32;) {
    for (int i = 0; i < COUNT; i++, b += step) {
      in[i] = (uint32_t)b;
      in[COUNT + i] = second(in[i]);
      float x, y, z;
      memcpy(&x, &in[i], sizeof x);
      memcpy(&y, &in[COUNT + i], sizeof y);
      z = qn_function_f32(function, x, y);
      memcpy(&wanted[i], &z, sizeof z);
    }
    for (uint32_t i = 0; i < count; i++) {
      if (!jits[i]) continue;
      run(jits[i], in, got);
      compare(levels[i].name, row, in, got, wanted);
    }
  }
  fixture_eval(&f, module, (const uint8_t *)in, (uint8_t *)got);
  compare("the interpreter", row, in, got, wanted);
  for (uint32_t i = 0; i < count; i++)
    if (jits[i]) qn_jit_destroy(jits[i]);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

static void vectors(void **state) {
  (void)state;
  for (int i = 0; i < QN_FUNCTION_COUNT; i++) check((qn_function)i, LANES);
}

static void scalars(void **state) {
  (void)state;
  for (int i = 0; i < QN_FUNCTION_COUNT; i++) check((qn_function)i, 0);
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) step = 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test(vectors), cmocka_unit_test(scalars)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Target names, and which targets the host may run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/llvm.h"
#include "fixture.h"

static qn_codegen_target resolve(fixture *f, const char *cpu, const char *features) {
  qn_codegen_target target;
  const char *own = fixture_triple_of(cpu), *triple = own ? own : "x86_64-pc-linux-gnu";
  fixture_expect(f, qn_codegen_target_resolve(&f->cx, triple, cpu, features, &target), QN_OK);
  return target;
}

/* Features that are added to or removed from a level lead to another level of the same architecture
 * only. */
static void levels_stay_within_their_architecture(void **state) {
  static const struct {
    const char *triple, *cpu, *features, *level;
  } cases[] = {{"aarch64-linux-gnu", "baseline", NULL, "armv8"},
               {"aarch64-linux-gnu", "armv8", "+dotprod", "armv8-dot"},
               {"aarch64-linux-gnu", "armv8", "+dotprod,+i8mm", "armv8-i8mm"},
               {"aarch64-linux-gnu", "armv8-i8mm", "-dotprod", "armv8"},
               {"aarch64-linux-gnu", "generic", "+dotprod", "generic"},
               {"aarch64-linux-gnu", "cortex-a55", NULL, "armv8-dot"},
               {"aarch64-linux-gnu", "neoverse-v2", "-i8mm", "armv8-dot"},
               {"riscv64-linux-gnu", "baseline", NULL, "rv64"},
               {"riscv64-linux-gnu", "rv64", "+v,+zba,+zbb", "rv64v"},
               {"riscv64-linux-gnu", "rv64v", "-zba", "rv64"},
               {"riscv64-linux-gnu", "spacemit-x60", NULL, "rv64v"},
               {"aarch64-linux-gnu", "cortex-x925", NULL, "armv8-i8mm"},
               {"aarch64-linux-gnu", "neoverse-v3", NULL, "armv8-i8mm"},
               {"amd64-freebsd14", "haswell", NULL, "x86-64-v3"},
               {"thumbv7em-none-eabi", "cortex-m33", NULL, "cortex-m4"},
               {"thumbv8.1m.main-none-eabi", "cortex-m85", NULL, "cortex-m55"},
               {"riscv64-linux-gnu", "sifive-u74", NULL, "rv64"},
               {"x86_64-linux-gnu", "x86-64-amx", NULL, "x86-64-amx"},
               {"thumbv6m-none-eabi", "baseline", NULL, "cortex-m0plus"},
               {"thumbv7em-none-eabihf", "baseline", NULL, "cortex-m4"},
               {"thumbv7em-none-eabi", "cortex-m4", NULL, "cortex-m4"},
               {"thumbv7em-none-eabi", "cortex-m7", NULL, "cortex-m7"},
               {"thumbv8.1m.main-none-eabi", "cortex-m55", NULL, "cortex-m55"},
               {"riscv32-unknown-elf", "baseline", NULL, "rv32imc"}};
  (void)state;
  fixture f;
  fixture_init(&f);
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_codegen_target target;
    fixture_expect(
        &f,
        qn_codegen_target_resolve(&f.cx, cases[i].triple, cases[i].cpu, cases[i].features, &target),
        QN_OK);
    assert_string_equal(target.level->name, cases[i].level);
  }
  fixture_deinit(&f);
}

static void levels_resolve_to_themselves(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) {
    qn_codegen_target target = resolve(&f, levels[i].name, NULL);
    assert_ptr_equal(target.level, &levels[i]);
    assert_true(qn_str_is(target.cpu, levels[i].llvm_cpu ? levels[i].llvm_cpu : "x86-64"));
    assert_true(qn_str_is(target.features, levels[i].llvm_features));
  }
  fixture_deinit(&f);
}

static void cpu_names_have_levels(void **state) {
  static const struct {
    const char *cpu, *features, *level;
  } cases[] = {
      {"haswell", NULL, "x86-64-v3"},
      {"nehalem", NULL, "x86-64"},
      {"skylake-avx512", NULL, "x86-64-v4"},
      {"cascadelake", NULL, "avx512vnni"},
      {"sapphirerapids", NULL, "x86-64-amx"},
      {"sapphirerapids", "-amx-int8", "avx512vbmi"},
      {"sapphirerapids", "-avx512vbmi", "avx512vnni"},
      {"alderlake", NULL, "avxvnni"},
      {"alderlake", "-avxvnni", "x86-64-v3"},
      {"znver4", "-avx512vbmi", "avx512vnni"},
      {"znver4", "-avx512vbmi,-avx512vnni", "x86-64-v4"},
      {"znver4", "-avx512bw", "x86-64-v3"},
      {"haswell", "-fma", "x86-64"},
      {"x86-64-v3", "+avxvnni", "avxvnni"},
      {"x86-64-v4", "+avx512vnni,+avx512vbmi", "avx512vbmi"},
      {"x86-64-v3", "+avx512vnni", "x86-64-v3"},
      {"x86-64-v4", "+avx512vnni,+avx512vbmi,+amx-tile,+amx-int8", "x86-64-amx"},
      {"x86-64-amx", NULL, "x86-64-amx"},
  };
  (void)state;
  fixture f;
  fixture_init(&f);
  for (size_t i = 0; i < QN_COUNT(cases); i++)
    assert_string_equal(resolve(&f, cases[i].cpu, cases[i].features).level->name, cases[i].level);
  fixture_deinit(&f);
}

static void unknown_names_are_listed(void **state) {
  static const struct {
    const char *triple, *cpu, *features, *said;
  } cases[] = {
      {"x86_64-linux-gnu", "pentium9", NULL, "x86-64-v3"},
      {"x86_64-linux-gnu", "haswell", "+turbo", "avx512vnni"},
      {"x86_64-linux-gnu", "haswell", "avx2", "'avx2' is not +FEATURE or -FEATURE"},
      {"x86_64-linux-gnu", "haswell", "+avx2,", NULL},
      {"x86_64-linux-gnu", "haswell", "+", "'+' is not"},
      {"riscv64-linux-gnu", "haswell", NULL, "code for riscv64 is of the level rv64"},
      {"aarch64-linux-gnu", "x86-64-v3", NULL, "'x86-64-v3' is of x86_64"},
      {"x86_64-linux-gnu", "generic", "+sve", "features: sse3"},
      {"aarch64-linux-gnu", "generic", "+sve", "features: dotprod i8mm"},
      {"aarch64-linux-gnu", "generic", "+avx2", "features: dotprod i8mm"},
      {"riscv64-linux-gnu", "generic", "-sse3", "features: v zba zbb"},
      {"riscv32-unknown-elf", "rv32imc", "-sse3", "and has no features by name"},
      {"riscv64-linux-gnu", "generic", "", NULL},
      {"armv7-linux-gnueabihf", "generic", NULL, "architectures: x86_64, aarch64, riscv64"},
      {"x86_64-linux-gnux32", "generic", NULL, "no code generation"},
      {"x86_64-pc-windows-msvc", "haswell", NULL, "x86_64-windows-gnu need nothing"},
      {"x86_64-pc-windows-gnu", "haswell", NULL, NULL},
      {"x86_64-pc-solaris", "haswell", NULL, "systems of x86_64: linux"},
      {"x86_64-linux-solaris", "haswell", NULL, "systems of x86_64: linux"},
      {"x86_64-linux-gnu-macho", "haswell", NULL, "no code generation"},
      {"x86_64-pc-linux-gnumacho", "haswell", NULL, "no code generation"},
      {"x86_64-pc-windows-gnuelf", "haswell", NULL, "no code generation"},
      {"arm64-apple-macos-elf", "baseline", NULL, "no code generation"},
      {"arm64-apple-macos", "apple-m1", NULL, NULL},
      {"arm64-apple-ios", "apple-a13", NULL, "systems of aarch64: linux"},
      {"arm64e-apple-macos", "baseline", NULL, "no code generation"},
      {"riscv64-windows-gnu", "rv64", NULL, "systems of riscv64: linux"},
      {"aarch64_be-linux-gnu", "armv8", NULL, "is big-endian"},
      {"s390x-linux-gnu", "generic", NULL, "is big-endian"},
      {"thumbv7m-none-eabi", "cortex-m4", NULL, "'cortex-m4' is of thumbv7em"},
      {"thumbv7m-none-eabi", "generic", NULL, "'generic' is of architectures of 64 bits"},
      {"thumbv7em-linux-gnueabihf", "cortex-m4", NULL, "systems of thumbv7em: none-eabi"},
      {"thumbebv7m-none-eabi", "baseline", NULL, "is big-endian"},
      {"thumbv7m-none-eabi", "cortex-m34", NULL, "did you mean 'cortex-m3'?"},
      {"riscv32-unknown-elf", "rv32imc", NULL, NULL},
  };
  (void)state;
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    fixture f;
    fixture_init(&f);
    qn_codegen_target target;
    qn_status status =
        qn_codegen_target_resolve(&f.cx, cases[i].triple, cases[i].cpu, cases[i].features, &target);
    fixture_expect(&f, status, cases[i].said ? QN_NOT_FOUND : QN_OK);
    if (cases[i].said) assert_non_null(strstr(f.messages.data, cases[i].said));
    fixture_deinit(&f);
  }
}

static void the_host_runs_its_own_level(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_codegen_target target;
  fixture_expect(&f, qn_codegen_target_resolve(&f.cx, NULL, NULL, NULL, &target), QN_OK);
  assert_true(qn_codegen_host_runs(target.level));
  fixture_expect(&f, qn_codegen_check_host(&f.cx, &target), QN_OK);
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  assert_true(qn_codegen_host_runs(&levels[0]));
  for (uint32_t i = 0; i < count; i++) {
    const char *triple = fixture_triple(levels[i].name), *name = levels[i].name;
    fixture_expect(&f, qn_codegen_target_resolve(&f.cx, triple, name, NULL, &target), QN_OK);
    fixture_expect(&f, qn_codegen_check_host(&f.cx, &target),
                   qn_codegen_host_runs(&levels[i]) ? QN_OK : QN_UNSUPPORTED);
  }
  fixture_deinit(&f);
}

/* On macOS and Windows, no instruction tells a program what its CPU has. */
static void untold_features_are_rejected(void **state) {
  static const struct {
    const char *triple, *cpu, *said;
  } cases[] = {{"arm64-apple-macos", "armv8-i8mm", ": i8mm; use --cpu armv8-dot"},
               {"arm64-apple-darwin", "apple-m2", ": i8mm; use --cpu armv8-dot"},
               {"aarch64-windows-gnu", "armv8-dot", ": dotprod; use --cpu armv8"}};
  (void)state;
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    fixture f;
    fixture_init(&f);
    qn_codegen_target target;
    fixture_expect(&f,
                   qn_codegen_target_resolve(&f.cx, cases[i].triple, cases[i].cpu, NULL, &target),
                   QN_UNSUPPORTED);
    assert_non_null(strstr(f.messages.data, cases[i].said));
    fixture_deinit(&f);
  }
}

/* For a named CPU, LLVM may use all of its features. So only the name of the host CPU and the
 * levels may run. */
static void foreign_cpus_are_not_run(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_codegen_target target = resolve(&f, "btver2", NULL);
  fixture_expect(&f, qn_codegen_check_host(&f.cx, &target), QN_UNSUPPORTED);
  assert_non_null(strstr(f.messages.data, "btver2"));
  fixture_deinit(&f);
}

/* LLVM knows every name in cpus.def; for other names it prints a warning. */
static void llvm_knows_every_cpu(void **state) {
  static const char *const cpus[] = {
#define CPU(name, level, features) name,
#include "codegen/machine/cpus.def"
#undef CPU
  };
  static const char *const levels[] = {
#define CPU(name, level, features) level,
#include "codegen/machine/cpus.def"
#undef CPU
  };
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_module *module = fixture_kernel(&f, 16, 16, 1, "", "");
  char path[] = "/tmp/quern-stderr-XXXXXX";
  int captured = mkstemp(path), saved = dup(STDERR_FILENO);
  assert_true(captured >= 0 && saved >= 0);
  dup2(captured, STDERR_FILENO);
  qn_status worst = QN_OK;
  for (size_t i = 0; i < QN_COUNT(cpus); i++) {
    qn_codegen_options options = {.symbol = qn_str_of("model")};
    qn_str level = qn_str_of(levels[i]);
    fixture_expect(
        &f,
        qn_codegen_target_resolve(&f.cx, fixture_triple(levels[i]), cpus[i], NULL, &options.target),
        QN_OK);
    assert_true(qn_str_is(level, options.target.level->name));
    if (options.target.level->index_bits != 64) continue;
    qn_text out = {0};
    qn_status status = fixture_emit(module, &options, QN_EMIT_OBJECT, &out);
    if (status != QN_OK) worst = status;
    qn_text_deinit(&out);
  }
  dup2(saved, STDERR_FILENO);
  off_t written = lseek(captured, 0, SEEK_CUR);
  close(captured);
  close(saved);
  unlink(path);
  fixture_expect(&f, worst, QN_OK);
  assert_int_equal(written, 0);
  qn_module_destroy(module);
  fixture_deinit(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_resolve_to_themselves),
      cmocka_unit_test(levels_stay_within_their_architecture),
      cmocka_unit_test(cpu_names_have_levels),
      cmocka_unit_test(unknown_names_are_listed),
      cmocka_unit_test(the_host_runs_its_own_level),
      cmocka_unit_test(untold_features_are_rejected),
      cmocka_unit_test(foreign_cpus_are_not_run),
      cmocka_unit_test(llvm_knows_every_cpu),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

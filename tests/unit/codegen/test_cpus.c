/* machine/cpus.def against LLVM's own table of features.
 *
 * LLVM's C API does not list the features of a CPU. But its inliner knows them: a function may be
 * inlined only where all of its features are present. So a caller for the CPU calls one function
 * per feature, which is for the same CPU with that feature added, and those that are inlined are
 * there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fixture.h"

#include <llvm-c/Transforms/PassBuilder.h>

#include "codegen/machine/machine.h"

enum { MAX_FEATURES = 64 };

static const struct cpu {
  const char *name, *level, *features;
} cpus[] = {
#define CPU(name, level, features) {name, level, features},
#include "codegen/machine/cpus.def"
#undef CPU
};

static void set_attribute(LLVMValueRef function, const char *name, const char *value) {
  LLVMAddTargetDependentFunctionAttr(function, name, value);
}

static LLVMValueRef add_function(LLVMModuleRef module, const char *name, const char *cpu) {
  LLVMTypeRef type =
      LLVMFunctionType(LLVMInt32TypeInContext(LLVMGetModuleContext(module)), NULL, 0, 0);
  LLVMValueRef function = LLVMAddFunction(module, name, type);
  set_attribute(function, "target-cpu", cpu);
  return function;
}

/* The functions and their caller; `names` are "+a" or a list of them. */
static LLVMModuleRef build(LLVMContextRef llvm, const char *triple, const char *cpu,
                           const char *const *names, size_t count) {
  LLVMModuleRef module = LLVMModuleCreateWithNameInContext("cpu", llvm);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm);
  LLVMBuilderRef b = LLVMCreateBuilderInContext(llvm);
  LLVMSetTarget(module, triple);
  LLVMValueRef loaded = LLVMAddGlobal(module, i32, "loaded"), calls[MAX_FEATURES] = {NULL};
  for (size_t i = 0; i < count; i++) {
    calls[i] = add_function(module, names[i], cpu);
    LLVMSetLinkage(calls[i], LLVMInternalLinkage);
    set_attribute(calls[i], "target-features", names[i]);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(llvm, calls[i], ""));
    LLVMBuildRet(b, LLVMBuildLoad2(b, i32, loaded, ""));
  }
  LLVMValueRef caller = add_function(module, "caller", cpu), sum = LLVMConstInt(i32, 0, 0);
  LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(llvm, caller, ""));
  for (size_t i = 0; i < count; i++) {
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(calls[i]), calls[i], NULL, 0, "");
    sum = LLVMBuildAdd(b, sum, call, "");
  }
  LLVMBuildRet(b, sum);
  LLVMDisposeBuilder(b);
  return module;
}

/* The set of those names of which the CPU has every feature. */
static uint64_t ask(const char *triple, const char *cpu, const char *const *names, size_t count) {
  assert_true(count <= MAX_FEATURES);
  qn_cg_start_llvm();
  LLVMContextRef llvm = LLVMContextCreate();
  LLVMModuleRef module = build(llvm, triple, cpu, names, count);
  LLVMTargetRef back_end;
  char *message;
  assert_int_equal(LLVMGetTargetFromTriple(triple, &back_end, &message), 0);
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      back_end, triple, cpu, "", LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  assert_null(LLVMRunPasses(module, "cgscc(inline)", machine, options));
  uint64_t set = 0;
  for (size_t i = 0; i < count; i++)
    if (!LLVMGetNamedFunction(module, names[i])) set |= UINT64_C(1) << i;
  LLVMDisposePassBuilderOptions(options);
  LLVMDisposeTargetMachine(machine);
  LLVMDisposeModule(module);
  LLVMContextDispose(llvm);
  return set;
}

/* The features of the architecture's table that the CPU has. */
static uint64_t features_of(const qn_cg_architecture *a, const char *triple, const char *cpu) {
  char names[MAX_FEATURES][24];
  const char *all[MAX_FEATURES];
  for (uint32_t i = 0; i < a->feature_count; i++) {
    snprintf(names[i], sizeof names[i], "+%s", a->feature_rows[i].name);
    all[i] = names[i];
  }
  return ask(triple, cpu, all, a->feature_count);
}

static const qn_target *best_of(const qn_target *row, uint64_t set) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count), *best = NULL;
  for (uint32_t i = 0; i < count; i++) {
    bool same = levels[i].architecture && strcmp(levels[i].architecture, row->architecture) == 0;
    if (same && (qn_cg_features_of(&levels[i]) & ~set) == 0) best = &levels[i];
  }
  return best;
}

static void levels_follow_from_llvms_table(void **state) {
  (void)state;
  for (size_t i = 0; i < QN_COUNT(cpus); i++) {
    const qn_target *level = qn_target_find(qn_str_of(cpus[i].level));
    const qn_cg_architecture *a = qn_cg_architecture_of(level->architecture);
    if (a->feature_count == 0) continue;
    char triple[64];
    snprintf(triple, sizeof triple, "%s-unknown-%s", a->name, a->usual);
    uint64_t set = features_of(a, triple, cpus[i].name);
    assert_string_equal(best_of(level, set)->name, cpus[i].level);
    if (!cpus[i].features) { /* LLVM is given the level's features, which the CPU must have */
      const char *needed[] = {level->llvm_features};
      if (needed[0][0]) assert_int_equal(ask(triple, cpus[i].name, needed, 1), 1);
      continue;
    }
    /* Only atomic operations need cx16, so LLVM's inliner takes it as present. */
    uint64_t ignored = qn_cg_features_apply(a, 0, qn_str_of("+cx16"), NULL);
    uint64_t table =
        qn_cg_features_apply(a, qn_cg_features_of(level), qn_str_of(cpus[i].features), NULL);
    if ((set ^ table) & ~ignored)
      fail_msg("%s: 0x%jx, not 0x%jx", cpus[i].name, (uintmax_t)set, (uintmax_t)table);
  }
}

/* Features that are not in the table of a named x86 CPU would not be tested by SYMBOL_supported. */
static void a_named_cpu_requires_its_features(void **state) {
  static const struct {
    const char *cpu, *features, *without;
  } cases[] = {{"sandybridge", NULL, "+avx"},
               {"znver4", NULL, "+avx512vpopcntdq"},
               {"znver4", "-gfni", "+sse4a"},
               {"skylake-avx512", "+avx512vnni", "+avx512vnni"}};
  (void)state;
  fixture f;
  fixture_init(&f);
  for (size_t i = 0; i < QN_COUNT(cases); i++) {
    qn_codegen_target target;
    fixture_expect(&f,
                   qn_codegen_target_resolve(&f.cx, "x86_64-linux-gnu", cases[i].cpu,
                                             cases[i].features, &target),
                   QN_OK);
    uint64_t bit = qn_cg_features_apply(&qn_cg_x86, 0, qn_str_of(cases[i].without), NULL);
    assert_true(bit && (target.required & bit) == bit);
  }
  fixture_deinit(&f);
}

/* Elsewhere LLVM is not told of features that no table lists, such as SVE, which not all CPUs of
 * the level have. */
static void other_cpus_only_schedule(void **state) {
  (void)state;
  fixture f;
  fixture_init(&f);
  qn_codegen_target target;
  fixture_expect(
      &f, qn_codegen_target_resolve(&f.cx, "aarch64-linux-gnu", "neoverse-v1", "-i8mm", &target),
      QN_OK);
  assert_string_equal(target.cpu.data, "generic");
  assert_string_equal(target.tune.data, "neoverse-v1");
  assert_string_equal(target.features.data, "+dotprod,+i8mm,-i8mm");
  assert_string_equal(target.level->name, "armv8-dot");
  fixture_deinit(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(levels_follow_from_llvms_table),
      cmocka_unit_test(a_named_cpu_requires_its_features),
      cmocka_unit_test(other_cpus_only_schedule),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

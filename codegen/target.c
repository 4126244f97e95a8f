/* Resolves the user's choice (a level, a CPU, features, or none) to a level and a target
 * description for LLVM.
 *
 * LLVM's C API does not list the features of a CPU, so machine/cpus.def gives each CPU a level, and
 * a test compares the file with LLVM's table. "+a,-b" then changes bits of the feature set. The
 * selected level is the last one whose features are all in the set, so that loops never use an
 * instruction that the target lacks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "base/spelling.h"
#include "codegen/context.h"
#include "codegen/error.h"
#include "codegen/machine/machine.h"

static const struct cpu {
  const char *name, *level;
  const char *features; /* beyond the level's; NULL: LLVM only schedules for the CPU */
} cpus[] = {
#define CPU(name, level, features) {name, level, features},
#include "codegen/machine/cpus.def"
#undef CPU
};

/* The last level of the architecture, from `least` on, whose features are all in the set. */
static const qn_target *best_level(const qn_target *least, uint64_t set) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count), *best = least;
  if (!least->architecture) return least;
  for (const qn_target *level = least; level < levels + count; level++) {
    bool same = level->architecture && strcmp(level->architecture, least->architecture) == 0;
    if (same && (qn_cg_features_of(level) & ~set) == 0) best = level;
  }
  return best;
}

/* ---- the host ---- */

static void dispose(void *owner) {
  if (*(char **)owner) LLVMDisposeMessage(*(char **)owner);
}

/* Aborts the call if `string` is NULL: LLVM does not check its allocations. Outside of a call that
 * can be aborted, as in qn_host_level, NULL is returned and means unknown. */
static char *need(char *string) {
  if (!string && qn_guard_current()) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  return string;
}

/* Copies a string that LLVM allocates to the arena, and disposes it. */
static qn_str take(qn_arena *arena, char *(*make)(void)) {
  char **string = qn_heap_own(sizeof *string, dispose);
  *string = need(make());
  qn_str copy = qn_arena_str(arena, qn_str_of(*string));
  dispose(string);
  qn_heap_free(string);
  return copy;
}

/* The host's architecture; NULL if no code is generated for it. */
static const qn_cg_architecture *host_architecture(void) {
  char *triple = need(LLVMGetDefaultTargetTriple());
  const qn_cg_architecture *host = triple ? qn_cg_architecture_of(triple) : NULL;
  LLVMDisposeMessage(triple);
  return host;
}

/* Features of the host CPU, as LLVM reports them. */
static uint64_t cpu_features(const qn_cg_architecture *host) {
  char *list = need(LLVMGetHostCPUFeatures());
  uint64_t set = qn_cg_features_apply(host, 0, qn_str_of(list), NULL);
  LLVMDisposeMessage(list);
  return set;
}

/* Features that the operating system lets this process use. */
static uint64_t host_features(void) {
  const qn_cg_architecture *host = host_architecture();
  uint64_t set = host ? cpu_features(host) : 0;
  return host && host->grant ? host->grant(set) : set;
}

/* Whether the architecture can use the level. Levels without an architecture are for all
 * architectures with pointers of the same width. */
static bool is_of(const qn_target *level, const qn_cg_architecture *a) {
  if (!level->architecture) return level->index_bits == a->pointer_bits;
  return strcmp(level->architecture, a->name) == 0;
}

bool qn_codegen_names_sections(const qn_codegen_target *target) {
  return qn_cg_format_of(target->triple.data) != QN_FORMAT_MACHO;
}

const char *qn_codegen_architecture_of(const qn_target *level, uint32_t i) {
  const qn_cg_architecture *a;
  for (uint32_t k = 0; (a = qn_cg_architecture_at(k)); k++)
    if (is_of(level, a) && i-- == 0) return a->name;
  return NULL;
}

qn_str qn_codegen_triple_of(qn_arena *arena, const char *architecture) {
  const qn_cg_architecture *a = qn_cg_architecture_of(architecture);
  QN_ASSERT(a);
  return qn_arena_format(arena, "%s-%s", a->name, a->usual);
}

const char *qn_codegen_cpu_of(const qn_target *level, uint32_t i) {
  for (size_t k = 0; k < QN_COUNT(cpus); k++)
    if (strcmp(cpus[k].level, level->name) == 0 && i-- == 0) return cpus[k].name;
  return NULL;
}

static const struct cpu *cpu_named(const char *name) {
  for (size_t i = 0; i < QN_COUNT(cpus); i++)
    if (strcmp(name, cpus[i].name) == 0) return &cpus[i];
  return NULL;
}

const qn_target *qn_codegen_level_of(const char *cpu) {
  const qn_target *level = qn_target_find(qn_str_of(cpu));
  const struct cpu *named = level ? NULL : cpu_named(cpu);
  return named ? qn_target_find(qn_str_of(named->level)) : level;
}

bool qn_codegen_host_runs(const qn_target *level) {
  const qn_cg_architecture *host = host_architecture();
  return host && is_of(level, host) && (qn_cg_features_of(level) & ~host_features()) == 0;
}

static bool is_base_cpu(qn_str cpu, const qn_cg_architecture *a) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++)
    if (levels[i].llvm_cpu && qn_str_is(cpu, levels[i].llvm_cpu)) return true;
  return qn_str_is(cpu, a->cpu);
}

qn_status qn_codegen_check_host(qn_ir_context *cx, const qn_codegen_target *target) {
  const char *host = take(&cx->diag.scratch, LLVMGetHostCPUName).data;
  const qn_cg_architecture *architecture = qn_cg_architecture_of(target->triple.data);
  bool known = qn_str_is(target->cpu, host) || is_base_cpu(target->cpu, architecture);
  uint64_t needed =
      qn_cg_features_apply(architecture, qn_cg_features_of(target->level), target->features, NULL);
  bool runs = host_architecture() == architecture && (needed & ~host_features()) == 0;
  qn_status status = QN_OK;
  if (!known || !runs)
    status = qn_error(&cx->diag, cx->diag.unknown, QN_UNSUPPORTED,
                      "this machine ('%s') can't run code for '%.*s' at level %s of %s", host,
                      QN_STR_ARG(target->cpu), target->level->name, architecture->name);
  return status;
}

/* ---- resolving ---- */

/* A suggestion from names that begin with `cpu`: "; did you mean 'x86-64-v4'?"; "" if none. */
static qn_str cpu_meant(qn_arena *arena, const qn_cg_architecture *a, const char *cpu) {
  static const struct {
    const char *begins, *architecture, *name;
  } hints[] = {
#define HINT(begins, architecture, name) {begins, architecture, name},
#include "codegen/machine/hints.def"
#undef HINT
  };
  for (size_t i = 0; i < QN_COUNT(hints); i++) {
    if (strncmp(cpu, hints[i].begins, strlen(hints[i].begins)) != 0) continue;
    bool elsewhere = hints[i].architecture[0] && strcmp(hints[i].architecture, a->name) != 0;
    return elsewhere
               ? qn_arena_format(arena, "; did you mean '%s' with --target %s, not %s?",
                                 hints[i].name,
                                 qn_codegen_triple_of(arena, hints[i].architecture).data, a->name)
               : qn_arena_format(arena, "; did you mean '%s'?", hints[i].name);
  }
  return qn_str_of("");
}

/* A suggestion from names with a small edit distance. */
static qn_str cpu_near(qn_arena *arena, const char *cpu) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  const char **names = QN_NEW_ARRAY(arena, count + QN_COUNT(cpus) + 2, const char *);
  size_t at = 0;
  names[at++] = "native";
  names[at++] = "baseline";
  for (uint32_t i = 0; i < count; i++) names[at++] = levels[i].name;
  for (size_t i = 0; i < QN_COUNT(cpus); i++) names[at++] = cpus[i].name;
  const char *near = qn_nearest_name(cpu, names, at);
  return near ? qn_arena_format(arena, "; did you mean '%s'?", near) : qn_str_of("");
}

static qn_status unknown_cpu(qn_ir_context *cx, const qn_cg_architecture *a, const char *cpu) {
  qn_text names = {0};
  qn_str meant = cpu_near(&cx->diag.scratch, cpu);
  if (meant.size == 0) meant = cpu_meant(&cx->diag.scratch, a, cpu);
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) qn_text_format(&names, " %s", levels[i].name);
  qn_text_format(&names, "; CPUs of %s: native baseline", a->name);
  for (size_t i = 0; i < QN_COUNT(cpus); i++)
    if (is_of(qn_target_find(qn_str_of(cpus[i].level)), a))
      qn_text_format(&names, " %s", cpus[i].name);
  qn_status status =
      qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND, "unknown CPU '%s'%.*s; levels:%s", cpu,
               QN_STR_ARG(meant), names.data);
  qn_text_deinit(&names);
  return status;
}

/* Reports features that were given for an architecture without a feature table, which has one
 * level. */
static qn_status no_features(qn_ir_context *cx, const qn_cg_architecture *a, qn_str named) {
  return qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
                  "'%.*s': code for %s is of the level %s and has no features by name",
                  QN_STR_ARG(named), a->name, a->baseline);
}

static qn_status unknown_feature(qn_ir_context *cx, const qn_cg_architecture *a, qn_str item) {
  qn_text names = {0};
  for (uint32_t i = 0; i < a->feature_count; i++)
    qn_text_format(&names, " %s", a->feature_rows[i].name);
  qn_status status =
      qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
               "'%.*s' is not +FEATURE or -FEATURE; features:%s", QN_STR_ARG(item), names.data);
  qn_text_deinit(&names);
  return status;
}

/* Whether the architecture has the system of a triple. */
static bool has_system(const qn_cg_architecture *a, const char *triple) {
  const qn_str system = qn_str_of(qn_cg_system_of(triple));
  bool known = false;
  for (const char *const *name = a->systems; *name; name++)
    known = known || qn_str_starts(system, *name);
  return known && qn_cg_system_is_usual(triple);
}

static bool is_big_endian(const char *triple) {
  static const char *const big[] = {"aarch64_be-", "armeb",      "thumbeb", "riscv32be-",
                                    "riscv64be-",  "mips-",      "mips64-", "powerpc-",
                                    "ppc-",        "powerpc64-", "ppc64-",  "s390x-",
                                    "sparc-",      "sparcv9-",   "sparc64-"};
  for (size_t i = 0; i < QN_COUNT(big); i++)
    if (qn_str_starts(qn_str_of(triple), big[i])) return true;
  return false;
}

static qn_status check_triple(qn_ir_context *cx, const char *triple) {
  const qn_cg_architecture *a = qn_cg_architecture_of(triple), *other;
  if (a && has_system(a, triple)) return QN_OK;
  if (is_big_endian(triple))
    return qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
                    "'%s' is big-endian; code and constants are made for little-endian targets",
                    triple);
  bool has_windows = a && a->systems == qn_cg_hosted;
  if (has_windows && qn_str_starts(qn_str_of(qn_cg_system_of(triple)), "windows-msvc"))
    return qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
                    "objects for '%s' would need _fltused of Microsoft's library; those for "
                    "%.*s-windows-gnu need nothing, and every linker for Windows takes them",
                    triple, (int)strcspn(triple, "-"), triple);
  qn_text names = {0}, systems = {0};
  for (uint32_t i = 0; (other = qn_cg_architecture_at(i)); i++)
    qn_text_format(&names, "%s %s", i ? "," : "", other->name);
  for (const char *const *system = a ? a->systems : qn_cg_hosted; *system; system++)
    qn_text_format(&systems, "%s %s", systems.size ? "," : "", *system);
  qn_status status = qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
                              "no code generation for '%s'; architectures:%s; systems%s%s:%s",
                              triple, names.data, a ? " of " : "", a ? a->name : "", systems.data);
  qn_text_deinit(&names);
  qn_text_deinit(&systems);
  return status;
}

typedef struct cpu_choice {
  const qn_target *level; /* level of the named level or CPU; NULL: found by the features */
  const qn_target
      *least; /* minimum level; the resolved one is this or a later one of the architecture */
  qn_str cpu, tune, features;
  uint64_t set;
} cpu_choice;

static const qn_target *baseline_of(const qn_cg_architecture *a) {
  return qn_target_find(qn_str_of(a->baseline));
}

static cpu_choice choose_level(const qn_cg_architecture *a, const qn_target *level) {
  return (cpu_choice){.level = level,
                      .least = level->architecture ? baseline_of(a) : level,
                      .cpu = qn_str_of(level->llvm_cpu ? level->llvm_cpu : a->cpu),
                      .tune = qn_str_of(""),
                      .features =
                          qn_str_of(level->architecture ? level->llvm_features : a->features),
                      .set = qn_cg_features_of(level)};
}

/* Code for a CPU is that of its level, scheduled for it; on x86, LLVM may use all of its features.
 */
static void narrow_to_cpu(const qn_cg_architecture *a, const struct cpu *cpu, cpu_choice *choice) {
  if (!cpu->features) {
    choice->tune = qn_str_of(cpu->name);
    return;
  }
  choice->cpu = qn_str_of(cpu->name);
  choice->features = qn_str_of("");
  choice->set = qn_cg_features_apply(a, choice->set, qn_str_of(cpu->features), NULL);
}

/* LLVM's list of the CPU's features, adjusted to what the operating system grants. */
static qn_str granted_list(qn_ir_context *cx, const qn_cg_architecture *a, uint64_t granted) {
  qn_str list = take(&cx->arena, LLVMGetHostCPUFeatures);
  uint64_t changed = qn_cg_features_apply(a, 0, list, NULL) ^ granted;
  for (uint32_t i = 0; i < a->feature_count; i++)
    if (changed >> i & 1) {
      const char *name = a->feature_rows[i].name;
      if (!(granted >> i & 1))
        qn_warning(&cx->diag, cx->diag.unknown,
                   "this CPU has %s, but its operating system does not let this process use it",
                   name);
      list = qn_arena_format(&cx->arena, "%.*s,%c%s", QN_STR_ARG(list),
                             granted >> i & 1 ? '+' : '-', name);
    }
  return list;
}

static qn_status choose_host(qn_ir_context *cx, const qn_cg_architecture *a,
                             cpu_choice *out_choice) {
  if (host_architecture() != a)
    return qn_error(&cx->diag, cx->diag.unknown, QN_UNSUPPORTED,
                    "the host is no %s: name a CPU or a level", a->name);
  uint64_t granted = host_features();
  *out_choice = (cpu_choice){.least = baseline_of(a),
                             .cpu = take(&cx->arena, LLVMGetHostCPUName),
                             .tune = qn_str_of(""),
                             .features = granted_list(cx, a, granted),
                             .set = granted};
  return QN_OK;
}

static qn_status choose_cpu(qn_ir_context *cx, const qn_cg_architecture *a, const char *cpu,
                            cpu_choice *out_choice) {
  if (!cpu || strcmp(cpu, "native") == 0) return choose_host(cx, a, out_choice);
  bool is_baseline = strcmp(cpu, "baseline") == 0;
  const qn_target *level = is_baseline ? baseline_of(a) : qn_codegen_level_of(cpu);
  const struct cpu *named = is_baseline || qn_target_find(qn_str_of(cpu)) ? NULL : cpu_named(cpu);
  if (!level) return unknown_cpu(cx, a, cpu);
  qn_str elsewhere = qn_str_of("");
  if (level->architecture)
    elsewhere = qn_arena_format(&cx->diag.scratch, "; did you mean --target %s?",
                                qn_codegen_triple_of(&cx->diag.scratch, level->architecture).data);
  if (!is_of(level, a))
    return qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
                    "'%s' is of %s; code for %s is of the level %s%s", cpu,
                    level->architecture ? level->architecture : "architectures of 64 bits", a->name,
                    a->baseline, elsewhere.data);
  *out_choice = choose_level(a, level);
  if (named) narrow_to_cpu(a, named, out_choice);
  return QN_OK;
}

/* Reports features for which code of the system cannot ask the CPU, as SYMBOL_supported must. */
static qn_status check_told(qn_ir_context *cx, const qn_cg_architecture *a, const char *triple,
                            uint64_t set) {
  uint64_t untold = a->untold ? a->untold(triple) & set : 0;
  if (untold == 0) return QN_OK;
  qn_text names = {0};
  for (uint32_t i = 0; i < a->feature_count; i++)
    if (untold >> i & 1) qn_text_format(&names, " %s", a->feature_rows[i].name);
  qn_status status = qn_error(&cx->diag, cx->diag.unknown, QN_UNSUPPORTED,
                              "no instruction tells a program for '%s' whether its CPU has these "
                              "features, so it could not be rejected elsewhere:%s; use --cpu %s",
                              triple, names.data, best_level(baseline_of(a), set & ~untold)->name);
  qn_text_deinit(&names);
  return status;
}

/* Normalizes a triple to all of its components, because LLVM would misinterpret the last of three.
 */
static qn_str normal_triple(qn_arena *arena, const char *triple) {
  char **normal = qn_heap_own(sizeof *normal, dispose);
  *normal = need(LLVMNormalizeTargetTriple(triple));
  qn_str copy = qn_arena_str(arena, qn_str_of(*normal));
  dispose(normal);
  qn_heap_free(normal);
  return copy;
}

qn_status qn_codegen_target_resolve(qn_ir_context *cx, const char *triple, const char *cpu,
                                    const char *extra, qn_codegen_target *out_target) {
  qn_str added = qn_str_of(extra ? extra : ""), unknown = {0};
  cpu_choice choice = {0};
  out_target->triple =
      triple ? normal_triple(&cx->arena, triple) : take(&cx->arena, LLVMGetDefaultTargetTriple);
  QN_TRY(check_triple(cx, out_target->triple.data));
  const qn_cg_architecture *a = qn_cg_architecture_of(out_target->triple.data);
  QN_TRY(choose_cpu(cx, a, cpu, &choice));
  if (added.size && a->feature_count == 0) return no_features(cx, a, added);
  choice.set = qn_cg_features_apply(a, choice.set, added, &unknown);
  if (unknown.data) return unknown_feature(cx, a, unknown);
  QN_TRY(check_told(cx, a, out_target->triple.data, choice.set));
  out_target->cpu = choice.cpu;
  out_target->tune = choice.tune;
  out_target->features =
      qn_arena_format(&cx->arena, "%.*s%s%.*s", QN_STR_ARG(choice.features),
                      choice.features.size && added.size ? "," : "", QN_STR_ARG(added));
  bool named = choice.level && added.size == 0;
  out_target->level = named ? choice.level : best_level(choice.least, choice.set);
  out_target->required = choice.set;
  return QN_OK;
}

/* ---- LLVM's target machine ---- */

/* Registers the back ends, in tables of LLVM that are not thread-safe. This flag is the only
 * variable of the library that changes. */
static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void start_llvm(void) {
  qn_llvm_install_last_words();
  const qn_cg_architecture *a;
  for (uint32_t i = 0; (a = qn_cg_architecture_at(i)); i++) a->start();
}

void qn_cg_start_llvm(void) { pthread_once(&registered, start_llvm); }

uint32_t qn_codegen_llvm_version(void) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  return (major * 100 + minor) * 100 + patch;
}

LLVMTargetMachineRef qn_cg_target_machine(const qn_codegen_target *target, qn_llvm_notes notes) {
  qn_cg_start_llvm();
  LLVMTargetRef back_end = NULL;
  char *message = NULL;
  LLVMBool failed = LLVMGetTargetFromTriple(target->triple.data, &back_end, &message);
  if (qn_llvm_message(notes, "looking for the back end", failed, message) != QN_OK) return NULL;
  const qn_cg_architecture *a = qn_cg_architecture_of(target->triple.data);
  LLVMTargetMachineOptionsRef options = LLVMCreateTargetMachineOptions();
  LLVMTargetMachineOptionsSetCPU(options, target->cpu.data);
  LLVMTargetMachineOptionsSetFeatures(options, target->features.data);
  LLVMTargetMachineOptionsSetRelocMode(options, a->relocation);
  LLVMTargetMachineOptionsSetCodeModel(options, a->code_model);
  if (a->abi) LLVMTargetMachineOptionsSetABI(options, a->abi);
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachineWithOptions(back_end, target->triple.data, options);
  LLVMDisposeTargetMachineOptions(options);
  if (!machine) qn_llvm_note(notes, "LLVM has no target machine for", target->triple.data);
  return machine;
}

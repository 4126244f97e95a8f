/* From what a user names (a level, a CPU, features, or nothing) to a level and what LLVM is told.
 *
 * LLVM's C API does not say which features a CPU has, so cpus.def does, by level; "+a,-b" then
 * moves bits in the set. The level is the last one whose features are all in the set: loops never
 * use an instruction that the target lacks, whatever is switched off.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "codegen/context.h"
#include "codegen/error.h"

typedef uint64_t feature_set; /* one bit per row of features.def */

static const struct feature {
  const char *name;
  int psabi; /* level of the ABI that brought it; 0: none */
} features[] = {
#define FEATURE(name, psabi, ...) {name, psabi},
#include "codegen/features.def"
#undef FEATURE
};
_Static_assert(QN_COUNT(features) <= 64, "a set of features is 64 bits");

static const struct cpu {
  const char *name, *level;
} cpus[] = {
#define CPU(name, level) {name, level},
#include "codegen/cpus.def"
#undef CPU
};

/* ---- feature sets ---- */

/* Applies "+a,-b" to the set. Names that are not in the table are skipped and, when asked, returned
 * in *out_unknown; the text is copied nowhere. */
static feature_set apply(feature_set set, qn_str list, qn_str *out_unknown) {
  while (list.size) {
    const char *comma = memchr(list.data, ',', list.size);
    qn_str item = {list.data, comma ? (size_t)(comma - list.data) : list.size};
    size_t used = item.size + (comma != NULL);
    list = (qn_str){list.data + used, list.size - used};
    bool add = item.size && item.data[0] == '+', remove = item.size && item.data[0] == '-';
    qn_str name = add || remove ? (qn_str){item.data + 1, item.size - 1} : item;
    size_t i = 0;
    while (i < QN_COUNT(features) && !qn_str_is(name, features[i].name)) i++;
    feature_set bit = i < QN_COUNT(features) ? UINT64_C(1) << i : 0;
    if (add) set |= bit;
    if (remove) set &= ~bit;
    if (out_unknown && !out_unknown->data && (!bit || (!add && !remove))) *out_unknown = item;
  }
  return set;
}

static feature_set features_of_level(const qn_target *level) {
  static const char *const base[] = {"x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  feature_set set = 0;
  for (int psabi = 1; psabi <= (int)QN_COUNT(base); psabi++) {
    for (size_t i = 0; i < QN_COUNT(features); i++)
      if (features[i].psabi == psabi) set |= UINT64_C(1) << i;
    if (strcmp(level->llvm_cpu, base[psabi - 1]) == 0)
      return apply(set, qn_str_of(level->llvm_features), NULL);
  }
  QN_UNREACHABLE("a level is based on one of the ABI's");
}

/* The last level that the set covers; the first needs nothing. */
static const qn_target *best_level(feature_set set) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count), *best = &levels[0];
  for (uint32_t i = 0; i < count; i++) {
    feature_set needed = features_of_level(&levels[i]);
    if ((needed & ~set) == 0) best = &levels[i];
  }
  return best;
}

/* ---- the host ---- */

static void dispose(void *owner) {
  if (*(char **)owner) LLVMDisposeMessage(*(char **)owner);
}

/* LLVM's strings are copies that it makes without looking at whether it got the memory. Without a
 * call that could be given up, as in qn_host_level, what is unknown is not there. */
static char *need(char *string) {
  if (!string && qn_guard_current()) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  return string;
}

/* A string that LLVM makes, copied to the arena. */
static qn_str take(qn_arena *arena, char *(*make)(void)) {
  char **string = qn_heap_own(sizeof *string, dispose);
  *string = need(make());
  qn_str copy = qn_arena_str(arena, qn_str_of(*string));
  dispose(string);
  qn_heap_free(string);
  return copy;
}

static feature_set host_features(void) {
  char *list = need(LLVMGetHostCPUFeatures());
  feature_set set = apply(0, qn_str_of(list), NULL);
  LLVMDisposeMessage(list);
  return set;
}

static bool is_x86_64(const char *triple) { return strncmp(triple, "x86_64-", 7) == 0; }

static bool host_is_x86_64(void) {
  char *triple = need(LLVMGetDefaultTargetTriple());
  bool yes = triple && is_x86_64(triple);
  LLVMDisposeMessage(triple);
  return yes;
}

bool qn_codegen_host_runs(const qn_target *level) {
  return host_is_x86_64() && (features_of_level(level) & ~host_features()) == 0;
}

static bool is_base_cpu(qn_str cpu) {
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++)
    if (qn_str_is(cpu, levels[i].llvm_cpu)) return true;
  return false;
}

qn_status qn_codegen_check_host(qn_ir_context *cx, const qn_codegen_target *target) {
  const char *host = take(&cx->diag.scratch, LLVMGetHostCPUName).data;
  bool known = qn_str_is(target->cpu, host) || is_base_cpu(target->cpu);
  feature_set needed = apply(features_of_level(target->level), target->features, NULL);
  bool runs = host_is_x86_64() && (needed & ~host_features()) == 0;
  qn_status status = QN_OK;
  if (!known || !runs)
    status = qn_error(&cx->diag, cx->diag.unknown, QN_UNSUPPORTED,
                      "this machine ('%s') can't run code for '%.*s' at level %s", host,
                      QN_STR_ARG(target->cpu), target->level->name);
  return status;
}

/* ---- resolving ---- */

static qn_status unknown_cpu(qn_ir_context *cx, const char *cpu) {
  qn_text names = {0};
  uint32_t count;
  const qn_target *levels = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++) qn_text_format(&names, " %s", levels[i].name);
  qn_text_puts(&names, "; CPUs: native");
  for (size_t i = 0; i < QN_COUNT(cpus); i++) qn_text_format(&names, " %s", cpus[i].name);
  qn_status status = qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
                              "unknown CPU '%s'; levels:%s", cpu, names.data);
  qn_text_deinit(&names);
  return status;
}

static qn_status unknown_feature(qn_ir_context *cx, qn_str item) {
  qn_text names = {0};
  for (size_t i = 0; i < QN_COUNT(features); i++) qn_text_format(&names, " %s", features[i].name);
  qn_status status =
      qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
               "'%.*s' is not +FEATURE or -FEATURE; features:%s", QN_STR_ARG(item), names.data);
  qn_text_deinit(&names);
  return status;
}

/* Object files other than ELF may need support routines from the platform. */
static qn_status check_triple(qn_ir_context *cx, const char *triple) {
  static const char *const systems[] = {"-linux", "-freebsd", "-none-elf", "-unknown-elf"};
  for (size_t i = 0; i < QN_COUNT(systems); i++)
    if (is_x86_64(triple) && strstr(triple, systems[i])) return QN_OK;
  return qn_error(&cx->diag, cx->diag.unknown, QN_NOT_FOUND,
                  "no code generation for '%s'; targets: x86_64-*-linux-*, x86_64-*-freebsd*, "
                  "x86_64-none-elf, x86_64-unknown-elf",
                  triple);
}

typedef struct cpu_choice {
  qn_str cpu, features;
  feature_set set;
} cpu_choice;

static qn_status choose_cpu(qn_ir_context *cx, const char *cpu, cpu_choice *out_choice) {
  if (!cpu || strcmp(cpu, "native") == 0) {
    if (!host_is_x86_64())
      return qn_error(&cx->diag, cx->diag.unknown, QN_UNSUPPORTED,
                      "the host is no x86-64: name a CPU or a level");
    out_choice->cpu = take(&cx->arena, LLVMGetHostCPUName);
    out_choice->features = take(&cx->arena, LLVMGetHostCPUFeatures);
    out_choice->set = host_features();
    return QN_OK;
  }
  const qn_target *level = qn_target_find(qn_str_of(cpu));
  if (level) {
    *out_choice = (cpu_choice){qn_str_of(level->llvm_cpu), qn_str_of(level->llvm_features),
                               features_of_level(level)};
    return QN_OK;
  }
  for (size_t i = 0; i < QN_COUNT(cpus); i++) {
    if (strcmp(cpu, cpus[i].name) != 0) continue;
    level = qn_target_find(qn_str_of(cpus[i].level));
    *out_choice = (cpu_choice){qn_str_of(cpus[i].name), qn_str_of(""), features_of_level(level)};
    return QN_OK;
  }
  return unknown_cpu(cx, cpu);
}

qn_status qn_codegen_target_resolve(qn_ir_context *cx, const char *triple, const char *cpu,
                                    const char *extra, qn_codegen_target *out_target) {
  qn_str added = qn_str_of(extra ? extra : ""), unknown = {0};
  cpu_choice choice = {0};
  out_target->triple = triple ? qn_arena_str(&cx->arena, qn_str_of(triple))
                              : take(&cx->arena, LLVMGetDefaultTargetTriple);
  QN_TRY(check_triple(cx, out_target->triple.data));
  QN_TRY(choose_cpu(cx, cpu, &choice));
  choice.set = apply(choice.set, added, &unknown);
  if (unknown.data) return unknown_feature(cx, unknown);
  out_target->cpu = choice.cpu;
  out_target->features =
      qn_arena_format(&cx->arena, "%.*s%s%.*s", QN_STR_ARG(choice.features),
                      choice.features.size && added.size ? "," : "", QN_STR_ARG(added));
  out_target->level = best_level(choice.set);
  out_target->required = choice.set;
  return QN_OK;
}

/* ---- LLVM's target machine ---- */

/* Registers the only back end. LLVM keeps it in tables of its own that aren't safe to fill from two
 * threads at once; this flag is the one variable of the library that changes. */
static pthread_once_t registered = PTHREAD_ONCE_INIT;

static void start_llvm(void) {
  qn_llvm_install_last_words();
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser(); /* of inline assembly */
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
  LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
      back_end, target->triple.data, target->cpu.data, target->features.data,
      LLVMCodeGenLevelDefault, LLVMRelocPIC, LLVMCodeModelDefault);
  if (!machine) qn_llvm_note(notes, "LLVM has no target machine for", target->triple.data);
  return machine;
}

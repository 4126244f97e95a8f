/* What an object consists of: sections, functions, and how much stack calls take.
 *
 * LLVM reports the frame of each function by the warnings that late.c asks for. Calls are read
 * from the IR: direct ones by their function, indirect ones of the kernels' type as calls of any
 * kernel. All other indirect calls are callbacks of the caller.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <elf.h>
#include <stdio.h>

#include "codegen/context.h"
#include "codegen/machine/machine.h"

/* ---- frames ---- */

void qn_cg_begin_report(qn_cg *cg) {
  if (!cg->source->options->report) return;
  for (LLVMValueRef f = LLVMGetFirstFunction(cg->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f)) continue;
    qn_cg_frame frame = {f, 0};
    qn_array_push(&cg->frames, frame);
  }
}

static qn_cg_frame *frame_of(const qn_cg *cg, LLVMValueRef function) {
  for (size_t i = 0; i < cg->frames.count; i++)
    if (cg->frames.data[i].function == function) return &cg->frames.data[i];
  return NULL;
}

/* "<unknown>:0:0: stack frame size (24) exceeds limit (0) in function 'conv_2'". Does not allocate,
 * because control must not leave LLVM. */
void qn_cg_note_frame(qn_cg *cg, LLVMDiagnosticInfoRef warning) {
  unsigned long long bytes;
  if (cg->frames.count == 0) return;
  static const char before[] = "stack frame size (";
  char *text = LLVMGetDiagInfoDescription(warning), *name = strchr(text, '\'');
  const char *number = strstr(text, before);
  char *end = name ? strrchr(name + 1, '\'') : NULL;
  if (end && number && sscanf(number + sizeof before - 1, "%llu", &bytes) == 1) {
    *end = '\0';
    qn_cg_frame *frame = frame_of(cg, LLVMGetNamedFunction(cg->module, name + 1));
    if (frame) frame->bytes = bytes;
  }
  LLVMDisposeMessage(text);
}

/* ---- calls ---- */

typedef struct callees {
  uint32_t *functions, count; /* indices of frames */
  bool kernels;               /* calls some kernel */
} callees;

static bool is_kernel(const qn_cg *cg, LLVMValueRef function) {
  return LLVMGlobalGetValueType(function) == cg->abi.kernel;
}

static void add_call(const qn_cg *cg, LLVMValueRef call, callees *out) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  const qn_cg_frame *frame = LLVMIsAFunction(called) ? frame_of(cg, called) : NULL;
  if (frame && out->functions) out->functions[out->count] = (uint32_t)(frame - cg->frames.data);
  out->count += frame != NULL;
  out->kernels |= !LLVMIsAFunction(called) && LLVMGetCalledFunctionType(call) == cg->abi.kernel;
}

static void add_calls(const qn_cg *cg, LLVMValueRef function, callees *out) {
  LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
  for (; block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef op = LLVMGetFirstInstruction(block); op; op = LLVMGetNextInstruction(op))
      if (LLVMIsACallInst(op)) add_call(cg, op, out);
}

static callees callees_of(qn_cg *cg, LLVMValueRef function) {
  callees calls = {0};
  add_calls(cg, function, &calls);
  calls.functions = QN_NEW_ARRAY(&cg->arena, calls.count + 1, uint32_t);
  calls.count = 0;
  add_calls(cg, function, &calls);
  return calls;
}

/* By how much LLVM may move the frame of a kernel to align vectors in it. */
static uint64_t realignment(const qn_cg *cg) {
  LLVMTypeRef vector = LLVMVectorType(cg->i8, cg->level->vector_bytes);
  uint32_t align = LLVMPreferredAlignmentOfType(cg->layout, vector);
  uint32_t given = cg->architecture->stack_align;
  return align > given ? align - given : 0;
}

static uint64_t frame_bytes(const qn_cg *cg, const qn_cg_frame *frame, const callees *calls) {
  const qn_cg_architecture *a = cg->architecture;
  uint64_t bytes = a->call_bytes + frame->bytes;
  if (frame->bytes > 0 && is_kernel(cg, frame->function)) bytes += realignment(cg);
  return calls->count == 0 && !calls->kernels ? bytes + a->red_zone : bytes;
}

/* Fills stack_bytes. Functions of an object do not call each other in a circle, so the numbers are
 * final after as many rounds as a chain of calls has functions. */
static void sum_up(const qn_cg *cg, const callees *calls, qn_codegen_function *functions) {
  bool changed = true;
  size_t count = cg->frames.count;
  for (size_t round = 0; changed && round <= count; round++) {
    uint64_t kernels = 0;
    changed = false;
    for (size_t i = 0; i < count; i++)
      if (is_kernel(cg, cg->frames.data[i].function) && functions[i].stack_bytes > kernels)
        kernels = functions[i].stack_bytes;
    for (size_t i = 0; i < count; i++) {
      uint64_t deepest = calls[i].kernels ? kernels : 0;
      for (uint32_t k = 0; k < calls[i].count; k++)
        if (functions[calls[i].functions[k]].stack_bytes > deepest)
          deepest = functions[calls[i].functions[k]].stack_bytes;
      changed |= functions[i].stack_bytes != functions[i].frame_bytes + deepest;
      functions[i].stack_bytes = functions[i].frame_bytes + deepest;
    }
  }
  QN_ASSERT(!changed);
}

/* ---- the object ---- */

static qn_codegen_function *function_of(qn_codegen_report *report, const char *name) {
  for (uint32_t i = 0; i < report->function_count; i++)
    if (qn_str_is(report->functions[i].name, name)) return &report->functions[i];
  return NULL;
}

static void add_section(qn_codegen_report *report, const char *name, uint64_t flags,
                        uint64_t bytes) {
  if (!(flags & SHF_ALLOC) || bytes == 0) return;
  qn_codegen_section *section = &report->sections[report->section_count++];
  section->name = qn_arena_str(report->arena, qn_str_of(name));
  section->kind = flags & SHF_EXECINSTR ? QN_SECTION_CODE
                  : flags & SHF_WRITE   ? QN_SECTION_DATA
                                        : QN_SECTION_CONSTANTS;
  section->bytes = bytes;
}

static void add_symbol(qn_codegen_report *report, const char *name, bool undefined, int type,
                       uint64_t bytes) {
  qn_codegen_function *function = type == STT_FUNC ? function_of(report, name) : NULL;
  if (undefined && *name)
    report->routines[report->routine_count++] = qn_arena_str(report->arena, qn_str_of(name));
  else if (function)
    function->code_bytes = bytes;
}

/* Reads sections and symbols. The file was written by LLVM, so it is not checked for damage. */
#define ELF(bits)                                                                                  \
  static void read_symbols##bits(qn_codegen_report *report, const uint8_t *file,                   \
                                 const Elf##bits##_Shdr *table, const char *names) {               \
    size_t count = (size_t)table->sh_size / sizeof(Elf##bits##_Sym);                               \
    report->routines = QN_NEW_ARRAY(report->arena, count + 1, qn_str);                             \
    for (size_t i = 0; i < count; i++) {                                                           \
      Elf##bits##_Sym symbol;                                                                      \
      memcpy(&symbol, file + table->sh_offset + i * sizeof symbol, sizeof symbol);                 \
      add_symbol(report, names + symbol.st_name, symbol.st_shndx == SHN_UNDEF,                     \
                 ELF##bits##_ST_TYPE(symbol.st_info), symbol.st_size);                             \
    }                                                                                              \
  }                                                                                                \
                                                                                                   \
  static void read_elf##bits(qn_codegen_report *report, const uint8_t *file) {                     \
    Elf##bits##_Ehdr head;                                                                         \
    memcpy(&head, file, sizeof head);                                                              \
    Elf##bits##_Shdr *all = QN_NEW_ARRAY(report->arena, head.e_shnum + 1, Elf##bits##_Shdr);       \
    memcpy(all, file + head.e_shoff, head.e_shnum * sizeof *all);                                  \
    const char *names = (const char *)file + all[head.e_shstrndx].sh_offset;                       \
    report->sections = QN_NEW_ARRAY(report->arena, head.e_shnum + 1, qn_codegen_section);          \
    for (size_t i = 0; i < head.e_shnum; i++) {                                                    \
      add_section(report, names + all[i].sh_name, all[i].sh_flags, all[i].sh_size);                \
      if (all[i].sh_type == SHT_SYMTAB)                                                            \
        read_symbols##bits(report, file, &all[i],                                                  \
                           (const char *)file + all[all[i].sh_link].sh_offset);                    \
    }                                                                                              \
  }
ELF(32)
ELF(64)
#undef ELF

static void read_object(qn_codegen_report *report, qn_bytes object) {
  bool wide = object.data[EI_CLASS] == ELFCLASS64;
  if (memcmp(object.data, ELFMAG, SELFMAG) != 0) return; /* another format */
  (wide ? read_elf64 : read_elf32)(report, object.data);
}

void qn_cg_report(qn_cg *cg, qn_bytes object) {
  qn_codegen_report *report = cg->source->options->report;
  if (!report) return;
  size_t count = cg->frames.count;
  *report = (qn_codegen_report){.arena = report->arena, .function_count = (uint32_t)count};
  report->functions = QN_NEW_ARRAY(report->arena, count + 1, qn_codegen_function);
  callees *calls = QN_NEW_ARRAY(&cg->arena, count + 1, callees);
  for (size_t i = 0; i < count; i++) {
    const qn_cg_frame *frame = &cg->frames.data[i];
    size_t size;
    const char *name = LLVMGetValueName2(frame->function, &size);
    calls[i] = callees_of(cg, frame->function);
    report->functions[i].name = qn_arena_str(report->arena, (qn_str){name, size});
    report->functions[i].frame_bytes = frame_bytes(cg, frame, &calls[i]);
  }
  sum_up(cg, calls, report->functions);
  read_object(report, object);
}

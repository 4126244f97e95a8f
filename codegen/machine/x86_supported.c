/* Tests on x86-64 whether the CPU and the operating system support the features that code was
 * compiled with, by the instructions cpuid and xgetbv, which every x86-64 CPU has.
 *
 * Linux lets a process use AMX tiles only after a request, a system call that needs no library. The
 * emitted function makes it, so a program must call the function before the first inference. The
 * tested features are those of x86_features.def that LLVM was given: for a level or the host all of
 * them; for another CPU name those of its level.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/machine/grant.h"
#include "codegen/machine/machine.h"

/* A word of cpuid: leaf, subleaf, and which of eax, ebx, ecx, edx. */
typedef enum word {
  WORD_1_ECX,
  WORD_7_EBX,
  WORD_7_ECX,
  WORD_7_EDX,
  WORD_7_1_EAX,
  WORD_7_1_EDX,
  WORD_EXT_ECX,
  WORDS
} word;

static const struct {
  uint32_t leaf, subleaf, result;
} places[] = {[WORD_1_ECX] = {1, 0, 2},
              [WORD_7_EBX] = {7, 0, 1},
              [WORD_7_ECX] = {7, 0, 2},
              [WORD_7_EDX] = {7, 0, 3},
              [WORD_7_1_EAX] = {7, 1, 0},
              [WORD_7_1_EDX] = {7, 1, 3},
              [WORD_EXT_ECX] = {0x80000001u, 0, 2}};
_Static_assert(QN_COUNT(places) == WORDS, "every word has its place");

/* State components that the operating system saves, bits of XCR0. */
enum { STATE_NONE = 0, STATE_YMM = 0x6, STATE_ZMM = 0xe6, STATE_TILE = 0x60000, OSXSAVE = 1 << 27 };

static const struct {
  word word;
  uint32_t bit, state;
} features[] = {
#define FEATURE(ident, name, psabi, word, bit, state) {WORD_##word, bit, STATE_##state},
#include "codegen/machine/x86_features.def"
#undef FEATURE
};

typedef struct need {
  uint32_t masks[WORDS], state;
} need;

static need need_of(const qn_codegen_target *target) {
  need n = {{0}, 0};
  for (size_t i = 0; i < QN_COUNT(features); i++) {
    if (!(target->required >> i & 1)) continue;
    n.masks[features[i].word] |= UINT32_C(1) << features[i].bit;
    n.state |= features[i].state;
  }
  if (n.state) n.masks[WORD_1_ECX] |= OSXSAVE;
  return n;
}

static LLVMValueRef call_assembly(qn_cg *cg, LLVMTypeRef type, const char *code, const char *rule,
                                  LLVMValueRef *args, unsigned count) {
  LLVMValueRef assembly = LLVMGetInlineAsm(type, code, strlen(code), rule, strlen(rule), 1, 0,
                                           LLVMInlineAsmDialectATT, 0);
  return LLVMBuildCall2(cg->b, type, assembly, args, count, "");
}

/* eax, ebx, ecx, edx as a struct. */
static LLVMValueRef cpuid(qn_cg *cg, uint32_t leaf, uint32_t subleaf) {
  LLVMTypeRef words[] = {cg->i32, cg->i32, cg->i32, cg->i32};
  LLVMTypeRef result = LLVMStructTypeInContext(cg->llvm, words, QN_COUNT(words), 0);
  LLVMTypeRef type = LLVMFunctionType(result, (LLVMTypeRef[]){cg->i32, cg->i32}, 2, 0);
  LLVMValueRef args[] = {e_i32(cg, (int32_t)leaf), e_i32(cg, (int32_t)subleaf)};
  return call_assembly(cg, type, "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}", args, 2);
}

static LLVMValueRef at_least(qn_cg *cg, LLVMValueRef value, uint32_t bound) {
  return LLVMBuildICmp(cg->b, LLVMIntUGE, value, e_i32(cg, (int32_t)bound), "");
}

/* Whether the CPU has the leaf, because cpuid returns some values for any leaf. */
static LLVMValueRef has_leaf(qn_cg *cg, uint32_t leaf, uint32_t subleaf) {
  LLVMValueRef last = LLVMBuildExtractValue(cg->b, cpuid(cg, leaf & 0x80000000u, 0), 0, "");
  LLVMValueRef has = at_least(cg, last, leaf);
  if (subleaf == 0) return has;
  last = LLVMBuildExtractValue(cg->b, cpuid(cg, leaf, 0), 0, "");
  return LLVMBuildAnd(cg->b, has, at_least(cg, last, subleaf), "");
}

static LLVMValueRef covers(qn_cg *cg, LLVMValueRef value, uint32_t mask) {
  LLVMValueRef bits = e_i32(cg, (int32_t)mask);
  return LLVMBuildICmp(cg->b, LLVMIntEQ, LLVMBuildAnd(cg->b, value, bits, ""), bits, "");
}

static LLVMValueRef cpu_has(qn_cg *cg, const need *n) {
  LLVMValueRef all = LLVMConstInt(cg->i1, 1, 0);
  for (size_t w = 0; w < WORDS; w++) {
    if (!n->masks[w]) continue;
    LLVMValueRef has = has_leaf(cg, places[w].leaf, places[w].subleaf);
    LLVMValueRef leaf = cpuid(cg, places[w].leaf, places[w].subleaf);
    LLVMValueRef bits = LLVMBuildExtractValue(cg->b, leaf, places[w].result, "");
    all = LLVMBuildAnd(cg->b, all, LLVMBuildAnd(cg->b, has, covers(cg, bits, n->masks[w]), ""), "");
  }
  return all;
}

/* Returns 0 from the function unless `has`; the builder continues after that. */
static void go_on_if(qn_cg *cg, LLVMValueRef has) {
  LLVMBasicBlockRef ask = LLVMAppendBasicBlockInContext(cg->llvm, cg->function, "ask");
  LLVMBasicBlockRef no = LLVMAppendBasicBlockInContext(cg->llvm, cg->function, "no");
  LLVMBuildCondBr(cg->b, has, ask, no);
  LLVMPositionBuilderAtEnd(cg->b, no);
  LLVMBuildRet(cg->b, e_i32(cg, 0));
  LLVMPositionBuilderAtEnd(cg->b, ask);
}

/* i1: whether the operating system grants AMX tiles. */
static LLVMValueRef request_tiles(qn_cg *cg) {
  LLVMTypeRef params[] = {cg->i64, cg->i64, cg->i64};
  LLVMTypeRef type = LLVMFunctionType(cg->i64, params, QN_COUNT(params), 0);
  LLVMValueRef args[] = {e_i64(cg, QN_X86_ARCH_PRCTL), e_i64(cg, QN_X86_REQUEST_STATE),
                         e_i64(cg, QN_X86_TILE_DATA)};
  LLVMValueRef result = call_assembly(
      cg, type, "syscall", "={ax},{ax},{di},{si},~{rcx},~{r11},~{memory}", args, QN_COUNT(args));
  return LLVMBuildICmp(cg->b, LLVMIntEQ, result, e_i64(cg, 0), "");
}

LLVMValueRef qn_cg_x86_supports(qn_cg *cg, const qn_codegen_target *target) {
  need n = need_of(target);
  LLVMValueRef has = cpu_has(cg, &n);
  if (!n.state) return has;
  go_on_if(cg, has);
  LLVMTypeRef type = LLVMFunctionType(cg->i32, (LLVMTypeRef[]){cg->i32}, 1, 0);
  LLVMValueRef zero = e_i32(cg, 0);
  LLVMValueRef saves =
      covers(cg, call_assembly(cg, type, "xgetbv", "={ax},{cx},~{dx}", &zero, 1), n.state);
  bool is_linux = strstr(target->triple.data, "-linux") != NULL;
  if (!(n.state & STATE_TILE) || !is_linux) return saves;
  go_on_if(cg, saves);
  return request_tiles(cg);
}

/* The architectures: little-endian, with 64-bit or 32-bit pointers. Those without levels compile
 * the level "generic".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/machine.h"

#include "codegen/emit/emit.h"

static const qn_cg_architecture *const architectures[] = {
    &qn_cg_x86,      &qn_cg_aarch64,  &qn_cg_riscv64,   &qn_cg_riscv32,
    &qn_cg_thumbv6m, &qn_cg_thumbv7m, &qn_cg_thumbv7em, &qn_cg_thumbv81m,
};

const qn_cg_architecture *qn_cg_architecture_at(uint32_t i) {
  return i < QN_COUNT(architectures) ? architectures[i] : NULL;
}

const qn_cg_architecture *qn_cg_architecture_of(const char *triple) {
  static const struct {
    const char *name, *usual;
  } others[] = {{"arm64", "aarch64"}, {"amd64", "x86_64"}};
  qn_str name = {triple, strcspn(triple, "-")};
  for (size_t i = 0; i < QN_COUNT(others); i++)
    if (qn_str_is(name, others[i].name)) name = qn_str_of(others[i].usual);
  for (size_t i = 0; i < QN_COUNT(architectures); i++)
    if (qn_str_is(name, architectures[i]->name)) return architectures[i];
  return NULL;
}

static unsigned bytes_of(LLVMTypeRef type) {
  LLVMTypeRef element = e_scalar(type);
  bool is_float = LLVMGetTypeKind(element) == LLVMFloatTypeKind;
  return e_lanes(type) * (is_float ? 32 : LLVMGetIntTypeWidth(element)) / 8;
}

static LLVMValueRef masked(const qn_cg *cg, const char *name, LLVMTypeRef result, LLVMValueRef x) {
  enum { CURRENT_ROUNDING = 4 };
  unsigned lanes = e_lanes(result);
  LLVMValueRef all = LLVMConstAllOnes(LLVMIntTypeInContext(cg->llvm, lanes));
  LLVMValueRef args[] = {x, LLVMConstNull(result), all, e_i32(cg, CURRENT_ROUNDING)};
  return e_native(cg, name, NULL, 0, result, args, QN_COUNT(args));
}

/* Joins the registers that an instruction returns to one vector. */
static LLVMValueRef joined(const qn_cg *cg, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args, unsigned count) {
  enum { REGISTER = 16 };
  unsigned lanes = e_lanes(result), each = lanes * REGISTER / bytes_of(result);
  LLVMTypeRef types[] = {LLVMVectorType(e_scalar(result), each), LLVMTypeOf(args[count - 1])};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  QN_ASSERT(id != 0);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(cg->module, id, types, QN_COUNT(types));
  LLVMValueRef list =
      LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(function), function, args, count, "");
  LLVMValueRef all = LLVMBuildExtractValue(cg->b, list, 0, "");
  int32_t mask[QN_CODEGEN_MAX_LANES];
  for (unsigned have = each; have < lanes; have += each) {
    /* Both factors of a shuffle have the same lanes; further ones are undefined. */
    LLVMValueRef part = LLVMBuildExtractValue(cg->b, list, have / each, "");
    for (unsigned i = 0; i < have; i++) mask[i] = i < each ? (int32_t)i : -1;
    part = e_shuffle(cg, part, part, mask, have);
    for (unsigned i = 0; i < have + each; i++) mask[i] = (int32_t)i;
    all = e_shuffle(cg, all, part, mask, have + each);
  }
  return all;
}

/* Calls with flags: i32 constants. */
static LLVMValueRef across(const qn_cg *cg, const char *name, LLVMTypeRef result,
                           LLVMValueRef *args) {
  LLVMValueRef no = e_i32(cg, 0), all[] = {no, no, no, args[0], args[1], args[2]};
  LLVMTypeRef factors = LLVMTypeOf(args[1]);
  return e_native(cg, name, &factors, 1, result, all, QN_COUNT(all));
}

static LLVMValueRef shift_rounded(const qn_cg *cg, const char *name, LLVMTypeRef result,
                                  LLVMValueRef *args) {
  LLVMValueRef no = e_i32(cg, 0), all[] = {args[0], args[1], no, e_i32(cg, 1), no};
  LLVMTypeRef types[] = {result, LLVMTypeOf(args[1])};
  return e_native(cg, name, types, QN_COUNT(types), result, all, QN_COUNT(all));
}

static LLVMValueRef selected(const qn_cg *cg, const char *name, LLVMTypeRef result,
                             LLVMValueRef *args) {
  enum {
    FIRST_SELECTS = 0xCA /* result bit i: for the bits i of the operands, the first highest */
  };
  LLVMValueRef all[] = {args[0], args[1], args[2], e_i32(cg, FIRST_SELECTS)};
  return e_native(cg, name, NULL, 0, result, all, QN_COUNT(all));
}

/* The instruction for a form; NULL for the level "generic" on every architecture. */
static const qn_cg_instruction *find(const qn_cg *cg, qn_cg_form form, unsigned bytes) {
  const qn_cg_architecture *a = cg->level->architecture ? cg->architecture : NULL;
  for (uint32_t i = 0; a && i < a->instruction_count; i++) {
    const qn_cg_instruction *row = &a->instructions[i];
    bool has = row->feature == QN_FEATURE_NONE || (cg->level_features >> row->feature & 1);
    if (has && row->form == form && row->bytes == bytes) return row;
  }
  return NULL;
}

bool qn_cg_has(const qn_cg *cg, qn_cg_form form, unsigned bytes) {
  return find(cg, form, bytes) != NULL;
}

LLVMValueRef qn_cg_instruct(const qn_cg *cg, qn_cg_form form, LLVMTypeRef result,
                            LLVMValueRef *args, unsigned count) {
  const qn_cg_instruction *row = find(cg, form, bytes_of(result));
  if (!row) return NULL;
  if (row->call == QN_CALL_MASKED) return masked(cg, row->name, result, args[0]);
  if (row->call == QN_CALL_ACROSS) return across(cg, row->name, result, args);
  if (row->call == QN_CALL_SELECT) return selected(cg, row->name, result, args);
  if (row->call == QN_CALL_SHIFT) return shift_rounded(cg, row->name, result, args);
  if (row->call == QN_CALL_REGISTERS) return joined(cg, row->name, result, args, count);
  LLVMTypeRef types[] = {result, LLVMTypeOf(args[count - 1])};
  unsigned overloads = row->call == QN_CALL_PLAIN       ? 0
                       : row->call == QN_CALL_BY_RESULT ? 1
                                                        : QN_COUNT(types);
  LLVMValueRef swapped[] = {args[0], args[count - 1], args[count > 1 ? 1 : 0]};
  QN_ASSERT(row->call != QN_CALL_SWAPPED || count == QN_COUNT(swapped));
  if (row->call == QN_CALL_SWAPPED) args = swapped;
  return e_native(cg, row->name, types, overloads, result, args, count);
}

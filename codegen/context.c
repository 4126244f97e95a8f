/* Opens and closes a translation; types and constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/context.h"

#include <string.h>
#include <unistd.h>

#include "codegen/emit/emit.h"
#include "codegen/error.h"
#include "codegen/machine/machine.h"

static LLVMTypeRef scalar_type(const qn_cg *cg, const qn_type *type) {
  if (type->kind == QN_TYPE_INDEX) return cg->i64;
  if (e_is_narrow(type)) return cg->i16;
  if (type->kind == QN_TYPE_FLOAT) return type->float_kind == QN_F64 ? cg->f64 : cg->f32;
  return LLVMIntTypeInContext(cg->llvm, type->integer.width);
}

LLVMTypeRef qn_cg_type(const qn_cg *cg, const qn_type *type) {
  if (type->kind == QN_TYPE_MEMREF) return cg->ptr;
  if (type->kind != QN_TYPE_VECTOR) return scalar_type(cg, type);
  return LLVMVectorType(scalar_type(cg, type->shaped.element), (unsigned)type->shaped.dims[0]);
}

LLVMTypeRef qn_cg_memory_type(const qn_cg *cg, const qn_type *type) {
  LLVMTypeRef value = qn_cg_type(cg, type);
  return e_scalar(value) == cg->i1 ? e_like(value, cg->i8) : value;
}

/* A float constant in every lane of LLVM type `result`, which represents IR type `type`. */
static LLVMValueRef number(LLVMTypeRef result, const qn_type *type, double value) {
  return e_is_narrow(type) ? e_narrow_constant(result, type, value) : e_float(result, value);
}

static LLVMValueRef lane(LLVMTypeRef type, const qn_attr *dense, int64_t i) {
  if (qn_type_element(dense->type)->kind != QN_TYPE_FLOAT)
    return e_int(type, qn_dense_int(dense, i));
  return number(type, dense->type, qn_dense_float(dense, i));
}

LLVMValueRef qn_cg_constant(const qn_cg *cg, const qn_attr *value, const qn_type *type) {
  LLVMTypeRef result = qn_cg_type(cg, type);
  if (value->kind == QN_ATTR_BOOL) return e_int(result, value->boolean);
  if (value->kind == QN_ATTR_INTEGER) return e_int(result, value->integer);
  if (value->kind == QN_ATTR_FLOAT) return number(result, type, value->number);
  LLVMValueRef lanes[QN_CODEGEN_MAX_LANES];
  unsigned count = e_lanes(result);
  for (unsigned i = 0; i < count; i++)
    lanes[i] = lane(e_scalar(result), value, value->dense.splat ? 0 : (int64_t)i);
  return LLVMConstVector(lanes, count);
}

/* Asserts that the target's data layout agrees with the C compiler's (64-bit ELF on both sides). */
static void assert_abi(const qn_cg *cg) {
  unsigned count;
  const qn_cg_abi_layout *layouts = qn_cg_abi_layouts(&count);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = *(const LLVMTypeRef *)((const char *)&cg->abi + layouts[i].type_offset);
    QN_ASSERT(LLVMABISizeOfType(cg->layout, type) == layouts[i].size);
    QN_ASSERT(LLVMCountStructElementTypes(type) == layouts[i].count);
    for (unsigned k = 0; k < layouts[i].count; k++)
      QN_ASSERT(LLVMOffsetOfElement(cg->layout, type, k) == layouts[i].offsets[k]);
  }
}

static void make_types(qn_cg *cg) {
  cg->i1 = LLVMInt1TypeInContext(cg->llvm);
  cg->i8 = LLVMInt8TypeInContext(cg->llvm);
  cg->i16 = LLVMInt16TypeInContext(cg->llvm);
  cg->i32 = LLVMInt32TypeInContext(cg->llvm);
  cg->i64 = LLVMInt64TypeInContext(cg->llvm);
  cg->f32 = LLVMFloatTypeInContext(cg->llvm);
  cg->f64 = LLVMDoubleTypeInContext(cg->llvm);
  cg->ptr = LLVMPointerTypeInContext(cg->llvm, 0);
  cg->none = LLVMVoidTypeInContext(cg->llvm);
  qn_cg_abi_init(&cg->abi, cg->llvm);
  assert_abi(cg);
}

static void set_module_flags(const qn_cg *cg) {
  LLVMMetadataRef on = LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(cg->llvm), 1, 0));
  for (const char *const *flag = cg->architecture->module_flags; *flag; flag++)
    LLVMAddModuleFlag(cg->module, LLVMModuleFlagBehaviorOverride, *flag, strlen(*flag), on);
}

static qn_status open(qn_cg *cg) {
  const qn_codegen_options *options = cg->source->options;
  cg->machine = qn_cg_target_machine(&options->target, cg->notes);
  if (!cg->machine) return QN_INTERNAL;
  cg->llvm = LLVMContextCreate();
  cg->module = LLVMModuleCreateWithNameInContext(options->symbol.data, cg->llvm);
  cg->b = LLVMCreateBuilderInContext(cg->llvm);
  cg->layout = LLVMCreateTargetDataLayout(cg->machine);
  LLVMSetModuleDataLayout(cg->module, cg->layout);
  LLVMSetTarget(cg->module, options->target.triple.data);
  set_module_flags(cg);
  make_types(cg);
  cg->values = QN_NEW_ARRAY(&cg->arena, cg->source->module->value_count + 1, LLVMValueRef);
  qn_llvm_capture(cg);
  return QN_OK;
}

static void release(void *owner) {
  qn_cg *cg = owner;
  if (cg->memory_file >= 0) close(cg->memory_file);
  if (cg->ir) LLVMDisposeMessage(cg->ir);
  if (cg->file) LLVMDisposeMemoryBuffer(cg->file);
  if (cg->b) LLVMDisposeBuilder(cg->b);
  if (cg->module) LLVMDisposeModule(cg->module);
  if (cg->layout) LLVMDisposeTargetData(cg->layout);
  if (cg->machine) LLVMDisposeTargetMachine(cg->machine);
  if (cg->llvm) LLVMContextDispose(cg->llvm);
}

qn_cg *qn_cg_create(void) {
  qn_cg *cg = qn_heap_own(sizeof *cg, release);
  cg->memory_file = -1;
  return cg;
}

qn_status qn_cg_init(qn_cg *cg, const qn_cg_source *source, uint32_t part) {
  cg->source = source;
  cg->part = part;
  cg->level = source->level;
  cg->level_features = qn_cg_features_of(cg->level);
  cg->architecture = qn_cg_architecture_of(source->options->target.triple.data);
  qn_arena_init(&cg->arena);
  QN_TRY(open(cg));
  qn_cg_build(cg);
  char *message = NULL;
  LLVMBool broken = LLVMVerifyModule(cg->module, LLVMReturnStatusAction, &message);
  return qn_llvm_message(cg->notes, "verifying the LLVM module", broken, message);
}

void qn_cg_destroy(qn_cg *cg) {
  release(cg);
  qn_map_deinit(&cg->symbols);
  qn_array_free(&cg->placeholders);
  qn_arena_deinit(&cg->arena);
  qn_heap_free(cg);
}

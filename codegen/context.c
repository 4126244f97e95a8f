/* Opening and closing a translation, types and constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/context.h"

#include "base/clock.h"
#include "codegen/emit.h"
#include "codegen/error.h"
#include "ir/walk.h"

static LLVMTypeRef scalar_type(const qn_cg *cg, const qn_type *type) {
  if (type->kind == QN_TYPE_INDEX) return cg->i64;
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

static LLVMValueRef lane(LLVMTypeRef type, const qn_attr *dense, int64_t i) {
  if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind) return e_int(type, qn_dense_int(dense, i));
  return e_float(type, qn_dense_float(dense, i));
}

LLVMValueRef qn_cg_constant(const qn_cg *cg, const qn_attr *value, const qn_type *type) {
  LLVMTypeRef result = qn_cg_type(cg, type);
  if (value->kind == QN_ATTR_BOOL) return e_int(result, value->boolean);
  if (value->kind == QN_ATTR_INTEGER) return e_int(result, value->integer);
  if (value->kind == QN_ATTR_FLOAT) return e_float(result, value->number);
  LLVMValueRef lanes[QN_CODEGEN_MAX_LANES];
  unsigned count = e_lanes(result);
  for (unsigned i = 0; i < count; i++)
    lanes[i] = lane(e_scalar(result), value, value->dense.splat ? 0 : (int64_t)i);
  return LLVMConstVector(lanes, count);
}

/* The layout of the target must agree with that of the C compiler (x86-64 SysV on both sides). */
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

qn_status qn_cg_open(qn_cg *cg) {
  const qn_codegen_target *target = &cg->options->target;
  cg->machine = qn_cg_target_machine(cg->cx, target);
  if (!cg->machine) return QN_INTERNAL;
  cg->llvm = LLVMContextCreate();
  cg->module = LLVMModuleCreateWithNameInContext(cg->options->symbol.data, cg->llvm);
  cg->b = LLVMCreateBuilderInContext(cg->llvm);
  cg->layout = LLVMCreateTargetDataLayout(cg->machine);
  LLVMSetModuleDataLayout(cg->module, cg->layout);
  LLVMSetTarget(cg->module, target->triple.data);
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
  cg->values = QN_NEW_ARRAY(&cg->arena, cg->source->value_count + 1, LLVMValueRef);
  qn_llvm_capture(cg);
  return QN_OK;
}

static qn_status finish(qn_cg *cg) {
  char *message = NULL;
  LLVMBool broken = LLVMVerifyModule(cg->module, LLVMReturnStatusAction, &message);
  QN_TRY(qn_llvm_message(cg->cx, "verifying the LLVM module", broken, message));
  return qn_cg_optimize(cg);
}

const qn_op *qn_cg_named(const qn_cg *cg, const qn_op *op, const char *attribute) {
  return qn_str_map_get(&cg->names, qn_op_string(op, attribute, ""));
}

static void collect_names(qn_cg *cg) {
  QN_FOR_EACH_OP(op, qn_op_body(cg->source->op))
    if (qn_op_has(op, QN_SYMBOL)) qn_str_map_set(&cg->names, qn_op_string(op, "sym_name", ""), op);
}

qn_status qn_cg_init(qn_cg *cg, qn_module *loops, const qn_codegen_options *options) {
  *cg = (qn_cg){.source = loops, .cx = loops->cx, .options = options, .level = options->target.level};
  qn_arena_init(&cg->arena);
  double start = qn_clock_now();
  QN_TRY(qn_interface_check_symbol(cg->cx, options->symbol));
  QN_TRY(qn_interface_read(loops, &cg->arena, &cg->interface));
  collect_names(cg);
  QN_TRY(qn_cg_check(cg));
  QN_TRY(qn_cg_open(cg));
  qn_cg_build(cg);
  QN_TRY(finish(cg));
  if (options->out_build_seconds) *options->out_build_seconds = qn_clock_now() - start;
  return QN_OK;
}

void qn_cg_deinit(qn_cg *cg) {
  if (cg->b) LLVMDisposeBuilder(cg->b);
  if (cg->module) LLVMDisposeModule(cg->module);
  if (cg->layout) LLVMDisposeTargetData(cg->layout);
  if (cg->machine) LLVMDisposeTargetMachine(cg->machine);
  if (cg->llvm) LLVMContextDispose(cg->llvm);
  qn_map_deinit(&cg->symbols);
  qn_str_map_deinit(&cg->names);
  qn_arena_deinit(&cg->arena);
}

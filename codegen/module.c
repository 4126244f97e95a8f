/* The module as a whole: what it exports, in which order things are built, and its description.
 *
 * Exported: SYMBOL_invoke, void(const qn_abi_call *), and SYMBOL_model, a constant qn_abi_model. All
 * else is private, nothing is writable, and nothing outside is referred to.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit.h"
#include "ir/walk.h"

static const char *exported_name(qn_cg *cg, const char *suffix) {
  return qn_arena_format(&cg->arena, "%.*s_%s", QN_STR_ARG(cg->options->symbol), suffix).data;
}

static void declare_kernel(qn_cg *cg, const qn_op *op) {
  const char *name = qn_op_string(op, "sym_name", "").data;
  LLVMValueRef kernel = qn_cg_add_function(cg, name, cg->abi.kernel, LLVMInternalLinkage);
  qn_map_set(&cg->symbols, op, kernel);
}

/* The exported names come first: LLVM renames whatever else has the same name. */
void qn_emit_module(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  cg->invoke =
      qn_cg_add_function(cg, exported_name(cg, "invoke"), cg->abi.invoke, LLVMExternalLinkage);
  qn_cg_define_model(cg);
  qn_cg_define_helpers(cg);
  QN_FOR_EACH_OP(global, body)
    if (global->kind == QN_OP_MEMREF_GLOBAL) qn_emit_memref_global(cg, global);
  QN_FOR_EACH_OP(func, body)
    if (func->kind == QN_OP_FUNC && func != cg->interface.main) declare_kernel(cg, func);
  QN_FOR_EACH_OP(func, body)
    if (func->kind == QN_OP_FUNC) qn_emit_func(cg, func);
}

void qn_cg_build(qn_cg *cg) { qn_emit_module(cg, cg->source->op); }

/* ---- SYMBOL_model ---- */

static LLVMValueRef private_constant(qn_cg *cg, const char *name, LLVMValueRef content) {
  LLVMValueRef global = LLVMAddGlobal(cg->module, LLVMTypeOf(content), name);
  LLVMSetInitializer(global, content);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return global;
}

static LLVMValueRef text(qn_cg *cg, const char *string) {
  return private_constant(cg, "text", LLVMConstStringInContext2(cg->llvm, string, strlen(string), 0));
}

static LLVMValueRef tensor_constant(qn_cg *cg, const qn_abi_tensor *tensor) {
  LLVMValueRef dims[QN_ABI_MAX_RANK];
  for (size_t i = 0; i < QN_ABI_MAX_RANK; i++) dims[i] = e_i64(cg, tensor->dims[i]);
  LLVMValueRef fields[] = {text(cg, tensor->name),
                           e_i32(cg, (int32_t)tensor->dtype),
                           e_i32(cg, (int32_t)tensor->rank),
                           LLVMConstArray2(cg->i64, dims, QN_ABI_MAX_RANK),
                           e_i64(cg, (int64_t)tensor->bytes),
                           LLVMConstReal(cg->f64, tensor->scale),
                           e_i64(cg, tensor->zero_point),
                           e_i64(cg, tensor->index)};
  return LLVMConstNamedStruct(cg->abi.tensor, fields, QN_COUNT(fields));
}

static LLVMValueRef step_constant(qn_cg *cg, const qn_abi_step *step) {
  LLVMValueRef fields[] = {text(cg, step->name), e_i64(cg, step->macs)};
  return LLVMConstNamedStruct(cg->abi.step, fields, QN_COUNT(fields));
}

static LLVMValueRef probe_constant(qn_cg *cg, const qn_abi_probe *probe) {
  LLVMValueRef fields[] = {e_i64(cg, probe->index), e_i64(cg, (int64_t)probe->offset),
                           e_i64(cg, (int64_t)probe->bytes), e_i64(cg, probe->output)};
  return LLVMConstNamedStruct(cg->abi.probe, fields, QN_COUNT(fields));
}

/* A pointer to a table with one row per element, made by make_<row>. */
#define TABLE(name, row, count, elements)                                                          \
  static LLVMValueRef name(qn_cg *cg, const qn_abi_##row *elements, uint32_t count) {              \
    LLVMValueRef *rows = QN_NEW_ARRAY(&cg->arena, count + 1, LLVMValueRef);                        \
    for (uint32_t i = 0; i < count; i++) rows[i] = row##_constant(cg, &elements[i]);               \
    return private_constant(cg, #name, LLVMConstArray2(cg->abi.row, rows, count));                 \
  }
TABLE(tensors, tensor, count, elements)
TABLE(steps, step, count, elements)
TABLE(probes, probe, count, elements)
#undef TABLE

void qn_cg_define_model(qn_cg *cg) {
  const qn_abi_model *m = &cg->interface.model;
  const char *target = qn_arena_format(&cg->arena, "%s (%.*s)", cg->level->name,
                                       QN_STR_ARG(cg->options->target.cpu)).data;
  LLVMValueRef global = LLVMAddGlobal(cg->module, cg->abi.model, exported_name(cg, "model"));
  LLVMValueRef fields[] = {e_i32(cg, (int32_t)m->version),
                           e_i32(cg, (int32_t)m->input_count),
                           e_i32(cg, (int32_t)m->output_count),
                           e_i32(cg, (int32_t)m->probe_count),
                           e_i32(cg, (int32_t)m->step_count),
                           e_i32(cg, 0),
                           tensors(cg, m->inputs, m->input_count),
                           tensors(cg, m->outputs, m->output_count),
                           probes(cg, m->probes, m->probe_count),
                           steps(cg, m->steps, m->step_count),
                           e_i64(cg, (int64_t)m->arena_bytes),
                           cg->invoke,
                           text(cg, target),
                           text(cg, m->numerics)};
  LLVMSetInitializer(global, LLVMConstNamedStruct(cg->abi.model, fields, QN_COUNT(fields)));
  LLVMSetGlobalConstant(global, 1);
}

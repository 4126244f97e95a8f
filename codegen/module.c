/* The module as a whole: exports, order of construction, descriptor.
 *
 * Exported: SYMBOL_invoke, void(const qn_abi_call *); SYMBOL_reset, void(void *states), if there
 * are states; SYMBOL_prepare, void(void *prepared), if constants are prepared; SYMBOL_supported,
 * int32_t(void), unless the code stays in this process, whose CPU is known; SYMBOL_model, a
 * constant qn_abi_model. All else is private, nothing is writable, and there are no undefined
 * symbols.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/error.h"
#include "codegen/machine/machine.h"
#include "ir/walk.h"

static const char *exported_name(qn_cg *cg, const char *suffix) {
  return qn_arena_format(&cg->arena, "%.*s_%s", QN_STR_ARG(cg->source->options->symbol), suffix)
      .data;
}

/* ---- SYMBOL_model ---- */

/* Puts a part of the descriptor into a section of its own, which a linker with --gc-sections drops
 * from programs that do not use Quern's runtime: up to half of the constants of a small model. Code
 * with PIC has addresses in a section that the loader writes, so there LLVM decides. */
static LLVMValueRef describe(qn_cg *cg, LLVMValueRef global) {
  if (cg->architecture->relocation != LLVMRelocStatic) return global;
  const char *symbol = exported_name(cg, "model");
  LLVMSetSection(global, qn_arena_format(&cg->arena, ".rodata.%s", symbol).data);
  return global;
}

static LLVMValueRef text(qn_cg *cg, const char *string) {
  return describe(
      cg, qn_cg_private_constant(cg, "text",
                                 LLVMConstStringInContext2(cg->llvm, string, strlen(string), 0)));
}

static LLVMValueRef tensor_constant(qn_cg *cg, const qn_abi_tensor *tensor) {
  LLVMValueRef dims[QN_ABI_MAX_RANK], sizes[QN_ABI_MAX_RANK];
  for (size_t i = 0; i < QN_ABI_MAX_RANK; i++) {
    dims[i] = e_i64(cg, tensor->dims[i]);
    sizes[i] = e_i32(cg, tensor->sizes[i]);
  }
  LLVMValueRef fields[] = {text(cg, tensor->name),
                           e_i32(cg, (int32_t)tensor->dtype),
                           e_i32(cg, (int32_t)tensor->rank),
                           LLVMConstArray2(cg->i64, dims, QN_ABI_MAX_RANK),
                           LLVMConstArray2(cg->i32, sizes, QN_ABI_MAX_RANK),
                           e_i64(cg, (int64_t)tensor->bytes),
                           LLVMConstReal(cg->f64, tensor->scale),
                           e_i64(cg, tensor->zero_point),
                           e_i64(cg, tensor->index),
                           e_i64(cg, (int64_t)tensor->offset)};
  return LLVMConstNamedStruct(cg->abi.tensor, fields, QN_COUNT(fields));
}

static LLVMValueRef size_constant(qn_cg *cg, const qn_abi_size *size) {
  LLVMValueRef fields[] = {text(cg, size->name), e_i64(cg, size->bound)};
  return LLVMConstNamedStruct(cg->abi.size, fields, QN_COUNT(fields));
}

static LLVMValueRef step_constant(qn_cg *cg, const qn_abi_step *step) {
  LLVMValueRef fields[] = {text(cg, step->name), e_i64(cg, step->macs), e_i64(cg, step->bytes)};
  return LLVMConstNamedStruct(cg->abi.step, fields, QN_COUNT(fields));
}

static LLVMValueRef loop_constant(qn_cg *cg, const qn_abi_loop *loop) {
  LLVMValueRef fields[] = {text(cg, loop->name), e_i64(cg, loop->limit)};
  return LLVMConstNamedStruct(cg->abi.loop, fields, QN_COUNT(fields));
}

static LLVMValueRef probe_constant(qn_cg *cg, const qn_abi_probe *probe) {
  LLVMValueRef fields[] = {e_i64(cg, probe->index), e_i64(cg, (int64_t)probe->offset),
                           e_i64(cg, (int64_t)probe->bytes), e_i64(cg, probe->output),
                           e_i64(cg, probe->size)};
  return LLVMConstNamedStruct(cg->abi.probe, fields, QN_COUNT(fields));
}

/* name(cg, elements, count): the address of a table of qn_abi_<row>. */
#define TABLE(name, row)                                                                           \
  static LLVMValueRef name(qn_cg *cg, const qn_abi_##row *elements, uint32_t count) {              \
    LLVMValueRef *rows = QN_NEW_ARRAY(&cg->arena, count + 1, LLVMValueRef);                        \
    for (uint32_t i = 0; i < count; i++) rows[i] = row##_constant(cg, &elements[i]);               \
    LLVMValueRef table = LLVMConstArray2(cg->abi.row, rows, count);                                \
    return describe(cg, qn_cg_private_constant(cg, #name, table));                                 \
  }
TABLE(tensors, tensor)
TABLE(sizes, size)
TABLE(steps, step)
TABLE(loops, loop)
TABLE(probes, probe)
#undef TABLE

/* Defines SYMBOL_model, the descriptor of the module. */
static void define_model(qn_cg *cg) {
  const qn_abi_model *m = &cg->source->interface.model;
  const char *target = qn_arena_format(&cg->arena, "%s (%.*s)", cg->level->name,
                                       QN_STR_ARG(qn_codegen_cpu(&cg->source->options->target)))
                           .data;
  LLVMTypeRef type = cg->prepare ? cg->abi.prepared_model : cg->abi.model;
  LLVMValueRef global = describe(cg, LLVMAddGlobal(cg->module, type, exported_name(cg, "model")));
  LLVMValueRef fields[] = {e_i32(cg, (int32_t)m->version),
                           e_i32(cg, (int32_t)m->input_count),
                           e_i32(cg, (int32_t)m->output_count),
                           e_i32(cg, (int32_t)m->state_count),
                           e_i32(cg, (int32_t)m->size_count),
                           e_i32(cg, (int32_t)m->probe_count),
                           e_i32(cg, (int32_t)m->step_count),
                           e_i32(cg, (int32_t)m->loop_count),
                           tensors(cg, m->inputs, m->input_count),
                           tensors(cg, m->outputs, m->output_count),
                           tensors(cg, m->states, m->state_count),
                           sizes(cg, m->sizes, m->size_count),
                           probes(cg, m->probes, m->probe_count),
                           steps(cg, m->steps, m->step_count),
                           loops(cg, m->loops, m->loop_count),
                           e_i64(cg, (int64_t)m->arena_bytes),
                           e_i64(cg, (int64_t)m->state_bytes),
                           cg->invoke,
                           cg->reset ? cg->reset : LLVMConstNull(cg->ptr),
                           cg->supported ? cg->supported : LLVMConstNull(cg->ptr),
                           text(cg, target),
                           text(cg, m->numerics),
                           e_i64(cg, (int64_t)m->prepared_bytes),
                           cg->prepare};
  unsigned count =
      LLVMCountStructElementTypes(type); /* fields for SYMBOL_prepare only if it exists */
  QN_ASSERT(count <= QN_COUNT(fields));
  LLVMSetInitializer(global, LLVMConstNamedStruct(type, fields, count));
  LLVMSetGlobalConstant(global, 1);
}

/* ---- parts ---- */

/* Emits the kernels of a partition other than the first. */
static void emit_kernels(qn_cg *cg) {
  QN_FOR_EACH_OP(func, qn_op_body(cg->source->module->op)) {
    bool kernel = func->kind == QN_OP_FUNC && func != cg->source->interface.main;
    if (kernel && qn_cg_part_of(cg->source, func) == cg->part) qn_emit_func(cg, func);
  }
}

/* Declares exported names first, because LLVM renames other symbols with the same name. */
void qn_emit_module(qn_cg *cg, const qn_op *op) {
  cg->invoke =
      qn_cg_add_function(cg, exported_name(cg, "invoke"), cg->abi.invoke, LLVMExternalLinkage);
  if (cg->source->interface.model.state_count > 0)
    cg->reset =
        qn_cg_add_function(cg, exported_name(cg, "reset"), cg->abi.reset, LLVMExternalLinkage);
  if (cg->source->interface.model.prepared_bytes > 0)
    cg->prepare =
        qn_cg_add_function(cg, exported_name(cg, "prepare"), cg->abi.prepare, LLVMExternalLinkage);
  if (!cg->source->host_checked)
    cg->supported = qn_cg_add_supported(cg, exported_name(cg, "supported"));
  define_model(cg);
  qn_cg_define_helpers(cg);
  if (cg->supported) qn_cg_define_supported(cg);
  if (cg->reset) qn_cg_define_reset(cg);
  QN_FOR_EACH_OP(global, qn_op_body(op)) {
    bool here = global->kind == QN_OP_MEMREF_GLOBAL && !cg->source->constants_apart;
    if (here) qn_emit_memref_global(cg, global);
  }
  emit_kernels(cg);
  if (cg->prepare) qn_cg_define_prepare(cg);
  qn_emit_func(cg, cg->source->interface.main);
}

/* Runs the emitters over the source and, in part 0, adds SYMBOL_model. */
static void build(qn_cg *cg) {
  if (cg->part == 0)
    qn_emit_module(cg, cg->source->module->op);
  else
    emit_kernels(cg);
}

qn_status qn_cg_init(qn_cg *cg, const qn_cg_source *source, uint32_t part) {
  QN_TRY(qn_cg_open(cg, source, part));
  build(cg);
  char *message = NULL;
  LLVMBool broken = LLVMVerifyModule(cg->module, LLVMReturnStatusAction, &message);
  return qn_llvm_message(cg->notes, "verifying the LLVM module", broken, message);
}

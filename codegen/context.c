/* Opening and closing a translation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/context.h"

#include <string.h>
#include <unistd.h>

#include "codegen/error.h"
#include "codegen/machine/machine.h"

/* Asserts that the target's data layout agrees with that of C compilers for the target. */
static void assert_abi(qn_cg *cg) {
  unsigned count;
  const qn_cg_abi_struct *structs = qn_cg_abi_structs(&count);
  QN_ASSERT(LLVMPointerSize(cg->layout) == cg->index_bytes);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef type = *qn_cg_abi_type(&cg->abi, i);
    size_t offsets[QN_CG_ABI_MAX_FIELDS];
    size_t size = qn_cg_abi_place(&structs[i], cg->index_bytes, offsets);
    QN_ASSERT(LLVMABISizeOfType(cg->layout, type) == size);
    QN_ASSERT(LLVMCountStructElementTypes(type) == structs[i].count);
    for (unsigned k = 0; k < structs[i].count; k++)
      QN_ASSERT(LLVMOffsetOfElement(cg->layout, type, k) == offsets[k]);
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
  cg->index_bytes = cg->level->index_bits / 8;
  cg->index = LLVMIntTypeInContext(cg->llvm, cg->level->index_bits);
  cg->none = LLVMVoidTypeInContext(cg->llvm);
  qn_cg_abi_init(&cg->abi, cg->llvm, cg->index);
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

qn_status qn_cg_open(qn_cg *cg, const qn_cg_source *source, uint32_t part) {
  QN_ASSERT(part < source->parts);
  cg->source = source;
  cg->part = part;
  cg->level = source->level;
  cg->level_features = qn_cg_features_of(cg->level);
  cg->architecture = qn_cg_architecture_of(source->options->target.triple.data);
  qn_arena_init(&cg->arena);
  return open(cg);
}

void qn_cg_destroy(qn_cg *cg) {
  release(cg);
  qn_map_deinit(&cg->symbols);
  qn_array_free(&cg->placeholders);
  qn_array_free(&cg->frames);
  qn_arena_deinit(&cg->arena);
  qn_heap_free(cg);
}

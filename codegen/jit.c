/* Code in memory: the same object as ahead of time, linked by ORC. JITLink writes it into pages that
 * become executable only when they are no longer writable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "codegen/context.h"
#include "codegen/error.h"

struct qn_jit {
  LLVMOrcLLJITRef lljit; /* owns the code */
  const qn_abi_model *model;
  size_t code_bytes;
};

/* Gives the object to ORC, which owns it from here on, also on failure. */
static qn_status link_object(qn_jit *jit, qn_ir_context *cx, LLVMMemoryBufferRef object,
                             const char *entry) {
  LLVMOrcJITDylibRef dylib = LLVMOrcLLJITGetMainJITDylib(jit->lljit);
  LLVMOrcExecutorAddress address = 0;
  QN_TRY(qn_llvm_error(cx, "adding the object", LLVMOrcLLJITAddObjectFile(jit->lljit, dylib, object)));
  QN_TRY(qn_llvm_error(cx, "linking the object", LLVMOrcLLJITLookup(jit->lljit, &address, entry)));
  jit->model = (const qn_abi_model *)(uintptr_t)address;
  return QN_OK;
}

/* ORC prints what goes wrong while linking unless told where to. The lookup that fails returns a
 * status of its own. */
static void report(void *cx, LLVMErrorRef error) {
  if (qn_llvm_error(cx, "linking the object", error) != QN_OK) return;
}

static qn_status create(qn_jit *jit, qn_module *loops, const qn_codegen_options *options) {
  qn_cg cg;
  LLVMMemoryBufferRef object = NULL;
  qn_status status = qn_cg_init(&cg, loops, options);
  if (status == QN_OK) status = qn_cg_emit_file(&cg, LLVMObjectFile, &object);
  qn_cg_deinit(&cg);
  QN_TRY(status);
  jit->code_bytes = LLVMGetBufferSize(object);
  LLVMErrorRef error = LLVMOrcCreateLLJIT(&jit->lljit, NULL);
  status = qn_llvm_error(loops->cx, "starting the JIT", error);
  if (status != QN_OK) {
    LLVMDisposeMemoryBuffer(object);
    return status;
  }
  LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(jit->lljit);
  LLVMOrcExecutionSessionSetErrorReporter(session, report, loops->cx);
  qn_text entry = {0};
  qn_text_format(&entry, "%.*s_model", QN_STR_ARG(options->symbol));
  status = link_object(jit, loops->cx, object, entry.data);
  qn_text_deinit(&entry);
  return status;
}

qn_status qn_jit_create(qn_module *loops, const qn_codegen_options *options, qn_jit **out_jit) {
  *out_jit = NULL;
  QN_TRY(qn_codegen_check_host(loops->cx, &options->target));
  qn_jit *jit = calloc(1, sizeof *jit);
  if (!jit)
    return qn_error(&loops->cx->diag, loops->cx->diag.unknown, QN_LIMIT, "out of memory");
  qn_status status = create(jit, loops, options);
  if (status == QN_OK)
    *out_jit = jit;
  else
    qn_jit_destroy(jit);
  return status;
}

const qn_abi_model *qn_jit_model(const qn_jit *jit) { return jit->model; }

size_t qn_jit_code_bytes(const qn_jit *jit) { return jit->code_bytes; }

void qn_jit_destroy(qn_jit *jit) {
  if (!jit) return;
  /* Nobody is left to tell about an error here; it is consumed. */
  if (jit->lljit) LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->lljit));
  free(jit);
}

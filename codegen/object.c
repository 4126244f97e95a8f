/* Passes over the finished module, and its text, assembly or object bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "codegen/context.h"
#include "codegen/error.h"

/* What the emitters leave to clean up: repeated address arithmetic, constant conditions, empty
 * blocks. default<O1> costs ten times as much and buys nothing on explicit vector code. */
static const char pipeline[] = "function(early-cse,instcombine,simplifycfg)";

qn_status qn_cg_optimize(qn_cg *cg) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(cg->module, pipeline, cg->machine, options);
  LLVMDisposePassBuilderOptions(options);
  return qn_llvm_error(cg->cx, "running LLVM's passes", error);
}

qn_status qn_cg_emit_file(qn_cg *cg, LLVMCodeGenFileType kind, LLVMMemoryBufferRef *out_buffer) {
  double start = qn_clock_now();
  char *message = NULL;
  LLVMBool failed = LLVMTargetMachineEmitToMemoryBuffer(cg->machine, cg->module, kind, &message, out_buffer);
  QN_TRY(qn_llvm_message(cg->cx, "emitting machine code", failed, failed ? message : NULL));
  if (cg->errors) {
    LLVMDisposeMemoryBuffer(*out_buffer);
    return QN_INTERNAL;
  }
  if (cg->options->out_emit_seconds) *cg->options->out_emit_seconds = qn_clock_now() - start;
  return QN_OK;
}

static qn_status append_file(qn_cg *cg, LLVMCodeGenFileType kind, qn_text *out) {
  LLVMMemoryBufferRef buffer;
  QN_TRY(qn_cg_emit_file(cg, kind, &buffer));
  qn_text_put(out, (qn_str){LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer)});
  LLVMDisposeMemoryBuffer(buffer);
  return QN_OK;
}

static qn_status append_ir(qn_cg *cg, qn_text *out) {
  char *ir = LLVMPrintModuleToString(cg->module);
  qn_text_puts(out, ir);
  LLVMDisposeMessage(ir);
  return QN_OK;
}

qn_status qn_codegen_emit(qn_module *loops, const qn_codegen_options *options, qn_emit what,
                          qn_text *out) {
  qn_cg cg;
  qn_status status = qn_cg_init(&cg, loops, options);
  if (status == QN_OK)
    status = what == QN_EMIT_LLVM ? append_ir(&cg, out)
             : append_file(&cg, what == QN_EMIT_ASM ? LLVMAssemblyFile : LLVMObjectFile, out);
  qn_cg_deinit(&cg);
  return status;
}

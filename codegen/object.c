/* Passes over a finished LLVM module, and its text, assembly or object bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "codegen/context.h"
#include "codegen/error.h"

/* What the emitters leave to clean up: repeated address arithmetic, constant conditions, empty
 * blocks. That instcombine has come
 * to an end after one round is no promise of it, and not reaching one no reason to end the process.
 * default<O1> costs ten times as much and buys nothing on explicit vector code. */
static const char pipeline[] = "function(early-cse,instcombine<no-verify-fixpoint>,simplifycfg)";

qn_status qn_cg_optimize(qn_cg *cg) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(cg->module, pipeline, cg->machine, options);
  LLVMDisposePassBuilderOptions(options);
  return qn_llvm_error(cg->notes, "running LLVM's passes", error);
}

qn_status qn_cg_emit_file(qn_cg *cg, LLVMCodeGenFileType kind, LLVMMemoryBufferRef *out_buffer) {
  char *message = NULL;
  LLVMBool failed =
      LLVMTargetMachineEmitToMemoryBuffer(cg->machine, cg->module, kind, &message, out_buffer);
  QN_TRY(qn_llvm_message(cg->notes, "emitting machine code", failed, failed ? message : NULL));
  if (!cg->notes[0]) return QN_OK;
  LLVMDisposeMemoryBuffer(*out_buffer);
  return QN_INTERNAL;
}

static qn_status append_file(qn_cg *cg, qn_emit what, qn_text *out) {
  bool text = what == QN_EMIT_ASM;
  QN_TRY(qn_cg_emit_file(cg, text ? LLVMAssemblyFile : LLVMObjectFile, &cg->file));
  const qn_str bytes = {LLVMGetBufferStart(cg->file), LLVMGetBufferSize(cg->file)};
  if (text)
    qn_cg_annotate(cg->source, bytes, what, out);
  else
    qn_text_put(out, bytes);
  return QN_OK;
}

static void append_ir(qn_cg *cg, qn_text *out) {
  cg->ir = LLVMPrintModuleToString(cg->module);
  if (!cg->ir) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  qn_cg_annotate(cg->source, qn_str_of(cg->ir), QN_EMIT_LLVM, out);
}

static qn_status emit(qn_cg *cg, const qn_cg_source *source, qn_emit what, qn_text *out) {
  const qn_codegen_options *options = source->options;
  double start = qn_clock_now();
  QN_TRY(qn_cg_init(cg, source, 0));
  qn_guard_check_time();
  QN_TRY(qn_cg_optimize(cg));
  qn_guard_check_time();
  double built = qn_clock_now();
  if (options->out_build_seconds) *options->out_build_seconds = built - start;
  if (what == QN_EMIT_LLVM)
    append_ir(cg, out);
  else
    QN_TRY(append_file(cg, what, out));
  if (options->out_emit_seconds) *options->out_emit_seconds = qn_clock_now() - built;
  return QN_OK;
}

qn_status qn_codegen_emit(qn_module *loops, const qn_codegen_options *options, qn_emit what,
                          qn_text *out) {
  qn_cg_source source;
  qn_status status = qn_cg_source_open(&source, loops, options, 1);
  if (status == QN_OK) {
    qn_cg *cg = qn_cg_create();
    qn_llvm_working_on(source.name);
    status = emit(cg, &source, what, out);
    if (status != QN_OK) status = qn_llvm_report(source.cx, cg->notes);
    qn_llvm_working_on(NULL);
    qn_cg_destroy(cg);
  }
  qn_cg_source_close(&source);
  return status;
}

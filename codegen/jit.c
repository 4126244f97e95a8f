/* Code in memory: the same objects as ahead of time, linked by ORC. JITLink writes them into pages
 * that become executable only when they are no longer writable.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/clock.h"
#include "base/workers.h"
#include "codegen/context.h"
#include "codegen/error.h"

struct qn_jit {
  LLVMOrcLLJITRef lljit; /* owns the code */
  const qn_abi_model *model;
  size_t code_bytes;
};

/* ORC prints what goes wrong unless told where to: to `notes` while there is somebody to tell. */
static void collect(void *notes, LLVMErrorRef error) {
  if (qn_llvm_error(notes, "linking", error) != QN_OK) return;
}

static void drop(void *nothing, LLVMErrorRef error) {
  (void)nothing;
  LLVMConsumeError(error);
}

static void send_errors(qn_jit *jit, LLVMOrcErrorReporterFunction to, void *context) {
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(jit->lljit), to, context);
}

/* Gives the objects to ORC, which owns them from here on, also those that it refuses. */
static qn_status add_objects(qn_jit *jit, qn_cg_objects *objects, uint32_t count,
                             qn_llvm_notes notes) {
  LLVMOrcJITDylibRef dylib = LLVMOrcLLJITGetMainJITDylib(jit->lljit);
  for (uint32_t i = 0; i < count; i++) {
    LLVMMemoryBufferRef object = objects->parts[i];
    jit->code_bytes += LLVMGetBufferSize(object);
    objects->parts[i] = NULL;
    QN_TRY(qn_llvm_error(notes, "adding an object",
                         LLVMOrcLLJITAddObjectFile(jit->lljit, dylib, object)));
  }
  return QN_OK;
}

static qn_status start(qn_jit *jit, qn_llvm_notes notes) {
  qn_cg_start_llvm();
  QN_TRY(qn_llvm_error(notes, "starting the JIT", LLVMOrcCreateLLJIT(&jit->lljit, NULL)));
  send_errors(jit, collect, notes);
  return QN_OK;
}

static qn_status find_model(qn_jit *jit, const char *name, qn_llvm_notes notes) {
  LLVMOrcExecutorAddress address = 0;
  QN_TRY(qn_llvm_error(notes, "linking", LLVMOrcLLJITLookup(jit->lljit, &address, name)));
  jit->model = (const qn_abi_model *)(uintptr_t)address;
  return QN_OK;
}

static qn_status link_objects(qn_jit *jit, qn_ir_context *cx, const qn_codegen_options *options,
                              qn_cg_objects *objects, uint32_t count) {
  qn_llvm_notes notes = "";
  qn_text name = {0};
  qn_text_format(&name, "%.*s_model", QN_STR_ARG(options->symbol));
  qn_text_putc(&name, '\0');
  qn_status status = start(jit, notes);
  if (status == QN_OK) status = add_objects(jit, objects, count, notes);
  if (status == QN_OK) status = find_model(jit, qn_text_view(&name).data, notes);
  if (jit->lljit) send_errors(jit, drop, NULL);
  qn_text_deinit(&name);
  return status == QN_OK ? QN_OK : qn_llvm_report(cx, notes);
}

static void show(const qn_codegen_options *options, const qn_cg_objects *objects, uint32_t count) {
  qn_code code = {.count = count};
  for (uint32_t i = 0; i < count; i++)
    code.parts[i] = (qn_bytes){(const uint8_t *)LLVMGetBufferStart(objects->parts[i]),
                               LLVMGetBufferSize(objects->parts[i])};
  options->keep(options->keep_user, &code);
}

static qn_status create(qn_jit *jit, qn_cg_source *source) {
  const qn_codegen_options *options = source->options;
  uint32_t threads = options->threads ? options->threads : qn_usable_cpus();
  double begin = qn_clock_now();
  qn_cg_objects *objects = qn_cg_objects_create();
  qn_status status = qn_cg_compile_parts(source, threads, objects);
  if (status == QN_OK && options->keep) show(options, objects, source->parts);
  double compiled = qn_clock_now();
  qn_llvm_working_on(source->name);
  if (status == QN_OK) status = link_objects(jit, source->cx, options, objects, source->parts);
  qn_llvm_working_on(NULL);
  qn_cg_objects_destroy(objects);
  if (options->out_build_seconds) *options->out_build_seconds = compiled - begin;
  if (options->out_emit_seconds) *options->out_emit_seconds = qn_clock_now() - compiled;
  return status;
}

static void release(void *owner) {
  qn_jit *jit = owner;
  /* Nobody is left to tell about an error here; it is consumed. */
  if (jit->lljit) LLVMConsumeError(LLVMOrcDisposeLLJIT(jit->lljit));
}

qn_status qn_jit_create(qn_module *loops, const qn_codegen_options *options, qn_jit **out_jit) {
  *out_jit = NULL;
  QN_TRY(qn_codegen_check_host(loops->cx, &options->target));
  qn_jit *jit = qn_heap_own(sizeof *jit, release);
  qn_cg_source source;
  qn_status status = qn_cg_source_open(&source, loops, options, QN_CODE_MAX_PARTS);
  source.host_checked = true;
  if (status == QN_OK) status = create(jit, &source);
  qn_cg_source_close(&source);
  if (status == QN_OK)
    *out_jit = jit;
  else
    qn_jit_destroy(jit);
  return status;
}

qn_status qn_jit_link(qn_ir_context *cx, const qn_codegen_options *options, const qn_code *code,
                      qn_jit **out_jit) {
  *out_jit = NULL;
  qn_jit *jit = qn_heap_own(sizeof *jit, release);
  qn_cg_objects *objects = qn_cg_objects_create();
  for (uint32_t i = 0; i < code->count; i++)
    objects->parts[i] = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)code->parts[i].data,
                                                                  code->parts[i].size, "kept");
  qn_llvm_working_on("kept code");
  qn_status status = link_objects(jit, cx, options, objects, code->count);
  qn_llvm_working_on(NULL);
  qn_cg_objects_destroy(objects);
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
  release(jit);
  qn_heap_free(jit);
}

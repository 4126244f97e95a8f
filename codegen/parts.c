/* Translating the parts of a source at the same time, one thread and one LLVM context each. Part 0,
 * with the constants and the entry point, is done by the caller.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>

#include "codegen/context.h"
#include "codegen/error.h"

typedef struct job {
  const qn_cg_source *source;
  uint32_t part;
  LLVMMemoryBufferRef object; /* NULL when it failed */
  qn_text problems;
  pthread_t thread;
  bool running;
} job;

static qn_status compile(qn_cg *cg, const job *j, LLVMMemoryBufferRef *out_object) {
  QN_TRY(qn_cg_init(cg, j->source, j->part));
  QN_TRY(qn_cg_optimize(cg));
  return qn_cg_emit_file(cg, LLVMObjectFile, out_object);
}

static void *run_job(void *user) {
  job *j = user;
  qn_cg cg;
  LLVMMemoryBufferRef object = NULL;
  if (compile(&cg, j, &object) == QN_OK) j->object = object;
  qn_text_put(&j->problems, qn_text_view(&cg.problems));
  qn_cg_deinit(&cg);
  return NULL;
}

qn_status qn_cg_compile_parts(const qn_cg_source *source, LLVMMemoryBufferRef *objects) {
  job jobs[QN_CODEGEN_MAX_PARTS];
  for (uint32_t i = 0; i < source->parts; i++) jobs[i] = (job){.source = source, .part = i};
  for (uint32_t i = 1; i < source->parts; i++)
    jobs[i].running = pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]) == 0;
  run_job(&jobs[0]);
  qn_status status = QN_OK;
  for (uint32_t i = 0; i < source->parts; i++) {
    if (jobs[i].running)
      pthread_join(jobs[i].thread, NULL);
    else if (i > 0)
      run_job(&jobs[i]); /* no thread to be had */
    if (!jobs[i].object) status = QN_INTERNAL;
    if (qn_llvm_report(source->cx, &jobs[i].problems) != QN_OK) status = QN_INTERNAL;
    qn_text_deinit(&jobs[i].problems);
    objects[i] = jobs[i].object;
  }
  for (uint32_t i = 0; status != QN_OK && i < source->parts; i++) {
    if (objects[i]) LLVMDisposeMemoryBuffer(objects[i]);
    objects[i] = NULL;
  }
  return status;
}

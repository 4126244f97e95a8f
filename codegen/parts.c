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
  LLVMMemoryBufferRef *object; /* stays NULL when it failed */
  qn_account *account;         /* of the caller, or NULL */
  qn_exceeded exceeded;        /* why it was given up */
  qn_llvm_notes notes;
  pthread_t thread;
  bool running;
} job;

static void release_objects(void *owner) {
  qn_cg_objects *objects = owner;
  for (uint32_t i = 0; i < QN_CODE_MAX_PARTS; i++)
    if (objects->parts[i]) LLVMDisposeMemoryBuffer(objects->parts[i]);
}

qn_cg_objects *qn_cg_objects_create(void) {
  return qn_heap_own(sizeof(qn_cg_objects), release_objects);
}

void qn_cg_objects_destroy(qn_cg_objects *objects) {
  release_objects(objects);
  qn_heap_free(objects);
}

static qn_status compile(qn_cg *cg, const job *j) {
  LLVMMemoryBufferRef object = NULL;
  QN_TRY(qn_cg_init(cg, j->source, j->part));
  qn_guard_check_time();
  QN_TRY(qn_cg_optimize(cg));
  qn_guard_check_time();
  QN_TRY(qn_cg_emit_file(cg, LLVMObjectFile, &object));
  *j->object = object;
  return QN_OK;
}

static void translate(job *j) {
  qn_cg *cg = qn_cg_create();
  if (compile(cg, j) != QN_OK) memcpy(j->notes, cg->notes, sizeof cg->notes);
  qn_cg_destroy(cg);
}

/* A thread can't be unwound into another: each job has a boundary of its own. */
static void *run_job(void *user) {
  job *j = user;
  qn_guard guard;
  qn_ring nothing;
  qn_ring_init(&nothing);
  qn_llvm_working_on(j->source->name);
  qn_guard_open(&guard, j->account);
  if (setjmp(guard.jump) == 0) {
    translate(j);
    qn_guard_close(&guard, &nothing);
  } else {
    qn_guard_discard(&guard);
    j->exceeded = guard.exceeded;
  }
  qn_llvm_working_on(NULL);
  return NULL;
}

static void run_jobs(job *jobs, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    jobs[i].running = pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]) == 0;
  run_job(&jobs[0]);
  for (uint32_t i = 1; i < count; i++) {
    if (jobs[i].running)
      pthread_join(jobs[i].thread, NULL);
    else
      run_job(&jobs[i]); /* no thread to be had */
  }
}

qn_status qn_cg_compile_parts(const qn_cg_source *source, qn_cg_objects *objects) {
  const qn_guard *guard = qn_guard_current();
  job *jobs = qn_heap_new(source->parts * sizeof *jobs);
  for (uint32_t i = 0; i < source->parts; i++)
    jobs[i] = (job){.source = source,
                    .part = i,
                    .object = &objects->parts[i],
                    .account = guard ? guard->account : NULL};
  run_jobs(jobs, source->parts);
  qn_status status = QN_OK;
  for (uint32_t i = 0; i < source->parts; i++) {
    if (jobs[i].exceeded) qn_guard_unwind(jobs[i].exceeded);
    if (!objects->parts[i]) status = QN_INTERNAL;
    if (qn_llvm_report(source->cx, jobs[i].notes) != QN_OK) status = QN_INTERNAL;
  }
  qn_heap_free(jobs);
  return status;
}

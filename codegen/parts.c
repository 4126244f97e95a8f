/* Translates the parts of a source in parallel, each with its own LLVM context. A thread takes the
 * next part when it has finished one. The first part, with the constants and the entry point, takes
 * longest. The number of threads does not affect the code.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdatomic.h>

#include "codegen/context.h"
#include "codegen/error.h"

typedef struct job {
  const qn_cg_source *source;
  uint32_t part;
  LLVMMemoryBufferRef *object; /* NULL on failure */
  qn_account *account;         /* memory account of the caller; NULL if none */
  qn_exceeded exceeded;        /* reason if aborted */
  qn_llvm_notes notes;
} job;

typedef struct crew {
  job *jobs;
  uint32_t count;
  atomic_uint next;
} crew;

static void release_objects(void *owner) {
  qn_cg_objects *objects = owner;
  for (uint32_t i = 0; i < QN_CODE_TRANSLATED_PARTS; i++)
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
  QN_TRY(qn_cg_init(cg, j->source, j->part));
  qn_guard_check_time();
  QN_TRY(qn_cg_optimize(cg));
  qn_guard_check_time();
  QN_TRY(qn_cg_emit_file(cg, LLVMObjectFile));
  *j->object = cg->file;
  cg->file = NULL;
  return QN_OK;
}

static void translate(job *j) {
  qn_cg *cg = qn_cg_create();
  if (compile(cg, j) != QN_OK) memcpy(j->notes, cg->notes, sizeof cg->notes);
  qn_cg_destroy(cg);
}

/* Runs a job inside its own abort boundary, because a longjmp cannot cross threads. */
static void run_job(job *j) {
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
}

static void *run_next_jobs(void *user) {
  crew *c = user;
  uint32_t next;
  while ((next = atomic_fetch_add(&c->next, 1)) < c->count) run_job(&c->jobs[next]);
  return NULL;
}

/* Runs the jobs. The calling thread takes part, alone if no other thread can be created. */
static void run_jobs(job *jobs, uint32_t count, uint32_t threads) {
  crew c = {.jobs = jobs, .count = count};
  pthread_t others[QN_CODE_TRANSLATED_PARTS];
  uint32_t running = 0;
  while (running + 1 < threads && running + 1 < count &&
         pthread_create(&others[running], NULL, run_next_jobs, &c) == 0)
    running++;
  run_next_jobs(&c);
  for (uint32_t i = 0; i < running; i++) pthread_join(others[i], NULL);
}

qn_status qn_cg_compile_parts(const qn_cg_source *source, uint32_t threads,
                              qn_cg_objects *objects) {
  const qn_guard *guard = qn_guard_current();
  job *jobs = qn_heap_new(source->parts * sizeof *jobs);
  for (uint32_t i = 0; i < source->parts; i++)
    jobs[i] = (job){.source = source,
                    .part = i,
                    .object = &objects->parts[i],
                    .account = guard ? guard->account : NULL};
  run_jobs(jobs, source->parts, threads);
  qn_status status = QN_OK;
  for (uint32_t i = 0; i < source->parts; i++) {
    if (jobs[i].exceeded) qn_guard_unwind(jobs[i].exceeded);
    if (!objects->parts[i]) status = QN_INTERNAL;
    if (qn_llvm_report(source->cx, jobs[i].notes) != QN_OK) status = QN_INTERNAL;
  }
  qn_heap_free(jobs);
  objects->count = source->parts;
  return status;
}

/* Shared by the engines: the target of the options, the status of an entry point, and checks of the
 * time limit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/executable.h"

/* The target triple of the options. For the interpreter with a CPU, the triple of its architecture:
 * it runs levels of any one. */
static const char *triple_of(qn_context *context, const qn_compile_options *options) {
  bool any = options->engine == QN_ENGINE_INTERPRETER && !options->triple && options->cpu;
  const qn_target *level = any ? qn_codegen_level_of(options->cpu) : NULL;
  if (!level || !level->architecture) return options->triple;
  return qn_codegen_triple_of(&context->ir.arena, level->architecture).data;
}

_Static_assert((int)QN_OPTIMIZE_SIZE == (int)QN_TRADEOFF_SIZE &&
                   (int)QN_OPTIMIZE_SPEED == (int)QN_TRADEOFF_SPEED,
               "the options of the API and of schedules agree");

qn_status qn_resolve_target(qn_context *context, const qn_compile_options *options,
                            qn_codegen_target *out_target) {
  if ((unsigned)options->optimize > QN_OPTIMIZE_SPEED)
    return qn_error(&context->ir.diag, context->ir.diag.unknown, QN_INVALID,
                    "optimize is %d, not a qn_optimize", (int)options->optimize);
  return qn_codegen_target_resolve(&context->ir, triple_of(context, options), options->cpu,
                                   options->features, out_target);
}

qn_status qn_loops_ended(qn_diag_engine *diag, const qn_abi_model *entry, int32_t loop) {
  if (loop == 0) return QN_OK;
  const qn_abi_loop *endless = &entry->loops[loop - 1];
  return qn_error(diag, qn_loc_name(diag, qn_str_of(endless->name), NULL), QN_LIMIT,
                  "'scf.while' op would go on after %lld iterations of all loops",
                  (long long)endless->limit);
}

/* Units of work of a launch, for qn_guard_work: one unit per eight multiply-adds or bytes, plus
 * some thousands per launch. */
static int64_t work_of(const qn_abi_step *step) {
  enum { LAUNCH = 1 << 12, PER_UNIT = 8 };
  int64_t macs = step->macs > 0 ? step->macs : 0, bytes = step->bytes > 0 ? step->bytes : 0;
  return LAUNCH + macs / PER_UNIT + bytes / PER_UNIT;
}

static void look_at_time(void *user, int64_t k) {
  const qn_abi_model *entry = user;
  bool step = k >= 0 && k < (int64_t)entry->step_count;
  if (step)
    qn_guard_work(work_of(&entry->steps[k]));
  else
    qn_guard_check_time();
}

void qn_watch_time(const qn_context *context, qn_instance *instance) {
  const qn_abi_model *entry = qn_instance_entry(instance);
  bool timed = context->account.timed;
  qn_instance_set_watch(instance, timed ? look_at_time : NULL, (void *)(uintptr_t)entry);
  if (timed) qn_guard_check_time();
}

/* What engines share: the target of options, and what an entry point returns.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/executable.h"

qn_status qn_resolve_target(qn_context *context, const qn_compile_options *options,
                            qn_codegen_target *out_target) {
  return qn_codegen_target_resolve(&context->ir, options->triple, options->cpu, options->features,
                                   out_target);
}

qn_status qn_loops_ended(qn_diag_engine *diag, const qn_abi_model *entry, int32_t loop) {
  if (loop == 0) return QN_OK;
  const qn_abi_loop *endless = &entry->loops[loop - 1];
  return qn_error(diag, qn_loc_name(diag, qn_str_of(endless->name), NULL), QN_LIMIT,
                  "'scf.while' op would go on after %lld iterations", (long long)endless->limit);
}

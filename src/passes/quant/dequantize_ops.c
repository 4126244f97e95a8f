/* dequantize-ops: replaces ops of the model stage on quantized tensors by float ops between casts.
 *
 *   %y = "ml.add"(%a, %b) : (tensor<4x!q>, tensor<4x!q>) -> tensor<4x!q>
 *     ->
 *   %0 = quant.dcast %a : tensor<4x!q> to tensor<4xf32>
 *   %1 = quant.dcast %b : tensor<4x!q> to tensor<4xf32>
 *   %3 = linalg.generic ins(%0, %1) { addf }
 *   %y = quant.qcast %3 : tensor<4xf32> to tensor<4x!q>
 *
 * ir/float_form/float_form.h defines the float ops; ops on floats become linalg.generic without
 * casts. This is the float fallback that lower-to-integer uses for ops without an integer lowering,
 * as IR of the model stage. After lower-quant-ops and strip-func-quant-types, a function without
 * data movement contains upstream's ops only. Ops without a float form stay; if "ops" names them,
 * they are reported.
 *
 * Needs: verified ml ops.  Keeps: ops that only move values, and all other dialects.  Numerics:
 * rounding: results usually differ from the profile's by one step at most.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "ir/float_form/float_form.h"
#include "ir/ops/forms.h"
#include "ir/walk.h"
#include "pass/pass.h"

typedef struct dequantizing {
  qn_str names;
  QN_ARRAY(qn_op *) ops;
} dequantizing;

static bool collect(qn_op *op, void *user) {
  dequantizing *d = user;
  bool chosen = d->names.size == 0 || qn_str_lists(d->names, op->name);
  if (chosen && qn_has_float_form(op->kind)) qn_array_push(&d->ops, op);
  return true;
}

static qn_status check_names(qn_pass_context *pc, qn_str names) {
  qn_status status = QN_OK;
  qn_str name;
  while (qn_str_next(&names, &name)) {
    bool known = false;
    for (int kind = 0; kind < QN_OP_COUNT && !known; kind++)
      known = qn_has_float_form((qn_op_kind)kind) && qn_str_is(name, qn_op_infos[kind].name);
    if (!known)
      status = qn_error(&pc->cx->diag, pc->root->loc, QN_NOT_FOUND,
                        "'ops' names '%.*s', which has no float form", QN_STR_ARG(name));
  }
  return status;
}

static qn_status dequantize(qn_pass_context *pc, qn_op *op, bool named) {
  const char *problem = qn_float_form_problem(op);
  if (problem && !named) return QN_OK;
  if (problem)
    return qn_error(&pc->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no float form, as %s",
                    QN_STR_ARG(op->name), problem);
  qn_builder b = qn_builder_before(pc->module, op);
  qn_value **operands = QN_NEW_ARRAY(pc->scratch, op->operand_count + 1, qn_value *);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = qn_op_operand(op, i);
  qn_value_replace_all_uses(&op->results[0], qn_build_float_form(&b, op, operands));
  qn_op_erase(pc->module, op);
  pc->changed = true;
  return QN_OK;
}

static qn_status run(qn_pass_context *pc) {
  dequantizing d = {.names = qn_str_of(qn_pass_string(pc, "ops"))};
  QN_TRY(check_names(pc, d.names));
  qn_walk_pre(pc->root, collect, &d);
  qn_status status = QN_OK;
  for (size_t i = 0; i < d.ops.count; i++) {
    qn_status one = dequantize(pc, d.ops.data[i], d.names.size > 0);
    if (status == QN_OK) status = one;
  }
  qn_array_free(&d.ops);
  return status;
}

static const qn_option_spec options[] = {
    {"ops", QN_OPTION_STRING, "", "names, by commas; all where there is none"},
    {NULL, 0, NULL, NULL},
};

const qn_pass qn_pass_dequantize_ops = {
    .name = "dequantize-ops",
    .summary = "turn ops on quantized tensors into float ops between casts",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .needs = "verified ml ops",
    .keeps = "ops that only move values, and those of other dialects",
    .options = options,
    .run = run,
};

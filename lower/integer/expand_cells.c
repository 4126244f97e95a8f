/* Writes recurrent cells on floats as ops on matrices, by their decomposition (src/ir/cell_form).
 *
 *   before: %y, %h = "ml.rnn"(%x, %h0, %w, %r, %b) : (tensor<1x2x3xf32>, ...)
 *   after:  %p = "ml.linear"(%x, %w, %b)       the products of the input, for all time steps
 *           %0 = "ml.linear"(%h0, %r)          then, per time step, those of the hidden state ...
 *           %1 = "ml.add"(%p[0], %0)
 *           %2 = "ml.tanh"(%1)                 ... and the new hidden state
 *
 * Passes on graphs then see the products, and the profile gives hybrid ones their bits. Cells on
 * quantized tensors stay: they have integer forms. Numerics: exact. lower-to-integer expands cells
 * that are left.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cell_form/cell_form.h"
#include "ir/walk.h"
#include "lower/integer/integer.h"

static void expand(qn_module *module, qn_op *op) {
  qn_builder b = qn_builder_before(module, op);
  qn_value *results[QN_CELL_MOST_RESULTS],
      **operands = qn_arena_array(&module->arena, op->operand_count, sizeof *operands);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = qn_op_operand(op, i);
  qn_build_cell_form(&b, op, operands, results);
  qn_integer_move_marks(module, op, results[0]->op);
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_value_replace_all_uses(qn_op_result(op, i), results[i]);
  qn_op_erase(module, op);
}

typedef struct expansion {
  qn_module *module;
  qn_status status;
  bool changed;
} expansion;

static void visit(qn_op *op, void *user) {
  expansion *e = user;
  if (!qn_cell_is_real(op)) return;
  const char *problem = qn_cell_form_problem(op);
  if (problem) {
    e->status = qn_error(&e->module->cx->diag, op->loc, QN_LIMIT, "'%.*s' can't be expanded: %s",
                         QN_STR_ARG(op->name), problem);
    return;
  }
  expand(e->module, op);
  e->changed = true;
}

qn_status qn_integer_expand_cells(qn_module *module, bool *out_changed) {
  expansion e = {.module = module, .status = QN_OK};
  qn_integer_for_each(module, visit, &e);
  *out_changed = e.changed;
  return e.status;
}

static qn_status run(qn_pass_context *pc) {
  return qn_integer_expand_cells(pc->module, &pc->changed);
}

const qn_pass qn_pass_expand_cells = {
    .name = "expand-cells",
    .summary = "recurrent cells on floats become ops on matrices",
    .numerics = QN_EXACT,
    .run = run,
};

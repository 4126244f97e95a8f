/* Ops and regions. An op is printed in its custom form if it has one that fits, else in generic
 * form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "ir/walk.h"
#include "text/form.h"
#include "text/printer.h"

/* ---- regions ---- */

/* The blocks that branch to a block, in their order in the region. */
struct qn_predecessor {
  const qn_block *block;
  const struct qn_predecessor *next;
};

static void note_predecessors(qn_printer *out, const qn_region *region) {
  for (const qn_block *block = region->last; block; block = block->prev) {
    for (uint32_t i = 0; block->last && i < block->last->successor_count; i++) {
      struct qn_predecessor *p = QN_NEW(&out->scratch, struct qn_predecessor);
      *p = (struct qn_predecessor){block,
                                   qn_map_get(&out->predecessors, block->last->successors[i])};
      qn_map_set(&out->predecessors, block->last->successors[i], p);
    }
  }
}

static void print_predecessors(qn_printer *out, const qn_block *block) {
  const struct qn_predecessor *first = qn_map_get(&out->predecessors, block);
  uint32_t count = 0;
  for (const struct qn_predecessor *p = first; p; p = p->next) count++;
  if (count == 0) qn_puts(out, "  // no predecessors");
  if (count == 1) qn_puts(out, "  // pred: ");
  if (count > 1) qn_text_format(out->out, "  // %" PRIu32 " preds: ", count);
  for (const struct qn_predecessor *p = first; p; p = p->next) {
    qn_comma(out, p != first);
    qn_print_block_name(out, p->block);
  }
}

static void print_label(qn_printer *out, const qn_block *block) {
  out->indent -= 2;
  qn_newline(out);
  out->indent += 2;
  qn_print_block_name(out, block);
  for (uint32_t i = 0; i < block->arg_count; i++) {
    qn_puts(out, i ? ", " : "(");
    qn_print_value(out, block->args[i]);
    qn_puts(out, ": ");
    qn_print_type(out, block->args[i]->type);
    qn_print_trailing_loc(out, block->args[i]->loc);
  }
  qn_puts(out, block->arg_count ? "):" : ":");
  if (block->prev) print_predecessors(out, block);
}

static void print_block(qn_printer *out, const qn_block *block, qn_region_style style) {
  bool entry = !block->prev;
  bool label = !entry || (style.entry_args &&
                          (block->arg_count || (!block->first && !style.hide_terminator) ||
                           qn_map_get(&out->predecessors, block)));
  if (label) print_label(out, block);
  QN_FOR_EACH_OP(op, block) {
    if (style.hide_terminator && op == block->last) break;
    qn_newline(out);
    qn_print_op(out, op);
  }
}

void qn_print_region(qn_printer *out, const qn_region *region, qn_region_style style) {
  qn_name_level before = qn_names_enter(out, region);
  note_predecessors(out, region);
  qn_puts(out, "{");
  out->indent += 2;
  QN_FOR_EACH_BLOCK(block, region) print_block(out, block, style);
  out->indent -= 2;
  qn_newline(out);
  qn_puts(out, "}");
  qn_names_leave(out, before);
}

/* ---- ops ---- */

static void print_generic(qn_printer *out, const qn_op *op) {
  qn_print_quoted(out, op->name);
  qn_puts(out, "(");
  qn_print_operand_list(out, op, 0, op->operand_count);
  qn_puts(out, ")");
  for (uint32_t i = 0; i < op->successor_count; i++) {
    qn_puts(out, i ? ", " : "[");
    qn_print_block_name(out, op->successors[i]);
  }
  if (op->successor_count) qn_puts(out, "]");
  for (uint32_t i = 0; i < op->region_count; i++) {
    qn_puts(out, i ? ", " : " (");
    qn_print_region(out, &op->regions[i], (qn_region_style){.entry_args = true});
  }
  if (op->region_count) qn_puts(out, ")");
  qn_print_attr_dict(out, op, " {", NULL, 0);
  qn_puts(out, " : ");
  qn_print_signature(out, op);
}

void qn_print_op(qn_printer *out, const qn_op *op) {
  if (op->result_count) {
    uint32_t bound = qn_bound_results(op);
    for (uint32_t i = 0; i < bound; i++) {
      qn_comma(out, i);
      qn_print_value_name(out, qn_op_result(op, i));
    }
    if (op->result_count > bound) qn_text_format(out->out, ":%" PRIu32, op->result_count);
    qn_puts(out, " = ");
  }
  const qn_form_plan *plan =
      out->options.generic ? NULL : qn_form_plan_of(&out->plans, &out->scratch, op->kind);
  bool wanted = plan && (!plan->form->own || out->options.own_forms);
  if (wanted && qn_form_fits(plan, op))
    qn_form_print(out, plan, op);
  else
    print_generic(out, op);
  qn_print_trailing_loc(out, op->loc);
}

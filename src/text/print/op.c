/* Ops and regions: the custom form where there is one that fits, else the generic form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "ir/walk.h"
#include "text/form.h"
#include "text/printer.h"

void qn_printer_init(qn_printer *out, const qn_print_options *options_or_null, qn_text *text) {
  *out = (qn_printer){.out = text};
  if (options_or_null) out->options = *options_or_null;
  qn_arena_init(&out->scratch);
}

void qn_printer_deinit(qn_printer *out) {
  qn_array_free(&out->names);
  qn_array_free(&out->used_order);
  qn_array_free(&out->resources);
  qn_array_free(&out->maps.items);
  qn_array_free(&out->types.items);
  qn_map_deinit(&out->maps.numbers);
  qn_map_deinit(&out->types.numbers);
  qn_map_deinit(&out->type_texts);
  qn_map_deinit(&out->blocks);
  qn_map_deinit(&out->predecessors);
  qn_str_map_deinit(&out->used_names);
  qn_str_map_deinit(&out->resource_keys);
  qn_arena_deinit(&out->scratch);
}

void qn_print_uint(qn_printer *out, uint64_t value) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  qn_put(out, (qn_str){digits + first, sizeof digits - first});
}

void qn_print_i64(qn_printer *out, int64_t value) {
  if (value < 0) qn_puts(out, "-");
  qn_print_uint(out, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void qn_newline(qn_printer *out) {
  static const char blanks[] = "                                ";
  qn_puts(out, "\n");
  for (uint32_t left = out->indent, part; left; left -= part) {
    part = left < sizeof blanks - 1 ? left : (uint32_t)sizeof blanks - 1;
    qn_put(out, (qn_str){blanks, part});
  }
}

void qn_comma(qn_printer *out, size_t index) {
  if (index) qn_puts(out, ", ");
}

/* ---- parts of an op ---- */

void qn_print_operand_list(qn_printer *out, const qn_op *op, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    qn_comma(out, i);
    qn_print_value(out, qn_op_operand(op, first + i));
  }
}

void qn_print_operand_types(qn_printer *out, const qn_op *op, uint32_t first, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    qn_comma(out, i);
    qn_print_type(out, qn_op_operand(op, first + i)->type);
  }
}

void qn_print_signature(qn_printer *out, const qn_op *op) {
  qn_puts(out, "(");
  qn_print_operand_types(out, op, 0, op->operand_count);
  qn_puts(out, ") -> ");
  bool bare = op->result_count == 1 && op->results[0].type->kind != QN_TYPE_FUNCTION;
  if (!bare) qn_puts(out, "(");
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_comma(out, i);
    qn_print_type(out, op->results[i].type);
  }
  if (!bare) qn_puts(out, ")");
}

void qn_print_attr_dict(qn_printer *out, const qn_op *op, const char *open, const char *const *skip,
                        size_t skip_count) {
  bool any = false;
  for (uint32_t i = 0; i < op->attr_count; i++) {
    bool skipped = false;
    for (size_t k = 0; k < skip_count; k++)
      skipped = skipped || qn_str_is(op->attrs[i].name, skip[k]);
    if (skipped) continue;
    qn_puts(out, any ? ", " : open);
    qn_print_named_attr(out, op->attrs[i]);
    any = true;
  }
  if (any) qn_puts(out, "}");
}

/* ---- regions ---- */

/* The blocks that branch to one, in their order in the region. */
struct qn_predecessor {
  const qn_block *block;
  const struct qn_predecessor *next;
};

static void note_predecessors(qn_printer *out, const qn_region *region) {
  if (region->first == region->last) return;
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
                          (block->arg_count || (!block->first && !style.hide_terminator)));
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

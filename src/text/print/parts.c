/* Parts that an op's custom and generic form share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/printer.h"

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

/* The entry points of printing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/printer.h"

void qn_text_print(const qn_module *module, const qn_print_options *options, qn_text *out) {
  qn_printer printer;
  qn_printer_init(&printer, options, out);
  qn_print_op(&printer, module->op);
  qn_text_putc(out, '\n');
  qn_print_resources(&printer);
  qn_printer_deinit(&printer);
}

void qn_text_print_op(const qn_op *op, const qn_print_options *options, qn_text *out) {
  qn_printer printer;
  qn_printer_init(&printer, options, out);
  qn_names_enter_ancestors(&printer, op);
  qn_print_op(&printer, op);
  qn_printer_deinit(&printer);
}

void qn_text_print_type(const qn_type *type, qn_text *out) {
  qn_printer printer;
  qn_printer_init(&printer, NULL, out);
  qn_print_type(&printer, type);
  qn_printer_deinit(&printer);
}

void qn_text_print_loc(const qn_loc *loc, qn_text *out) {
  qn_printer printer;
  qn_printer_init(&printer, NULL, out);
  qn_print_loc(&printer, loc);
  qn_printer_deinit(&printer);
}

void qn_text_print_attr(const qn_attr *attr, qn_text *out) {
  qn_printer printer;
  qn_printer_init(&printer, NULL, out);
  qn_print_attr(&printer, attr);
  qn_printer_deinit(&printer);
}

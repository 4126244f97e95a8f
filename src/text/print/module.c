/* The entry points of printing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "text/printer.h"

/* Inserts the aliases that were used before the text, because they are known only after all is
 * printed. */
static void put_aliases_before(qn_printer *printer, size_t start) {
  if (printer->maps.items.count == 0 && printer->types.items.count == 0) return;
  qn_text *out = printer->out;
  qn_text body = {0};
  qn_text_put(&body, (qn_str){out->data + start, out->size - start});
  out->size = start;
  qn_print_map_aliases(printer);
  qn_print_type_aliases(printer);
  qn_text_put(out, qn_text_view(&body));
  qn_text_deinit(&body);
}

void qn_text_print(const qn_module *module, const qn_print_options *options, qn_text *out) {
  qn_printer printer;
  qn_printer_init(&printer, options, out);
  printer.aliases = !printer.options.local_scope;
  size_t start = out->size;
  const qn_op *first = qn_op_body(module->op)->first;
  bool bare = printer.options.no_implicit_module && module->implicit && first && !first->next;
  if (bare) qn_names_enter(&printer, &module->op->regions[0]);
  qn_print_op(&printer, bare ? first : module->op);
  qn_text_putc(out, '\n');
  put_aliases_before(&printer, start);
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

/* The printer's state, and basic output: numbers, words, lines, aliases.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/printer.h"

#include "text/lexer.h"

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

void qn_print_uint(qn_printer *out, uint64_t value) { qn_text_put_u64(out->out, value); }
void qn_print_i64(qn_printer *out, int64_t value) { qn_text_put_i64(out->out, value); }

void qn_print_int(qn_printer *out, int64_t value, const qn_type *type) {
  if (qn_type_is_unsigned(type))
    qn_print_uint(out, (uint64_t)value);
  else
    qn_print_i64(out, value);
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

void qn_print_quoted(qn_printer *out, qn_str text) {
  qn_puts(out, "\"");
  for (size_t i = 0; i < text.size; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c == '\\')
      qn_puts(out, "\\\\");
    else if (c < ' ' || c > '~' || c == '"')
      qn_text_format(out->out, "\\%02X", c);
    else
      qn_text_putc(out->out, (char)c);
  }
  qn_puts(out, "\"");
}

/* Prints the path "a::@b" as @a::@b. */
void qn_print_symbol(qn_printer *out, qn_str path) {
  for (;;) {
    const char *next = path.size ? memmem(path.data, path.size, "::@", 3) : NULL;
    qn_str name = {path.data, next ? (size_t)(next - path.data) : path.size};
    qn_puts(out, "@");
    if (qn_is_bare_id(name))
      qn_put(out, name);
    else
      qn_print_quoted(out, name);
    if (!next) return;
    qn_puts(out, "::");
    path.data += name.size + 3;
    path.size -= name.size + 3;
  }
}

void qn_print_alias(qn_printer *out, qn_alias_list *list, const char *stem, const void *item) {
  uintptr_t number = (uintptr_t)qn_map_get(&list->numbers, item);
  if (number == 0) {
    qn_array_push(&list->items, item);
    number = list->items.count;
    qn_map_set(&list->numbers, item, (void *)number);
  }
  qn_puts(out, stem);
  if (number > 1) qn_print_uint(out, number - 1);
}

/* Attributes in MLIR's spelling. Within arrays the default types i64 and f64 are omitted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/lexer.h"
#include "text/printer.h"

void qn_print_named_attr(qn_printer *out, qn_named_attr named) {
  if (qn_is_bare_id(named.name))
    qn_put(out, named.name);
  else
    qn_print_quoted(out, named.name);
  if (named.value->kind == QN_ATTR_UNIT) return;
  qn_puts(out, " = ");
  qn_print_attr(out, named.value);
}

static void print_number(qn_printer *out, const qn_attr *attr, bool in_array) {
  bool is_float = attr->kind == QN_ATTR_FLOAT;
  size_t start = out->out->size;
  if (is_float)
    qn_text_print_float(attr->number, attr->type->float_kind, out->out);
  else
    qn_print_int(out, attr->integer, attr->type);
  bool is_default = is_float
                        ? qn_type_is_float(attr->type, QN_F64)
                        : qn_type_is_int(attr->type, 64) && attr->type->integer.sign == QN_SIGNLESS;
  /* a hexadecimal number without a type would be read as an integer */
  bool pattern = is_float && out->out->data[start + 1] == 'x';
  if (in_array && is_default && !pattern) return;
  qn_puts(out, " : ");
  qn_print_type(out, attr->type);
}

static void print_dense_array(qn_printer *out, const qn_attr *attr) {
  qn_puts(out, "array<");
  qn_print_type(out, attr->type);
  for (uint32_t i = 0; i < attr->dense_array.count; i++) {
    qn_puts(out, i ? ", " : ": ");
    if (attr->dense_array.numbers)
      qn_text_print_float(attr->dense_array.numbers[i], attr->type->float_kind, out->out);
    else if (qn_type_is_int(attr->type, 1))
      qn_puts(out, attr->dense_array.ints[i] ? "true" : "false");
    else
      qn_print_int(out, attr->dense_array.ints[i], attr->type);
  }
  qn_puts(out, ">");
}

/* ---- dispatch ---- */

static void print(qn_printer *out, const qn_attr *attr, bool in_array) {
  switch (attr->kind) {
  case QN_ATTR_UNIT:
    qn_puts(out, "unit");
    return;
  case QN_ATTR_BOOL:
    qn_puts(out, attr->boolean ? "true" : "false");
    return;
  case QN_ATTR_INTEGER:
  case QN_ATTR_FLOAT:
    print_number(out, attr, in_array);
    return;
  case QN_ATTR_STRING:
    qn_print_quoted(out, attr->string);
    return;
  case QN_ATTR_TYPE:
    qn_print_type(out, attr->type);
    return;
  case QN_ATTR_SYMBOL:
    qn_print_symbol(out, attr->string);
    return;
  case QN_ATTR_DENSE_ARRAY:
    print_dense_array(out, attr);
    return;
  case QN_ATTR_OPAQUE:
    qn_put(out, attr->string);
    return;
  case QN_ATTR_AFFINE_MAP:
    qn_print_map(out, attr);
    return;
  case QN_ATTR_ARRAY:
    qn_puts(out, "[");
    for (uint32_t i = 0; i < attr->array.count; i++) {
      qn_comma(out, i);
      print(out, attr->array.items[i], true);
    }
    qn_puts(out, "]");
    return;
  case QN_ATTR_DICT:
    qn_puts(out, "{");
    for (uint32_t i = 0; i < attr->dict.count; i++) {
      qn_comma(out, i);
      qn_print_named_attr(out, attr->dict.items[i]);
    }
    qn_puts(out, "}");
    return;
  case QN_ATTR_DENSE:
  case QN_ATTR_RESOURCE:
  case QN_ATTR_ELIDED:
    qn_print_elements(out, attr);
    qn_puts(out, " : ");
    qn_print_type(out, attr->type);
    return;
  }
}

void qn_print_attr(qn_printer *out, const qn_attr *attr) { print(out, attr, false); }

void qn_print_attr_untyped(qn_printer *out, const qn_attr *attr) {
  if (qn_attr_is_shaped(attr))
    qn_print_elements(out, attr);
  else
    qn_print_attr(out, attr);
}

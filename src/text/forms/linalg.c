/* The forms of linalg.generic and shape.const_shape.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/linalg.h"
#include "text/form.h"

/* ---- linalg.generic ---- */

/* The attributes at the start; operands and body are printed in other places. */
static const char *const trait_names[] = {"doc", "indexing_maps", "iterator_types", "library_call"};
static const char segments[] = "operandSegmentSizes";

/* Converts "parallel" to #linalg.iterator_type<parallel>. */
static bool convert_iterators(qn_parser *p, qn_pos pos, qn_named_attr *named) {
  if (named->value->kind != QN_ATTR_ARRAY)
    return qn_fail_at(p, pos, "expected iterator_types as an array");
  size_t first = p->attrs.count;
  for (uint32_t i = 0; i < named->value->array.count; i++) {
    const qn_attr *item = named->value->array.items[i];
    if (item->kind != QN_ATTR_STRING)
      return qn_fail_at(p, pos, "expected the iterator types as strings");
    if (!qn_is_iterator_kind(item->string))
      return qn_fail_at(p, pos, "unexpected iterator_type (%.*s)", QN_STR_ARG(item->string));
    qn_str text =
        qn_arena_format(&p->scratch, "%s%.*s>", qn_iterator_prefix, QN_STR_ARG(item->string));
    qn_array_push(&p->attrs, qn_attr_opaque(p->cx, text));
  }
  uint32_t count = (uint32_t)(p->attrs.count - first);
  named->value = qn_attr_array(p->cx, count ? p->attrs.data + first : NULL, count);
  p->attrs.count = first;
  return true;
}

/* Parses {indexing_maps = ..., iterator_types = ...}, or an alias of such a dictionary. */
static bool parse_trait(qn_parser *p, const qn_op_draft *draft) {
  qn_pos pos = p->token.pos;
  const qn_attr *dict;
  if (!qn_parse_attr(p, &dict)) return false;
  if (dict->kind != QN_ATTR_DICT) return qn_fail_at(p, pos, "expected a dictionary of attributes");
  for (uint32_t i = 0; i < dict->dict.count; i++) qn_array_push(&p->named, dict->dict.items[i]);
  for (size_t i = draft->named; i < p->named.count; i++)
    if (qn_str_is(p->named.data[i].name, "iterator_types") &&
        !convert_iterators(p, pos, &p->named.data[i]))
      return false;
  return true;
}

/* ins(%a, %b : t, u) */
static bool parse_operand_group(qn_parser *p, const qn_op_draft *draft, const char *word,
                                int64_t *out_count) {
  uint32_t count = 0;
  bool ok = !qn_accept_word(p, word) ||
            (qn_expect(p, QN_TOK_LPAREN) && qn_draft_typed_operands(p, draft, &count));
  *out_count = count;
  return ok;
}

bool qn_parse_generic_op_form(qn_parser *p, qn_op_draft *draft) {
  int64_t counts[2];
  if (!parse_trait(p, draft) || !parse_operand_group(p, draft, "ins", &counts[0]) ||
      !parse_operand_group(p, draft, "outs", &counts[1]))
    return false;
  if (qn_accept_word(p, "attrs") &&
      (!qn_expect(p, QN_TOK_EQUAL) || !qn_parse_named_attrs(p, draft->named)))
    return false;
  qn_draft_segments(p, counts, 2);
  if (!qn_parse_region(p, &(qn_region_options){.implied_terminator = QN_OP_UNREGISTERED}))
    return false;
  return !qn_accept(p, QN_TOK_ARROW) || qn_parse_result_types(p);
}

bool qn_generic_op_form_fits(const qn_op *op) {
  const qn_attr *maps = qn_op_find(op, QN_A_INDEXING_MAPS),
                *iterators = qn_op_find(op, QN_A_ITERATOR_TYPES);
  if (!maps || !iterators || iterators->kind != QN_ATTR_ARRAY || op->successor_count ||
      op->region_count != 1 || !op->regions[0].first)
    return false;
  for (uint32_t i = 0; i < iterators->array.count; i++)
    if (!qn_is_iterator_kind(qn_iterator_kind(iterators->array.items[i]))) return false;
  return qn_form_implies_segments(op, 2);
}

static void print_trait(qn_printer *out, const qn_op *op) {
  qn_puts(out, "{");
  bool any = false;
  for (size_t i = 0; i < QN_COUNT(trait_names); i++) {
    const qn_attr *attr = qn_op_attr(op, trait_names[i]);
    if (!attr) continue;
    qn_comma(out, any);
    any = true;
    if (!qn_str_is(qn_str_of(trait_names[i]), "iterator_types")) {
      qn_print_named_attr(out, (qn_named_attr){qn_str_of(trait_names[i]), attr});
      continue;
    }
    qn_puts(out, "iterator_types = [");
    for (uint32_t k = 0; k < attr->array.count; k++) {
      qn_comma(out, k);
      qn_print_quoted(out, qn_iterator_kind(attr->array.items[k]));
    }
    qn_puts(out, "]");
  }
  qn_puts(out, "}");
}

static void print_operand_group(qn_printer *out, const qn_op *op, const char *word, uint32_t first,
                                uint32_t count) {
  if (count == 0) return;
  qn_puts(out, word);
  qn_print_operand_list(out, op, first, count);
  qn_puts(out, " : ");
  qn_print_operand_types(out, op, first, count);
  qn_puts(out, ")");
}

/* Prints the attributes that no other part of the form contains. */
static void print_more_attrs(qn_printer *out, const qn_op *op) {
  const char *skip[QN_COUNT(trait_names) + 1];
  for (size_t i = 0; i < QN_COUNT(trait_names); i++) skip[i] = trait_names[i];
  skip[QN_COUNT(trait_names)] = segments;
  qn_print_attr_dict(out, op, " attrs =  {", skip, QN_COUNT(skip));
}

void qn_print_generic_op_form(qn_printer *out, const qn_op *op) {
  uint32_t inputs = qn_op_segment(op, 0);
  qn_puts(out, "linalg.generic ");
  print_trait(out, op);
  print_operand_group(out, op, " ins(", 0, inputs);
  print_operand_group(out, op, " outs(", inputs, op->operand_count - inputs);
  print_more_attrs(out, op);
  qn_puts(out, " ");
  qn_print_region(out, &op->regions[0], (qn_region_style){.entry_args = true});
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (i)
      qn_puts(out, ", ");
    else
      qn_puts(out, op->result_count > 1 ? " -> (" : " -> ");
    qn_print_type(out, op->results[i].type);
  }
  if (op->result_count > 1) qn_puts(out, ")");
}

/* ---- shape.const_shape ---- */

static bool parse_extent(qn_parser *p, void *user) {
  (void)user;
  int64_t value;
  if (!qn_parse_int(p, &value)) return false;
  qn_array_push(&p->ints, value);
  return true;
}

/* [1, 2] : tensor<2xindex> */
bool qn_parse_const_shape_form(qn_parser *p, qn_op_draft *draft) {
  (void)draft;
  const qn_type *type;
  if (qn_at(p, QN_TOK_LBRACE) && !qn_parse_named_attrs(p, draft->named)) return false;
  size_t first = p->ints.count;
  if (!qn_parse_list(p, QN_TOK_LSQUARE, QN_TOK_RSQUARE, parse_extent, NULL) ||
      !qn_expect(p, QN_TOK_COLON) || !qn_parse_type(p, &type))
    return false;
  int64_t count = (int64_t)(p->ints.count - first);
  const qn_type *shaped = qn_type_tensor(p->cx, qn_type_index(p->cx), 1, &count);
  const uint8_t *bytes = count ? (const uint8_t *)(p->ints.data + first) : NULL;
  qn_draft_attr(
      p, "shape",
      qn_attr_dense(p->cx, shaped, (qn_bytes){bytes, (size_t)count * sizeof(int64_t)}, false));
  p->ints.count = first;
  qn_array_push(&p->types, type);
  return true;
}

bool qn_const_shape_form_fits(const qn_op *op) {
  const qn_attr *shape = qn_op_find(op, QN_A_SHAPE);
  return shape && qn_attr_is_elements(shape) && shape->type->kind == QN_TYPE_TENSOR &&
         shape->type->shaped.rank == 1 && shape->type->shaped.element->kind == QN_TYPE_INDEX &&
         op->operand_count == 0 && op->result_count == 1 && op->region_count == 0 &&
         op->successor_count == 0;
}

void qn_print_const_shape_form(qn_printer *out, const qn_op *op) {
  static const char *const skip[] = {"shape"};
  const qn_attr *shape = qn_op_find(op, QN_A_SHAPE);
  qn_puts(out, "shape.const_shape");
  qn_print_attr_dict(out, op, " {", skip, QN_COUNT(skip));
  qn_puts(out, " [");
  for (int64_t i = 0; i < shape->type->shaped.dims[0]; i++) {
    qn_comma(out, (size_t)i);
    qn_text_format(out->out, "%lld", (long long)qn_dense_int(shape, i));
  }
  qn_puts(out, "] : ");
  qn_print_type(out, op->results[0].type);
}

/* Shared parts of parsing an op in generic and in custom form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"

bool qn_draft_typed_operands(qn_parser *p, const qn_op_draft *draft, uint32_t *out_count) {
  size_t first = p->refs.count, types = p->types.count;
  qn_pos pos = p->token.pos;
  if (!qn_parse_operands(p)) return false;
  size_t count = p->refs.count - first;
  if (count && (!qn_expect(p, QN_TOK_COLON) || !qn_parse_types(p))) return false;
  if (p->types.count - types != count)
    return qn_fail_at(p, pos, "expected %zu operand type%s but had %zu", count,
                      count == 1 ? "" : "s", p->types.count - types);
  if (count && !qn_draft_resolve(p, draft, first - draft->refs, p->types.data + types, count))
    return false;
  p->types.count = types;
  *out_count = (uint32_t)count;
  return qn_expect(p, QN_TOK_RPAREN);
}

void qn_draft_attr(qn_parser *p, const char *name, const qn_attr *value) {
  qn_named_attr named = {qn_intern(p->cx, qn_str_of(name)), value};
  qn_array_push(&p->named, named);
}

void qn_draft_segments(qn_parser *p, const int64_t *sizes, uint32_t count) {
  qn_draft_attr(p, "operandSegmentSizes",
                qn_attr_dense_array(p->cx, qn_type_i(p->cx, 32), sizes, NULL, count));
}

bool qn_draft_resolve(qn_parser *p, const qn_op_draft *draft, size_t first,
                      const qn_type *const *types, size_t count) {
  for (size_t i = 0; i < count; i++) {
    qn_value *value = qn_resolve(p, &p->refs.data[draft->refs + first + i], types[i]);
    if (!value) return false;
    qn_array_push(&p->operands, value);
  }
  return true;
}

bool qn_parse_successor(qn_parser *p) {
  qn_token token = p->token;
  if (!qn_expect(p, QN_TOK_CARET_ID)) return false;
  qn_block *block = qn_label_use(p, token.text, token.pos);
  qn_array_push(&p->successors, block);
  return true;
}

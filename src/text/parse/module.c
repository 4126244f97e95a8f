/* The top level: ops, alias definitions and file metadata, with or without an enclosing module op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "text/parser.h"
#include "text/text.h"

static bool parse_top_level(qn_parser *p, qn_block *block) {
  switch (p->token.kind) {
  case QN_TOK_EXCLAIM_ID:
    return qn_parse_type_alias(p);
  case QN_TOK_HASH_ID:
    return qn_parse_attr_alias(p);
  case QN_TOK_META_BEGIN:
    qn_skip_resources(p);
    return true; /* the scan before the parse has read it */
  default:
    return qn_parse_op(p, block);
  }
}

static void parse_all(qn_parser *p, qn_block *block) {
  qn_scope_push(p);
  qn_labels_push(p);
  while (!qn_at(p, QN_TOK_EOF)) {
    const char *start = p->token.text.data;
    if (parse_top_level(p, block)) continue;
    if (p->token.text.data == start) qn_advance(p);
    if (p->braces < 0) p->braces = 0; /* more braces closed than opened */
    /* Unmatched closing braces, and the text after them, belong to the same error. */
    for (qn_recover(p, 0); qn_at(p, QN_TOK_RBRACE); qn_recover(p, 0)) {
      while (qn_at(p, QN_TOK_RBRACE)) qn_advance(p);
      p->braces = 0;
    }
    p->braces = 0;
  }
  (void)qn_labels_pop(p);
  qn_scope_pop(p);
}

/* If the file is a single module op: its body, attributes and location become those of the
 * module. */
static void unwrap_module(qn_module *module) {
  module->implicit = true;
  qn_block *block = qn_op_body(module->op);
  qn_op *inner = block->first;
  if (!inner || inner->next || inner->kind != QN_OP_MODULE || inner->region_count != 1) return;
  qn_block *body = inner->regions[0].first;
  if (!body || body->next || body->arg_count || inner->operand_count || inner->result_count) return;
  qn_op_unlink(inner);
  for (qn_op *op = body->first, *next; op; op = next) {
    next = op->next;
    qn_op_unlink(op);
    qn_op_append(op, block);
  }
  qn_op_set_attrs(module, module->op, inner->attrs, inner->attr_count);
  module->op->loc = inner->loc;
  module->implicit = false;
}

qn_status qn_text_parse(qn_ir_context *cx, qn_str text, qn_str name, qn_module **out_module) {
  return qn_text_parse_part(cx, text, name, 1, out_module);
}

qn_status qn_text_parse_part(qn_ir_context *cx, qn_str text, qn_str name, uint32_t first_line,
                             qn_module **out_module) {
  qn_parser p;
  *out_module = NULL;
  if (text.size >= UINT32_MAX)
    return qn_error(&cx->diag, qn_loc_file(&cx->diag, name, 1, 1), QN_LIMIT,
                    "text of 4 GiB or more");
  qn_parser_init(&p, cx, text, name);
  qn_parser_set_line(&p, first_line);
  qn_module *module = qn_module_create(cx, qn_loc_file(&cx->diag, name, 0, 0));
  p.module = module;
  qn_prescan(&p, text);
  parse_all(&p, qn_op_body(module->op));
  qn_status status = p.status;
  if (status == QN_OK) {
    unwrap_module(module);
    if (module->implicit && p.deepest_level == QN_TEXT_MAX_DEPTH)
      status = qn_error(&cx->diag, module->op->loc, QN_LIMIT,
                        "nesting is deeper than %d levels, with the module around it",
                        QN_TEXT_MAX_DEPTH);
  }
  qn_parser_deinit(&p);
  if (status != QN_OK) {
    qn_module_destroy(module);
    return status;
  }
  *out_module = module;
  return QN_OK;
}

static bool expect_end(qn_parser *p) {
  return qn_at(p, QN_TOK_EOF) || qn_fail(p, "expected end of text");
}

qn_status qn_text_parse_type(qn_ir_context *cx, qn_str text, const qn_type **out_type) {
  qn_parser p;
  const qn_type *type = NULL;
  qn_parser_init(&p, cx, text, qn_str_of("type"));
  bool ok = qn_parse_type(&p, &type) && expect_end(&p);
  *out_type = ok ? type : NULL;
  qn_status status = ok ? QN_OK : p.status;
  qn_parser_deinit(&p);
  return status;
}

qn_status qn_text_parse_attr(qn_ir_context *cx, qn_str text, qn_str name,
                             const qn_attr **out_attr) {
  qn_parser p;
  const qn_attr *attr = NULL;
  qn_parser_init(&p, cx, text, name);
  bool ok = qn_parse_attr(&p, &attr) && expect_end(&p);
  *out_attr = ok ? attr : NULL;
  qn_status status = ok ? QN_OK : p.status;
  qn_parser_deinit(&p);
  return status;
}

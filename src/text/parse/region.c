/* Regions and their blocks: { ops ^label(%arg: type): ops ... }. An invalid op is reported and
 * skipped, and parsing continues with the next op of the block.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/parser.h"

typedef struct region_reader {
  int64_t braces; /* depth of braces within this region */
  QN_ARRAY(qn_block *) blocks;
} region_reader;

/* %name: type [loc(...)] */
static bool parse_block_arg(qn_parser *p, void *user) {
  qn_block *block = user;
  qn_token name = p->token;
  const qn_type *type;
  const qn_loc *loc;
  if (!qn_expect(p, QN_TOK_PERCENT_ID) || !qn_expect(p, QN_TOK_COLON) || !qn_parse_type(p, &type) ||
      !qn_parse_optional_loc(p, &loc))
    return false;
  if (!loc) loc = qn_loc_of_pos(p, name.pos);
  qn_value *arg = qn_block_add_arg(p->module, block, type, loc);
  return qn_define(p, name.text, name.pos, arg, 1);
}

/* ^label(args): */
static bool parse_label(qn_parser *p, region_reader *r) {
  qn_token token = p->token;
  qn_advance(p);
  qn_block *block = qn_label_define(p, token.text, token.pos);
  bool defined = block != NULL;
  /* a block for the ops after the invalid label */
  if (!defined) block = qn_block_create(p->module);
  qn_array_push(&r->blocks, block);
  if (qn_at(p, QN_TOK_LPAREN) &&
      !qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_block_arg, block))
    return false;
  return qn_expect(p, QN_TOK_COLON) && defined;
}

static bool add_entry_args(qn_parser *p, qn_block *block, const qn_region_options *options) {
  bool ok = true;
  for (size_t i = 0; i < options->arg_count; i++) {
    const qn_entry_arg *arg = &options->args[i];
    const qn_loc *loc = arg->loc ? arg->loc : qn_loc_of_pos(p, arg->name.pos);
    qn_value *value = qn_block_add_arg(p->module, block, arg->type, loc);
    if (arg->name.name.size) ok = qn_define(p, arg->name.name, arg->name.pos, value, 1) && ok;
  }
  return ok;
}

/* Parses ops and labels up to the closing brace, which is not consumed. Returns false if an invalid
 * op has consumed the brace. */
static bool parse_blocks(qn_parser *p, region_reader *r) {
  while (!qn_at(p, QN_TOK_RBRACE) && !qn_at(p, QN_TOK_EOF)) {
    const char *start = p->token.text.data;
    if (r->blocks.count == 0 && !qn_at(p, QN_TOK_CARET_ID)) {
      qn_block *entry = qn_block_create(p->module);
      qn_array_push(&r->blocks, entry);
    }
    bool ok = qn_at(p, QN_TOK_CARET_ID) ? parse_label(p, r)
                                        : qn_parse_op(p, r->blocks.data[r->blocks.count - 1]);
    if (ok) continue;
    if (p->token.text.data == start) qn_advance(p);
    qn_recover(p, r->braces);
    if (p->braces < r->braces) return false;
  }
  return true;
}

static void add_terminator(qn_parser *p, qn_block *block, qn_op_kind kind) {
  qn_op *last = block->last;
  if (kind == QN_OP_UNREGISTERED || (last && (qn_op_info_of(last)->traits & QN_TERMINATOR))) return;
  qn_op *op =
      qn_op_create(p->module, &(qn_op_state){.kind = kind, .loc = qn_loc_of_pos(p, p->token.pos)});
  qn_op_append(op, block);
}

/* Creates the entry block if arguments are given or the op requires one. A label at the start
 * creates the block itself, and must name the arguments that have no names. */
static bool begin_entry(qn_parser *p, const qn_region_options *options, region_reader *r) {
  bool label = qn_at(p, QN_TOK_CARET_ID);
  if (label && options->arg_count && !options->unnamed_args) {
    qn_fail(p, "invalid block name in region with named arguments");
    qn_advance(p);
    qn_recover(p, r->braces);
    label = false;
  }
  if (label || !(options->entry_block || options->arg_count)) return true;
  if (options->unnamed_args)
    return qn_fail(p, "expected a block with the arguments, which have no names");
  qn_block *entry = qn_block_create(p->module);
  qn_array_push(&r->blocks, entry);
  return add_entry_args(p, entry, options);
}

/* Parses the region from after '{'. */
static bool parse_body(qn_parser *p, const qn_region_options *options, region_reader *r) {
  if (!begin_entry(p, options, r)) return false;
  if (!parse_blocks(p, r)) return true; /* the region has ended; the error is reported */
  if (r->blocks.count == 1) add_terminator(p, r->blocks.data[0], options->implied_terminator);
  return qn_expect(p, QN_TOK_RBRACE);
}

bool qn_parse_region(qn_parser *p, const qn_region_options *options) {
  if (!qn_expect(p, QN_TOK_LBRACE) || !qn_enter_region(p)) return false;
  region_reader r = {.braces = p->braces};
  if (options->isolated) qn_scope_push(p);
  qn_labels_push(p);
  size_t names = qn_scope_height(p);
  bool ok = parse_body(p, options, &r);
  ok = qn_labels_pop(p) && ok;
  if (options->isolated)
    qn_scope_pop(p);
  else
    qn_scope_forget(p, names);
  qn_region_draft region = {p->blocks.count, r.blocks.count};
  for (size_t i = 0; i < r.blocks.count; i++) qn_array_push(&p->blocks, r.blocks.data[i]);
  qn_array_push(&p->regions, region);
  qn_array_free(&r.blocks);
  qn_leave_region(p);
  return ok;
}

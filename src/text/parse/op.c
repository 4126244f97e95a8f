/* Ops in generic and custom form, and their regions and blocks. The parts of an op are collected on
 * the parser's stacks as a draft. The op is created when all parts are known, after the blocks of
 * its regions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op.h"
#include "text/form.h"
#include "text/parser.h"

/* The names in %a:2, %b = ... They are on p->refs before those of the op; `number` is how many
 * results each names. */
typedef struct binding_list {
  size_t first, count;
} binding_list;

static bool parse_bindings(qn_parser *p) {
  do {
    qn_operand_ref b = {p->token.text, 1, p->token.pos};
    int64_t count = 1;
    if (!qn_expect(p, QN_TOK_PERCENT_ID)) return false;
    qn_pos pos = p->token.pos;
    if (qn_accept(p, QN_TOK_COLON)) {
      pos = p->token.pos;
      if (!qn_parse_int(p, &count)) return false;
    }
    if (count < 1 || count > INT32_MAX)
      return qn_fail_at(p, pos, "expected named operation to have at least 1 result");
    b.number = (uint64_t)count;
    qn_array_push(&p->refs, b);
  } while (qn_accept(p, QN_TOK_COMMA));
  return qn_expect(p, QN_TOK_EQUAL);
}

/* ---- the draft ---- */

static void draft_begin(const qn_parser *p, qn_op_draft *draft) {
  *draft = (qn_op_draft){.refs = p->refs.count,
                         .operands = p->operands.count,
                         .types = p->types.count,
                         .named = p->named.count,
                         .blocks = p->blocks.count,
                         .regions = p->regions.count,
                         .successors = p->successors.count};
}

/* Sizes of the other stacks, to remove what a failed sub-grammar has left there. */
typedef struct leftovers {
  size_t attrs, locs, ints, numbers, bytes;
  uint32_t depth, levels;
} leftovers;

static leftovers note_leftovers(const qn_parser *p) {
  return (leftovers){p->attrs.count, p->locs.count, p->ints.count, p->numbers.count,
                     p->bytes.count, p->depth,      p->levels};
}

static void draft_end(qn_parser *p, const qn_op_draft *draft, const leftovers *before) {
  p->refs.count = draft->refs;
  p->operands.count = draft->operands;
  p->types.count = draft->types;
  p->named.count = draft->named;
  p->blocks.count = draft->blocks;
  p->regions.count = draft->regions;
  p->successors.count = draft->successors;
  p->attrs.count = before->attrs;
  p->locs.count = before->locs;
  p->ints.count = before->ints;
  p->numbers.count = before->numbers;
  p->bytes.count = before->bytes;
  p->depth = before->depth;
  p->levels = before->levels;
}

/* Counts the operands of each successor, which are the last operands of the op. A single successor
 * gets all operands. For several successors, the last entries of operandSegmentSizes are the
 * counts. */
static void count_successor_operands(const qn_parser *p, const qn_op_draft *draft,
                                     const qn_op_state *state, uint32_t *out_counts) {
  if (state->successor_count == 1) out_counts[0] = state->operand_count;
  for (size_t i = draft->named; state->successor_count > 1 && i < p->named.count; i++) {
    const qn_attr *value = p->named.data[i].value;
    if (!qn_str_is(p->named.data[i].name, "operandSegmentSizes") ||
        value->kind != QN_ATTR_DENSE_ARRAY || !value->dense_array.ints ||
        value->dense_array.count < state->successor_count)
      continue;
    uint32_t skip = value->dense_array.count - state->successor_count;
    for (uint32_t k = 0; k < state->successor_count; k++) {
      int64_t count = value->dense_array.ints[skip + k];
      out_counts[k] = count >= 0 && count <= state->operand_count ? (uint32_t)count : 0;
    }
  }
}

#define ABOVE(stack, height) ((stack).count > (height) ? (stack).data + (height) : NULL)

static qn_op *draft_make(qn_parser *p, const qn_op_draft *draft) {
  qn_op_state state = {.kind = draft->kind,
                       .name = draft->name,
                       .loc = draft->loc ? draft->loc : qn_loc_of_pos(p, draft->pos),
                       .operands = ABOVE(p->operands, draft->operands),
                       .operand_count = (uint32_t)(p->operands.count - draft->operands),
                       .result_types = ABOVE(p->types, draft->types),
                       .result_count = (uint32_t)(p->types.count - draft->types),
                       .attrs = ABOVE(p->named, draft->named),
                       .attr_count = (uint32_t)(p->named.count - draft->named),
                       .region_count = (uint32_t)(p->regions.count - draft->regions),
                       .successors = ABOVE(p->successors, draft->successors),
                       .successor_count = (uint32_t)(p->successors.count - draft->successors)};
  uint32_t *counts = qn_arena_array(&p->scratch, state.successor_count, sizeof *counts);
  if (counts) count_successor_operands(p, draft, &state, counts);
  state.successor_operand_counts = counts;
  qn_op *op = qn_op_create(p->module, &state);
  for (uint32_t i = 0; i < op->region_count; i++) {
    qn_region_draft region = p->regions.data[draft->regions + i];
    for (size_t k = 0; k < region.count; k++)
      qn_block_append(p->blocks.data[region.first + k], &op->regions[i]);
  }
  return op;
}

/* ---- generic form ---- */

static bool parse_listed_successor(qn_parser *p, void *user) {
  (void)user;
  return qn_parse_successor(p);
}

static bool parse_generic_region(qn_parser *p, void *user) {
  const qn_op_draft *draft = user;
  qn_region_options options = {.isolated = (qn_op_infos[draft->kind].traits & QN_ISOLATED) != 0};
  return qn_parse_region(p, &options);
}

/* Drops flags with default values, which upstream's printer writes. */
static void drop_default_flags(qn_parser *p, const qn_op_draft *draft) {
  static const struct {
    const char *name, *value;
  } defaults[] = {
      {"overflowFlags", "#arith.overflow<none>"},
      {"fastmath", "#arith.fastmath<none>"},
  };
  size_t kept = draft->named;
  for (size_t i = draft->named; i < p->named.count; i++) {
    const qn_named_attr *named = &p->named.data[i];
    bool drop = qn_str_is(named->name, "nontemporal") && named->value->kind == QN_ATTR_BOOL &&
                !named->value->boolean;
    for (size_t k = 0; named->value->kind == QN_ATTR_OPAQUE && k < QN_COUNT(defaults); k++)
      drop = drop || (qn_str_is(named->name, defaults[k].name) &&
                      qn_str_is(named->value->string, defaults[k].value));
    if (!drop) p->named.data[kept++] = *named;
  }
  p->named.count = kept;
}

static bool check_name(qn_parser *p, qn_op_draft *draft) {
  draft->kind = qn_op_kind_of(draft->name);
  if (draft->kind != QN_OP_UNREGISTERED || qn_op_may_be_unknown(p->cx, draft->name)) return true;
  const char *dot = memchr(draft->name.data, '.', draft->name.size);
  qn_str dialect = {draft->name.data, dot ? (size_t)(dot - draft->name.data) : draft->name.size};
  if (dot && qn_dialect_is_known(dialect))
    return qn_fail_at(p, draft->pos,
                      "unregistered operation '%.*s' found in dialect ('%.*s') that does not allow "
                      "unknown operations",
                      QN_STR_ARG(draft->name), QN_STR_ARG(dialect));
  return qn_fail_at(
      p, draft->pos,
      "operation being parsed with an unregistered dialect. If this is intended, please "
      "use --allow-unregistered-dialect");
}

static bool parse_generic_types(qn_parser *p, const qn_op_draft *draft) {
  uint32_t inputs, results;
  qn_pos pos = p->token.pos;
  size_t refs = p->refs.count - draft->refs;
  if (!qn_expect(p, QN_TOK_COLON)) return false;
  pos = p->token.pos;
  if (!qn_parse_signature(p, &inputs, &results)) return false;
  if (inputs != refs)
    return qn_fail_at(p, pos, "expected %zu operand type%s but had %u", refs, refs == 1 ? "" : "s",
                      inputs);
  const qn_type **types = p->types.data + draft->types;
  if (!qn_draft_resolve(p, draft, 0, types, inputs)) return false;
  for (uint32_t i = 0; i < results; i++) types[i] = types[inputs + i];
  p->types.count = draft->types + results;
  return true;
}

static bool parse_generic(qn_parser *p, qn_op_draft *draft) {
  if (!qn_parse_string(p, &draft->name)) return false;
  if (draft->name.size == 0) return qn_fail_at(p, draft->pos, "empty operation name is invalid");
  if (memchr(draft->name.data, '\0', draft->name.size))
    return qn_fail_at(p, draft->pos, "null character not allowed in operation name");
  if (!check_name(p, draft)) return false;
  if (!qn_expect(p, QN_TOK_LPAREN) || !qn_parse_operands(p) || !qn_expect(p, QN_TOK_RPAREN))
    return false;
  if (qn_at(p, QN_TOK_LSQUARE) &&
      !qn_parse_list(p, QN_TOK_LSQUARE, QN_TOK_RSQUARE, parse_listed_successor, NULL))
    return false;
  if (qn_accept(p, QN_TOK_LESS) &&
      (!qn_parse_named_attrs(p, draft->named) || !qn_expect(p, QN_TOK_GREATER)))
    return false;
  if (qn_at(p, QN_TOK_LPAREN) &&
      !qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_generic_region, draft))
    return false;
  if (qn_at(p, QN_TOK_LBRACE) && !qn_parse_named_attrs(p, draft->named)) return false;
  return parse_generic_types(p, draft);
}

/* ---- custom form ---- */

/* The kind of op for a keyword such as "arith.addi". A keyword without a dot can omit the dialect
 * "func" or "builtin": "return" is "func.return", "module" is "builtin.module". */
static qn_op_kind find_keyword(qn_parser *p, qn_str word) {
  static const char *const implied[] = {"", "func.", "builtin."};
  for (size_t i = 0; i < QN_COUNT(implied); i++) {
    if (i > 0 && memchr(word.data, '.', word.size)) break;
    qn_str name = word;
    if (i > 0) name = qn_arena_format(&p->scratch, "%s%.*s", implied[i], QN_STR_ARG(word));
    qn_op_kind kind = qn_op_kind_of(name);
    if (kind != QN_OP_UNREGISTERED) return kind;
  }
  return QN_OP_UNREGISTERED;
}

/* Caches the result of find_keyword, so that each name is searched once per text. */
static qn_op_kind kind_of_keyword(qn_parser *p, qn_str word) {
  const qn_op_info *info = qn_str_map_get(&p->keywords, word);
  if (info) return (qn_op_kind)(info - qn_op_infos);
  qn_op_kind kind = find_keyword(p, word);
  qn_str_map_set(&p->keywords, word, (void *)(uintptr_t)&qn_op_infos[kind]);
  return kind;
}

static bool parse_custom(qn_parser *p, qn_op_draft *draft) {
  qn_str word = p->token.text;
  draft->kind = kind_of_keyword(p, word);
  if (draft->kind == QN_OP_UNREGISTERED)
    return qn_fail(p, "custom op '%.*s' is unknown", QN_STR_ARG(word));
  const qn_form_plan *plan = qn_form_plan_of(&p->plans, &p->scratch, draft->kind);
  if (!plan)
    return qn_fail(p, "op '%.*s' has no custom form: write \"%s\"(...)", QN_STR_ARG(word),
                   qn_op_infos[draft->kind].name);
  draft->name = qn_str_of(qn_op_infos[draft->kind].name);
  qn_advance(p);
  return qn_form_parse(p, plan, draft);
}

/* ---- ops ---- */

static bool bind_results(qn_parser *p, binding_list bindings, qn_pos pos, qn_op *op) {
  if (bindings.count == 0) return true;
  const qn_operand_ref *names = p->refs.data + bindings.first;
  uint64_t total = 0;
  for (size_t i = 0; i < bindings.count; i++) total += names[i].number;
  if (op->result_count == 0)
    return qn_fail_at(p, names[0].pos, "cannot name an operation with no results");
  if (total != op->result_count)
    return qn_fail_at(p, pos, "operation defines %u results but was provided %llu to bind",
                      op->result_count, (unsigned long long)total);
  bool ok = true;
  for (size_t i = 0, next = 0; i < bindings.count; next += names[i++].number)
    ok = qn_define(p, names[i].name, names[i].pos, &op->results[next], (uint32_t)names[i].number) &&
         ok;
  return ok;
}

static bool parse_bound_op(qn_parser *p, binding_list bindings, qn_block *block) {
  qn_op_draft draft;
  leftovers before = note_leftovers(p);
  draft_begin(p, &draft);
  draft.pos = p->token.pos;
  bool ok = qn_at(p, QN_TOK_STRING)    ? parse_generic(p, &draft)
            : qn_at(p, QN_TOK_BARE_ID) ? parse_custom(p, &draft)
                                       : qn_fail_behind(p, "expected operation name in quotes");
  ok = ok && qn_parse_optional_loc(p, &draft.loc);
  if (ok) {
    drop_default_flags(p, &draft);
    qn_op *op = draft_make(p, &draft);
    qn_op_append(op, block);
    ok = bind_results(p, bindings, draft.pos, op);
  }
  draft_end(p, &draft, &before);
  return ok;
}

bool qn_parse_op(qn_parser *p, qn_block *block) {
  bool ok = true;
  size_t first = p->refs.count;
  uint32_t depth = p->depth, levels = p->levels;
  if (qn_at(p, QN_TOK_PERCENT_ID)) ok = parse_bindings(p);
  binding_list bindings = {first, p->refs.count - first};
  ok = ok && parse_bound_op(p, bindings, block);
  for (size_t i = 0; !ok && i < bindings.count; i++) qn_poison(p, p->refs.data[first + i].name);
  p->refs.count = first;
  p->depth = depth;
  p->levels = levels;
  return ok;
}

/* The verifier. Invariants of a correct module:
 *   1. Ops, blocks, regions, results and arguments point to their owners; operands are set.
 *   2. An op without a table row occurs only where the context allows unregistered ops.
 *   3. An op has the operands, results and regions that its row specifies, and successors only
 *      where the row allows them.
 *   4. Its required attributes are present, each attribute of the row has the specified kind, and
 *      no name occurs twice (attrs.c).
 *   5. The module's region has one block without arguments.
 *   6. Blocks of other registered ops end in a terminator; a terminator is the last op of its
 * block.
 *   7. Successors are blocks of the op's own region, and their arguments match the operands that
 *      are passed.
 *   8. Each operand is in the use list of its value exactly once, under its own op.
 *   9. A value's definition dominates its uses: earlier in the block, or in a dominating block, or
 *      in an enclosing region. At module level and in blocks of unknown ops the order is free.
 *  10. No use crosses the boundary of an isolated op.
 *  11. Operands and results of ops with the SAME_TYPE trait have one type.
 *  12. No result or block argument is a container of more than INT32_MAX bytes, so that sizes and
 *      offsets can be computed without overflow, and no text causes huge allocations.
 *  13. The conditions of the op's own verifier (ops/verify/).
 *  14. Symbols are unique in their module; calls and other references match what they name.
 *
 * Every violation is reported. An op's own verifier runs only if 1 to 4, 7, 11 and 12 hold for it;
 * references are checked only if both ends are well-formed. Nothing recurses on the depth of the
 * input.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/verify.h"

#include "base/array.h"
#include "base/checked.h"
#include "ir/verify/check.h"
#include "ir/verify/dominance.h"
#include "ir/ops/verify/verifiers.h"
#include "ir/verify/attrs.h"
#include "ir/walk.h"

typedef struct verifier {
  qn_module *module;
  qn_ir_context *cx;
  bool ok;
  uint8_t *defined; /* [value id] whether the walk has passed the defining op */
  qn_dominance dominance;
  qn_map symbols; /* module op -> qn_str_map of symbol -> op */
  QN_ARRAY(qn_str_map *) maps;
  qn_map malformed; /* set of ops for which 1 to 4, 7 or 11 to 13 do not hold */
} verifier;

/* ---- 1 to 4: the op alone ---- */

static bool check_structure(verifier *v, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_use *use = &op->operands[i];
    if (!use->value) return qn_op_complain(v->cx, op, "null operand found");
    bool linked = use->prev ? use->prev->next == use : use->value->first_use == use;
    linked &= !use->next || use->next->prev == use;
    if (use->owner != op || !linked || use->value->id >= v->module->value_count) {
      return qn_op_complain(v->cx, op, "operand #%u is not in the use list of its value", i);
    }
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (op->results[i].op != op || op->results[i].index != i) {
      return qn_op_complain(v->cx, op, "result #%u does not belong to it", i);
    }
  }
  for (uint32_t i = 0; i < op->region_count; i++) {
    if (op->regions[i].owner != op) {
      return qn_op_complain(v->cx, op, "region #%u does not belong to it", i);
    }
  }
  return true;
}

static qn_str dialect_of(qn_str name) {
  const char *dot = name.size ? memchr(name.data, '.', name.size) : NULL;
  return (qn_str){name.data, dot ? (size_t)(dot - name.data) : name.size};
}

static bool check_registered(verifier *v, const qn_op *op) {
  if (op->kind != QN_OP_UNREGISTERED || qn_op_may_be_unknown(v->cx, op->name)) return true;
  qn_str dialect = dialect_of(op->name);
  if (!qn_dialect_is_known(dialect)) {
    return qn_op_complain(v->cx, op,
                          "created with unregistered dialect; --allow-unregistered-dialect lets "
                          "it pass");
  }
  (void)!qn_error(&v->cx->diag, op->loc, QN_INVALID,
                  "unregistered operation '%.*s' found in dialect ('%.*s') that does not allow "
                  "unknown operations",
                  QN_STR_ARG(op->name), QN_STR_ARG(dialect));
  return false;
}

/* Reports a wrong number of `what`; `one` is its singular. */
static bool complain_count(verifier *v, const qn_op *op, const char *what, const char *one,
                           int32_t want, uint32_t found) {
  if (want > 1)
    return qn_op_complain(v->cx, op, "expected %d %ss, but found %u", want, what, found);
  if (want == 1) return qn_op_complain(v->cx, op, "requires %s, but found %u", one, found);
  return qn_op_complain(v->cx, op, "requires zero %ss, but found %u", what, found);
}

static bool check_operand_count(verifier *v, const qn_op *op, const qn_op_info *info) {
  if (info->operands == QN_VARIADIC) return true;
  uint32_t least = (uint32_t)info->operands, most = least + (uint32_t)info->optional_operands;
  if (op->operand_count >= least && op->operand_count <= most) return true;
  if (least == most)
    return complain_count(v, op, "operand", "a single operand", info->operands, op->operand_count);
  return qn_op_complain(v->cx, op, "expected %u to %u operands, but found %u", least, most,
                        op->operand_count);
}

static bool check_counts(verifier *v, const qn_op *op) {
  const qn_op_info *info = qn_op_info_of(op);
  if (op->kind == QN_OP_UNREGISTERED) return true;
  bool ok = check_operand_count(v, op, info);
  if (info->results != QN_VARIADIC && op->result_count != (uint32_t)info->results)
    ok = complain_count(v, op, "result", "one result", info->results, op->result_count);
  if (info->regions != QN_VARIADIC && op->region_count != (uint32_t)info->regions)
    ok = complain_count(v, op, "region", "one region", info->regions, op->region_count);
  if (op->successor_count && !(info->traits & QN_BRANCH)) {
    ok = qn_op_complain(v->cx, op, "requires 0 successors");
  }
  return ok;
}

/* ---- 5 to 7: blocks and successors ---- */

static bool may_terminate(const qn_op *op) {
  return op->kind == QN_OP_UNREGISTERED || qn_op_has(op, QN_TERMINATOR);
}

static bool check_block(verifier *v, const qn_op *op, const qn_block *block) {
  bool ok = true;
  for (uint32_t i = 0; i < block->arg_count; i++) {
    if (block->args[i]->block != block || block->args[i]->index != i) {
      ok = qn_op_complain(v->cx, op, "argument #%u does not belong to its block", i);
    }
  }
  QN_FOR_EACH_OP(inner, block) {
    if (inner->block != block) ok = qn_op_complain(v->cx, inner, "is not in its block");
    if (inner->next && qn_op_has(inner, QN_TERMINATOR)) {
      ok = qn_op_complain(v->cx, inner, "must be the last operation in the parent block");
    }
  }
  if (op->kind == QN_OP_UNREGISTERED || op->kind == QN_OP_MODULE) return ok;
  if (!block->last) {
    return qn_op_complain(v->cx, op, "empty block: expect at least a terminator");
  }
  if (!may_terminate(block->last)) {
    ok = qn_op_complain(v->cx, block->last, "is the last of its block but no terminator");
  }
  return ok;
}

static bool check_regions(verifier *v, const qn_op *op) {
  bool ok = true;
  for (uint32_t i = 0; i < op->region_count; i++) {
    QN_FOR_EACH_BLOCK(block, &op->regions[i]) {
      if (block->region != &op->regions[i]) {
        return qn_op_complain(v->cx, op, "region #%u has a block of another region", i);
      }
      ok &= check_block(v, op, block);
    }
  }
  if (op->kind == QN_OP_MODULE && op->region_count == 1) {
    const qn_block *body = qn_op_body(op);
    if (!body || body->next || body->arg_count) {
      ok = qn_op_complain(v->cx, op, "requires one block without arguments");
    }
  }
  return ok;
}

static bool check_successors(verifier *v, const qn_op *op) {
  if (!op->successor_count) return true;
  if (!op->block || op->next) return qn_op_complain(v->cx, op, "has successors within a block");
  uint64_t forwarded = 0;
  for (uint32_t i = 0; i < op->successor_count; i++) forwarded += op->successor_operand_counts[i];
  if (forwarded > op->operand_count) {
    return qn_op_complain(v->cx, op, "forwards more operands than it has");
  }
  const qn_use *operand = op->operands + (op->operand_count - forwarded);
  for (uint32_t i = 0; i < op->successor_count; i++) {
    const qn_block *to = op->successors[i];
    if (!to || to->region != op->block->region) {
      return qn_op_complain(v->cx, op, "branches to a block of another region");
    }
    if (to == to->region->first) {
      return qn_op_complain(v->cx, op, "branches to the entry block of its region");
    }
    if (to->arg_count != op->successor_operand_counts[i]) {
      return qn_op_complain(v->cx, op, "has %u operands for successor #%u, but target block has %u",
                            op->successor_operand_counts[i], i, to->arg_count);
    }
    for (uint32_t j = 0; j < to->arg_count; j++, operand++) {
      if (operand->value->type != to->args[j]->type) {
        return qn_op_complain(v->cx, op, "type mismatch for bb argument #%u of successor #%u", j,
                              i);
      }
    }
  }
  return true;
}

/* ---- 9, 10: dominance and isolation ---- */

/* The op that contains `op`, or `op` itself, and is directly in `region`; NULL if none.
 * *out_isolated: an isolated op is on the path. */
static const qn_op *ancestor_in(const qn_op *op, const qn_region *region, bool *out_isolated) {
  *out_isolated = false;
  while (op && op->block && op->block->region != region) {
    op = qn_op_parent(op);
    *out_isolated |= op && qn_op_has(op, QN_ISOLATED);
  }
  return op && op->block ? op : NULL;
}

static bool is_visible(verifier *v, const qn_value *value, const qn_op *user) {
  const qn_block *home = value->op ? value->op->block : value->block;
  if (user->block != home) {
    return qn_block_dominates(&v->dominance, home, user->block);
  }
  if (!value->op) return true;
  if (qn_op_has_free_order(home->region->owner)) return true;
  return value->op != user && v->defined[value->id];
}

static void check_operand(verifier *v, const qn_op *op, uint32_t i) {
  const qn_value *value = qn_op_operand(op, i);
  const qn_block *home = value->op ? value->op->block : value->block;
  bool isolated = false;
  const qn_op *user = home ? ancestor_in(op, home->region, &isolated) : NULL;
  if (!user || !is_visible(v, value, user)) {
    v->ok = qn_op_complain(v->cx, op, "operand #%u does not dominate this use", i);
  } else if (isolated) {
    v->ok = qn_op_complain(v->cx, op, "operand #%u: using value defined outside the region", i);
  }
}

/* ---- 11 ---- */

static bool check_same_type(verifier *v, const qn_op *op) {
  const qn_type *type = op->operand_count ? qn_op_operand(op, 0)->type : NULL;
  for (uint32_t i = 0; i < op->operand_count + op->result_count; i++) {
    const qn_type *other = i < op->operand_count ? qn_op_operand(op, i)->type
                                                 : op->results[i - op->operand_count].type;
    if (type && other != type) {
      return qn_op_complain(v->cx, op, "requires the same type for all operands and results");
    }
  }
  return true;
}

/* ---- 12 ---- */

static bool is_too_large(const qn_type *type) {
  if (!qn_type_is_shaped(type) || !qn_type_is_static(type)) return false;
  int64_t bytes = 0, count = qn_type_elements(type), element = qn_type_bytes(type->shaped.element);
  return count < 0 || !qn_checked_mul(count, element, &bytes) || bytes > INT32_MAX;
}

static bool check_sizes(verifier *v, const qn_op *op) {
  bool ok = true;
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (is_too_large(op->results[i].type)) {
      ok = qn_op_complain(v->cx, op, "result #%u has more than %d bytes", i, INT32_MAX);
    }
  }
  for (uint32_t i = 0; i < op->region_count; i++) {
    QN_FOR_EACH_BLOCK(block, &op->regions[i]) {
      for (uint32_t j = 0; j < block->arg_count; j++) {
        if (!is_too_large(block->args[j]->type)) continue;
        ok = qn_op_complain(v->cx, op, "block argument #%u has more than %d bytes", j, INT32_MAX);
      }
    }
  }
  return ok;
}

/* ---- 14: symbols ---- */

static void complain_redefinition(verifier *v, const qn_op *op, qn_str name, const qn_op *first) {
  qn_diag_engine *engine = &v->cx->diag;
  const qn_diag note = {.severity = QN_NOTE,
                        .loc = first->loc,
                        .text = qn_str_of("see existing symbol definition here")};
  qn_str text = qn_arena_format(&engine->scratch, "'%.*s' op redefinition of symbol named '%.*s'",
                                QN_STR_ARG(op->name), QN_STR_ARG(name));
  const qn_diag diag = {
      .severity = QN_ERROR, .loc = op->loc, .text = text, .notes = &note, .note_count = 1};
  qn_report(engine, &diag);
  v->ok = false;
}

static void add_symbol_table(verifier *v, const qn_op *module_op) {
  qn_str_map *map = QN_NEW(&v->dominance.arena, qn_str_map);
  qn_array_push(&v->maps, map);
  qn_map_set(&v->symbols, module_op, map);
  QN_FOR_EACH_OP(op, qn_op_body(module_op)) {
    if (!qn_op_has(op, QN_SYMBOL)) continue;
    qn_str name = qn_op_sym_name(op);
    if (name.size == 0) continue; /* reported with its attributes */
    const qn_op *first = qn_str_map_get(map, name);
    if (first)
      complain_redefinition(v, op, name, first);
    else
      qn_str_map_set(map, name, op);
  }
}

static bool check_reference(qn_op *op, void *user) {
  verifier *v = user;
  qn_str name;
  if (!qn_op_symbol_reference(op, &name) || qn_map_get(&v->malformed, op)) return true;
  const qn_op *around = op;
  while (around && around->kind != QN_OP_MODULE) around = qn_op_parent(around);
  const qn_str_map *map = around ? qn_map_get(&v->symbols, around) : NULL;
  qn_op *target = map ? qn_str_map_get(map, name) : NULL;
  qn_arena_mark mark = qn_arena_get_mark(&v->cx->diag.scratch);
  if (!target || !qn_map_get(&v->malformed, target)) {
    v->ok &= qn_verify_symbol_use(v->cx, op, target);
  }
  qn_arena_rewind(&v->cx->diag.scratch, mark);
  return true;
}

/* ---- all ---- */

static bool check_well_formed(verifier *v, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) check_operand(v, op, i);
  bool ok = check_successors(v, op);
  if (qn_op_has(op, QN_SAME_TYPE)) ok &= check_same_type(v, op);
  qn_op_verify *verify = qn_op_info_of(op)->verify;
  if (ok && verify) ok = verify(v->cx, op);
  return ok;
}

static bool check_op(qn_op *op, void *user) {
  verifier *v = user;
  qn_arena_mark mark = qn_arena_get_mark(&v->cx->diag.scratch);
  bool ok = check_structure(v, op) && check_registered(v, op);
  if (ok) ok = (int)check_counts(v, op) & (int)qn_verify_attrs(v->cx, op);
  ok &= check_regions(v, op);
  ok = ok && check_sizes(v, op);
  if (ok && op->kind == QN_OP_MODULE) add_symbol_table(v, op);
  if (!ok || !check_well_formed(v, op)) {
    qn_map_set(&v->malformed, op, op);
    v->ok = false;
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    if (op->results[i].id < v->module->value_count) v->defined[op->results[i].id] = 1;
  }
  qn_arena_rewind(&v->cx->diag.scratch, mark);
  return true;
}

qn_status qn_verify(qn_module *module) {
  verifier v = {.module = module, .cx = module->cx, .ok = true};
  qn_dominance_init(&v.dominance);
  v.defined = QN_NEW_ARRAY(&v.dominance.arena, module->value_count, uint8_t);
  qn_walk_pre(module->op, check_op, &v);
  qn_walk_pre(module->op, check_reference, &v);
  for (size_t i = 0; i < v.maps.count; i++) qn_str_map_deinit(v.maps.data[i]);
  qn_array_free(&v.maps);
  qn_map_deinit(&v.symbols);
  qn_map_deinit(&v.malformed);
  qn_dominance_deinit(&v.dominance);
  return v.ok ? QN_OK : QN_INVALID;
}

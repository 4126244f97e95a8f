/* symbol-dce: removes private functions and globals to which no public symbol refers, directly or
 * through others.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "base/map.h"
#include "ir/walk.h"
#include "pass/pass.h"

typedef struct marker {
  qn_str_map symbols; /* top-level symbol -> op */
  qn_map live;
  QN_ARRAY(qn_op *) pending;
} marker;

static void mark(marker *m, qn_op *op) {
  if (!op || qn_map_get(&m->live, op)) return;
  qn_map_set(&m->live, op, op);
  qn_array_push(&m->pending, op);
}

/* The outermost symbol name of a path @outer::@inner. */
static qn_str root_of(qn_str path) {
  const char *colon = path.size ? memchr(path.data, ':', path.size) : NULL;
  return colon ? (qn_str){path.data, (size_t)(colon - path.data)} : path;
}

/* Marks the symbols in an attribute. Recursion is safe, because the parser limits the nesting of
 * attributes. */
static void mark_attr(marker *m, const qn_attr *attr) {
  if (attr->kind == QN_ATTR_SYMBOL) {
    mark(m, qn_str_map_get(&m->symbols, root_of(attr->string)));
  } else if (attr->kind == QN_ATTR_ARRAY) {
    for (uint32_t i = 0; i < attr->array.count; i++) mark_attr(m, attr->array.items[i]);
  } else if (attr->kind == QN_ATTR_DICT) {
    for (uint32_t i = 0; i < attr->dict.count; i++) mark_attr(m, attr->dict.items[i].value);
  }
}

static bool mark_references(qn_op *op, void *user) {
  for (uint32_t i = 0; i < op->attr_count; i++) mark_attr(user, op->attrs[i].value);
  return true;
}

static bool is_private(const qn_op *op) {
  return qn_op_has(op, QN_SYMBOL) && qn_str_is(qn_op_sym_visibility(op), "private");
}

static qn_status run(qn_pass_context *pc) {
  marker m = {0};
  qn_block *body = qn_op_body(pc->root);
  QN_FOR_EACH_OP(op, body) {
    if (qn_op_has(op, QN_SYMBOL)) qn_str_map_set(&m.symbols, qn_op_sym_name(op), op);
  }
  QN_FOR_EACH_OP(op, body) {
    if (!is_private(op)) mark(&m, op);
  }
  while (m.pending.count > 0) qn_walk_pre(m.pending.data[--m.pending.count], mark_references, &m);
  QN_FOR_EACH_OP_SAFE(op, body) {
    if (!is_private(op) || qn_map_get(&m.live, op)) continue;
    qn_op_erase(pc->module, op);
    pc->changed = true;
  }
  qn_array_free(&m.pending);
  qn_map_deinit(&m.live);
  qn_str_map_deinit(&m.symbols);
  return QN_OK;
}

const qn_pass qn_pass_symbol_dce = {
    .name = "symbol-dce",
    .title = "SymbolDCE",
    .summary = "remove private symbols that nothing refers to",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};

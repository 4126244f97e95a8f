/* Locations: interned by content, so that equal locations are one pointer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "diag/loc.h"

#include <stdlib.h>

struct qn_loc_table {
  const qn_loc **slots;
  size_t count, capacity;
  qn_str last_text; /* the same file name for thousands of locations: kept once */
};

static uint64_t loc_hash(const qn_loc *loc) {
  uint64_t hash = qn_hash_bytes(loc->kind, loc->text.data, loc->text.size);
  hash = qn_hash_mix(hash, (uint64_t)loc->line << 32 | loc->column);
  return qn_hash_bytes(hash, loc->children, loc->child_count * sizeof *loc->children);
}

static bool loc_equal(const qn_loc *a, const qn_loc *b) {
  return a->kind == b->kind && a->line == b->line && a->column == b->column &&
         a->child_count == b->child_count && qn_str_equal(a->text, b->text) &&
         (a->child_count == 0 ||
          memcmp(a->children, b->children, a->child_count * sizeof *a->children) == 0);
}

static const qn_loc **find(const qn_loc_table *table, const qn_loc *loc) {
  size_t i = (size_t)loc_hash(loc) & (table->capacity - 1);
  while (table->slots[i] && !loc_equal(table->slots[i], loc)) i = (i + 1) & (table->capacity - 1);
  return &table->slots[i];
}

static void grow(qn_loc_table *table) {
  qn_loc_table bigger = *table;
  bigger.capacity = table->capacity ? 2 * table->capacity : 64;
  bigger.slots = calloc(bigger.capacity, sizeof *bigger.slots);
  if (!bigger.slots) QN_UNREACHABLE("out of memory");
  for (size_t i = 0; i < table->capacity; i++) {
    if (table->slots[i]) *find(&bigger, table->slots[i]) = table->slots[i];
  }
  free(table->slots);
  *table = bigger;
}

/* The one copy of `loc`, whose arrays are borrowed until it has to be copied. */
static const qn_loc *intern(qn_diag_engine *engine, qn_loc loc) {
  qn_loc_table *table = engine->locs;
  if ((table->count + 1) * 4 > table->capacity * 3) grow(table);
  const qn_loc **slot = find(table, &loc);
  if (!*slot) {
    if (!qn_str_equal(table->last_text, loc.text)) {
      table->last_text = qn_arena_str(engine->arena, loc.text);
    }
    loc.text = table->last_text;
    loc.children =
        qn_arena_copy(engine->arena, loc.children, loc.child_count * sizeof *loc.children);
    *slot = qn_arena_copy(engine->arena, &loc, sizeof loc);
    table->count++;
  }
  return *slot;
}

void qn_loc_table_init(qn_diag_engine *engine) {
  engine->locs = calloc(1, sizeof *engine->locs);
  if (!engine->locs) QN_UNREACHABLE("out of memory");
  engine->unknown = intern(engine, (qn_loc){.kind = QN_LOC_UNKNOWN});
}

void qn_loc_table_deinit(qn_diag_engine *engine) {
  free(engine->locs->slots);
  free(engine->locs);
  engine->locs = NULL;
}

const qn_loc *qn_loc_file(qn_diag_engine *engine, qn_str path, uint32_t line, uint32_t column) {
  return intern(engine,
                (qn_loc){.kind = QN_LOC_FILE, .text = path, .line = line, .column = column});
}

const qn_loc *qn_loc_name(qn_diag_engine *engine, qn_str name, const qn_loc *child_or_null) {
  return intern(engine, (qn_loc){.kind = QN_LOC_NAME,
                                 .text = name,
                                 .children = &child_or_null,
                                 .child_count = child_or_null != NULL});
}

const qn_loc *qn_loc_fused(qn_diag_engine *engine, const qn_loc *const *locs, uint32_t count) {
  return intern(engine, (qn_loc){.kind = QN_LOC_FUSED, .children = locs, .child_count = count});
}

const qn_loc *qn_loc_callsite(qn_diag_engine *engine, const qn_loc *callee, const qn_loc *caller) {
  const qn_loc *const pair[] = {callee, caller};
  return intern(engine, (qn_loc){.kind = QN_LOC_CALLSITE, .children = pair, .child_count = 2});
}

/* Locations: interned by content, so that equal locations are one pointer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "diag/loc.h"

#include "base/hash.h"
#include "base/heap.h"

typedef struct loc_slot {
  uint64_t hash;     /* here, so that a search looks at no location but its own */
  const qn_loc *loc; /* NULL: free */
} loc_slot;

struct qn_loc_table {
  loc_slot *slots;
  size_t count, capacity;
  qn_str last_text; /* the same file name for thousands of locations: kept and hashed once */
  uint64_t last_hash;
};

static uint64_t loc_hash(const qn_loc_table *table, const qn_loc *loc) {
  bool same = qn_str_equal(loc->text, table->last_text);
  uint64_t hash = same ? table->last_hash : qn_str_hash(loc->text);
  hash = qn_hash_mix(hash + loc->kind, (uint64_t)loc->line << 32 | loc->column);
  if (loc->child_count == 0) return hash;
  return qn_hash_bytes(hash, loc->children, loc->child_count * sizeof *loc->children);
}

static bool loc_equal(const qn_loc *a, const qn_loc *b) {
  return a->kind == b->kind && a->line == b->line && a->column == b->column &&
         a->child_count == b->child_count && qn_str_equal(a->text, b->text) &&
         (a->child_count == 0 ||
          memcmp(a->children, b->children, a->child_count * sizeof *a->children) == 0);
}

static loc_slot *find(const qn_loc_table *table, uint64_t hash, const qn_loc *loc) {
  size_t i = (size_t)hash & (table->capacity - 1);
  for (;; i = (i + 1) & (table->capacity - 1)) {
    loc_slot *slot = &table->slots[i];
    if (!slot->loc || (slot->hash == hash && loc_equal(slot->loc, loc))) return slot;
  }
}

static void grow(qn_loc_table *table) {
  qn_loc_table bigger = *table;
  bigger.capacity = table->capacity ? 2 * table->capacity : 64;
  bigger.slots = qn_heap_zeroed_beside(table, bigger.capacity * sizeof *bigger.slots);
  for (size_t i = 0; i < table->capacity; i++) {
    const loc_slot *slot = &table->slots[i];
    if (slot->loc) *find(&bigger, slot->hash, slot->loc) = *slot;
  }
  qn_heap_free(table->slots);
  *table = bigger;
}

/* The one copy of `loc`, whose arrays are borrowed until it has to be copied. */
static const qn_loc *intern(qn_diag_engine *engine, qn_loc loc) {
  qn_loc_table *table = engine->locs;
  if ((table->count + 1) * 4 > table->capacity * 3) grow(table);
  uint64_t hash = loc_hash(table, &loc);
  loc_slot *slot = find(table, hash, &loc);
  if (!slot->loc) {
    if (!qn_str_equal(table->last_text, loc.text)) {
      table->last_text = qn_arena_str(engine->arena, loc.text);
      table->last_hash = qn_str_hash(loc.text);
    }
    loc.text = table->last_text;
    loc.children =
        qn_arena_copy(engine->arena, loc.children, loc.child_count * sizeof *loc.children);
    *slot = (loc_slot){hash, qn_arena_copy(engine->arena, &loc, sizeof loc)};
    table->count++;
  }
  return slot->loc;
}

void qn_loc_table_init(qn_diag_engine *engine) {
  engine->locs = qn_heap_new(sizeof *engine->locs);
  engine->unknown = intern(engine, (qn_loc){.kind = QN_LOC_UNKNOWN});
}

void qn_loc_table_deinit(qn_diag_engine *engine) {
  qn_heap_free(engine->locs->slots);
  qn_heap_free(engine->locs);
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

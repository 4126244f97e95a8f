/* The context and its tables of interned objects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/context.h"

#include "base/heap.h"
#include "ir/intern.h"

/* ---- tables ---- */

qn_intern_table *qn_intern_table_create(void) {
  qn_intern_table *table = qn_heap_new(sizeof *table);
  /* allocated now, so that the context owns the buffer (base/heap.h) */
  qn_text_puts(&table->key, "");
  return table;
}

void qn_intern_table_destroy(qn_intern_table *table) {
  qn_text_deinit(&table->key);
  qn_heap_free(table->slots);
  qn_heap_free(table);
}

void qn_key_start(qn_intern_table *table, int64_t tag) {
  table->key.size = 0;
  qn_key_i64(table, tag);
}

void qn_key_i64(qn_intern_table *table, int64_t value) {
  qn_text_put(&table->key, (qn_str){(const char *)&value, sizeof value});
}

void qn_key_pointer(qn_intern_table *table, const void *pointer) {
  qn_key_i64(table, (int64_t)(intptr_t)pointer);
}

void qn_key_bytes(qn_intern_table *table, const void *data, size_t size) {
  qn_key_i64(table, (int64_t)size);
  qn_text_put(&table->key, (qn_str){data, size});
}

static qn_intern_slot *find(const qn_intern_table *table, uint64_t hash, qn_str key) {
  size_t i = (size_t)hash & (table->capacity - 1);
  for (;; i = (i + 1) & (table->capacity - 1)) {
    qn_intern_slot *slot = &table->slots[i];
    if (!slot->item || (slot->hash == hash && qn_str_equal(slot->key, key))) return slot;
  }
}

static const void *find_text(qn_intern_table *table, qn_str key) {
  table->hash = qn_str_hash(key);
  return table->capacity ? find(table, table->hash, key)->item : NULL;
}

const void *qn_key_find(qn_intern_table *table) {
  return find_text(table, qn_text_view(&table->key));
}

static void grow(qn_intern_table *table) {
  qn_intern_table bigger = {.capacity = table->capacity ? 2 * table->capacity : 64};
  bigger.slots = qn_heap_zeroed_beside(table, bigger.capacity * sizeof *bigger.slots);
  for (size_t i = 0; i < table->capacity; i++) {
    const qn_intern_slot *slot = &table->slots[i];
    if (slot->item) *find(&bigger, slot->hash, slot->key) = *slot;
  }
  qn_heap_free(table->slots);
  table->slots = bigger.slots;
  table->capacity = bigger.capacity;
}

/* Adds an entry under the hash of the last search, which must have failed. */
static void add(qn_intern_table *table, qn_str key, const void *item) {
  if ((table->count + 1) * 4 > table->capacity * 3) grow(table);
  qn_intern_slot *slot = find(table, table->hash, key);
  QN_ASSERT(!slot->item);
  *slot = (qn_intern_slot){table->hash, key, item};
  table->count++;
}

const void *qn_key_add(qn_intern_table *table, qn_arena *arena, const void *item) {
  add(table, qn_arena_str(arena, qn_text_view(&table->key)), item);
  return item;
}

/* ---- context ---- */

void qn_ir_context_init(qn_ir_context *cx) {
  *cx = (qn_ir_context){0};
  qn_arena_init(&cx->arena);
  qn_diag_init(&cx->diag, &cx->arena);
  cx->types = qn_intern_table_create();
  cx->attrs = qn_intern_table_create();
  cx->strings = qn_intern_table_create();
}

void qn_ir_context_deinit(qn_ir_context *cx) {
  qn_intern_table_destroy(cx->strings);
  qn_intern_table_destroy(cx->attrs);
  qn_intern_table_destroy(cx->types);
  qn_diag_deinit(&cx->diag);
  qn_arena_deinit(&cx->arena);
}

qn_str qn_intern(qn_ir_context *cx, qn_str text) {
  const char *found = find_text(cx->strings, text);
  if (found) return (qn_str){found, text.size};
  qn_str kept = qn_arena_str(&cx->arena, text);
  add(cx->strings, kept, kept.data);
  return kept;
}

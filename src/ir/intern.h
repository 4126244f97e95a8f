/* The hash tables behind interning: from a key of bytes (kind, numbers, pointers to what is already
 * interned) to the one object with that content. The key is written into a buffer of the table, so
 * that looking up what exists allocates nothing.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_INTERN_H
#define QN_IR_INTERN_H

#include "ir/context.h"

typedef struct qn_intern_slot {
  uint64_t hash;
  qn_str key;       /* in the context's arena */
  const void *item; /* NULL: the slot is free */
} qn_intern_slot;

typedef struct qn_intern_table {
  qn_intern_slot *slots;
  size_t count, capacity;
  qn_text key;   /* the key being built */
  uint64_t hash; /* of the key that was looked for last */
} qn_intern_table;

qn_intern_table *qn_intern_table_create(void);
void qn_intern_table_destroy(qn_intern_table *table);

/* Building a key. */
void qn_key_start(qn_intern_table *table, int64_t tag);
void qn_key_i64(qn_intern_table *table, int64_t value);
void qn_key_pointer(qn_intern_table *table, const void *pointer);
/* The size goes before the bytes. */
void qn_key_bytes(qn_intern_table *table, const void *data, size_t size);

/* The item of the key, or NULL. */
const void *qn_key_find(qn_intern_table *table);
/* Adds the item under the key, which was looked for and is absent; returns the item. */
const void *qn_key_add(qn_intern_table *table, qn_arena *arena, const void *item);

#endif

/* Hash tables of interned objects. The key is a byte string (kind, integers, pointers to interned
 * objects); equal keys have one object. The key is built in a buffer of the table, so that a lookup
 * of an existing object does not allocate.
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
  uint64_t hash; /* hash of the last key searched */
} qn_intern_table;

qn_intern_table *qn_intern_table_create(void);
void qn_intern_table_destroy(qn_intern_table *table);

/* Key construction. */
void qn_key_start(qn_intern_table *table, int64_t tag);
void qn_key_i64(qn_intern_table *table, int64_t value);
void qn_key_pointer(qn_intern_table *table, const void *pointer);
/* Appends the size, then the bytes. */
void qn_key_bytes(qn_intern_table *table, const void *data, size_t size);

/* The object with the key; NULL if none. */
const void *qn_key_find(qn_intern_table *table);
/* Adds an object under the key, which must have been searched and not found; returns the object. */
const void *qn_key_add(qn_intern_table *table, qn_arena *arena, const void *item);

#endif

/* JSON values with an owner: jansson's memory is not of base/heap.h, so every value is kept by a
 * pool from the moment that it is made, and where it is put takes a reference ("O" in json_pack).
 * No memory for a value gives the call up, as everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_JSON_H
#define QN_API_JSON_H

#include <jansson.h>

#include "api/api.h"

typedef struct qn_json {
  json_t *values;
} qn_json;

qn_json *qn_json_create(void);
void qn_json_destroy(qn_json *pool);
/* A new value, borrowed from the pool from here on. */
json_t *qn_json_keep(qn_json *pool, json_t *value);
/* What a new value is put into keeps it. */
void qn_json_append(json_t *array, json_t *value);
void qn_json_set(json_t *object, const char *key, json_t *value);
/* The text of a value, to the caller of the API: the last thing that a call does. */
QN_NODISCARD qn_status qn_json_give(const json_t *value, char **out_text, size_t *out_size);

#endif

/* JSON values with an owner. jansson does not allocate from base/heap.h, so a pool holds a
 * reference to every new value, and a container takes another reference ("O" in json_pack). If a
 * value can't be allocated, the call is aborted.
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
/* Adds a new value to the pool, which owns it. Returns it as a borrowed reference. NULL aborts the
 * call. */
json_t *qn_json_keep(qn_json *pool, json_t *value);
/* Add a new value to a container, which owns it. */
void qn_json_append(json_t *array, json_t *value);
void qn_json_set(json_t *object, const char *key, json_t *value);
/* Returns the text of a value to the caller of the API. It must be the last action of a call,
 * because no guard owns the text. */
QN_NODISCARD qn_status qn_json_give(const json_t *value, char **out_text, size_t *out_size);

#endif

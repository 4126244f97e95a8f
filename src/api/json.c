/* Pools of JSON values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/json.h"

#include <string.h>

static void release(void *owner) { json_decref(((qn_json *)owner)->values); }

qn_json *qn_json_create(void) {
  qn_json *pool = qn_heap_own(sizeof *pool, release);
  pool->values = json_array();
  if (!pool->values) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  return pool;
}

void qn_json_destroy(qn_json *pool) {
  release(pool);
  qn_heap_free(pool);
}

json_t *qn_json_keep(qn_json *pool, json_t *value) {
  qn_json_append(pool->values, value);
  return value;
}

void qn_json_append(json_t *array, json_t *value) {
  if (json_array_append_new(array, value) != 0) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
}

void qn_json_set(json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value) != 0) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
}

qn_status qn_json_give(const json_t *value, char **out_text, size_t *out_size) {
  char *text = json_dumps(value, JSON_INDENT(1) | JSON_ENSURE_ASCII);
  if (!text) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  *out_text = text; /* jansson allocates with malloc, so qn_free can free it */
  *out_size = strlen(text);
  return QN_OK;
}

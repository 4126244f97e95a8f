/* Growth of typed arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"

#include <stdint.h>

#include "base/guard.h"

void *qn_array_grow(void *data, size_t *capacity, size_t needed, size_t element_size) {
  size_t grown = *capacity + *capacity / 2;
  if (grown < needed) grown = needed;
  if (grown < 8) grown = 8;
  if (grown > SIZE_MAX / element_size) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
  void *moved = qn_heap_resize(data, grown * element_size);
  *capacity = grown;
  return moved;
}

void qn_array_release(void *data) { qn_heap_free(data); }

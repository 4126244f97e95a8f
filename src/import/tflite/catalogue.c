/* The implemented rows of ops.def, for catalogues.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/import.h"

static const qn_tflite_operator operators[] = {
#define SUPPORTED(name, import, kind, options, least, most, results, version)                      \
  {#name, QN_OP_##kind, version},
#define NAMED(name)
#include "import/tflite/ops.def"
#undef NAMED
#undef SUPPORTED
};

const qn_tflite_operator *qn_import_tflite_operators(uint32_t *out_count) {
  *out_count = (uint32_t)QN_COUNT(operators);
  return operators;
}

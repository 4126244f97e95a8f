/* Lists of the rows of ops.def: supported operators, and unsupported ones with reasons.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/importer.h"
#include "ir/ops/forms.h"

static const qn_import_operator operators[] = {
#define SUPPORTED(name, import, kind, options, least, most, results, version)                      \
  {#name, QN_OP_##kind, version},
#define NAMED(name, why)
#include "import/tflite/ops.def"
#undef NAMED
#undef SUPPORTED
#define CUSTOM(name, import, kind, ...) {name, QN_OP_##kind, 1},
#include "import/tflite/customs.def"
#undef CUSTOM
};

enum {
#define REASON(ident, text) ident,
#include "import/tflite/refused.def"
#undef REASON
};
static const char *const reasons[] = {
#define REASON(ident, text) text,
#include "import/tflite/refused.def"
#undef REASON
};

static const qn_import_refusal refusals[] = {
#define SUPPORTED(name, ...)
#define NAMED(name, why) {#name, why},
#include "import/tflite/ops.def"
#undef NAMED
#undef SUPPORTED
};

const qn_import_catalogue qn_tflite_catalogue = {.operators = operators,
                                                 .refusals = refusals,
                                                 .reasons = reasons,
                                                 .operator_count = (uint32_t)QN_COUNT(operators),
                                                 .refusal_count = (uint32_t)QN_COUNT(refusals),
                                                 .reason_count = (uint32_t)QN_COUNT(reasons)};

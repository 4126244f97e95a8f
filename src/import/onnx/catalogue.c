/* Lists of the rows of ops.def: supported operators, and unsupported ones with reasons.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/importer.h"
#include "import/onnx/onnx.h"
#include "ir/ops/forms.h"

static const qn_import_operator operators[] = {
#define SUPPORTED(domains, name, import, kind, ...) {#name, QN_OP_##kind, QN_ONNX_NEWEST_OPSET},
#define NAMED(domains, name, why)
#include "import/onnx/ops.def"
#undef NAMED
#undef SUPPORTED
};

enum {
#define REASON(ident, text) ident,
#include "import/onnx/refused.def"
#undef REASON
};
static const char *const reasons[] = {
#define REASON(ident, text) text,
#include "import/onnx/refused.def"
#undef REASON
};

static const qn_import_refusal refusals[] = {
#define SUPPORTED(domains, name, ...)
#define NAMED(domains, name, why) {#name, why},
#include "import/onnx/ops.def"
#undef NAMED
#undef SUPPORTED
};

const qn_import_catalogue qn_onnx_catalogue = {.operators = operators,
                                               .refusals = refusals,
                                               .reasons = reasons,
                                               .operator_count = (uint32_t)QN_COUNT(operators),
                                               .refusal_count = (uint32_t)QN_COUNT(refusals),
                                               .reason_count = (uint32_t)QN_COUNT(reasons)};

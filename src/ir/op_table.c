/* Expands the op tables to arrays; the only place that lists every op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/forms.h"
#include "ir/ops/verify/verifiers.h"
#include "ir/ops/attrs.def"

#define SPEC(id, need) {QN_A_##id, QN_##need},
#define OP(stem, kind, name, in, opt, out, regions, traits, attributes, verify, summary)           \
  static const qn_attr_spec stem##_attrs[] = {attributes(SPEC){QN_A_NONE, QN_OPTIONAL}};
#include "ir/ops/all.def"
#undef OP
#undef SPEC

static const qn_attr_spec no_attrs[] = {{QN_A_NONE, QN_OPTIONAL}};

_Static_assert((int)QN_OP_COUNT <= (int)QN_OP_LIMIT, "tables by kind have QN_OP_LIMIT entries");
const qn_op_info qn_op_infos[QN_OP_COUNT] = {
    [QN_OP_UNREGISTERED] = {"", QN_VARIADIC, 0, QN_VARIADIC, QN_VARIADIC, 0, no_attrs, NULL,
                            "an op of an unknown dialect"},
#define OP(stem, kind, name, in, opt, out, regions, traits, attributes, verify, summary)           \
  [QN_OP_##kind] = {name, in, opt, out, regions, traits, stem##_attrs, verify, summary},
#include "ir/ops/all.def"
#undef OP
};

/* Lengths of all names, in a few cache lines: a lookup compares text only if the length matches. */
static const uint8_t name_sizes[QN_OP_COUNT] = {
#define OP(stem, kind, name, ...) [QN_OP_##kind] = sizeof(name) - 1,
#include "ir/ops/all.def"
#undef OP
};

qn_op_kind qn_op_kind_of(qn_str name) {
  const uint8_t *at = name_sizes, *end = name_sizes + QN_OP_COUNT;
  if (name.size == 0 || name.size > UINT8_MAX) return QN_OP_UNREGISTERED;
  for (; (at = memchr(at, (int)name.size, (size_t)(end - at))); at++) {
    qn_op_kind kind = (qn_op_kind)(at - name_sizes);
    if (memcmp(name.data, qn_op_infos[kind].name, name.size) == 0) return kind;
  }
  return QN_OP_UNREGISTERED;
}

bool qn_dialect_is_known(qn_str dialect) {
  for (int kind = QN_OP_UNREGISTERED + 1; kind < QN_OP_COUNT; kind++) {
    qn_str name = {qn_op_infos[kind].name, name_sizes[kind]};
    bool fits = name.size > dialect.size && name.data[dialect.size] == '.';
    if (fits && memcmp(name.data, dialect.data, dialect.size) == 0) return true;
  }
  return false;
}

bool qn_op_may_be_unknown(const qn_ir_context *cx, qn_str name) {
  static const char test[] = "test.";
  size_t size = sizeof test - 1;
  return cx->allow_unregistered || (name.size > size && memcmp(name.data, test, size) == 0);
}

/* Dense payloads. Attributes of the kind dense are printed as nested lists, or as a splat; those of
 * the kind dense_resource in the resource section at the end of the text, as hexadecimal after four
 * bytes that hold the alignment.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "text/lexer.h"
#include "text/number.h"
#include "text/printer.h"

/* ---- lists ---- */

static void print_element(qn_printer *out, const qn_attr *attr, int64_t i) {
  const qn_type *element = qn_type_element(attr->type);
  if (element->kind == QN_TYPE_FLOAT) {
    qn_text_print_float(qn_dense_float(attr, i), element->float_kind, out->out);
    return;
  }
  int64_t value = qn_dense_int(attr, i);
  if (qn_type_is_int(element, 1))
    qn_puts(out, value ? "true" : "false");
  else if (qn_type_is_unsigned(element))
    qn_print_uint(out, (uint64_t)value);
  else
    qn_print_i64(out, value);
}

static void print_list(qn_printer *out, const qn_attr *attr, uint32_t level, int64_t *next) {
  if (level == attr->type->shaped.rank) {
    print_element(out, attr, (*next)++);
    return;
  }
  qn_puts(out, "[");
  for (int64_t i = 0; i < attr->type->shaped.dims[level]; i++) {
    qn_comma(out, (size_t)i);
    print_list(out, attr, level + 1, next);
  }
  qn_puts(out, "]");
}

static void print_dense(qn_printer *out, const qn_attr *attr) {
  int64_t next = 0;
  qn_puts(out, "dense<");
  if (attr->dense.splat)
    print_element(out, attr, 0);
  else if (qn_type_elements(attr->type) > 0)
    print_list(out, attr, 0, &next);
  qn_puts(out, ">");
}

/* ---- resources ---- */

/* The key for the payload in the resource section: its own key, with a number appended if other
 * bytes have that key already. */
static qn_str claim_key(qn_printer *out, const qn_attr *attr) {
  qn_str key = attr->dense.key;
  for (uint32_t k = 0;; k++) {
    if (k) key = qn_arena_format(&out->scratch, "%.*s_%" PRIu32, QN_STR_ARG(attr->dense.key), k);
    uintptr_t index = (uintptr_t)qn_str_map_get(&out->resource_keys, key);
    if (index == 0) {
      qn_used_resource used = {key, attr};
      qn_array_push(&out->resources, used);
      qn_str_map_set(&out->resource_keys, key, (void *)(uintptr_t)out->resources.count);
      return key;
    }
    const qn_attr *other = out->resources.data[index - 1].attr;
    if (other == attr ||
        (other->dense.bytes.size == attr->dense.bytes.size &&
         memcmp(other->dense.bytes.data, attr->dense.bytes.data, attr->dense.bytes.size) == 0))
      return key;
  }
}

static void print_key(qn_printer *out, qn_str key) {
  if (qn_is_bare_id(key))
    qn_put(out, key);
  else
    qn_print_quoted(out, key);
}

void qn_print_elements(qn_printer *out, const qn_attr *attr) {
  int64_t limit = out->options.elide_elements_above;
  bool elided = attr->kind == QN_ATTR_ELIDED;
  if (elided || (limit > 0 && !attr->dense.splat && qn_type_elements(attr->type) > limit)) {
    qn_puts(out, "dense_resource<__elided__>");
  } else if (attr->kind == QN_ATTR_DENSE) {
    print_dense(out, attr);
  } else {
    qn_puts(out, "dense_resource<");
    print_key(out, claim_key(out, attr));
    qn_puts(out, ">");
  }
}

static void print_hex(qn_printer *out, qn_bytes bytes) {
  static const char digits[] = "0123456789ABCDEF";
  char buffer[512];
  for (size_t i = 0; i < bytes.size;) {
    size_t used = 0;
    for (; i < bytes.size && used < sizeof buffer; i++) {
      buffer[used++] = digits[bytes.data[i] >> 4];
      buffer[used++] = digits[bytes.data[i] & 15];
    }
    qn_put(out, (qn_str){buffer, used});
  }
}

void qn_print_resources(qn_printer *out) {
  if (out->resources.count == 0) return;
  qn_puts(out, "\n{-#\n  dialect_resources: {\n    builtin: {\n");
  for (size_t i = 0; i < out->resources.count; i++) {
    const qn_used_resource *used = &out->resources.data[i];
    uint8_t alignment[4] = {(uint8_t)qn_type_bytes(qn_type_element(used->attr->type)), 0, 0, 0};
    qn_puts(out, "      ");
    print_key(out, used->key);
    qn_puts(out, ": \"0x");
    print_hex(out, (qn_bytes){alignment, sizeof alignment});
    print_hex(out, used->attr->dense.bytes);
    qn_puts(out, i + 1 < out->resources.count ? "\",\n" : "\"\n");
  }
  qn_puts(out, "    }\n  }\n#-}\n");
}

/* Converts literals to numbers and bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "text/parser.h"

bool qn_int_in_type(qn_parser *p, const qn_token *literal, bool negative, const qn_type *type,
                    int64_t *out_value) {
  uint64_t magnitude, sign_bit = UINT64_C(1) << 63;
  bool index = type->kind == QN_TYPE_INDEX;
  uint32_t width = index || type->integer.width > 64 ? 64 : type->integer.width;
  qn_sign sign = index ? QN_SIGNED : type->integer.sign;
  bool fits = qn_number_read_uint(literal->text, &magnitude);
  if (width < 64) sign_bit = UINT64_C(1) << (width - 1);
  /* A signless literal can be any bit pattern of its width; patterns of more than 64 bits are not
   * represented. */
  bool pattern = sign == QN_UNSIGNED || (sign == QN_SIGNLESS && type->integer.width <= 64);
  if (negative)
    fits = fits && magnitude <= sign_bit && (sign != QN_UNSIGNED || magnitude == 0);
  else
    fits = fits && magnitude <= (pattern ? sign_bit - 1 + sign_bit : sign_bit - 1);
  if (!fits) return qn_fail_at(p, literal->pos, "integer constant out of range for attribute");
  uint64_t bits = negative ? 0 - magnitude : magnitude;
  *out_value = (int64_t)bits;
  if (sign != QN_UNSIGNED && width < 64)
    *out_value = (int64_t)((bits & (2 * sign_bit - 1)) ^ sign_bit) - (int64_t)sign_bit;
  return true;
}

bool qn_float_in_type(qn_parser *p, const qn_token *literal, bool negative, const qn_type *type,
                      double *out_value) {
  qn_float_kind kind = type->float_kind;
  if (literal->kind == QN_TOK_FLOAT) {
    double value = qn_number_read_double(literal->text);
    if (!isfinite(value))
      return qn_fail_at(p, literal->pos, "floating point value too large for attribute");
    *out_value = qn_float_round(kind, negative ? -value : value);
    return true;
  }
  if (literal->text.size < 2 || literal->text.data[1] != 'x')
    return qn_fail_note(p, literal->pos, literal->pos,
                        qn_str_of("add a trailing dot to make the literal a float"),
                        "unexpected decimal integer literal for a floating point value");
  if (negative)
    return qn_fail_at(p, literal->pos, "hexadecimal float literal should not have a leading minus");
  if (kind == QN_F80 || kind == QN_F128)
    return qn_fail_at(p, literal->pos, "bit patterns of f80 and f128 are not supported");
  uint64_t bits;
  uint32_t width = qn_float_format_of(kind)->width;
  if (!qn_number_read_uint(literal->text, &bits) || (width < 64 && bits >> width))
    return qn_fail_at(p, literal->pos, "hexadecimal float constant out of range for attribute");
  *out_value = qn_float_decode(kind, bits);
  return true;
}

bool qn_parse_hex_digits(qn_parser *p, qn_str *out_digits) {
  qn_str text = p->token.text;
  if (!qn_at(p, QN_TOK_STRING) || text.size < 4 || memcmp(text.data, "\"0x", 3) != 0 ||
      text.size % 2)
    return qn_fail(p, "expected string containing hex digits starting with `0x`");
  *out_digits = (qn_str){text.data + 3, text.size - 4};
  return true;
}

/* Prints floats with exactly the digits of MLIR: the short form d.ddddd0e+XX if it reads back to
 * the same bits, else up to 17 digits (fewer for narrow formats), else the bit pattern in
 * hexadecimal. The digits are deliberately not correctly rounded: as in the reference printer, the
 * exact decimal expansion is first truncated to about the needed number of bits, then rounded half
 * up. A number that does not read back is printed in hexadecimal, so printing never changes a
 * value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>

#include "text/number.h"
#include "text/text.h"

/* An exact integer of at most 53 + 1074 * log2(5) bits, little-endian. */
enum { LIMBS = 84 };
typedef struct big {
  uint32_t limb[LIMBS];
  int count;
} big;

static void big_multiply(big *n, uint32_t factor) {
  uint64_t carry = 0;
  for (int i = 0; i < n->count; i++) {
    carry += (uint64_t)n->limb[i] * factor;
    n->limb[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) n->limb[n->count++] = (uint32_t)carry;
}

static void big_divide(big *n, uint32_t divisor) {
  uint64_t rest = 0;
  for (int i = n->count; i-- > 0;) {
    rest = rest << 32 | n->limb[i];
    n->limb[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  while (n->count && n->limb[n->count - 1] == 0) n->count--;
}

static uint32_t power(uint32_t base, int exponent) {
  uint32_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

static int big_bits(const big *n) { return n->count * 32 - __builtin_clz(n->limb[n->count - 1]); }

/* Returns a positive finite value as integer * 10^exponent, exactly. */
static big exact_decimal(double value, int *out_exponent) {
  int exponent;
  uint64_t significand = (uint64_t)ldexp(frexp(value, &exponent), 53);
  exponent -= 53;
  int zeros = __builtin_ctzll(significand);
  significand >>= zeros;
  exponent += zeros;
  big n = {.limb = {(uint32_t)significand, (uint32_t)(significand >> 32)},
           .count = significand >> 32 ? 2 : 1};
  *out_exponent = exponent < 0 ? exponent : 0;
  for (; exponent > 0; exponent -= exponent < 31 ? exponent : 31)
    big_multiply(&n, UINT32_C(1) << (exponent < 31 ? exponent : 31));
  for (; exponent < 0; exponent += -exponent < 13 ? -exponent : 13)
    big_multiply(&n, power(5, -exponent < 13 ? -exponent : 13));
  return n;
}

/* Significant decimal digits, most significant first, without trailing zeros, and the power of ten
 * of the last digit. */
typedef struct decimal {
  char digits[24];
  int count, exponent;
} decimal;

static void round_half_up(decimal *d, int precision) {
  int cut = d->count - precision;
  if (cut <= 0) return;
  bool up = d->digits[precision] >= '5';
  d->count = precision;
  d->exponent += cut;
  while (up && d->count && d->digits[d->count - 1] == '9') {
    d->count--;
    d->exponent++;
  }
  if (up && d->count == 0) {
    d->digits[d->count++] = '1'; /* 99..9 was rounded up to 1 and zeros */
  } else if (up) {
    d->digits[d->count - 1]++;
  }
}

static decimal decimal_of(double value, int precision) {
  decimal d = {.count = 0};
  big n = exact_decimal(value, &d.exponent);
  int surplus = big_bits(&n) - (precision * 196 + 58) / 59;
  int tens = surplus > 0 ? surplus * 59 / 196 : 0; /* 196 / 59 is just above log2(10) */
  d.exponent += tens;
  for (; tens > 0; tens -= tens < 9 ? tens : 9) big_divide(&n, power(10, tens < 9 ? tens : 9));
  uint64_t kept = n.limb[0] | (n.count > 1 ? (uint64_t)n.limb[1] << 32 : 0);
  d.count = (int)qn_write_digits(kept, d.digits);
  round_half_up(&d, precision);
  while (d.count > 1 && d.digits[d.count - 1] == '0') {
    d.count--;
    d.exponent++;
  }
  return d;
}

/* d.ddddd0e-03 */
static int write_short(const decimal *d, char *out, size_t size) {
  int exponent = d->exponent + d->count - 1;
  return snprintf(out, size, "%c.%.*s%.*se%c%02d", d->digits[0], d->count - 1, d->digits + 1,
                  7 - d->count, "0000000", exponent < 0 ? '-' : '+',
                  exponent < 0 ? -exponent : exponent);
}

/* Writes plain decimals with at most three zeros of padding, else d.dddE-7. */
static int write_long(const decimal *d, int precision, char *out, size_t size) {
  enum { PADDING = 3 };
  int top = d->exponent + d->count - 1; /* power of ten of the first digit */
  bool plain = d->exponent >= 0 ? d->exponent <= PADDING && d->count + d->exponent <= precision
                                : top >= -PADDING;
  if (!plain)
    return snprintf(out, size, "%c.%.*sE%c%d", d->digits[0], d->count > 1 ? d->count - 1 : 1,
                    d->count > 1 ? d->digits + 1 : "0", top < 0 ? '-' : '+', top < 0 ? -top : top);
  if (d->exponent >= 0)
    return snprintf(out, size, "%.*s%.*s", d->count, d->digits, d->exponent, "000");
  if (top >= 0)
    return snprintf(out, size, "%.*s.%.*s", top + 1, d->digits, d->count - top - 1,
                    d->digits + top + 1);
  return snprintf(out, size, "0.%.*s%.*s", -top - 1, "000", d->count, d->digits);
}

/* Whether the text reads back to the same bits. Like MLIR's parser, it is read as a double and then
 * rounded to the type. */
static bool reads_back(const char *text, int size, qn_float_kind kind, uint64_t bits) {
  double value = qn_number_read_double((qn_str){text, (size_t)size});
  return isfinite(value) && qn_float_encode(kind, value) == bits;
}

void qn_text_print_float(double value, qn_float_kind kind, qn_text *out) {
  uint64_t bits = qn_float_encode(kind, value);
  value = qn_float_decode(kind, bits);
  if (isfinite(value)) {
    double magnitude = fabs(value);
    uint64_t magnitude_bits = qn_float_encode(kind, magnitude);
    int precision = 2 + (int)(qn_float_format_of(kind)->mantissa + 1) * 59 / 196;
    decimal none = {.digits = "0", .count = 1};
    char text[64];
    decimal d = magnitude == 0 ? none : decimal_of(magnitude, 6);
    int size = write_short(&d, text, sizeof text);
    if (!reads_back(text, size, kind, magnitude_bits)) {
      d = decimal_of(magnitude, precision);
      /* f80 and f128 have no hexadecimal form here. With precision 0 they are always written with
       * an exponent, and so with the point that the check below requires. */
      size = write_long(&d, kind == QN_F80 || kind == QN_F128 ? 0 : precision, text, sizeof text);
      if (!memchr(text, '.', (size_t)size) || !reads_back(text, size, kind, magnitude_bits))
        size = 0;
    }
    if (size) {
      if (signbit(value)) qn_text_putc(out, '-');
      qn_text_put(out, (qn_str){text, (size_t)size});
      return;
    }
  }
  qn_text_format(out, "0x%" PRIX64, bits);
}

/* Reading of numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/number.h"

#include <locale.h>
#include <stdlib.h>

#include "base/heap.h"

enum { GOOD = 0x10 }; /* set in the table for digits; 0 marks other characters */
static const uint8_t hex_values[256] = {
    ['0'] = GOOD,       ['1'] = GOOD | 0x1, ['2'] = GOOD | 0x2, ['3'] = GOOD | 0x3,
    ['4'] = GOOD | 0x4, ['5'] = GOOD | 0x5, ['6'] = GOOD | 0x6, ['7'] = GOOD | 0x7,
    ['8'] = GOOD | 0x8, ['9'] = GOOD | 0x9, ['A'] = GOOD | 0xA, ['B'] = GOOD | 0xB,
    ['C'] = GOOD | 0xC, ['D'] = GOOD | 0xD, ['E'] = GOOD | 0xE, ['F'] = GOOD | 0xF,
    ['a'] = GOOD | 0xA, ['b'] = GOOD | 0xB, ['c'] = GOOD | 0xC, ['d'] = GOOD | 0xD,
    ['e'] = GOOD | 0xE, ['f'] = GOOD | 0xF};

int qn_hex_digit(char c) {
  uint8_t value = hex_values[(uint8_t)c];
  return value ? value & 15 : -1;
}

bool qn_number_read_hex(qn_str digits, uint8_t *out_bytes) {
  unsigned good = GOOD;
  for (size_t i = 0; i + 1 < digits.size; i += 2) {
    unsigned high = hex_values[(uint8_t)digits.data[i]];
    unsigned low = hex_values[(uint8_t)digits.data[i + 1]];
    good &= high & low;
    out_bytes[i / 2] = (uint8_t)(high << 4 | (low & 15));
  }
  return good != 0;
}

bool qn_number_read_uint(qn_str literal, uint64_t *out_value) {
  bool hex = literal.size > 2 && literal.data[1] == 'x';
  uint64_t base = hex ? 16 : 10, value = 0;
  for (size_t i = hex ? 2 : 0; i < literal.size; i++)
    if (__builtin_mul_overflow(value, base, &value) ||
        __builtin_add_overflow(value, (uint64_t)qn_hex_digit(literal.data[i]), &value))
      return false;
  *out_value = value;
  return true;
}

/* Reads a short literal as product or quotient of two doubles that are exact, so that the result is
 * correctly rounded. Returns false for other literals. */
static bool read_short(qn_str literal, double *out_value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  uint64_t digits = 0;
  int exponent = 0, written = 0;
  size_t i = 0;
  bool fraction = false, negative = false;
  for (; i < literal.size && (literal.data[i] | 32) != 'e'; i++) {
    if (literal.data[i] == '.') {
      fraction = true;
      continue;
    }
    digits = digits * 10 + (uint64_t)qn_hex_digit(literal.data[i]);
    if (digits && ++written > 15) return false;
    exponent -= fraction;
    if (exponent < -1000) return false;
  }
  for (int value = 0; i < literal.size; i++) {
    if (literal.data[i] == '-') negative = true;
    if (literal.data[i] >= '0' && literal.data[i] <= '9')
      value = value * 10 + (literal.data[i] - '0');
    if (value > 1000) return false;
    if (i + 1 == literal.size) exponent += negative ? -value : value;
  }
  if (exponent < -22 || exponent > 22) return false;
  *out_value =
      exponent < 0 ? (double)digits / powers[-exponent] : (double)digits * powers[exponent];
  return true;
}

double qn_number_read_double(qn_str literal) {
  double value = 0;
  if (read_short(literal, &value)) return value;
  char small[128];
  char *copy = literal.size < sizeof small ? small : qn_heap_new(literal.size + 1);
  memcpy(copy, literal.data, literal.size);
  copy[literal.size] = '\0';
  locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = uselocale(c_locale);
  value = strtod(copy, NULL);
  uselocale(before);
  freelocale(c_locale);
  if (copy != small) qn_heap_free(copy);
  return value;
}

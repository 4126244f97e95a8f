/* Number literals in C's syntax. Octal constants are reported, because C would accept them silently
 * with another value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "base/array.h"
#include "rules/syntax/parser.h"
#include "text/number.h"

typedef struct number {
  qn_str digits; /* without sign, prefix and suffix */
  uint64_t base;
  bool is_float, is_size, good;
} number;

static bool ends_in(qn_str text, const char *letters) {
  return text.size > 0 && strchr(letters, text.data[text.size - 1]) != NULL;
}

static bool all_digits(qn_str text) {
  for (size_t i = 0; i < text.size; i++)
    if (text.data[i] < '0' || text.data[i] > '9') return false;
  return true;
}

static bool good_float(qn_str text) {
  size_t i = 0, digits = 0, exponent = 0;
  for (bool point = false; i < text.size; i++) {
    if (text.data[i] == '.' && !point)
      point = true;
    else if (text.data[i] >= '0' && text.data[i] <= '9')
      digits++;
    else
      break;
  }
  if (digits == 0) return false;
  if (i == text.size) return true;
  if ((text.data[i++] | 32) != 'e') return false;
  if (i < text.size && (text.data[i] == '+' || text.data[i] == '-')) i++;
  for (; i < text.size && text.data[i] >= '0' && text.data[i] <= '9'; i++) exponent++;
  return i == text.size && exponent > 0;
}

static number classify(qn_str text) {
  number n = {.digits = text, .base = 10};
  bool hex = text.size > 2 && text.data[0] == '0' && (text.data[1] | 32) == 'x';
  for (size_t i = 0; !hex && i < text.size; i++)
    n.is_float |= text.data[i] == '.' || (text.data[i] | 32) == 'e';
  if (n.is_float) {
    if (ends_in(n.digits, "fF")) n.digits.size--;
    n.good = good_float(n.digits);
    return n;
  }
  while (ends_in(n.digits, "uUlL")) {
    n.is_size |= ends_in(n.digits, "uU");
    n.digits.size--;
  }
  bool octal = !hex && n.digits.size > 1 && n.digits.data[0] == '0';
  size_t prefix = hex ? 2 : 0;
  n.base = hex ? 16 : octal ? 8 : 10;
  n.digits = (qn_str){n.digits.data + prefix, n.digits.size - prefix};
  n.good = n.digits.size > 0;
  for (size_t i = 0; i < n.digits.size; i++) {
    int digit = qn_hex_digit(n.digits.data[i]);
    /* digits 8 and 9 of an octal constant have their own message */
    n.good &= digit >= 0 && (hex || digit < 10);
  }
  return n;
}

/* The largest digit of an octal constant if it is invalid (8 or 9), else NUL. */
static char bad_octal(const number *n) {
  char largest = '7';
  for (size_t i = 0; n->base == 8 && i < n->digits.size; i++)
    if (n->digits.data[i] > largest) largest = n->digits.data[i];
  return (char)(largest > '7' ? largest : '\0');
}

static void report_octal(qn_rule_parser *p, qn_rule_pos pos, const number *n, char digit) {
  qn_str plain = n->digits;
  while (plain.size > 1 && plain.data[0] == '0') plain = (qn_str){plain.data + 1, plain.size - 1};
  qn_rule_error(p->reporter, "RR0105", pos,
                "%c is not an octal digit (a leading 0 makes the constant octal)", digit);
  qn_rule_help(p->reporter, "write %.*s%s", QN_STR_ARG(plain), n->is_size ? "u" : "");
  p->damaged = true;
}

static void read_integer(qn_rule_parser *p, qn_rule_node *node, const number *n, bool negative) {
  char digit = bad_octal(n);
  if (digit) {
    report_octal(p, node->pos, n, digit);
    return;
  }
  uint64_t value = 0;
  bool fits = true;
  for (size_t i = 0; i < n->digits.size; i++)
    fits = fits && !__builtin_mul_overflow(value, n->base, &value) &&
           !__builtin_add_overflow(value, (uint64_t)qn_hex_digit(n->digits.data[i]), &value);
  uint64_t most = n->is_size ? INT64_MAX : negative ? (uint64_t)INT32_MAX + 1 : INT32_MAX;
  if (!fits || value > most || (n->is_size && negative && value > 0)) {
    qn_rule_error(p->reporter, "RR0111", node->pos, "%.*s does not fit the type %s",
                  QN_STR_ARG(node->spelling), n->is_size ? "size" : "int");
    if (!n->is_size)
      qn_rule_help(p->reporter, "int has 32 bits; sizes are written with a U after the digits");
    p->damaged = true;
    return;
  }
  node->integer = negative ? -(int64_t)value : (int64_t)value;
  node->is_size = n->is_size;
  if (n->base == 8 && value >= 8)
    qn_rule_warning(p->reporter, "W0107", node->pos, "octal constant %.*s has the value %llu",
                    QN_STR_ARG(node->spelling), (unsigned long long)value);
}

qn_rule_node *qn_rule_parse_number(qn_rule_parser *p, qn_rule_pos sign_pos, char sign) {
  QN_ASSERT(p->token.kind == QN_RULE_TOK_NUMBER);
  qn_rule_node *node = QN_NEW(p->arena, qn_rule_node);
  qn_str text = p->token.text;
  const number n = classify(text);
  node->kind = n.is_float ? QN_RULE_FLOAT : QN_RULE_INT;
  node->pos = sign ? sign_pos : p->token.pos;
  node->end = p->token.pos.offset + (uint32_t)text.size;
  node->spelling = sign ? qn_arena_format(p->arena, "%c%.*s", sign, QN_STR_ARG(text)) : text;
  if (!n.good) {
    qn_rule_error(p->reporter, "RR0108", node->pos, "'%.*s' is no number",
                  QN_STR_ARG(node->spelling));
    if (ends_in(text, "fF") && all_digits((qn_str){text.data, text.size - 1}))
      qn_rule_help(p->reporter, "write %.*s.0f", (int)text.size - 1, text.data);
    p->damaged = true;
  } else if (n.is_float) {
    double value = qn_number_read_double(n.digits);
    node->real = (float)(sign == '-' ? -value : value);
    if (isinf(node->real)) {
      qn_rule_error(p->reporter, "RR0111", node->pos, "%.*s does not fit the type float",
                    QN_STR_ARG(node->spelling));
      qn_rule_help(p->reporter, "infinity is written INF or NEG_INF");
      p->damaged = true;
    }
  } else {
    read_integer(p, node, &n, sign == '-');
  }
  qn_rule_parser_advance(p);
  return node;
}

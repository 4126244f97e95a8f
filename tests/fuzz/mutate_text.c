/* Mutations of MLIR text. Seeds are generated modules. Tokens are copied, dropped and exchanged, so
 * that most inputs get far into the parser.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/support/recipes.h"
#include "text/text.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static size_t generated(uint8_t *data, size_t max_size, qn_choices *c) {
  qn_random_model m;
  qn_text text = {0};
  qn_random_begin_with(&m, *c, "litert-ref");
  if (qn_choose(&m.choices, 2))
    qn_random_fill_module(&m, 1 + (uint32_t)qn_choose(&m.choices, 5));
  else
    qn_random_fill_model(&m, 1 + (uint32_t)qn_choose(&m.choices, 3));
  qn_text_print(m.module, &(qn_print_options){.generic = qn_choose(&m.choices, 3) == 0}, &text);
  *c = m.choices;
  size_t size = text.size < max_size ? text.size : max_size;
  memcpy(data, text.data, size);
  qn_text_deinit(&text);
  qn_random_free(&m);
  return size;
}

typedef struct token {
  size_t at, size;
} token;

/* A token at a random position: a word with its sigil, a number, or one character. */
static token token_at(const uint8_t *data, size_t size, qn_choices *c) {
  token t = {size ? (size_t)qn_choose(c, size) : 0, 0};
  while (t.at > 0 && isalnum(data[t.at]) && isalnum(data[t.at - 1])) t.at--;
  if (t.at > 0 && isalnum(data[t.at]) && strchr("%@#!^", data[t.at - 1])) t.at--;
  size_t end = t.at < size ? t.at + 1 : size;
  while (end < size && (isalnum(data[end]) || data[end] == '_' || data[end] == '.')) end++;
  t.size = end - t.at;
  return t;
}

static size_t replace(uint8_t *data, size_t size, size_t max_size, token old, token with) {
  uint8_t copy[256];
  if (with.size > sizeof copy || size - old.size + with.size > max_size) return size;
  memcpy(copy, data + with.at, with.size);
  memmove(data + old.at + with.size, data + old.at + old.size, size - old.at - old.size);
  memcpy(data + old.at, copy, with.size);
  return size - old.size + with.size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
  qn_choices c = qn_choices_of_seed(seed);
  uint64_t how = qn_choose(&c, 16);
  if (how == 0) return generated(data, max_size, &c);
  if (how < 5) return LLVMFuzzerMutate(data, size, max_size);
  uint64_t times = qn_choose(&c, 4) + (how == 5);
  for (uint64_t i = 0; i < times; i++) {
    token old = token_at(data, size, &c), with = token_at(data, size, &c);
    if (qn_choose(&c, 5) == 0)
      with.size = 0; /* dropped */
    else if (qn_choose(&c, 3) == 0)
      old.size = 0; /* doubled */
    size = replace(data, size, max_size, old, with);
  }
  return size;
}

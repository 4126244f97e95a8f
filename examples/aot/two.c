/* Two models in one program, on one arena: names begin with those of the objects, so that nothing
 * meets. Here they are one network in the roundings of two runtimes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "../digits/seven.h"
#include "digits.h"
#include "digits_tflm.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b))

static int best_of(const int8_t *scores, int count) {
  int best = 0;
  for (int i = 1; i < count; i++)
    if (scores[i] > scores[best]) best = i;
  return best;
}

int main(void) {
  /* Nothing stays in an arena between calls, so models that take turns share one. */
  static _Alignas(
      DIGITS_ARENA_ALIGN) unsigned char arena[LARGER(DIGITS_ARENA_BYTES, DIGITS_TFLM_ARENA_BYTES)];
  int8_t in[DIGITS_INPUT_0_BYTES], one[DIGITS_OUTPUT_0_BYTES], other[DIGITS_TFLM_OUTPUT_0_BYTES];
  if (!digits_supported() || !digits_tflm_supported()) return 1;
  for (int i = 0; i < DIGITS_INPUT_0_BYTES; i++)
    in[i] = (int8_t)(lrint(seven[i] / 16.0 / DIGITS_INPUT_0_SCALE) + DIGITS_INPUT_0_ZERO_POINT);
  if (digits_run(in, one, arena) != 0 || digits_tflm_run(in, other, arena) != 0) return 1;
  printf("%d and %d\n", best_of(one, DIGITS_OUTPUT_0_BYTES),
         best_of(other, DIGITS_TFLM_OUTPUT_0_BYTES));
  return 0;
}

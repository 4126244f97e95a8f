/* Classifies a digit with a model that was compiled ahead of time. It is linked with the object and
 * with nothing of Quern: see README.md.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>

#include "../digits/seven.h"
#include "digits.h" /* written by quern compile --header */

int main(void) {
  static _Alignas(DIGITS_ARENA_ALIGN) unsigned char arena[DIGITS_ARENA_BYTES];
  int8_t in[DIGITS_INPUT_0_BYTES], out[DIGITS_OUTPUT_0_BYTES];
  if (!digits_supported()) { /* asked before the first instruction that may be missing */
    fputs("this CPU lacks what the model was compiled for\n", stderr);
    return 1;
  }
  for (int i = 0; i < DIGITS_INPUT_0_BYTES; i++)
    in[i] = (int8_t)(lrint(seven[i] / 16.0 / DIGITS_INPUT_0_SCALE) + DIGITS_INPUT_0_ZERO_POINT);
  if (digits_run(in, out, arena) != 0) return 1;
  int best = 0;
  for (int i = 1; i < DIGITS_OUTPUT_0_BYTES; i++)
    if (out[i] > out[best]) best = i;
  printf("%d (%.1f %%)\n", best,
         100 * DIGITS_OUTPUT_0_SCALE * (out[best] - DIGITS_OUTPUT_0_ZERO_POINT));
  return 0;
}

/* Several images in a call, of a model whose file has one: compiled with --batch 3, and with
 * --batch 8 --any-size for as many as each call says. Each entry gets the answer that it gets
 * alone.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../digits/seven.h"
#include "digits.h"
#include "digits_any.h"
#include "digits_batch.h"

enum { COUNT = DIGITS_BATCH_INPUT_0_DIM_0, PIXELS = DIGITS_INPUT_0_BYTES };

/* The image, moved to the right by so many pixels. */
static void draw(int8_t *to, int moved) {
  for (int i = 0; i < PIXELS; i++) {
    int x = i % DIGITS_INPUT_0_DIM_2 - moved;
    double ink = x >= 0 ? seven[i - moved] / 16.0 : 0;
    to[i] = (int8_t)(lrint(ink / DIGITS_INPUT_0_SCALE) + DIGITS_INPUT_0_ZERO_POINT);
  }
}

int main(void) {
  static _Alignas(DIGITS_BATCH_ARENA_ALIGN) unsigned char arena[DIGITS_BATCH_ARENA_BYTES];
  static _Alignas(DIGITS_ANY_ARENA_ALIGN) unsigned char any_arena[DIGITS_ANY_ARENA_BYTES];
  static int8_t in[COUNT][PIXELS], out[COUNT][DIGITS_OUTPUT_0_BYTES], alone[DIGITS_OUTPUT_0_BYTES];
  if (!digits_supported() || !digits_batch_supported() || !digits_any_supported()) return 1;
  for (int i = 0; i < COUNT; i++) draw(in[i], i);
  if (digits_batch_run(in[0], out[0], arena) != 0) return 1;
  for (int i = 0; i < COUNT; i++) {
    if (digits_run(in[i], alone, arena) != 0) return 1;
    if (memcmp(alone, out[i], sizeof alone) != 0) return 2;
  }
  for (int count = 1; count <= COUNT; count++) {
    static int8_t any[COUNT][DIGITS_OUTPUT_0_BYTES];
    if (digits_any_run(in[0], any[0], count, any_arena) != 0) return 1;
    if (memcmp(any, out, (size_t)count * DIGITS_ANY_OUTPUT_0_ENTRY_BYTES) != 0) return 2;
  }
  int best = 0;
  for (int i = 1; i < DIGITS_OUTPUT_0_BYTES; i++)
    if (out[0][i] > out[0][best]) best = i;
  printf("%d first of %d\n", best, COUNT);
  return 0;
}

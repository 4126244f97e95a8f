/* Two models in one image, which share an arena: one network with the roundings of LiteRT and of
 * TensorFlow Lite Micro. Integers only, as the core has no floating-point unit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include "../digits/seven.h"
#include "digits.h"
#include "digits_tflm.h"

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
static _Alignas(
    DIGITS_ARENA_ALIGN) unsigned char arena[LARGER(DIGITS_ARENA_BYTES, DIGITS_TFLM_ARENA_BYTES)];
static int8_t pixels[DIGITS_INPUT_0_BYTES], scores[DIGITS_OUTPUT_0_BYTES];

static int report(const char *name, int status, uint32_t cycles) {
  int best = 0;
  for (int i = 1; i < DIGITS_OUTPUT_0_BYTES; i++)
    if (scores[i] > scores[best]) best = i;
  board_print(name);
  board_print(": digit ");
  board_print_number((uint32_t)best);
  board_print(", cycles of the timer: ");
  board_print_number(cycles);
  board_print("\n");
  return status == 0 && best == 7 ? 0 : 1;
}

int firmware_main(void) {
  if (!digits_supported() || !digits_tflm_supported()) return 1;
  /* Ink from 0 to 16 as real numbers from 0 to 1, quantized: a step is 1/255. */
  for (int i = 0; i < DIGITS_INPUT_0_BYTES; i++)
    pixels[i] = (int8_t)((seven[i] * 255 + 8) / 16 + DIGITS_INPUT_0_ZERO_POINT);
  board_timer_start();
  int status = digits_run(pixels, scores, arena);
  int failed = report("litert-ref", status, board_timer());
  board_timer_start();
  status = digits_tflm_run(pixels, scores, arena);
  return failed | report("tflm", status, board_timer());
}

/* The same network from C++17, without exceptions, run-time types and a C++ library: its types and
 * sizes come from the header.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "board.h"

#include "../digits/seven.h"
#include "digits.h"

namespace {

using Input = DIGITS_INPUT_0_TYPE[DIGITS_INPUT_0_BYTES];
using Output = DIGITS_OUTPUT_0_TYPE[DIGITS_OUTPUT_0_BYTES];
static_assert(sizeof(seven) / sizeof(seven[0]) == DIGITS_INPUT_0_BYTES, "an image per call");

class Classifier {
public:
  /* The best class, or -1. */
  int classify(const Input &pixels) {
    if (digits_run(pixels, scores_, arena_) != 0) return -1;
    int best = 0;
    for (int i = 1; i < DIGITS_OUTPUT_0_BYTES; i++)
      if (scores_[i] > scores_[best]) best = i;
    return best;
  }

private:
  alignas(DIGITS_ARENA_ALIGN) unsigned char arena_[DIGITS_ARENA_BYTES];
  Output scores_;
};

Classifier classifier;
Input pixels;

} // namespace

int firmware_main() {
  for (int i = 0; i < DIGITS_INPUT_0_BYTES; i++)
    pixels[i] = DIGITS_INPUT_0_TYPE((seven[i] * 255 + 8) / 16 + DIGITS_INPUT_0_ZERO_POINT);
  int digit = digits_supported() ? classifier.classify(pixels) : -1;
  board_print("C++: digit ");
  board_print_number(uint32_t(digit));
  board_print("\n");
  return digit == 7 ? 0 : 1;
}

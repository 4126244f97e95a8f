/* The reader of rules on any bytes, as a rule file and as C++, with and without extensions: no
 * crash and a documented status. A file without errors is formatted; the text has no errors, and
 * formatting it again does not change it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/fuzz/read_rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  qn_str text = {size ? (const char *)data : "", size};
  fuzz_read_rules(text, "fuzz.rr", false);
  fuzz_read_rules(text, "fuzz.rr", true);
  fuzz_read_rules(text, "fuzz.cc", false);
  return 0;
}

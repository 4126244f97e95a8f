/* SHA-256, computed by nettle.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/tensors/digest.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>

void digest_sha256(const void *data, size_t size, char out_hex[DIGEST_HEX]) {
  struct sha256_ctx state;
  uint8_t digest[SHA256_DIGEST_SIZE];
  sha256_init(&state);
  sha256_update(&state, size, data);
  sha256_digest(&state, sizeof digest, digest);
  base16_encode_update(out_hex, sizeof digest, digest);
  out_hex[DIGEST_HEX - 1] = '\0';
}

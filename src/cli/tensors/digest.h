/* SHA-256 of tensors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_DIGEST_H
#define QN_CLI_DIGEST_H

#include <stddef.h>

enum { DIGEST_HEX = 65 };

/* Writes the digest as lower-case hexadecimal with a NUL. */
void digest_sha256(const void *data, size_t size, char out_hex[DIGEST_HEX]);

#endif

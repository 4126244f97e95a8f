/* Code in memory, kept in a folder between processes.
 *
 * An entry is found by a key: the digest of all that its code follows from. It is checked before it
 * is used: header, sizes, key and a checksum of the code, which tells damage, not intent. Against
 * intent, folder and entry are used only if their owner, this user, alone can write to them,
 * because what is in there is executed. Entries appear whole and are read whole, so that any
 * number of processes may use a folder at the same time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_CACHE_CACHE_H
#define QN_API_CACHE_CACHE_H

#include "api/api.h"

enum { QN_CACHE_DIGEST = 32 }; /* SHA-256 */

typedef struct qn_cache_key {
  uint8_t bytes[QN_CACHE_DIGEST];
} qn_cache_key;

/* False when there is none: the module is no longer the one of its file, passes are to be
 * explained, or this build has no identity. */
bool qn_cache_key_of(const qn_model *model, const qn_compile_options *options,
                     const qn_codegen_target *target, qn_cache_key *out_key);

/* False when there is nothing under the key that can be used; what is damaged, no file, or not this
 * user's alone is removed. The code is part of the file, which the caller releases. */
bool qn_cache_find(const char *folder, const qn_cache_key *key, qn_file **out_file,
                   qn_code *out_code);

/* Makes the folder where there is none, writes the entry, and removes what was not used for longest
 * until all together have at most `bound` bytes; what killed writers left counts, and goes after
 * ten minutes in any case. NULL, or why nothing was kept (static). */
const char *qn_cache_keep(const char *folder, size_t bound, const qn_cache_key *key,
                          const qn_code *code);

#endif

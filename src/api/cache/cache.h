/* A cache of JIT code in a directory, shared by processes.
 *
 * The key of an entry is a digest of everything that determines its code. Before an entry is used,
 * its header, sizes, key and a checksum of the code are checked. The checksum detects damage, not
 * manipulation. Against manipulation, directory and entry are used only if this user owns them and
 * no other user can write to them, because the code is executed. Entries are written and read
 * atomically, so that any number of processes may use a directory concurrently.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_CACHE_CACHE_H
#define QN_API_CACHE_CACHE_H

#include "api/api.h"

enum { QN_CACHE_DIGEST = 32 }; /* SHA-256 */

typedef struct qn_cache_key {
  uint8_t bytes[QN_CACHE_DIGEST];
} qn_cache_key;

/* Computes the key. Returns false if the code can't be cached: the module was changed after it was
 * read, options->explain is set, or this build has no build identifier. */
bool qn_cache_key_of(const qn_model *model, const qn_compile_options *options,
                     const qn_codegen_target *target, qn_cache_key *out_key);

/* Finds an entry. Returns false if there is no usable entry under the key. An entry that is
 * damaged, not a regular file, or writable by other users is removed. *out_code points into
 * *out_file, which the caller releases. */
bool qn_cache_find(const char *folder, const qn_cache_key *key, qn_file **out_file,
                   qn_code *out_code);

/* Writes an entry, and creates the directory if it does not exist. Then removes the least recently
 * used entries until the directory has at most `bound` bytes. Temporary files of killed processes
 * count too, and are removed after ten minutes in any case. Returns NULL on success, else the
 * reason (static storage). */
const char *qn_cache_keep(const char *folder, size_t bound, const qn_cache_key *key,
                          const qn_code *code);

#endif

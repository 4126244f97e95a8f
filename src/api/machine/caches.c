/* Cache sizes from the C library or from the files level, type and size of each cache, which hold
 * one word each, such as "2", "Unified" and "1024K".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/machine/caches.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/check.h"

enum { MAX_CACHES = 16, MAX_WORD = 32 };

/* Reads the first word of a file; "" if there is none. */
static void read_word(const char *folder, int cache, const char *name, char word[MAX_WORD]) {
  char path[256];
  word[0] = '\0';
  int length = snprintf(path, sizeof path, "%s/index%d/%s", folder, cache, name);
  FILE *file = length < (int)sizeof path ? fopen(path, "re") : NULL;
  if (!file) return;
  if (fscanf(file, "%31s", word) != 1) word[0] = '\0';
  fclose(file);
}

static size_t bytes_of(const char *word) {
  char *end;
  unsigned long long number = strtoull(word, &end, 10);
  unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  return number > SIZE_MAX >> shift ? 0 : (size_t)number << shift;
}

size_t qn_cache_bytes_in(const char *folder, int level) {
  char word[MAX_WORD];
  for (int i = 0; i < MAX_CACHES; i++) {
    read_word(folder, i, "level", word);
    if (atoi(word) != level) continue;
    read_word(folder, i, "type", word);
    if (strcmp(word, "Data") != 0 && strcmp(word, "Unified") != 0) continue;
    read_word(folder, i, "size", word);
    return bytes_of(word);
  }
  return 0;
}

size_t qn_cache_bytes(int level) {
  static const int keys[] = {_SC_LEVEL1_DCACHE_SIZE, _SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE};
  QN_ASSERT(level >= 1 && level <= (int)QN_COUNT(keys));
  long bytes = sysconf(keys[level - 1]);
  return bytes > 0 ? (size_t)bytes : qn_cache_bytes_in("/sys/devices/system/cpu/cpu0/cache", level);
}

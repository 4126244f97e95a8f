/* The sizes of the host's data caches.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_CACHES_H
#define QN_API_CACHES_H

#include <stddef.h>

/* Bytes of the data or unified cache of level 1, 2 or 3 that the first CPU uses; 0 if unknown. Asks
 * the C library, which knows it on x86-64, then Linux's description of the hardware, which has it
 * on other architectures too. */
size_t qn_cache_bytes(int level);

/* The same, from a folder with one folder index0, index1 and so on per cache, as in Linux's
 * /sys/devices/system/cpu/cpu0/cache. */
size_t qn_cache_bytes_in(const char *folder, int level);

#endif

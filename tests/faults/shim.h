/* Faults on demand: a shared object that is loaded before all others stands between the code under
 * test and libc. Only calls that the program (or libquern.so) makes itself count; those that LLVM,
 * jansson and libc make pass. Calls are numbered from 1 in the order in which they come.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_FAULTS_SHIM_H
#define QN_TESTS_FAULTS_SHIM_H

#include <stdbool.h>

typedef struct fault_state {
  long calls;           /* since it was armed */
  bool fired;           /* the wanted call came */
  long blocks;          /* blocks that calls of the library allocated and that were not freed */
  long files, mappings; /* open at the moment */
  long first_count;     /* for the caller of fault_new_sites */
  long sites, failed; /* call sites (with the frames around them) reached and made to fail so far */
} fault_state;

/* From here on the calls are counted. Number n fails, and `from` and all after it; 0: none. */
void fault_arm(long n, long from);
void fault_disarm(void);
void fault_read(fault_state *out_state);

/* A call site and the frames around it. */
typedef struct fault_site {
  long number; /* of its first call since arming */
  long index;  /* its name; not 0 */
} fault_site;
/* The sites reached since arming that have never failed; gives their count. */
long fault_new_sites(fault_site *sites, long most);
bool fault_has_failed(long index);

#endif

/* Systems of target triples that several architectures support.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/machine/machine.h"

const char *const qn_cg_hosted[] = {"linux", "freebsd", "none-elf", "unknown-elf", NULL};

/* Quern: exact, fast machine code from quantized models. One include for the whole API.
 *
 * Objects are opaque: functions named `create` or `load` make one, `destroy` frees it and accepts
 * NULL. A context and all objects created from it may be used by only one thread at a time;
 * different contexts share nothing. Option structs begin with their size: initialize them with the
 * macro defined after them. String arguments are copied unless their comment specifies otherwise.
 * Results are stored through `out_` pointers if the status is QN_OK.
 *
 * This header does not include <quern/plugin.h>, which is for passes in shared objects.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_QUERN_H
#define QUERN_QUERN_H

#include <quern/base.h>
#include <quern/compile.h>
#include <quern/context.h>
#include <quern/executable.h>
#include <quern/interpret.h>
#include <quern/model.h>
#include <quern/pass.h>
#include <quern/pipeline.h>
#include <quern/reduce.h>
#include <quern/rules.h>

#endif

/* Quern: exact, fast machine code from quantized models. One include for the whole API.
 *
 * Objects are opaque; `create` or `load` gives one, `destroy` takes it back (NULL is allowed). A
 * context and what was made from it belong to one thread at a time; different contexts share
 * nothing. Option structs start with their size: initialize with the macro beside them. Strings
 * that are passed in are copied unless it is said otherwise. Results behind `out_` pointers are
 * there when the status is QN_OK.
 *
 * <quern/plugin.h>, for passes in shared objects, is included by itself.
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

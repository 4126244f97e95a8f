/* The file formats of models, and which one a file has.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_IMPORTERS_H
#define QN_IMPORT_IMPORTERS_H

#include "import/import.h"

typedef struct qn_importer_table {
  const qn_importer *const *rows;
  size_t count;
} qn_importer_table;

/* All that there are. */
qn_importer_table qn_importers(void);
/* The one whose format the bytes have; NULL: none. */
const qn_importer *qn_importer_of(qn_importer_table table, qn_bytes bytes);
/* The one whose operators (`NAME`), or rejected ones (`NAME-rejected`), are the list; NULL: none.
 */
const qn_importer *qn_importer_listed(qn_importer_table table, const char *list, bool *out_refused);
/* Whether its files have a use for the options; else reported, QN_NOT_FOUND. */
QN_NODISCARD qn_status qn_importer_check(const qn_importer *importer, qn_diag_engine *diag,
                                         const qn_import_options *options);
/* ".tflite, .x and .y", for messages: the extensions of all formats, or of those that `has` holds
 * for. */
typedef bool qn_importer_test(const qn_importer *importer);
void qn_importer_extensions(qn_importer_table table, qn_importer_test *has_or_null, qn_text *text);
bool qn_importer_has_parts(const qn_importer *importer);
bool qn_importer_has_signatures(const qn_importer *importer);

#endif

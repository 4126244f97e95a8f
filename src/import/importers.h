/* The file formats of models, and detection of a file's format.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_IMPORTERS_H
#define QN_IMPORT_IMPORTERS_H

#include "import/import.h"

typedef struct qn_importer_table {
  const qn_importer *const *rows;
  size_t count;
} qn_importer_table;

/* All importers. */
qn_importer_table qn_importers(void);
/* The importer for the format of `bytes`; NULL if none. */
const qn_importer *qn_importer_of(qn_importer_table table, qn_bytes bytes);
/* The importer with the list of operators `list`: NAME, or NAME-refused for unsupported ones; NULL
 * if none. */
const qn_importer *qn_importer_listed(qn_importer_table table, const char *list, bool *out_refused);
/* Checks that the importer supports the options; else QN_NOT_FOUND, reported. */
QN_NODISCARD qn_status qn_importer_check(const qn_importer *importer, qn_diag_engine *diag,
                                         const qn_import_options *options);
/* ".tflite, .x and .y", for messages: the extensions of all formats, or of those that `has` holds
 * for. */
typedef bool qn_importer_test(const qn_importer *importer);
void qn_importer_extensions(qn_importer_table table, qn_importer_test *has_or_null, qn_text *text);
bool qn_importer_has_parts(const qn_importer *importer);
bool qn_importer_has_signatures(const qn_importer *importer);

#endif

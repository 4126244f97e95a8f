/* TensorFlow Lite files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_TFLITE_IMPORTER_H
#define QN_IMPORT_TFLITE_IMPORTER_H

#include "import/import.h"

extern const qn_importer qn_tflite_importer;
/* the lists of operators, see qn_importer */
extern const qn_import_catalogue qn_tflite_catalogue;
QN_NODISCARD qn_status qn_import_tflite(qn_ir_context *cx, qn_file *file,
                                        const qn_import_options *options, qn_module **out_module);
/* Whether the bytes have the identifier TFL3 at offset 4. */
bool qn_import_is_tflite(qn_bytes bytes);

#endif

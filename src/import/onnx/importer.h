/* ONNX files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_IMPORTER_H
#define QN_IMPORT_ONNX_IMPORTER_H

#include "import/import.h"

extern const qn_importer qn_onnx_importer;
/* the lists of operators, see qn_importer */
extern const qn_import_catalogue qn_onnx_catalogue;
QN_NODISCARD qn_status qn_import_onnx(qn_ir_context *cx, qn_file *file,
                                      const qn_import_options *options, qn_module **out_module);

#endif

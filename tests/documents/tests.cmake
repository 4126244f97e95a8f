# documents: what --json prints, against the schema in docs. Needs python3-jsonschema, and says so.
# SPDX-License-Identifier: Apache-2.0
add_test(NAME documents.schema COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern>
  ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/../shared/models)
set_tests_properties(documents.schema PROPERTIES LABELS cli SKIP_RETURN_CODE 77)

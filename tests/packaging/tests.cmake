# packaging: what is installed and packed, as others find and use it. Sanitized builds are not for them.
# SPDX-License-Identifier: Apache-2.0
if(QN_SANITIZE)
  return()
endif()
foreach(section installed packed)
  add_test(NAME packaging.${section} COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh ${CMAKE_COMMAND}
    ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER} ${section})
endforeach()
set_tests_properties(packaging.installed packaging.packed PROPERTIES LABELS packaging
  RESOURCE_LOCK install_manifest SKIP_RETURN_CODE 77)

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

# The library with LLVM inside: that it links, and its size.
add_test(NAME packaging.static COMMAND ${CMAKE_CURRENT_LIST_DIR}/static.sh ${CMAKE_COMMAND} ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR})
set_tests_properties(packaging.static PROPERTIES LABELS packaging SKIP_RETURN_CODE 77 TIMEOUT 600)

# The ABI against that of the last release, and what counts as a change of it.
add_test(NAME packaging.abi COMMAND ${PROJECT_SOURCE_DIR}/scripts/abi ${PROJECT_SOURCE_DIR})
add_test(NAME packaging.abi_rules COMMAND ${CMAKE_CURRENT_LIST_DIR}/abi.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(packaging.abi packaging.abi_rules PROPERTIES LABELS packaging SKIP_RETURN_CODE 77
  ENVIRONMENT LLVM_INCLUDE=${llvm_include})

# A release: its parts; with the label slow, a whole release is made twice.
find_program(QN_PYTHON3 python3)
if(QN_PYTHON3)
  add_test(NAME packaging.release_parts COMMAND ${QN_PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/test_release.py ${PROJECT_SOURCE_DIR})
  set_tests_properties(packaging.release_parts PROPERTIES LABELS packaging)
  add_test(NAME packaging.release COMMAND ${CMAKE_CURRENT_LIST_DIR}/release.sh ${PROJECT_SOURCE_DIR} ${QN_PYTHON3})
  set_tests_properties(packaging.release PROPERTIES LABELS "packaging;slow" SKIP_RETURN_CODE 77 TIMEOUT 3600)
endif()

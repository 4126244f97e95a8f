# checks: rules about the sources, as scripts for the plain shell.
# SPDX-License-Identifier: Apache-2.0
set(checks ${CMAKE_CURRENT_LIST_DIR})
add_test(NAME check.layers COMMAND ${checks}/check_layers.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.headers COMMAND ${checks}/check_headers.sh ${PROJECT_SOURCE_DIR}
  ${CMAKE_C_COMPILER} ${CMAKE_CXX_COMPILER} ${llvm_include})
add_test(NAME check.cycles COMMAND ${checks}/check_cycles.sh ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR} ${CMAKE_NM})
find_program(QN_CLANG_FORMAT NAMES clang-format-14 clang-format)
add_test(NAME check.format COMMAND ${checks}/check_format.sh ${PROJECT_SOURCE_DIR} ${QN_CLANG_FORMAT})
add_test(NAME check.planted COMMAND ${checks}/check_planted.sh ${PROJECT_SOURCE_DIR} ${QN_CLANG_FORMAT}
  ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER} ${CMAKE_NM})
set_tests_properties(check.cycles check.format check.planted PROPERTIES LABELS check SKIP_RETURN_CODE 77)
add_test(NAME check.citations COMMAND ${checks}/check_citations.sh ${PROJECT_SOURCE_DIR})
set_tests_properties(check.citations PROPERTIES LABELS check)
add_test(NAME check.arguments COMMAND ${checks}/check_arguments.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.kinds COMMAND ${checks}/check_kinds.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.profiles COMMAND ${checks}/check_profiles.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.instructions COMMAND ${checks}/check_instructions.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.api_used COMMAND ${checks}/check_api_used.sh)
add_test(NAME check.ops COMMAND ${checks}/check_ops.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.readmes COMMAND ${checks}/check_readmes.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.terms COMMAND ${checks}/check_terms.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.named COMMAND ${checks}/check_named.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.passes COMMAND ${checks}/check_passes.sh ${PROJECT_SOURCE_DIR} $<TARGET_FILE:quern>)
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md ${PROJECT_SOURCE_DIR}/docs/how-to/*.md)
add_test(NAME check.links COMMAND ${checks}/check_links.sh ${PROJECT_SOURCE_DIR})
add_test(NAME check.generated COMMAND ${PROJECT_SOURCE_DIR}/scripts/generated --check
  $<TARGET_FILE:quern> ${PROJECT_SOURCE_DIR}/README.md ${pages})
set_tests_properties(check.generated PROPERTIES WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
set_tests_properties(check.layers check.headers check.arguments check.kinds check.profiles check.links check.instructions check.api_used check.ops check.named check.terms check.passes check.readmes check.generated
  PROPERTIES LABELS check)

# A sanitized static library has the sanitizer's names, too.
set(exporting $<TARGET_FILE:quern_shared>)
if(NOT QN_SANITIZE)
  list(APPEND exporting $<TARGET_FILE:quern_static>)
endif()
add_test(NAME check.exports COMMAND ${checks}/check_exports.sh ${PROJECT_SOURCE_DIR} ${exporting})
set_tests_properties(check.exports PROPERTIES LABELS check)

# The build's own compiler is gcc as a rule; with clang at hand the sources are parsed with it as well.
find_program(QN_CLANG NAMES clang-22 clang-19 clang)
if(QN_CLANG)
  add_test(NAME check.clang COMMAND ${checks}/check_clang.sh ${PROJECT_SOURCE_DIR} ${QN_CLANG}
    ${QN_WARNINGS} -D_GNU_SOURCE -DQN_TEST_SHARED="" -DQN_TEST_SOURCES="" -DQN_TEST_PLUGIN=""
    -I. -Isrc -Iinclude -Itests -isystem ${llvm_include} ${GDK_PIXBUF_CFLAGS})
  set_tests_properties(check.clang PROPERTIES LABELS check)
endif()

# A minute of two processors.
add_test(NAME check.o1 COMMAND ${checks}/check_o1.sh ${PROJECT_BINARY_DIR})
set_tests_properties(check.o1 PROPERTIES LABELS "check;slow" SKIP_RETURN_CODE 77 TIMEOUT 1200)

# Whatever builds this tree, the tool that clang makes of it must not differ from ours.
find_program(QN_CLANGXX NAMES clang++-22)
find_program(QN_CLANG_22 NAMES clang-22)
add_test(NAME check.compilers COMMAND ${checks}/check_compilers.sh ${PROJECT_SOURCE_DIR}
  $<TARGET_FILE:quern> ${PROJECT_BINARY_DIR}/clang ${PROJECT_SOURCE_DIR}/../shared ${QN_CLANG_22} ${QN_CLANGXX})
set_tests_properties(check.compilers PROPERTIES LABELS "check;slow" SKIP_RETURN_CODE 77)

# A sanitized build has other checks of memory in place of these.
if(NOT QN_SANITIZE)
  add_test(NAME check.hardening COMMAND ${checks}/check_hardening.sh $<TARGET_FILE:quern>
    $<TARGET_FILE:quern_shared> $<TARGET_FILE:qn_base> $<NOT:$<CONFIG:Debug>>)
  set_tests_properties(check.hardening PROPERTIES LABELS check SKIP_RETURN_CODE 77)
endif()

# rules: the rewrite-rule language from the outside; see run.sh.
# SPDX-License-Identifier: Apache-2.0
foreach(section library malformed expanded formatted rewritten reported tested planted)
  add_test(NAME rules.${section}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/run.sh $<TARGET_FILE:quern> ${section})
  set_tests_properties(rules.${section} PROPERTIES LABELS golden)
endforeach()
set_tests_properties(rules.tested PROPERTIES LABELS slow TIMEOUT 900)

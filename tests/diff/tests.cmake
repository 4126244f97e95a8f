# diff: programs that compare two ways of computing the same thing.
qn_sources(loops_random_sources tests/diff/loops)
add_executable(diff_loops_random ${loops_random_sources})
target_link_libraries(diff_loops_random PRIVATE qn_flags qn_lower qn_eval)
add_test(NAME diff.loops_random COMMAND diff_loops_random)
set_tests_properties(diff.loops_random PROPERTIES LABELS diff)

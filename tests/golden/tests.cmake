add_executable(opt_driver ${CMAKE_CURRENT_LIST_DIR}/opt_driver.c)
target_link_libraries(opt_driver PRIVATE qn_flags qn_text)

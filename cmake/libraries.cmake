# Libraries that do what Quern does not exist for; the README says why each.
find_path(JANSSON_INCLUDE jansson.h REQUIRED)
find_library(JANSSON_LIBRARY jansson REQUIRED)
add_library(qn_jansson INTERFACE)
target_include_directories(qn_jansson SYSTEM INTERFACE ${JANSSON_INCLUDE})
target_link_libraries(qn_jansson INTERFACE ${JANSSON_LIBRARY})

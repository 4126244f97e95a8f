# Takes away what the last `cmake --install` put down, and the folders named quern, with those in them,
# that are empty afterwards.
#   cmake -D MANIFEST=FILE -P uninstall.cmake
# SPDX-License-Identifier: Apache-2.0
if(NOT EXISTS ${MANIFEST})
  message(FATAL_ERROR "nothing is installed from here: ${MANIFEST} does not exist")
endif()
file(STRINGS ${MANIFEST} files ENCODING UTF-8)
set(folders)
foreach(file ${files})
  file(REMOVE "$ENV{DESTDIR}${file}")
  get_filename_component(above "${file}" DIRECTORY)
  while(above MATCHES "/quern(/|$)")
    list(APPEND folders "$ENV{DESTDIR}${above}")
    get_filename_component(above "${above}" DIRECTORY)
  endwhile()
endforeach()
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING) # the inner ones first
foreach(folder ${folders})
  file(GLOB rest "${folder}/*")
  if(IS_DIRECTORY "${folder}" AND NOT rest)
    file(REMOVE_RECURSE "${folder}")
  endif()
endforeach()
file(REMOVE ${MANIFEST})

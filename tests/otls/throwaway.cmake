# SPDX-License-Identifier: Apache-2.0
# nendo_throwaway: what generates and describes, with a field more in a solver's parameters and in
# its material. Nothing but two headers changes; all that is used here and reads them is compiled anew.

set(throwaway_folder ${PROJECT_BINARY_DIR}/throwaway)
set(throwaway_headers melt/params.h melt/material.h)
list(TRANSFORM throwaway_headers PREPEND ${throwaway_folder}/ OUTPUT_VARIABLE throwaway_made)
list(TRANSFORM throwaway_headers PREPEND ${PROJECT_SOURCE_DIR}/solvers/)
add_custom_command(
    OUTPUT ${throwaway_made}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/throwaway.py
            ${PROJECT_SOURCE_DIR}/solvers ${throwaway_folder}
    DEPENDS ${throwaway_headers} ${CMAKE_CURRENT_LIST_DIR}/throwaway.py)

add_executable(nendo_throwaway ${CMAKE_CURRENT_LIST_DIR}/throwaway.cpp ${throwaway_made}
               dop/nodes.cpp sop/nodes.cpp otls/help_page.cpp otls/nodes_json.cpp
               solvers/melt/presets.cpp)
target_include_directories(nendo_throwaway BEFORE PRIVATE ${throwaway_folder})
target_compile_options(nendo_throwaway PRIVATE -O0)
nendo_join_files(nendo_throwaway)
target_link_libraries(nendo_throwaway PRIVATE nendo_nodes nendo_flags)

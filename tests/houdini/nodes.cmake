# SPDX-License-Identifier: Apache-2.0
# The nodes without Houdini: compiled against the stand-in of tests/standin/hdk for tests, and, with
# NENDO_HDK_INCLUDE, against a real include tree as objects that are linked to nothing.

file(GLOB node_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/dop/*.cpp
                                         ${PROJECT_SOURCE_DIR}/dop/bridge/*.cpp
                                         ${PROJECT_SOURCE_DIR}/sop/*.cpp)
file(GLOB stand_in_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/standin/hdk/*.cpp)

add_library(nendo_nodes STATIC ${node_sources} ${stand_in_sources} otls/help_page.cpp
            otls/nodes_json.cpp)
target_include_directories(nendo_nodes PUBLIC ${PROJECT_SOURCE_DIR}
                                              ${PROJECT_SOURCE_DIR}/tests/standin/hdk)
target_link_libraries(nendo_nodes PUBLIC nendo::solvers PRIVATE nendo_flags)
target_compile_options(nendo_nodes PRIVATE ${nendo_quick_build})

# Writes help pages and nodes.json: nendo_help otls
add_executable(nendo_help otls/help.cpp)
target_link_libraries(nendo_help PRIVATE nendo_nodes nendo_flags)

if(NENDO_HDK_INCLUDE)
    if(NOT EXISTS ${NENDO_HDK_INCLUDE}/UT/UT_DSOVersion.h)
        message(FATAL_ERROR "NENDO_HDK_INCLUDE: there is no UT/UT_DSOVersion.h in "
                            "${NENDO_HDK_INCLUDE}; give Houdini's toolkit/include")
    endif()
    set(NENDO_HDK_DEFINITIONS
        AMD64 SIZEOF_VOID_P=8 LINUX SESI_LITTLE_ENDIAN ENABLE_THREADS USE_PTHREADS _REENTRANT
        _FILE_OFFSET_BITS=64 _GNU_SOURCE MAKING_DSO
        CACHE STRING "What Houdini's headers want to be defined")
    add_library(nendo_nodes_objects OBJECT ${node_sources})
    target_compile_definitions(nendo_nodes_objects PRIVATE ${NENDO_HDK_DEFINITIONS})
    target_include_directories(nendo_nodes_objects PRIVATE ${PROJECT_SOURCE_DIR}
                                                           ${PROJECT_SOURCE_DIR}/solvers)
    # Before the distribution's folders: OpenVDB and TBB must be Houdini's too.
    target_include_directories(nendo_nodes_objects SYSTEM BEFORE PRIVATE ${NENDO_HDK_INCLUDE})
    target_link_libraries(nendo_nodes_objects PRIVATE nendo_abi nendo_flags Eigen3::Eigen)
endif()

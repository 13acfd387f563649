# SPDX-License-Identifier: Apache-2.0
# The plugin for the Houdini of $HFS, and its package. The solvers are compiled from source into the
# plugin, against Houdini's own TBB and OpenVDB: two copies of these in one process do not agree.

set(NENDO_HOUDINI_MINIMUM 19.5)

if(NOT DEFINED ENV{HFS})
    message(FATAL_ERROR "NENDO_HOUDINI: $HFS is not set; source houdini_setup in Houdini's folder, "
                        "or configure with -DNENDO_HOUDINI=OFF")
endif()
find_package(Houdini CONFIG PATHS "$ENV{HFS}" PATH_SUFFIXES toolkit/cmake NO_DEFAULT_PATH)
if(NOT Houdini_FOUND)
    message(FATAL_ERROR "$HFS is $ENV{HFS}, which has no toolkit/cmake/HoudiniConfig.cmake; set it "
                        "to Houdini's folder, or configure with -DNENDO_HOUDINI=OFF")
endif()
# A version that is given to find_package(Houdini) is not compared.
if(Houdini_VERSION VERSION_LESS NENDO_HOUDINI_MINIMUM)
    message(FATAL_ERROR "$HFS holds Houdini ${Houdini_VERSION}; Nendo needs "
                        "${NENDO_HOUDINI_MINIMUM} or later")
endif()
message(STATUS "Nendo for Houdini ${Houdini_VERSION} in $ENV{HFS}")

# What the nodes need of the solvers: no files (io), so that no library but Houdini's is linked.
file(GLOB plugin_sources CONFIGURE_DEPENDS
     ${PROJECT_SOURCE_DIR}/dop/*.cpp ${PROJECT_SOURCE_DIR}/sop/*.cpp
     ${PROJECT_SOURCE_DIR}/solvers/core/*.cpp ${PROJECT_SOURCE_DIR}/solvers/math/*.cpp
     ${PROJECT_SOURCE_DIR}/solvers/neighbors/*.cpp ${PROJECT_SOURCE_DIR}/solvers/geometry/*.cpp
     ${PROJECT_SOURCE_DIR}/solvers/sph/*.cpp ${PROJECT_SOURCE_DIR}/solvers/coupling/*.cpp
     ${PROJECT_SOURCE_DIR}/solvers/heat/*.cpp ${PROJECT_SOURCE_DIR}/solvers/melt/*.cpp
     ${PROJECT_SOURCE_DIR}/solvers/elastoplastic/*.cpp
     ${PROJECT_SOURCE_DIR}/solvers/rheology/*.cpp)
find_path(NENDO_XXHASH_INCLUDE xxhash.h REQUIRED) # used as a header only

add_library(nendo_houdini SHARED ${plugin_sources})
target_include_directories(nendo_houdini PRIVATE ${PROJECT_SOURCE_DIR}
                                                 ${PROJECT_SOURCE_DIR}/solvers)
target_include_directories(nendo_houdini SYSTEM PRIVATE ${NENDO_XXHASH_INCLUDE})
target_link_libraries(nendo_houdini PRIVATE Houdini nendo_abi Eigen3::Eigen Threads::Threads)
foreach(name openvdb_sesi tbb)
    find_library(NENDO_HOUDINI_${name} ${name} PATHS "$ENV{HFS}/dsolib" NO_DEFAULT_PATH)
    if(NENDO_HOUDINI_${name})
        target_link_libraries(nendo_houdini PRIVATE ${NENDO_HOUDINI_${name}})
    endif()
endforeach()
# With a folder given, Houdini's function does not start Houdini to ask for one.
houdini_configure_target(nendo_houdini INSTDIR ${PROJECT_BINARY_DIR}/dso)

# The package: packages/nendo.json beside the folder nendo. Point HOUDINI_PACKAGE_DIR to the former,
# or install to Houdini's folder in your home.
install(FILES otls/packages/nendo.json DESTINATION packages)
install(TARGETS nendo_houdini LIBRARY DESTINATION packages/nendo/dso
                              RUNTIME DESTINATION packages/nendo/dso)
install(DIRECTORY otls/help otls/config otls/toolbar otls/scripts DESTINATION packages/nendo
        PATTERN __pycache__ EXCLUDE)
file(GLOB libraries ${PROJECT_SOURCE_DIR}/otls/*.hda)
install(DIRECTORY ${libraries} DESTINATION packages/nendo/otls)

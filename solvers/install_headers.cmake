# SPDX-License-Identifier: Apache-2.0
# Run at installation: copies the headers of source_folder to install_folder. An include of
# "core/error.h" becomes one of <nendo/core/error.h>, so that only the prefix's include folder has to
# be on the user's path, and folders of the same names do not collide.

file(REMOVE_RECURSE ${made_folder})
file(GLOB_RECURSE headers RELATIVE ${source_folder} ${source_folder}/*.h)
foreach(header IN LISTS headers)
    file(READ ${source_folder}/${header} text)
    string(REGEX REPLACE "#include \"([^\"]+)\"" "#include <nendo/\\1>" text "${text}")
    file(WRITE ${made_folder}/${header} "${text}")
endforeach()
file(INSTALL ${made_folder}/ DESTINATION ${CMAKE_INSTALL_PREFIX}/${install_folder})

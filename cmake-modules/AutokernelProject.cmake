# Settings shared by every library of this project. Not installed.

add_library(autokernel_warnings INTERFACE)
target_compile_options(autokernel_warnings INTERFACE -Wall -Wextra)
if(AUTOKERNEL_WERROR)
  target_compile_options(autokernel_warnings INTERFACE -Werror)
endif()
if(AUTOKERNEL_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

# autokernel_library(<name> <source>...): one stage, one static library.
# Headers are included relative to tool/ ("model/Contract.h") or runtime/include.
function(autokernel_library name)
  add_library(${name} STATIC ${ARGN})
  target_include_directories(${name} PUBLIC
    "${PROJECT_SOURCE_DIR}/tool" "${PROJECT_SOURCE_DIR}/runtime/include")
  target_link_libraries(${name} PRIVATE autokernel_warnings)
endfunction()

# autokernel_use_llvm(<target> [CLANG]): LLVM's headers as system headers, so
# that their warnings are not ours, and the shared libraries.
function(autokernel_use_llvm target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CLANG" "" "")
  target_include_directories(${target} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS})
  target_compile_definitions(${target} PUBLIC ${LLVM_DEFINITIONS_LIST})
  if(arg_CLANG)
    target_include_directories(${target} SYSTEM PUBLIC ${CLANG_INCLUDE_DIRS})
    target_link_libraries(${target} PUBLIC clang-cpp)
  endif()
  target_link_libraries(${target} PUBLIC LLVM)
endfunction()

# autokernel_embed(<target> <header> <file>...): makes <header> in the build
# tree, a table `kEmbeddedFiles` of {name, contents} for the given files.
function(autokernel_embed target header symbol base)
  set(out "${CMAKE_CURRENT_BINARY_DIR}/embedded/${header}")
  set(inputs)
  foreach(f IN LISTS ARGN)
    list(APPEND inputs "${base}/${f}")
  endforeach()
  add_custom_command(
    OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" "-DOUT=${out}" "-DBASE=${base}" "-DFILES=${ARGN}"
            "-DSYMBOL=${symbol}" -P "${PROJECT_SOURCE_DIR}/cmake-modules/AutokernelEmbed.cmake"
    DEPENDS ${inputs} "${PROJECT_SOURCE_DIR}/cmake-modules/AutokernelEmbed.cmake"
    VERBATIM)
  target_sources(${target} PRIVATE "${out}")
  target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/embedded")
endfunction()

# autokernel_targets_below(<variable> <folder>...): names of all targets that
# `all` builds in these folders and below.
function(autokernel_targets_below variable)
  set(found)
  foreach(folder IN LISTS ARGN)
    get_filename_component(folder "${folder}" ABSOLUTE)
    get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target IN LISTS targets)
      get_target_property(type ${target} TYPE)
      get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
      if(NOT excluded AND type MATCHES "LIBRARY|EXECUTABLE" AND NOT type STREQUAL "INTERFACE_LIBRARY")
        list(APPEND found ${target})
      endif()
    endforeach()
    get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    if(below)
      autokernel_targets_below(more ${below})
      list(APPEND found ${more})
    endif()
  endforeach()
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()

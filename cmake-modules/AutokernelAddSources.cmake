# autokernel_add_sources(<target>
#   [SOURCES <file>...]            # default: every C/C++ source that is annotated
#                                  # or includes an annotated header
#   [GENERATOR template|openai|openai-responses|anthropic] [MODEL <name>]
#   [KERNEL_DIR <dir>] [ARCHITECTURES <list>]
#   [VERIFY emulator] [ON_MISSING generate|loop|error] [ALLOW cub cublas])
#
# Compiles the target's annotated loops together with their kernels. What the
# sources of the target are is looked at when its directory is done, so that
# target_sources() may come before or after.
#
# Variables (cache or environment): AUTOKERNEL=OFF compiles the untouched
# sources, AUTOKERNEL_FROZEN=ON generates nothing and fails on anything that is
# not fresh, AUTOKERNEL_TOOL names another tool.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)
include(CheckLanguage)

set(AUTOKERNEL_DEFAULT_ARCHITECTURES 80 90)

include("${CMAKE_CURRENT_LIST_DIR}/AutokernelAttribute.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/AutokernelIncludes.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/AutokernelRuntime.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/AutokernelTarget.cmake")

# A language can be enabled at directory scope only, hence the macros. Nothing
# outside this directory needs CUDA: other targets see ready-made objects.
macro(autokernel_enable_cuda)
  if(NOT CMAKE_CUDA_COMPILER_LOADED)
    if(CMAKE_CURRENT_FUNCTION)
      message(STATUS "autokernel: CUDA can't be enabled inside the function "
        "${CMAKE_CURRENT_FUNCTION}: call autokernel_enable_cuda() before it")
    else()
      if(DEFINED CMAKE_CUDA_ARCHITECTURES)
        # CMake itself fails on `native` without a GPU and on an empty list.
        _autokernel_usable_architectures(CMAKE_CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}")
      elseif(NOT DEFINED ENV{CUDAARCHS})
        set(_autokernel_compiler_chooses ON)
      endif()
      check_language(CUDA)
      if(CMAKE_CUDA_COMPILER)
        enable_language(CUDA)
        if(_autokernel_compiler_chooses)
          # Remembered, as later runs find it in the cache like a user's choice.
          set(AUTOKERNEL_COMPILER_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}" CACHE INTERNAL "")
          unset(_autokernel_compiler_chooses)
        endif()
      endif()
    endif()
  endif()
  # The runtime is C++.
  if(CMAKE_CUDA_COMPILER_LOADED AND NOT CMAKE_CXX_COMPILER_LOADED AND NOT CMAKE_CURRENT_FUNCTION)
    enable_language(CXX)
  endif()
endmacro()

macro(autokernel_add_sources target)
  _autokernel_switches()
  if(AUTOKERNEL)
    autokernel_enable_cuda()
  endif()
  _autokernel_add_sources("${target}" ${ARGN})
endmacro()

# Replaces what this machine can't resolve, and what only the compiler chose.
function(_autokernel_usable_architectures out wanted)
  if(wanted STREQUAL "native" AND NOT EXISTS "/dev/nvidiactl")
    set(why "no GPU here to be native for")
  elseif(wanted STREQUAL "")
    set(why "no architectures are given")
  elseif(wanted STREQUAL "${AUTOKERNEL_COMPILER_ARCHITECTURES}")
    set(why "CMAKE_CUDA_ARCHITECTURES is not set")
  else()
    set(${out} "${wanted}" PARENT_SCOPE)
    return()
  endif()
  list(JOIN AUTOKERNEL_DEFAULT_ARCHITECTURES ", " text)
  message(STATUS "autokernel: ${why}: compiling for ${text}")
  set(${out} "${AUTOKERNEL_DEFAULT_ARCHITECTURES}" PARENT_SCOPE)
endfunction()

# At run time the same variable of the environment chooses a mode: only `off`
# means something for the build, too.
function(_autokernel_switches)
  string(TOLOWER "$ENV{AUTOKERNEL}" mode)
  set(on ON)
  if(mode MATCHES "^(off|0|no|false)$")
    set(on OFF)
  endif()
  option(AUTOKERNEL "Use kernels for annotated loops" ${on})
  set(frozen OFF)
  if("$ENV{AUTOKERNEL_FROZEN}")
    set(frozen ON)
  endif()
  option(AUTOKERNEL_FROZEN "Generate nothing, fail on kernels that are not fresh" ${frozen})
endfunction()

function(_autokernel_check_choice target keyword value)
  if(NOT value IN_LIST ARGN)
    list(JOIN ARGN ", " choices)
    message(FATAL_ERROR
      "autokernel_add_sources(${target}): ${keyword} is '${value}', not one of ${choices}")
  endif()
endfunction()

function(_autokernel_add_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg ""
    "GENERATOR;MODEL;KERNEL_DIR;VERIFY;ON_MISSING" "SOURCES;ARCHITECTURES;ALLOW")
  foreach(unknown IN LISTS arg_UNPARSED_ARGUMENTS)
    message(AUTHOR_WARNING "autokernel_add_sources(${target}): unknown argument '${unknown}'")
  endforeach()
  foreach(keyword IN LISTS arg_KEYWORDS_MISSING_VALUES)
    message(AUTHOR_WARNING "autokernel_add_sources(${target}): ${keyword} has no value")
  endforeach()
  _autokernel_resolve_target(target "${target}")

  foreach(default IN ITEMS GENERATOR:template VERIFY:emulator ON_MISSING:generate
                           KERNEL_DIR:autokernel)
    string(REPLACE ":" ";" default "${default}")
    list(GET default 0 keyword)
    if(NOT arg_${keyword})
      list(GET default 1 arg_${keyword})
    endif()
  endforeach()
  _autokernel_check_choice(${target} GENERATOR "${arg_GENERATOR}"
    template openai openai-responses anthropic)
  _autokernel_check_choice(${target} VERIFY "${arg_VERIFY}" emulator)
  _autokernel_check_choice(${target} ON_MISSING "${arg_ON_MISSING}" generate loop error)
  foreach(library IN LISTS arg_ALLOW)
    _autokernel_check_choice(${target} ALLOW "${library}" cub cublas)
  endforeach()
  cmake_path(ABSOLUTE_PATH arg_KERNEL_DIR BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)

  get_target_property(already ${target} AUTOKERNEL_GENERATOR)
  if(already)
    message(FATAL_ERROR "autokernel_add_sources(${target}) is called twice")
  endif()
  foreach(keyword IN ITEMS SOURCES GENERATOR MODEL KERNEL_DIR ARCHITECTURES VERIFY ON_MISSING ALLOW)
    set_property(TARGET ${target} PROPERTY AUTOKERNEL_${keyword} "${arg_${keyword}}")
  endforeach()
  # EVAL, as the arguments of a deferred call are expanded when it runs.
  cmake_language(EVAL CODE "cmake_language(DEFER CALL _autokernel_finish [[${target}]])")
endfunction()

function(_autokernel_resolve_target out target)
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "autokernel_add_sources: there is no target '${target}'")
  endif()
  get_target_property(aliased "${target}" ALIASED_TARGET)
  if(aliased)
    set(target "${aliased}")
  endif()
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(imported OR type MATCHES "^(INTERFACE_LIBRARY|UTILITY)$")
    message(FATAL_ERROR "autokernel_add_sources: '${target}' compiles no sources of its own")
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  if(NOT folder STREQUAL CMAKE_CURRENT_SOURCE_DIR)
    message(FATAL_ERROR "autokernel_add_sources(${target}) must be called where the target is "
      "made, in ${folder}/CMakeLists.txt")
  endif()
  set(${out} ${target} PARENT_SCOPE)
endfunction()

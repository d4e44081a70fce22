# What autokernel_add_sources() does to a target, once its sources are known.
#
#   <target>.autokernel-shadow   the untouched sources, never built: they are what
#                                compile_commands.json and IDEs show
#   <target>.autokernel-flags    cuts this target's entries out of that file
#   <target>.autokernel          runs the tool for each annotated source
#   <target>.autokernel-kernels  compiles the CUDA files
#
# The tool's results are byproducts of a stamp: they keep their time when nothing
# changed. They belong to a target of their own, as the same command in two
# targets would run twice at a time.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)

function(_autokernel_finish target)
  _autokernel_annotated(annotated others ${target})
  _autokernel_include_folders(folders ${target})
  get_target_property(given ${target} AUTOKERNEL_SOURCES)
  _autokernel_reach(reached headers all "${annotated};${others}" "${folders}")
  foreach(source IN LISTS annotated reached)
    _autokernel_quieten("${source}" ${headers})
  endforeach()
  if(NOT given)
    list(APPEND annotated ${reached})
    list(REMOVE_DUPLICATES annotated)
    list(REMOVE_ITEM others ${reached})
  endif()
  _autokernel_obstacle(obstacle)
  if(obstacle)
    message(STATUS "autokernel: ${obstacle}: ${target} is built from the untouched sources")
    return()
  endif()
  _autokernel_watch(${target} "${others}" "${folders}")
  if(NOT annotated)
    message(STATUS "autokernel: no source of ${target} is annotated")
    return()
  endif()
  list(LENGTH annotated count)
  get_target_property(store ${target} AUTOKERNEL_KERNEL_DIR)
  message(STATUS "autokernel: ${target}: ${count} annotated, kernels in ${store}")

  _autokernel_need_runtime()
  _autokernel_make_shadow(${target} "${annotated}")
  _autokernel_make_flags(${target})
  _autokernel_rewrite_all(${target} "${annotated}")
  _autokernel_make_kernels(${target})
  _autokernel_replace_sources(${target} "${annotated}")
  _autokernel_link(${target})
  _autokernel_make_commands(${target} "${annotated}")
endfunction()

# Why the untouched sources are compiled, or nothing.
function(_autokernel_obstacle out)
  _autokernel_tool(tool depends)
  set(why "")
  if(NOT AUTOKERNEL)
    set(why "AUTOKERNEL is OFF")
  elseif(NOT CMAKE_CUDA_COMPILER_LOADED)
    set(why "no CUDA compiler")
  elseif(NOT tool)
    set(why "the tool is not found (AUTOKERNEL_TOOL)")
  elseif(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    set(why "${CMAKE_GENERATOR} writes no compile_commands.json")
  elseif(CMAKE_CURRENT_BINARY_DIR MATCHES "#")
    set(why "CMake can't write to a build folder with # in its name")
  endif()
  set(${out} "${why}" PARENT_SCOPE)
endfunction()

# The command, and what a build step that runs it depends on.
function(_autokernel_tool out depends)
  if(NOT AUTOKERNEL_TOOL AND DEFINED ENV{AUTOKERNEL_TOOL})
    set(AUTOKERNEL_TOOL "$ENV{AUTOKERNEL_TOOL}")
  endif()
  set(found "${AUTOKERNEL_TOOL}")
  set(on "${AUTOKERNEL_TOOL}")
  if(NOT found)
    foreach(name IN ITEMS autokernel::autokernel autokernel)
      if(NOT found AND TARGET ${name})
        set(found "$<TARGET_FILE:${name}>")
        set(on ${name} "$<TARGET_FILE:${name}>")
      endif()
    endforeach()
  endif()
  set(${out} "${found}" PARENT_SCOPE)
  set(${depends} "${on}" PARENT_SCOPE)
endfunction()

# --- sources ------------------------------------------------------------------

function(_autokernel_language out source)
  get_source_file_property(language "${source}" LANGUAGE)
  if(NOT language)
    cmake_path(GET source EXTENSION LAST_ONLY extension)
    string(SUBSTRING "${extension}" 1 -1 extension)
    set(language "")
    foreach(candidate IN ITEMS C CXX)
      if(extension IN_LIST CMAKE_${candidate}_SOURCE_FILE_EXTENSIONS)
        set(language ${candidate})
      endif()
    endforeach()
  endif()
  if(NOT language MATCHES "^(C|CXX)$")
    set(language "")
  endif()
  set(${out} "${language}" PARENT_SCOPE)
endfunction()

# Splits the target's C and C++ sources, as absolute paths. A list given with
# SOURCES is taken as it is.
function(_autokernel_annotated out others target)
  get_target_property(given ${target} AUTOKERNEL_SOURCES)
  get_target_property(sources ${target} SOURCES)
  set(wanted "")
  foreach(source IN LISTS given)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    list(APPEND wanted "${source}")
  endforeach()
  set(with "")
  set(without "")
  foreach(source IN LISTS sources)
    if(source MATCHES "\\$<")
      continue() # known at generation only
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    _autokernel_language(language "${source}")
    if(NOT language)
      continue()
    endif()
    if(source IN_LIST wanted)
      list(APPEND with "${source}")
      list(REMOVE_ITEM wanted "${source}")
    elseif(NOT given AND EXISTS "${source}")
      file(STRINGS "${source}" found REGEX "autokernel|AUTOKERNEL" LIMIT_COUNT 1)
      if(found)
        list(APPEND with "${source}")
      else()
        list(APPEND without "${source}")
      endif()
    endif()
  endforeach()
  foreach(source IN LISTS wanted)
    message(AUTHOR_WARNING "autokernel_add_sources(${target}): ${source} is no C or C++ source of the target")
  endforeach()
  set(${out} "${with}" PARENT_SCOPE)
  set(${others} "${without}" PARENT_SCOPE)
endfunction()

# `source` or one of the headers has the raw spelling.
function(_autokernel_quieten source)
  set(raw "")
  foreach(file IN LISTS source ARGN)
    if(EXISTS "${file}" AND NOT raw)
      file(STRINGS "${file}" raw REGEX "\\[\\[.*autokernel" LIMIT_COUNT 1)
    endif()
  endforeach()
  _autokernel_language(language "${source}")
  if(raw AND CMAKE_${language}_COMPILER_LOADED)
    _autokernel_attribute_flag(flag ${language})
    if(flag)
      set_property(SOURCE "${source}" APPEND PROPERTY COMPILE_OPTIONS "${flag}")
    endif()
  endif()
endfunction()

# Tells when a source, or a header that it includes, gets its first annotation.
function(_autokernel_watch target sources folders)
  if(NOT sources)
    return()
  endif()
  set(base "${CMAKE_CURRENT_BINARY_DIR}/${target}.autokernel/watch")
  foreach(list IN ITEMS sources folders)
    list(JOIN ${list} "\n" text)
    file(CONFIGURE OUTPUT "${base}.${list}" CONTENT "${text}\n" @ONLY)
  endforeach()
  if(NOT EXISTS "${base}.trigger")
    file(TOUCH "${base}.trigger")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${base}.trigger")
  add_custom_command(OUTPUT "${base}.stamp"
    COMMAND "${CMAKE_COMMAND}" "-DLIST=${base}.sources" "-DFOLDERS=${base}.folders"
            "-DSTAMP=${base}.stamp" "-DTRIGGER=${base}.trigger" "-DDEPFILE=${base}.d"
            -P "${AUTOKERNEL_MODULE_DIR}/AutokernelWatch.cmake"
    DEPENDS ${sources} "${base}.sources" "${base}.folders"
    DEPFILE "${base}.d"
    COMMENT "autokernel: sources of ${target} without annotation" VERBATIM)
  add_custom_target(${target}.autokernel-watch DEPENDS "${base}.stamp")
  add_dependencies(${target} ${target}.autokernel-watch)
endfunction()

# --- flags --------------------------------------------------------------------

function(_autokernel_make_shadow target sources)
  set(shadow ${target}.autokernel-shadow)
  add_library(${shadow} OBJECT EXCLUDE_FROM_ALL ${sources})
  foreach(property IN ITEMS COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES
                            COMPILE_FEATURES PRECOMPILE_HEADERS)
    set_property(TARGET ${shadow} PROPERTY ${property} "$<TARGET_PROPERTY:${target},${property}>")
  endforeach()
  foreach(property IN ITEMS
      C_STANDARD C_STANDARD_REQUIRED C_EXTENSIONS CXX_STANDARD CXX_STANDARD_REQUIRED CXX_EXTENSIONS
      COMPILE_FLAGS POSITION_INDEPENDENT_CODE NO_SYSTEM_FROM_IMPORTED DEFINE_SYMBOL
      C_VISIBILITY_PRESET CXX_VISIBILITY_PRESET)
    get_target_property(value ${target} ${property})
    if(NOT value STREQUAL "value-NOTFOUND")
      set_property(TARGET ${shadow} PROPERTY ${property} "${value}")
    endif()
  endforeach()
  get_target_property(type ${target} TYPE)
  if(type MATCHES "^(SHARED|MODULE)_LIBRARY$")
    get_target_property(symbol ${target} DEFINE_SYMBOL)
    if(NOT symbol)
      string(MAKE_C_IDENTIFIER "${target}_EXPORTS" symbol)
    endif()
    set_property(TARGET ${shadow} APPEND PROPERTY COMPILE_DEFINITIONS "${symbol}")
  endif()
  set_target_properties(${shadow} PROPERTIES EXPORT_COMPILE_COMMANDS ON UNITY_BUILD OFF
    CXX_CLANG_TIDY "" C_CLANG_TIDY "")
endfunction()

# Folder of the results; another one for each configuration.
function(_autokernel_folder out target)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.autokernel")
  get_property(multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi)
    string(APPEND folder "/$<CONFIG>")
  endif()
  set(${out} "${folder}" PARENT_SCOPE)
endfunction()

function(_autokernel_make_flags target)
  _autokernel_folder(folder ${target})
  set(mark "/${target}.autokernel-shadow.dir/")
  get_property(multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi)
    string(APPEND mark "$<CONFIG>/")
  endif()
  set(database "${CMAKE_BINARY_DIR}/compile_commands.json")
  add_custom_command(OUTPUT "${folder}/flags.stamp"
    BYPRODUCTS "${folder}/compile_commands.json"
    COMMAND "${CMAKE_COMMAND}" "-DDATABASE=${database}" "-DMARK=${mark}"
            "-DOUT=${folder}/compile_commands.json" "-DSTAMP=${folder}/flags.stamp"
            -P "${AUTOKERNEL_MODULE_DIR}/AutokernelFlags.cmake"
    DEPENDS "${database}" "${AUTOKERNEL_MODULE_DIR}/AutokernelFlags.cmake"
    COMMENT "autokernel: compile flags of ${target}" VERBATIM)
  add_custom_target(${target}.autokernel-flags DEPENDS "${folder}/flags.stamp")
endfunction()

# --- the tool -----------------------------------------------------------------

# Path of a source's results without extension; sources of one name differ.
function(_autokernel_result out target source)
  _autokernel_folder(folder ${target})
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE place)
  # CMake allows no '#' in the output of a command.
  if(place MATCHES "^\\.\\.|^/|#")
    string(SHA1 hash "${source}")
    string(SUBSTRING "${hash}" 0 8 hash)
    cmake_path(GET source FILENAME name)
    string(REPLACE "#" "_" name "${name}")
    set(place "${hash}/${name}")
  endif()
  set(${out} "${folder}/${place}" PARENT_SCOPE)
endfunction()

# The options that all commands of the tool share.
function(_autokernel_options out target)
  _autokernel_folder(folder ${target})
  foreach(keyword IN ITEMS GENERATOR MODEL KERNEL_DIR VERIFY ALLOW)
    get_target_property(${keyword} ${target} AUTOKERNEL_${keyword})
  endforeach()
  _autokernel_architectures(architectures ${target})
  list(JOIN architectures "," architectures)
  set(options -p "${folder}" --kernel-dir "${KERNEL_DIR}" "--generator=${GENERATOR}"
    "--verify=${VERIFY}" "--architectures=${architectures}")
  if(MODEL)
    list(APPEND options "--model=${MODEL}")
  endif()
  if(ALLOW)
    list(JOIN ALLOW "," ALLOW)
    list(APPEND options "--allow=${ALLOW}")
  endif()
  set(${out} "${options}" PARENT_SCOPE)
endfunction()

# Found out once for each target.
function(_autokernel_architectures out target)
  get_target_property(wanted ${target} AUTOKERNEL_ARCHITECTURES)
  if(NOT wanted)
    get_target_property(wanted ${target} CUDA_ARCHITECTURES)
    if(NOT wanted)
      set(wanted "${CMAKE_CUDA_ARCHITECTURES}")
    endif()
    _autokernel_usable_architectures(wanted "${wanted}")
    set_property(TARGET ${target} PROPERTY AUTOKERNEL_ARCHITECTURES "${wanted}")
  endif()
  set(${out} "${wanted}" PARENT_SCOPE)
endfunction()

function(_autokernel_rewrite_all target sources)
  _autokernel_folder(folder ${target})
  set(stamps "")
  foreach(source IN LISTS sources)
    _autokernel_rewrite(${target} "${source}")
    _autokernel_result(result ${target} "${source}")
    list(APPEND stamps "${result}.stamp")
  endforeach()
  add_custom_target(${target}.autokernel DEPENDS ${stamps})
  add_dependencies(${target}.autokernel ${target}.autokernel-flags)
  # Headers that other targets generate must be there when the tool parses.
  get_target_property(libraries ${target} LINK_LIBRARIES)
  get_target_property(added ${target} MANUALLY_ADDED_DEPENDENCIES)
  foreach(before IN LISTS libraries added)
    if(TARGET "${before}" AND NOT before MATCHES "autokernel-watch$")
      add_dependencies(${target}.autokernel "${before}")
    endif()
  endforeach()
endfunction()

function(_autokernel_rewrite target source)
  _autokernel_result(result ${target} "${source}")
  _autokernel_folder(folder ${target})
  _autokernel_tool(tool depends)
  _autokernel_options(options ${target})
  get_target_property(missing ${target} AUTOKERNEL_ON_MISSING)
  list(APPEND options "--on-missing=${missing}")
  if(AUTOKERNEL_FROZEN)
    list(APPEND options --frozen)
  endif()
  cmake_path(GET source FILENAME name)
  add_custom_command(OUTPUT "${result}.stamp"
    BYPRODUCTS "${result}" "${result}.autokernel.h" "${result}.autokernel.cu"
    COMMAND "${tool}" rewrite ${options} "--output-source=${result}"
            "--output-header=${result}.autokernel.h" "--output-cuda=${result}.autokernel.cu"
            "--depfile=${result}.d" "--stamp=${result}.stamp" "${source}"
    DEPENDS "${source}" "${folder}/compile_commands.json" ${depends}
    DEPFILE "${result}.d"
    COMMENT "autokernel ${name}" VERBATIM)
endfunction()

# --- what is compiled -----------------------------------------------------------

# Paths with $<CONFIG> replaced by each configuration: source properties need them.
function(_autokernel_configured out path)
  set(paths "${path}")
  get_property(multi GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(multi)
    set(paths "")
    foreach(config IN LISTS CMAKE_CONFIGURATION_TYPES)
      string(REPLACE "$<CONFIG>" "${config}" one "${path}")
      list(APPEND paths "${one}")
    endforeach()
  endif()
  set(${out} "${paths}" PARENT_SCOPE)
endfunction()

function(_autokernel_copy_source_properties source copy)
  set_source_files_properties("${copy}" PROPERTIES GENERATED ON SKIP_UNITY_BUILD_INCLUSION ON)
  foreach(property IN ITEMS COMPILE_DEFINITIONS COMPILE_FLAGS COMPILE_OPTIONS INCLUDE_DIRECTORIES
                            LANGUAGE SKIP_PRECOMPILE_HEADERS OBJECT_DEPENDS)
    get_property(set SOURCE "${source}" PROPERTY ${property} SET)
    get_property(value SOURCE "${source}" PROPERTY ${property})
    if(set)
      set_property(SOURCE "${copy}" PROPERTY ${property} "${value}")
    endif()
  endforeach()
  cmake_path(GET source PARENT_PATH folder)
  set_property(SOURCE "${copy}" APPEND PROPERTY COMPILE_OPTIONS -iquote "${folder}")
endfunction()

function(_autokernel_replace_sources target annotated)
  get_target_property(sources ${target} SOURCES)
  set(replaced "")
  set(languages "")
  foreach(source IN LISTS sources)
    set(path "${source}")
    if(NOT source MATCHES "\\$<")
      cmake_path(ABSOLUTE_PATH path BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
      _autokernel_language(language "${path}")
      list(APPEND languages "${language}")
    endif()
    if(path IN_LIST annotated)
      _autokernel_result(source ${target} "${path}")
      _autokernel_configured(copies "${source}")
      foreach(copy IN LISTS copies)
        _autokernel_copy_source_properties("${path}" "${copy}")
      endforeach()
    endif()
    list(APPEND replaced "${source}")
  endforeach()
  if(NOT "CXX" IN_LIST languages)
    # The runtime needs the C++ library: make CMake link as for C++.
    set(empty "${CMAKE_CURRENT_BINARY_DIR}/${target}.autokernel/links_as.cpp")
    file(CONFIGURE OUTPUT "${empty}" CONTENT "// empty on purpose\n")
    list(APPEND replaced "${empty}")
  endif()
  set_property(TARGET ${target} PROPERTY SOURCES "${replaced}")
  add_dependencies(${target} ${target}.autokernel)
endfunction()

function(_autokernel_make_kernels target)
  set(kernels ${target}.autokernel-kernels)
  get_target_property(annotated ${target}.autokernel-shadow SOURCES)
  set(sources "")
  foreach(source IN LISTS annotated)
    _autokernel_result(result ${target} "${source}")
    list(APPEND sources "${result}.autokernel.cu")
    _autokernel_configured(files "${result}.autokernel.cu")
    set_source_files_properties(${files} PROPERTIES GENERATED ON LANGUAGE CUDA)
  endforeach()
  add_library(${kernels} OBJECT EXCLUDE_FROM_ALL ${sources})
  _autokernel_architectures(architectures ${target})
  # The user's flags are for host code; kernels have their own.
  set_target_properties(${kernels} PROPERTIES
    COMPILE_OPTIONS "" COMPILE_DEFINITIONS "" INCLUDE_DIRECTORIES "${AUTOKERNEL_INCLUDE_DIR}"
    CUDA_ARCHITECTURES "${architectures}" CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON
    CUDA_SEPARABLE_COMPILATION OFF INTERPROCEDURAL_OPTIMIZATION OFF UNITY_BUILD OFF
    CUDA_VISIBILITY_PRESET hidden POSITION_INDEPENDENT_CODE ON EXPORT_COMPILE_COMMANDS OFF)
  add_dependencies(${kernels} ${target}.autokernel)
endfunction()

# By properties: the user may have chosen either signature of
# target_link_libraries(), and the two don't mix.
function(_autokernel_link target)
  set(objects "$<TARGET_OBJECTS:${target}.autokernel-kernels>" "$<TARGET_OBJECTS:autokernel_runtime>")
  # autokernel/data.h does something only where the runtime is linked.
  set_property(TARGET ${target} APPEND PROPERTY COMPILE_DEFINITIONS AUTOKERNEL_RUNTIME)
  set(libraries CUDA::cudart_static)
  get_target_property(allowed ${target} AUTOKERNEL_ALLOW)
  if("cublas" IN_LIST allowed)
    list(APPEND libraries CUDA::cublas)
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "OBJECT_LIBRARY")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_SOURCES ${objects})
  else()
    set_property(TARGET ${target} APPEND PROPERTY SOURCES ${objects})
  endif()
  # LINK_ONLY: the user's sources don't see CUDA's headers.
  list(TRANSFORM libraries REPLACE "(.+)" "$<LINK_ONLY:\\1>")
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${libraries})
  if(type MATCHES "^(OBJECT|STATIC)_LIBRARY$")
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${libraries})
  endif()
endfunction()

# --- what people run --------------------------------------------------------------

# <target>.autokernel-<name>, and for all targets autokernel-<name>.
function(_autokernel_make_command target name)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "COMMAND")
  add_custom_target(${target}.autokernel-${name} ${arg_UNPARSED_ARGUMENTS}
    COMMAND ${arg_COMMAND} USES_TERMINAL VERBATIM)
  add_dependencies(${target}.autokernel-${name} ${target}.autokernel-flags)
  if(NOT TARGET autokernel-${name})
    add_custom_target(autokernel-${name})
  endif()
  add_dependencies(autokernel-${name} ${target}.autokernel-${name})
endfunction()

function(_autokernel_make_commands target annotated)
  _autokernel_tool(tool depends)
  _autokernel_options(options ${target})
  _autokernel_make_command(${target} check COMMAND "${tool}" check ${options} ${annotated})
  _autokernel_make_command(${target} report COMMAND "${tool}" report ${options} ${annotated})
  # The next build looks at the new kernels.
  set(stamps "")
  foreach(source IN LISTS annotated)
    _autokernel_result(result ${target} "${source}")
    list(APPEND stamps "${result}.stamp")
  endforeach()
  _autokernel_make_command(${target} update
    COMMAND "${tool}" generate ${options} ${annotated}
    COMMAND "${CMAKE_COMMAND}" -E rm -f ${stamps})
endfunction()

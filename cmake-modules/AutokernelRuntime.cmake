# The runtime is compiled by each project that uses it, with that project's
# compiler and toolkit. An OBJECT library, as its objects become part of the
# targets: so an installed target needs nothing of autokernel.
include_guard(GLOBAL)
cmake_policy(VERSION 3.25)

# Makes the target autokernel_runtime (alias autokernel::runtime) once.
function(_autokernel_need_runtime)
  # The module of CMake 3.25 fails on toolkits without nvToolsExt (from 12.9 on)
  # in projects that ask for 3.25.
  set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
  find_package(CUDAToolkit REQUIRED GLOBAL)
  if(TARGET autokernel_runtime)
    return()
  endif()
  file(GLOB sources "${AUTOKERNEL_RUNTIME_DIR}/*.cpp")
  add_library(autokernel_runtime OBJECT EXCLUDE_FROM_ALL ${sources})
  add_library(autokernel::runtime ALIAS autokernel_runtime)
  # Flags of the directory are the user's, for the user's code.
  set_target_properties(autokernel_runtime PROPERTIES
    COMPILE_OPTIONS "" COMPILE_DEFINITIONS "" INCLUDE_DIRECTORIES ""
    CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON UNITY_BUILD OFF
    CXX_CLANG_TIDY "" EXPORT_COMPILE_COMMANDS OFF)
  target_include_directories(autokernel_runtime PUBLIC "${AUTOKERNEL_INCLUDE_DIR}")
  find_package(Threads REQUIRED)
  target_link_libraries(autokernel_runtime PUBLIC CUDA::cudart_static Threads::Threads)
endfunction()

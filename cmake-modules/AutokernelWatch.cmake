# cmake -DLIST=.. -DSTAMP=.. -DTRIGGER=.. -P AutokernelWatch.cmake
# Whether a source that had no annotation when CMake ran has one now. Then the
# next build configures again, and the user is told.
cmake_policy(VERSION 3.25)
file(STRINGS "${LIST}" sources ENCODING UTF-8)
foreach(source IN LISTS sources)
  file(STRINGS "${source}" found REGEX "autokernel|AUTOKERNEL" LIMIT_COUNT 1)
  if(found)
    message("autokernel: ${source} has an annotation now: build again to have it handled")
    file(TOUCH "${TRIGGER}")
  endif()
endforeach()
file(TOUCH "${STAMP}")

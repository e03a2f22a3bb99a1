# Workers are static executables where that can be: they start faster without a loader, call faster without a table
# between, and can have the heap of src/worker/heap.h in the place of malloc. Not with sanitizers, which bring their own
# malloc, and not where the system has no static libraries: such workers use the system's.
function(kiln_worker_memory target)
  if(KILN_SANITIZE OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
    return()
  endif()
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -static)
  check_cxx_source_compiles("#include <sys/single_threaded.h>
#include <string>
int main() { return std::string(1, __libc_single_threaded).size() == 2; }" KILN_HAS_STATIC_LIBRARIES)
  if(NOT KILN_HAS_STATIC_LIBRARIES)
    return()
  endif()
  target_sources(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src/worker/malloc_main.cc")
  target_compile_definitions(${target} PRIVATE KILN_WORKER_HEAP)
  target_link_options(${target} PRIVATE -static -no-pie)
endfunction()

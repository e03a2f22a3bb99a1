include(worker_memory)

# The pool has a thread of its own.
find_package(Threads REQUIRED)
target_link_libraries(kiln_worker PUBLIC Threads::Threads)

# A worker that misbehaves on demand, for the tests. It stands in a folder of its own, where the tool does not look.
if(KILN_TESTS)
  add_executable(kiln-worker-fault "${PROJECT_SOURCE_DIR}/src/worker/fault_worker_main.cc")
  target_link_libraries(kiln-worker-fault PRIVATE kiln_worker)
  kiln_worker_memory(kiln-worker-fault)
  set_target_properties(kiln-worker-fault PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/test-workers")
  cmake_language(DEFER CALL add_dependencies kiln_worker_test kiln-worker-fault)
endif()

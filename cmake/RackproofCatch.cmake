# Catch2 as the tests include it, of version 2 or 3.
find_package(Catch2 3 QUIET)
if(Catch2_FOUND)
  set(RACKPROOF_CATCH_MAIN Catch2::Catch2WithMain)
  include_directories(BEFORE SYSTEM "${PROJECT_SOURCE_DIR}/tests/support/catch3")
else()
  find_package(Catch2 2.13 REQUIRED)
  set(RACKPROOF_CATCH_MAIN Catch2::Catch2)
endif()

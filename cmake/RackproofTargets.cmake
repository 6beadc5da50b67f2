# The three kinds of target in this tree: a room (static library), a bench (program), a unit test.

# rackproof_library(<target> SOURCES ... [PUBLIC ...] [PRIVATE ...])
function(rackproof_library target)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${target} STATIC ${ARG_SOURCES})
  if(RACKPROOF_CUDA_HOST)
    set(kernels ${ARG_SOURCES})
    list(FILTER kernels INCLUDE REGEX "\\.cu$")
    if(kernels)
      rackproof_host_kernels(${kernels})
    endif()
  endif()
  target_link_libraries(${target} PUBLIC rackproof_flags ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

# rackproof_room(<name> SOURCES ... [PUBLIC ...] [PRIVATE ...]): a room of the harness.
function(rackproof_room name)
  rackproof_library(rackproof_${name} ${ARGN})
endfunction()

# rackproof_fast(<room>...): rooms of harness or reports whose speed people wait for, in releases.
function(rackproof_fast)
  foreach(room IN LISTS ARGN)
    target_compile_options(rackproof_${room} PRIVATE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O2>")
  endforeach()
endfunction()

# rackproof_unity(<target>): its sources as one, where the build does so at all. Rooms of the harness and
# reports are built so by themselves (CMAKE_UNITY_BUILD); of the benches what is no part of a measurement,
# since a compiler that sees more files at once may make other code of each.
function(rackproof_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${RACKPROOF_UNITY} UNITY_BUILD_BATCH_SIZE 0)
endfunction()

# rackproof_install_description(<bench>): share/rackproof/benches/<bench>.json, once for all backends.
function(rackproof_install_description bench)
  get_property(known GLOBAL PROPERTY RACKPROOF_DESCRIBED)
  set(source "${CMAKE_CURRENT_SOURCE_DIR}/bench.json")
  if(bench IN_LIST known OR NOT EXISTS "${source}")
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY RACKPROOF_DESCRIBED ${bench})
  set(folder "${PROJECT_BINARY_DIR}/share/rackproof/benches")
  file(MAKE_DIRECTORY "${folder}")
  file(CREATE_LINK "${source}" "${folder}/${bench}.json" SYMBOLIC)
  install(FILES "${source}" DESTINATION "${CMAKE_INSTALL_DATADIR}/rackproof/benches"
          RENAME ${bench}.json)
endfunction()

# add_bench(<name> <backend> SOURCES ... [LINK ...] [REQUIRES <feature>...])
# Builds <name>-<backend> into libexec/rackproof of the build tree and installs it there. What it
# prints (bench.json beside it) goes along, also where the bench itself cannot be built: tables of
# other machines are checked here too. With RACKPROOF_EXAMPLE_FOLDER it is an example: built there, and no
# part of the product.
function(add_bench name backend)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;REQUIRES" ${ARGN})
  if(NOT RACKPROOF_EXAMPLE_FOLDER)
    rackproof_install_description(${name})
  endif()
  foreach(feature IN LISTS ARG_REQUIRES)
    string(TOUPPER "${feature}" upper)
    if(NOT RACKPROOF_HAS_${upper})
      message(STATUS "bench ${name}-${backend}: not built (feature ${feature} is off)")
      return()
    endif()
  endforeach()
  set(target ${name}-${backend})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE rackproof_flags rackproof_kit ${ARG_LINK})
  if(RACKPROOF_EXAMPLE_FOLDER)
    set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${RACKPROOF_EXAMPLE_FOLDER}")
    return()
  endif()
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                             "${PROJECT_BINARY_DIR}/libexec/rackproof")
  set_property(GLOBAL APPEND PROPERTY RACKPROOF_BENCHES ${target})
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/rackproof)
endfunction()

# Tests need not be fast, but there are many of them to compile. ccache asks for -fpch-preprocess. Through a
# precompiled header gcc 12 takes the standard library for our code, and warns of what is not there.
set(RACKPROOF_TEST_OPTIONS
    -O0
    $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess$<SEMICOLON>-Wno-array-bounds$<SEMICOLON>-Wno-stringop-overread$<SEMICOLON>-Wno-stringop-overflow>)

# rackproof_unit_test(<room> SOURCES ... [LINK ...]): tests/unit/<room>, one program, label unit.
function(rackproof_unit_test room)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  file(GLOB tests RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "*_test.cpp")
  file(READ CMakeLists.txt listed)
  foreach(file IN LISTS tests)
    if(NOT listed MATCHES "[ \n]${file}")
      message(FATAL_ERROR "${CMAKE_CURRENT_SOURCE_DIR}/CMakeLists.txt does not name ${file}: it would never be built")
    endif()
  endforeach()
  set(target unit_${room})
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE rackproof_flags rackproof_test_main ${ARG_LINK})
  target_compile_options(${target} PRIVATE ${RACKPROOF_TEST_OPTIONS})
  # Sources of a bench in a test are compiled as the bench's are: one by one.
  if(NOT ARG_SOURCES MATCHES "${PROJECT_SOURCE_DIR}/benches")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ${RACKPROOF_UNITY} UNITY_BUILD_BATCH_SIZE 16)
  endif()
  target_precompile_headers(${target} REUSE_FROM rackproof_test_headers)
  target_compile_definitions(${target} PRIVATE
                             RACKPROOF_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             RACKPROOF_BINARY_DIR="${PROJECT_BINARY_DIR}")
  catch_discover_tests(${target} TEST_PREFIX "${room}: "
                       PROPERTIES LABELS unit TIMEOUT ${ARG_TIMEOUT})
endfunction()

# cmake -D MODULES=DIR -D ESBUILD=PROGRAM -D ENTRY=NAME -D CONSTANT=NAME -D OUT=FILE -P build.cmake: the script of a page,
# ENTRY.js, as one file, with ECharts' parts that it uses in it, as a C++ header that calls it CONSTANT. MODULES is the
# node_modules folder to take them from.
cmake_minimum_required(VERSION 3.25)

set(banner "")
file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/${ENTRY}.js" charts REGEX "chart\\.js")
if(charts)
  # What the licences of the parts ask to go along with them.
  set(notices "")
  foreach(name echarts/NOTICE echarts/licenses/LICENSE-d3 zrender/LICENSE)
    file(READ "${MODULES}/${name}" text)
    string(STRIP "${text}" text)
    string(APPEND notices "${name}\n${text}\n\n")
    if(name STREQUAL "echarts/NOTICE")
      string(APPEND notices "Apache License 2.0: https://www.apache.org/licenses/LICENSE-2.0\n\n")
    endif()
  endforeach()
  string(STRIP "${notices}" notices)
  string(REPLACE "*/" "* /" notices "${notices}")
  set(banner "--banner:js=/*!\n${notices}\n*/")
  string(REPLACE ";" "\\;" banner "${banner}")
endif()

set(ENV{NODE_PATH} "${MODULES}")
execute_process(
  COMMAND "${ESBUILD}" "${CMAKE_CURRENT_LIST_DIR}/${ENTRY}.js" --bundle --minify --format=iife --target=es2021
          --charset=ascii --legal-comments=inline --log-level=warning ${banner}
          "--outfile=${OUT}.js"
  COMMAND_ERROR_IS_FATAL ANY)
file(READ "${OUT}.js" script)
file(REMOVE "${OUT}.js")

set(end "rackproof_page")
foreach(mark "</script" ")${end}\"")
  string(FIND "${script}" "${mark}" at)
  if(NOT at EQUAL -1)
    message(FATAL_ERROR "the script holds what would end it: ${mark}")
  endif()
endforeach()

# Compilers must take string literals of so many bytes, and need not take longer ones.
set(piece 60000)
string(LENGTH "${script}" length)
set(header "#pragma once

// Made by reports/html/page/build.cmake.

namespace rackproof::html {

inline constexpr const char* ${CONSTANT}[] = {
")
set(at 0)
while(at LESS length)
  string(SUBSTRING "${script}" ${at} ${piece} part)
  string(APPEND header "    R\"${end}(${part})${end}\",\n")
  math(EXPR at "${at} + ${piece}")
endwhile()
string(APPEND header "};

}  // namespace rackproof::html
")
file(WRITE "${OUT}" "${header}")

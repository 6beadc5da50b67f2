# Manual pages and completion: written by the program itself out of its command line, when it is built.
#
# A program that was built for another machine runs only where CMAKE_CROSSCOMPILING_EMULATOR is set, which
# CMake puts before it. Without one, they are taken from a native build: RACKPROOF_MANUAL is the folder
# manual of its build tree. They are the same on all machines.
set(RACKPROOF_MANUAL
    ""
    CACHE PATH "Manual pages and completion that another build made; empty: made by this one")
if(RACKPROOF_MANUAL)
  if(NOT EXISTS "${RACKPROOF_MANUAL}/man/man1/rackproof.1")
    message(FATAL_ERROR "RACKPROOF_MANUAL: there is no ${RACKPROOF_MANUAL}/man/man1/rackproof.1")
  endif()
  set(pages "${RACKPROOF_MANUAL}")
  add_custom_target(manual_pages)
elseif(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "no manual pages, no completion: the program cannot run here; see RACKPROOF_MANUAL")
  add_custom_target(manual_pages)
  return()
else()
  set(pages "${PROJECT_BINARY_DIR}/manual")
  # Pages of verbs that are no more must not be installed.
  add_custom_command(
    OUTPUT "${pages}/man/man1/rackproof.1"
    COMMAND ${CMAKE_COMMAND} -E rm -rf "${pages}"
    COMMAND rackproof manual "${pages}"
    DEPENDS rackproof
    COMMENT "Writing manual pages and completion"
    VERBATIM)
  add_custom_target(manual_pages ALL DEPENDS "${pages}/man/man1/rackproof.1")
endif()

install(DIRECTORY "${pages}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}")
foreach(shell bash-completion zsh fish)
  install(DIRECTORY "${pages}/${shell}" DESTINATION "${CMAKE_INSTALL_DATADIR}")
endforeach()

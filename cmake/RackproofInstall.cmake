# What is installed beside programs and tables: documentation, licences, and files for schedulers. The
# links of the documents among each other hold where they are installed.
set(doc "${CMAKE_INSTALL_DOCDIR}")
install(FILES README.md CHANGELOG.md CONTRIBUTING.md LICENSE NOTICE SECURITY.md VERSION
        DESTINATION "${doc}")
install(DIRECTORY docs DESTINATION "${doc}" FILES_MATCHING PATTERN "*.md" PATTERN "*.png")
install(FILES configs/README.md DESTINATION "${doc}/configs")
file(GLOB readmes CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}" benches/*/README.md)
foreach(readme IN LISTS readmes)
  get_filename_component(folder "${readme}" DIRECTORY)
  install(FILES "${readme}" DESTINATION "${doc}/${folder}")
endforeach()

set(share "${CMAKE_INSTALL_DATADIR}/rackproof")
install(PROGRAMS scripts/slurm/rackproof.sbatch DESTINATION "${share}/slurm")
install(PROGRAMS scripts/slurm/rackproof-container.sh DESTINATION "${share}/slurm")
install(PROGRAMS scripts/slurm/gate.sh DESTINATION "${share}/slurm")
install(PROGRAMS scripts/ci/rackproof-job.sh DESTINATION "${share}/ci")
# Lmod takes the .lua of a version where both are, Environment Modules the other.
install(FILES packaging/modulefiles/rackproof.lua
        DESTINATION "${share}/modulefiles/rackproof" RENAME "${PROJECT_VERSION}.lua")
install(FILES packaging/modulefiles/rackproof.tcl
        DESTINATION "${share}/modulefiles/rackproof" RENAME "${PROJECT_VERSION}")

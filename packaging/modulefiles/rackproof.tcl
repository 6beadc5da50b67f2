#%Module1.0
# Environment Modules. Installed as share/rackproof/modulefiles/rackproof/VERSION: everything is found from there, so
# the installation can be moved.
#   module use PREFIX/share/rackproof/modulefiles && module load rackproof
set version [file tail $ModulesCurrentModulefile]
regsub {/share/rackproof/modulefiles/.*$} $ModulesCurrentModulefile {} prefix

proc ModulesHelp { } {
    puts stderr "Cluster benchmark and acceptance tests: rackproof --help, man rackproof."
    puts stderr "For runs over several ranks load an Open MPI as well."
}
module-whatis "rackproof $version: benchmark and acceptance tests for GPU clusters"
conflict rackproof
# man finds the pages beside a folder of PATH.
prepend-path PATH $prefix/bin
setenv RACKPROOF_SBATCH $prefix/share/rackproof/slurm/rackproof.sbatch

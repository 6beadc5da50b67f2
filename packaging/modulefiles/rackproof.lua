-- Lmod. Installed as share/rackproof/modulefiles/rackproof/VERSION.lua: everything is found from there, so the
-- installation can be moved.
--   module use PREFIX/share/rackproof/modulefiles && module load rackproof
local prefix = myFileName():gsub("/share/rackproof/modulefiles/.*$", "")

help([[Cluster benchmark and acceptance tests: rackproof --help, man rackproof.
For runs over several ranks load an Open MPI as well.]])
whatis("Name: rackproof")
whatis("Version: " .. myModuleVersion())
whatis("Description: Benchmark and acceptance tests for GPU clusters")
conflict("rackproof")
-- man finds the pages beside a folder of PATH.
prepend_path("PATH", pathJoin(prefix, "bin"))
setenv("RACKPROOF_SBATCH", pathJoin(prefix, "share/rackproof/slurm/rackproof.sbatch"))

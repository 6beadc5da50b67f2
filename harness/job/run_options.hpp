#pragma once

#include <string>
#include <vector>

namespace rackproof::job {

/// What the command line says of a repair.
struct RetestOptions {
  std::string report;                 ///< that is to be amended; empty: this is no retest
  std::vector<std::string> repaired;  ///< HOST, or HOST/PART
  std::string reason;
  std::string ticket;
  std::string valid = "30d";  ///< evidence that is older is measured again
};

/// What the command line says of a program that is started after the verdict.
struct HookOptions {
  std::string program;           ///< empty: none
  std::string timeout = "60 s";  ///< after which it is killed
};

/// What the command line says of a run.
struct RunOptions {
  std::string suite = "acceptance";
  std::string platform = "auto";
  bool force_platform = false;               ///< although it contradicts an inventory
  std::string disturbed;                     ///< repeat or ignore; empty: as the suite says
  std::string accept_groups;                 ///< why like parts may fall into two groups
  std::vector<std::string> accept_unjudged;  ///< CLAIM=REASON
  std::vector<std::string> waive;            ///< files, or waivers in a line
  std::string out;                           ///< empty: rackproof-<time>
  std::string rescue;                        ///< empty: the temporary folder
  std::vector<std::string> filters;
  std::vector<std::string> excludes;
  std::vector<std::string> only_hosts;
  std::string failed;  ///< a report: only what did not pass in it
  std::vector<std::string> labels;
  std::vector<std::string> require;  ///< kinds of hardware: "gpu"
  std::string expect;                ///< "hosts=18,gpus=72" or a list of assets
  bool allow_upgrade = false;        ///< a resumed run may go on with other programs
  std::string resume;
  RetestOptions retest;
  std::vector<std::string> without;   ///< hosts that a resumed run leaves out
  std::string history;                ///< file that learn wrote
  std::vector<std::string> topology;  ///< files or folders that say where adapters are connected
  std::string allow_programs;  ///< folder of programs that are no benches of this installation
  std::string time_budget;     ///< "10 min"; empty: the suite's
  bool dry_run = false;
  bool all = false;                 ///< every cell is told
  bool json = false;                ///< of a dry run: as a document
  bool quiet = false;               ///< no progress; at the end the verdict and where the report is
  bool verbose = false;             ///< at the end the whole summary
  bool no_record = false;           ///< of what the hosts do meanwhile
  std::vector<std::string> render;  ///< formats to write beside the report
  std::string compress = "auto";    ///< word of archive::Compress
  HookOptions hook;
};

}  // namespace rackproof::job

#pragma once

#include <string>
#include <vector>

#include "harness/cli/program.hpp"
#include "harness/job/run_options.hpp"

namespace rackproof::cli {

// One function for each verb, in a file of its name. Each gives the exit code and throws for what
// ends it early (see app.cpp for what becomes of which exception).

using job::RunOptions;
int run_verb(const RunOptions& options, const Program& program);

struct ProveOptions {
  std::string out;  ///< empty: rackproof-proof-<time>
};
int prove_verb(const ProveOptions& options, const Program& program);

struct RedactOptions {
  std::string report;
  std::string out;
  std::string map;  ///< empty: beside `out`
};
/// A copy of a report without the names of hosts, parts, addresses and users, which is judged the
/// same.
int redact_verb(const RedactOptions& options, const Program& program);

struct SignOptions {
  std::string report;
  std::string key;
  std::string role;
  std::string signer;
  std::string statement;
  bool replace = false;  ///< a signature of that role that is there
};
/// Leaves a signature over the report, a statement about it and a signature over that beside it.
int sign_verb(const SignOptions& options, const Program& program);

struct VerifyOptions {
  std::string report;
  std::string signers;  ///< OpenSSH's file of allowed signers; empty: nobody is known
  std::string at;       ///< the time at which keys must have been valid; empty: now
  std::string amends;   ///< where the report is that it amends, or the run directory of that
  bool unsigned_too = false;
  std::vector<std::string> roles;  ///< each of these must have signed
  bool json = false;
  bool exit_code = false;  ///< when nothing fails, end with the code of the verdict
};
/// Says what is proved about a report, and gives 0 when nothing that can be looked at fails.
int verify_verb(const VerifyOptions& options, const Program& program);

struct LaunchOptions {
  int attempts = 3;                   ///< how often the launcher is started at most
  std::vector<std::string> launcher;  ///< its command with rackproof run in it
};
int launch_verb(const LaunchOptions& options, const Program& program);

struct ListOptions {
  std::string part;  ///< as on the command line; empty: all but ids
  bool json = false;
  bool markdown = false;  ///< of platforms: the page for people
  bool names = false;     ///< names alone, of one part
  bool coverage = false;  ///< of platforms: what of a suite each holds to a limit
  std::string suite = "acceptance";
  int hosts = 4;
};
int list_verb(const ListOptions& options, const Program& program);

struct InventoryOptions {
  bool json = false;
  bool record = false;  ///< one line, for the harness itself
  std::string sysroot;
  std::string nvml_deadline = "40 s";
  bool check = false;
  std::vector<std::string> files;  ///< inventories of other nodes to check; empty: this one
  std::string platform = "auto";
  std::string suite;  ///< whose suppressions count; empty: none
};
int inventory_verb(const InventoryOptions& options, const Program& program);

struct GateOptions {
  std::string mode = "health";
  std::string platform = "auto";
  std::string golden;  ///< file that inventory --json wrote; empty: none
  std::string state;   ///< folder; empty: see gate.cpp
  std::string node;    ///< for the scheduler; empty: SLURMD_NODENAME, or the host's name
  std::string limit = "50 s";
  std::string suite = "gate";
  std::string drain;   ///< print or do; empty: neither
  std::string accept;  ///< why what there is now is taken as good; empty: it is not
  bool bench = false;
  bool no_bench = false;
  bool lenient = false;
  bool json = false;
  bool verbose = false;
  bool look = false;  ///< print what one look sees, for the gate itself
  std::string nvml_deadline = "40 s";
  std::string counters_root;
};
/// Says whether this node may get work: 0, 3 or 4.
int gate_verb(const GateOptions& options, const Program& program);

struct RecordOptions {
  std::string out = "rackproof.recording";
  double interval_ms = 100;
  double size_mebibytes = 16;
  std::string sysroot;
  bool quiet = false;
  double longest_seconds = 0;      ///< room for more is not taken; 0: all of the size
  std::vector<std::string> words;  ///< the program and its arguments; empty: until it is stopped
  std::string dump;                ///< a recording to print instead
  std::string format = "jsonl";
};
/// Gives the exit code of the program that it watches.
int record_verb(const RecordOptions& options, const Program& program);

struct CheckOptions {
  std::vector<std::string> paths;  ///< files, and folders for all .json files below them
  bool exit_code = false;          ///< of good reports: end with the code of the worst verdict
  bool json = false;
};
int check_verb(const CheckOptions& options, const Program& program);

struct AssembleOptions {
  std::string directory;
  bool settle = false;  ///< wait for the other ranks to close their journals, as a last act does
  std::vector<std::string> render = {};  ///< formats to write beside the report
  std::string compress = "auto";         ///< word of archive::Compress
};
int assemble_verb(const AssembleOptions& options, const Program& program);

struct JudgeOptions {
  std::string report;
  std::string platform;
  std::string history;                       ///< file that learn wrote
  std::string causes;                        ///< file of a table; empty: the report's own
  bool force_platform = false;               ///< although it contradicts the report
  std::string accept_groups;                 ///< why like parts may fall into two groups
  std::vector<std::string> accept_unjudged;  ///< CLAIM=REASON
  std::vector<std::string> waive;            ///< files, or waivers in a line
  std::vector<std::string> topology;  ///< files or folders that say where adapters are connected
  std::string out;
  job::HookOptions hook;  ///< needs `out`: it is of the report that was judged here
};
int judge_verb(const JudgeOptions& options, const Program& program);

struct DiagnoseOptions {
  std::string rows;
  std::string out;
  std::vector<std::string> more_is_better;
  std::vector<std::string> less_is_better;
  bool json = false;
};
int diagnose_verb(const DiagnoseOptions& options, const Program& program);

struct LearnOptions {
  std::vector<std::string> reports;
  std::string id = "site";
  std::string title;
  std::string out;      ///< of the table; empty: stdout
  std::string history;  ///< file to write instead of a table
  std::size_t least_values = 5;
  double least_tolerance = 0.02;
  bool skip_unfit = false;
};
int learn_verb(const LearnOptions& options, const Program& program);

struct ShowOptions {
  std::string report;
  bool all = false;
  bool json = false;       ///< the summary as a document
  bool exit_code = false;  ///< end with the code of the verdict
};
int show_verb(const ShowOptions& options, const Program& program);

struct RenderOptions {
  std::string report;
  std::string format;
  std::string out;            ///< empty: stdout
  std::string mode = "0600";  ///< of that file, in octal
  std::string details;        ///< word of openmetrics::Details; empty: as the form has it
};
/// The report in another form.
int render_verb(const RenderOptions& options, const Program& program);

struct CompareOptions {
  std::vector<std::string> reports;  ///< two; or none, and both sides below
  std::vector<std::string> a;
  std::vector<std::string> b;
  double margin_percent = 2;
  double confidence_percent = 95;
  bool json = false;
  std::string page;     ///< file to write it to as a page
  std::string fail_on;  ///< "worse": end with 3 when something is
};
/// What changed from one report, or group of reports, to another.
int compare_verb(const CompareOptions& options, const Program& program);

struct TrendOptions {
  std::vector<std::string> paths;  ///< reports, and folders that hold them
  bool json = false;
  bool skip_unfit = false;
  std::string fail_on;  ///< "regression": end with 3 when a last change is for the worse
  std::string index;    ///< file; empty: one in the first folder
  std::string page;     ///< file to write it to as a page
  bool no_index = false;
};
/// Where the numbers of nightly runs changed their level.
int trend_verb(const TrendOptions& options, const Program& program);

struct FleetOptions {
  std::string action;              ///< add, show, worst, due, failures or page
  std::vector<std::string> words;  ///< reports and folders to add; the part to show
  std::string ledger;              ///< file; empty: the user's
  bool rebuild = false;
  std::string since;       ///< of worst, failures, page: an age or a day; empty: 30d, page: all
  std::string older_than;  ///< of due and page: an age; empty: 30d
  std::string suite;       ///< of due and page: only its runs count for what is due; empty: any
  std::string out;         ///< of page: file; empty: stdout
  std::size_t top = 0;     ///< of worst: most parts to print; 0: 20
  bool exit_code = false;  ///< of due: end with 4 when a host is
  bool json = false;
};
/// What many runs say of each part: kept in a ledger, and asked of it.
int fleet_verb(const FleetOptions& options, const Program& program);

struct PlanOptions {
  double minutes = 0;
  std::string suite = "acceptance";
  int hosts = 0;                     ///< 0: as reports say
  int gpus = -1;                     ///< of each host; -1: as reports say
  int nics = -1;                     ///< of each host; -1: one for each GPU
  std::string age = "30d";           ///< since when nobody has tested the machine
  std::vector<std::string> reports;  ///< earlier runs, and folders of them
  std::vector<std::string> with;     ///< globs over steps that have to be in it
  std::string ledger;                ///< file; empty: the user's, where there is one
  std::string faults;                ///< table; empty: the installed one
  std::string out;                   ///< suite to write; empty: none
  bool json = false;
};
/// The steps of a suite that find most faults in so many minutes, and what they miss.
int plan_verb(const PlanOptions& options, const Program& program);

struct DoctorOptions {
  double listen_seconds = 0;  ///< above 0: does nothing for so long, and its warden listens
  bool json = false;
};
int doctor_verb(const DoctorOptions& options, const Program& program);

struct ExplainOptions {
  std::string id;  ///< empty: all of them
  bool json = false;
};
int explain_verb(const ExplainOptions& options, const Program& program);
/// Every id that explain knows.
std::vector<std::string> catalogue_ids();

}  // namespace rackproof::cli

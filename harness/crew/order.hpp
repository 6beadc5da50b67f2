#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benches/protocol/record.hpp"
#include "harness/ingest/transcript.hpp"
#include "harness/journal/entry.hpp"
#include "harness/warden/warden.hpp"
#include "reports/model/states.hpp"

namespace rackproof::crew {

/// One attempt to be made by one rank: what rank 0 tells it.
struct Order {
  std::string attempt;  ///< its name, which is also the nonce of its records
  journal::Head head;
  std::string group;  ///< its name; empty: the process is no member
  std::string stdin_text;
  std::map<std::string, std::string> environment;
  double deadline_seconds = 0;
  double grace_seconds = 5;
  std::string own_verb;  ///< not empty: this verb of rackproof itself instead of a bench
};

std::string to_text(const Order& order);
Order order_from_text(const std::string& text);

/// That an attempt is to end, and why.
struct Cancel {
  std::string attempt;
  model::Reason<model::CancelReason> by;
};

std::string to_text(const Cancel& cancel);
Cancel cancel_from_text(const std::string& text);

/// The reason with which a run is over, as ranks are told.
std::string to_text(const model::Reason<model::CloseReason>& reason);
model::Reason<model::CloseReason> close_reason_from_text(const std::string& text);

/// A bench that runs inside the ranks. `run` gives the exit code of the protocol; `say` takes each
/// record line without its newline; how far the rank is is told in `page`, unless that is null.
struct InRank {
  std::string program;  ///< "collectives-mpi"
  std::function<int(const std::vector<std::string>& arguments,
                    const std::function<void(const std::string& line)>& say,
                    const std::string& nonce, contract::ProgressPage* page)>
      run;
};

/// What a rank says of itself when it arrives.
struct Arrival {
  int rank = 0;
  std::string host;
  std::int64_t pid = 0;
  std::string version;
  std::string commit;
  std::string boot = {};     ///< id of this start of the host's kernel; empty: not known
  std::string machine = {};  ///< what its programs are built for: "x86_64"
  /// Which processes it sees: of ranks with the same, each sees those of the other.
  std::string process_space = {};
  /// Digest of each file that is installed with this program, by name ("platforms/rack7.json",
  /// "programs/stream-host"). Empty on a rank that leaves this to another one of its host.
  std::map<std::string, std::string> files = {};
};

std::string to_text(const Arrival& arrival);
Arrival arrival_from_text(const std::string& text);

/// What rank 0 gives each rank once all are there.
struct Roster {
  std::string run;
  int segment = 1;
  int rank = 0;
  int size = 1;
  int local_rank = 0;
  std::string directory;  ///< of the run, absolute
  std::string journal;    ///< name in it
  warden::HostShare share = {};
};

std::string to_text(const Roster& roster);
Roster roster_from_text(const std::string& text);

/// A token that an attempt has given, while it runs.
struct GivenToken {
  int rank = 0;
  std::string attempt;
  protocol::Token token;
};

std::string to_text(const GivenToken& told);
GivenToken given_token_from_text(const std::string& text);

/// The lines of one attempt that has ended.
struct Ended {
  int rank = 0;
  std::string attempt;
  std::vector<std::string> lines;
  std::optional<ingest::Transcript> transcript =
      {};  ///< of these lines, where they were read before
};

std::string to_text(const Ended& ended);
Ended ended_from_text(const std::string& text);

}  // namespace rackproof::crew

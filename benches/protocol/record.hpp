#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/better.hpp"
#include "contract/scalar.hpp"
#include "contract/statistic.hpp"
#include "contract/subject_kind.hpp"
#include "contract/words.hpp"

namespace rackproof::protocol {

/// Version of the record protocol; `hello` carries it. A reader refuses what it does not know.
inline constexpr int kProtocolVersion = 1;

/// A record is one line of at most this many bytes, the newline included.
inline constexpr std::size_t kMaxLineBytes = 64 * 1024;

/// A metric carries at most this many samples in its own line; longer series go ahead in `sample`
/// records (see Sample).
inline constexpr std::size_t kMaxInlineSamples = 1000;

/// A check's digest has at most this many hex digits.
inline constexpr std::size_t kMaxDigestLetters = 128;

/// The environment variable by which the harness gives a process its nonce; each record echoes it.
inline constexpr const char* kNonceVariable = "RACKPROOF_NONCE";

enum class Kind { kHello, kDevice, kToken, kPhase, kSample, kMetric, kCheck, kNote, kEnd };

inline constexpr std::array kKindWords = {
    contract::Word{Kind::kHello, "hello"},   contract::Word{Kind::kDevice, "device"},
    contract::Word{Kind::kToken, "token"},   contract::Word{Kind::kPhase, "phase"},
    contract::Word{Kind::kSample, "sample"}, contract::Word{Kind::kMetric, "metric"},
    contract::Word{Kind::kCheck, "check"},   contract::Word{Kind::kNote, "note"},
    contract::Word{Kind::kEnd, "end"}};
constexpr const auto& words_of(Kind) { return kKindWords; }

/// What a number is about, as far as the bench itself can know: the harness adds the host.
struct Subject {
  contract::SubjectKind kind = contract::SubjectKind::kNode;
  std::string id;    ///< device UUID; empty for this node or this group
  std::string peer;  ///< the other end of a link
};

/// First record: who speaks.
struct Hello {
  std::string bench;
  std::string backend;
  std::string version;
  std::string commit;
  std::map<std::string, std::string> build;      ///< compiler, flags, type
  std::map<std::string, std::string> libraries;  ///< name -> version as loaded
  std::vector<std::string> arguments;
  std::string fault_injected;  ///< empty unless a test-only fault is switched on
};

/// A device that the bench uses, with what it reads of it.
struct Device {
  std::string id;
  std::string name;
  contract::Parameters facts;
};

/// Opaque bytes (text) that the other members of a group need before they can start.
struct Token {
  std::string name;
  std::string value;
};

/// What the bench is doing now; fraction is of the whole run, 0 to 1.
struct Phase {
  std::string name;
  double fraction = 0;
};

/// A part of a long series of samples. A metric that names the same series owns the values of all
/// `sample` records before it, in order.
struct Sample {
  std::int64_t series = 0;
  std::vector<double> values;
};

/// One measured number, in a base unit. `check` names the check of this process that proves it; a
/// metric whose check is absent or failed is not a result.
struct Metric {
  std::string name;  ///< dotted lower case, for example "stream.triad"
  std::string unit;
  contract::Better better = contract::Better::kMore;
  contract::Statistic statistic = contract::Statistic::kMedian;
  double value = 0;
  std::vector<double> samples;         ///< raw values in `unit`, in the order taken
  std::optional<std::int64_t> series;  ///< set when the samples went ahead in `sample` records
  contract::Parameters parameters;
  /// What held while it was measured: algorithm, transport. Not part of which number it is; left
  /// out when empty.
  contract::Parameters conditions = {};
  Subject subject;
  std::string check;
};

/// The place of the first wrong element.
struct FirstWrong {
  std::string where;
  std::string got;
  std::string want;
  /// In a group: the rank that holds it.
  std::optional<std::int64_t> rank = {};
  /// In a group: the rank whose data it should be; none where it is made of that of all.
  std::optional<std::int64_t> from = {};
};

/// What was compared with what, and the outcome. Names are unique within a process.
struct Check {
  std::string name;
  bool passed = false;
  std::string detail;
  std::int64_t compared = 0;
  std::int64_t wrong = 0;
  std::optional<FirstWrong> first_wrong;
  /// Lower-case hex of the answer, at most kMaxDigestLetters of it: the same input and the same
  /// library must give the same digest on every device of one kind. Empty: there is none.
  std::string digest = {};
};

/// Something a person should read: which kernel variant won, why a size was raised.
struct Note {
  std::string text;
  contract::Parameters facts;
};

/// Last record. Without it the transcript is truncated, whatever the exit code.
struct End {
  std::string reason;  ///< the word of the exit code
  int exit_code = 0;
  double seconds = 0;
};

/// True for 1 to kMaxDigestLetters digits of lower-case hex.
bool is_digest(std::string_view text);

}  // namespace rackproof::protocol

#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

namespace rackproof::budget {

/// How likely a step is to find a fault, when it is there: at worst, as is assumed, at best.
struct Chance {
  double low = 0;
  double usual = 0;
  double high = 0;
};

/// Programs that find a fault with one chance: globs over their names ("burn-cuda").
struct FoundBy {
  std::string program;
  Chance chance;
};

/// A kind of fault: how often it was seen, in parts of which kind, and what finds it.
struct Fault {
  std::string id;
  std::string title;  ///< "memory of a GPU"
  std::string part;   ///< of FaultTable::parts
  double count = 0;   ///< in all parts, over all days
  std::vector<FoundBy> found_by;
};

/// Faults as somebody published them: so many in so many days on so many parts.
struct FaultTable {
  std::string title;
  std::string source;
  double days = 0;
  std::map<std::string, double> parts;  ///< "gpu", "host", "nic": how many there were
  /// Of a step of a program that has looked already: its chances are so much less.
  Chance again;
  std::vector<Fault> faults;
  std::string digest;  ///< sha256 of the file
};

/// Kinds of parts that faults can be of.
inline constexpr std::array kFaultParts = {"gpu", "host", "nic"};

/// Reads a table of faults (JSON with comments, rackproof/faults/1). Throws ConfigError
/// (located_json.hpp) for the first thing wrong: a chance outside 0 to 1 or not in order, a word
/// for one that is not defined, a part that nobody counted, an id that is there twice.
FaultTable load_faults(const std::string& path);

}  // namespace rackproof::budget

#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/evidence/takers.hpp"

namespace rackproof::evidence {

/// One text that verdicts rest on, with the way it is taken.
struct Document {
  Ill ill = Ill::kNothing;
  nlohmann::json content;
  std::function<Fate(const std::string& text)> take;
  /// Whether what the pointer names is itself the evidence of what is wrong in the scene: then a
  /// change there is another measurement, not a worse one.
  std::function<bool(const std::string& pointer)> is_the_evidence;
};

/// True when something is wrong in the scene, and it was accepted or the bad cell has passed.
bool judged_better(const Document& document, const Fate& fate);

/// Documents of one kind, and the schema that says what may be in them.
struct Kind {
  std::string name;    ///< "report", "record", "journal", "suite", "table"
  std::string title;   ///< heading of its table
  std::string schema;  ///< file, relative to the source tree; empty: there is none
  std::vector<Document> documents;
};

/// All kinds, out of the scenes.
std::vector<Kind> kinds(const std::vector<Scene>& scenes, const Installation& installation);

/// A pointer with its indices as "*": "/cells/*/verdict".
std::string pattern_of(const std::string& pointer);

}  // namespace rackproof::evidence

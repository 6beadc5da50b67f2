#include "benches/protocol/version.hpp"

#include "benches/protocol/build_info.hpp"

namespace rackproof::protocol {

std::string_view version() { return RACKPROOF_VERSION; }
std::string_view commit() { return RACKPROOF_COMMIT; }
std::string_view commit_date() { return RACKPROOF_COMMIT_DATE; }

std::map<std::string, std::string> build_facts() {
  std::map<std::string, std::string> facts = {{"compiler", RACKPROOF_COMPILER},
                                              {"type", RACKPROOF_BUILD_TYPE}};
  const std::string_view sanitizers = RACKPROOF_SANITIZERS;
  if (!sanitizers.empty()) facts["sanitizers"] = sanitizers;
  return facts;
}

std::vector<Feature> features() {
  return {
#define RACKPROOF_FEATURE(name, on, why, lost) Feature{name, on, why, lost},
      RACKPROOF_FEATURES
#undef RACKPROOF_FEATURE
  };
}

std::string version_line(std::string_view program) {
  std::string line(program);
  line += ' ';
  line += version();
  line += " (";
  line += commit();
  line += ", ";
  line += RACKPROOF_BUILD_TYPE;
  line += ')';
  return line;
}

}  // namespace rackproof::protocol

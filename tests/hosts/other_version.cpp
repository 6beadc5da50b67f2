#include "benches/protocol/version.hpp"

// A rackproof that says of itself that it is another release, for the test that mixes the two.
namespace rackproof::protocol {

std::string_view version() { return "99.0.0"; }
std::string_view commit() { return "other"; }
std::string_view commit_date() { return ""; }
std::map<std::string, std::string> build_facts() { return {{"type", "Release"}}; }
std::vector<Feature> features() { return {}; }
std::string version_line(std::string_view program) { return std::string(program) + " 99.0.0"; }

}  // namespace rackproof::protocol

#include "harness/journal/progress.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "reports/model/words.hpp"

namespace rackproof::journal {
namespace {

using nlohmann::json;

std::optional<std::int64_t> count_at(const json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end() || !found->is_number_integer()) return std::nullopt;
  const auto value = found->get<std::int64_t>();
  return value < 0 ? std::nullopt : std::optional(value);
}

// A member that has entered or completed nothing tells no place for that.
std::optional<contract::Place> place_at(const json& body, const char* name) {
  const auto found = body.find(name);
  if (found == body.end()) return contract::Place{};
  if (!found->is_object()) return std::nullopt;
  const auto cell = count_at(*found, "cell");
  const auto iteration = count_at(*found, "iteration");
  const bool exchanges = found->contains("exchange");
  const auto exchange = exchanges ? count_at(*found, "exchange") : 0;
  if (!cell || *cell == 0 || !iteration || !exchange) return std::nullopt;
  return contract::Place{*cell, *iteration, *exchange};
}

}  // namespace

std::optional<model::Progress> progress_in(const json& end) {
  const auto found = end.find("progress");
  if (found == end.end() || !found->is_object()) return std::nullopt;
  const auto operation = found->find("operation");
  const auto bytes = count_at(*found, "bytes");
  const auto entered = place_at(*found, "entered");
  const auto completed = place_at(*found, "completed");
  const auto span = found->contains("span") ? count_at(*found, "span") : 1;
  const auto still = found->find("still_seconds");
  const bool whole = operation != found->end() && operation->is_string() && bytes && entered &&
                     completed && span && *span > 0 && still != found->end() &&
                     still->is_number() && *still >= 0;
  if (!whole) return std::nullopt;
  model::Progress told{operation->get<std::string>(), *bytes, *entered, *completed, *span,
                       still->get<double>(),          {}};
  const auto state = found->find("state");
  if (state != found->end() && state->is_string()) {
    told.state = model::reason_of<model::ProcessState>(state->get<std::string>());
  }
  return told;
}

}  // namespace rackproof::journal

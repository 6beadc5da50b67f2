#include "benches/collectives/table.hpp"

#include <fmt/format.h>

#include <utility>

namespace rackproof::collectives {
namespace {

constexpr const char* kRow = "{:>12} {:>12} {:>7} {:>6} {:>11} {:>11} {:>9} {:>9} {:>7} {:>7}\n";

std::string word(const contract::Parameters& facts, const char* name) {
  const auto found = facts.find(name);
  return found == facts.end() ? "none" : std::get<std::string>(found->second);
}

}  // namespace

TableSession::TableSession(kit::Session& next, protocol::Sink sink)
    : next_(next), sink_(std::move(sink)) {}

void TableSession::device(protocol::Device record) { next_.device(std::move(record)); }
void TableSession::token(protocol::Token record) { next_.token(std::move(record)); }
void TableSession::phase(std::string name, double fraction) {
  next_.phase(std::move(name), fraction);
}
void TableSession::check(protocol::Check record) { next_.check(std::move(record)); }
void TableSession::metric(protocol::Metric /*record*/) {}
std::optional<kit::Injection> TableSession::injection() const { return next_.injection(); }

void TableSession::note(std::string text, contract::Parameters facts) {
  if (!facts.contains("op")) return next_.note(std::move(text), std::move(facts));
  const std::string operation = word(facts, "op");
  if (operation != operation_) {
    operation_ = operation;
    sink_(fmt::format("#\n# {}\n", operation));
    std::string header =
        fmt::format(kRow, "size", "count", "type", "redop", "time", "p99", "algbw", "busbw",
                    "#wrong", "iters") +
        fmt::format(kRow, "(B)", "(elements)", "", "", "(us)", "(us)", "(GB/s)", "(GB/s)", "", "");
    header.front() = '#';
    header[header.find('\n') + 1] = '#';
    sink_(header);
  }
  const auto integer = [&](const char* name) { return std::get<std::int64_t>(facts.at(name)); };
  const auto number = [&](const char* name) { return std::get<double>(facts.at(name)); };
  const auto micro = [&](const char* name) { return fmt::format("{:.2f}", number(name) * 1e6); };
  const auto giga = [&](const char* name) { return fmt::format("{:.3f}", number(name) / 1e9); };
  sink_(fmt::format(kRow, integer("size"), integer("count"), word(facts, "dtype"),
                    word(facts, "redop"), micro("time"),
                    facts.contains("p99") ? micro("p99") : std::string("-"), giga("algbw"),
                    giga("busbw"), integer("wrong"), integer("iterations")));
}

}  // namespace rackproof::collectives

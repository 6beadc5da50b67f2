#include "harness/telemetry/kernel_lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include "reports/model/printable.hpp"

namespace rackproof::telemetry {
namespace {

using model::Severity;

constexpr std::size_t kLongestText = 300;
constexpr std::size_t kLongestDevice = 64;

// In lower case, with three holes: <device> is a word (in front: the last one before what follows),
// <code> a number, <cpu> the number of a processor. The first pattern that fits decides.
struct Pattern {
  const char* kind;
  Severity severity;
  const char* text;
};

constexpr std::array kPatterns = {
    // NVIDIA's drivers; the severity of an Xid goes by its number.
    Pattern{"xid", Severity::kWarning, "nvrm: xid (pci:<device>): <code>"},
    Pattern{"gpu-lost", Severity::kError, "nvrm: gpu <device>: gpu has fallen off the bus"},
    Pattern{"sxid", Severity::kError, "sxid (pci:<device>): <code>, fatal"},
    Pattern{"sxid", Severity::kWarning, "sxid (pci:<device>): <code>"},
    // PCIe advanced error reporting: the line with the device that saw the error.
    Pattern{"aer", Severity::kError, "<device>: pcie bus error: severity=uncorrected (fatal)"},
    Pattern{"aer", Severity::kError, "<device>: pcie bus error: severity=uncorrectable (fatal)"},
    Pattern{"aer", Severity::kWarning, "<device>: pcie bus error: severity=uncorrect"},
    Pattern{"aer", Severity::kInfo, "<device>: pcie bus error: severity=correct"},
    Pattern{"aer", Severity::kError, "<device>: aer: device recovery failed"},
    // Memory controllers.
    Pattern{"edac", Severity::kError, "edac <device>: <code> ue "},
    Pattern{"edac", Severity::kWarning, "edac <device>: <code> ce "},
    // Machine checks: Intel's, then AMD's.
    Pattern{"mce", Severity::kError, "[hardware error]: cpu <cpu>: machine check exception"},
    Pattern{"mce", Severity::kWarning, "[hardware error]: cpu <cpu>: machine check"},
    Pattern{"mce", Severity::kError, "[hardware error]: uncorrected"},
    Pattern{"mce", Severity::kError, "[hardware error]: system fatal error"},
    Pattern{"mce", Severity::kWarning, "[hardware error]: corrected error"},
    Pattern{"mce", Severity::kWarning, "[hardware error]: machine check events logged"},
    // Network interfaces and InfiniBand ports.
    Pattern{"link", Severity::kWarning, "<device>: nic link is down"},
    Pattern{"link", Severity::kInfo, "<device>: nic link is up"},
    Pattern{"link", Severity::kWarning, "<device> nic link is down"},
    Pattern{"link", Severity::kInfo, "<device> nic link is up"},
    Pattern{"link", Severity::kWarning, "<device>: link is down"},
    Pattern{"link", Severity::kInfo, "<device>: link is up"},
    Pattern{"link", Severity::kWarning, "<device>: link down"},
    Pattern{"link", Severity::kInfo, "<device>: link up"},
    Pattern{"link", Severity::kWarning, "<device>: port: <code> link down"},
    Pattern{"link", Severity::kInfo, "<device>: port: <code> link active"},
    // The kernel's own distress.
    Pattern{"oom", Severity::kWarning, "out of memory: killed process "},
    Pattern{"hung-task", Severity::kWarning, "blocked for more than "},
    Pattern{"hung-task", Severity::kWarning, "bug: soft lockup - cpu#<cpu> "},
    Pattern{"thermal", Severity::kWarning, "cpu<cpu>: core temperature above threshold"},
    Pattern{"thermal", Severity::kWarning, "cpu<cpu>: package temperature above threshold"},
};

// Xids that say that the GPU, its memory, its links or its own processors failed (NVIDIA's Xid
// catalogue). Others may be the program's doing.
constexpr std::array<std::int64_t, 12> kGraveXids = {48, 62,  64,  74,  79,  94,
                                                     95, 119, 120, 140, 143, 149};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

bool is_of_word(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         letter == '.' || letter == ':' || letter == '_' || letter == '-';
}

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string lowered(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool take_device(std::string_view word, Event& event) {
  while (word.ends_with(':')) word.remove_suffix(1);
  if (word.empty() || word.size() > kLongestDevice) return false;
  event.device = word;
  return true;
}

// Fills one hole from `text`. Gives how many letters it takes; 0: it does not fit.
std::size_t fill(std::string_view hole, std::string_view text, Event& event) {
  const bool device = hole == "<device>";
  const auto* const end =
      std::find_if_not(text.begin(), text.end(), device ? is_of_word : is_digit);
  std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  if (device) {
    while (word.ends_with(':')) word.remove_suffix(1);
    return take_device(word, event) ? word.size() : 0;
  }
  std::int64_t number = 0;
  const auto [stop, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (problem != std::errc{} || word.empty()) return 0;
  if (hole == "<cpu>") {
    event.device = "cpu" + std::to_string(number);
  } else {
    event.code = number;
  }
  return word.size();
}

std::size_t length_of_hole(std::string_view pattern) { return pattern.find('>') + 1; }

// `low` is `text` in lower case.
bool fits(std::string_view pattern, std::string_view text, std::string_view low, Event& event) {
  const bool device_first = pattern.starts_with('<');
  if (device_first) pattern.remove_prefix(length_of_hole(pattern));
  const std::string_view begin = pattern.substr(0, pattern.find('<'));
  const std::size_t found = low.find(begin);
  if (found == std::string_view::npos) return false;
  if (device_first) {
    const std::string_view before = text.substr(0, found);
    const std::size_t blank = before.find_last_of(" \t");
    const auto word = before.substr(blank == std::string_view::npos ? 0 : blank + 1);
    if (!std::all_of(word.begin(), word.end(), is_of_word) || !take_device(word, event)) {
      return false;
    }
  }
  std::size_t at = found + begin.size();
  pattern.remove_prefix(begin.size());
  while (!pattern.empty()) {
    const std::size_t hole = length_of_hole(pattern);
    const std::size_t taken = fill(pattern.substr(0, hole), text.substr(at), event);
    if (taken == 0) return false;
    at += taken;
    pattern.remove_prefix(hole);
    const std::string_view literal = pattern.substr(0, pattern.find('<'));
    if (low.substr(at, literal.size()) != literal) return false;
    at += literal.size();
    pattern.remove_prefix(literal.size());
  }
  return true;
}

// The number at the start of `text`, which it is taken from along with the letter behind it.
std::optional<std::uint64_t> number_before(std::string_view& text, char behind) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (problem != std::errc{} || stop == end || *stop != behind) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  return number;
}

}  // namespace

model::Severity severity_of_xid(std::int64_t code) {
  const bool grave = std::find(kGraveXids.begin(), kGraveXids.end(), code) != kGraveXids.end();
  return grave ? Severity::kError : Severity::kWarning;
}

std::optional<Event> event_in(std::string_view line) {
  constexpr std::uint64_t kLatest = std::numeric_limits<std::int64_t>::max() / 1000;
  constexpr std::uint64_t kPriorities = 8;  // above them: who wrote it, 0 for the kernel
  const auto priority = number_before(line, ',');
  if (!priority || *priority >= kPriorities || !number_before(line, ',')) return std::nullopt;
  const auto microseconds = number_before(line, ',');
  const std::size_t text_at = line.find(';');
  if (!microseconds || *microseconds > kLatest || text_at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view text = line.substr(text_at + 1);
  const std::string low = lowered(text);
  for (const Pattern& pattern : kPatterns) {
    Event event;
    if (!fits(pattern.text, text, low, event)) continue;
    event.monotonic_ns = *microseconds * 1000;
    event.kind = pattern.kind;
    event.severity = event.kind == "xid" ? severity_of_xid(event.code) : pattern.severity;
    // Interfaces are called as they are; addresses and memory controllers in one way everywhere.
    if (event.kind != "link") event.device = lowered(event.device);
    if (!event.kind.ends_with("xid")) event.code = 0;
    event.text = model::printable(text, kLongestText);
    return event;
  }
  return std::nullopt;
}

}  // namespace rackproof::telemetry

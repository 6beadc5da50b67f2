#include "harness/evidence/hang.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "reports/model/finding_id.hpp"
#include "reports/model/subject.hpp"

namespace rackproof::evidence {
namespace {

using model::Attempt;
using model::Progress;
using Members = Hang::Members;

// What members had told was read one after the other, on several hosts, as the end of the first
// became known to the others, and wardens look once a second. Who has stood for longer than both
// stood there while all were read.
constexpr double kStillSeconds = 2;

bool is_stopped(const Attempt* one) {
  const auto state = one->progress->state.id;
  return state == model::ProcessState::kStopped || state == model::ProcessState::kStoppedDebugged;
}

std::string member_text(const Attempt& one) {
  const std::string device = model::device_of(one);
  return fmt::format("member {} of {} (rank {} on {}{}{})", one.member, one.members, one.rank,
                     one.host, device.empty() ? "" : ", ", device);
}

std::string members_text(const Members& members) {
  std::string text;
  for (const Attempt* one : members) text += (text.empty() ? "" : ", ") + member_text(*one);
  return text;
}

// Those of `members` that stand in `place`.
Members standing_in(const Members& members, const contract::Place& place) {
  Members found;
  for (const Attempt* one : members) {
    if (one->progress->entered == place && one->progress->is_inside()) found.push_back(one);
  }
  return found;
}

// Whoever is told of at `place`; there is one among those that set it.
const Progress& progress_at(const Members& members, const contract::Place& place) {
  const auto found = std::find_if(members.begin(), members.end(), [&](const Attempt* one) {
    return one->progress->entered == place;
  });
  return *(*found)->progress;
}

std::string place_text(const Hang& hang) {
  const Progress& told = progress_at(hang.others, hang.place);
  return model::to_text(hang.place, told.operation, told.span);
}

std::string stands_text(const Progress& progress) {
  if (progress.entered.cell == 0) return "it had entered nothing so far";
  return fmt::format("it {} {}", progress.is_inside() ? "stood in" : "had completed",
                     model::to_text(progress.entered, progress.operation, progress.span));
}

std::string all_at_one_place(const Hang& hang) {
  const Members in = standing_in(hang.others, hang.place);
  const std::string known = "for which member the others waited is not known: ";
  if (in.size() == hang.others.size()) {
    return fmt::format("{}all {} had stood in {} for {:.0f} s", known, in.size(), place_text(hang),
                       hang.still_seconds);
  }
  if (in.empty()) {
    return fmt::format("{}all {} had completed {} and had entered nothing for {:.0f} s", known,
                       hang.others.size(), place_text(hang), hang.still_seconds);
  }
  return fmt::format(
      "{}{} stood in {}, which the others had completed; none had moved for {:.0f} s", known,
      members_text(in), place_text(hang), hang.still_seconds);
}

}  // namespace

std::optional<Hang> hang_of(const Members& members) {
  if (members.size() < 2) return std::nullopt;
  Hang hang;
  hang.still_seconds = std::numeric_limits<double>::infinity();
  const Attempt* last = members.front();
  for (const Attempt* one : members) {
    if (!one->progress) return std::nullopt;
    hang.still_seconds = std::min(hang.still_seconds, one->progress->still_seconds);
    if (one->progress->entered < last->progress->entered) last = one;
  }
  if (hang.still_seconds < kStillSeconds) return std::nullopt;
  // Who goes no further whatever the others do is the one, wherever it stands: what it had sent the
  // others may still lie with it.
  hang.stopped = std::any_of(members.begin(), members.end(), is_stopped);
  for (const Attempt* one : members) {
    const bool is_behind =
        hang.stopped ? is_stopped(one) : one->progress->entered == last->progress->entered;
    (is_behind ? hang.behind : hang.others).push_back(one);
  }
  if (hang.others.empty()) {
    std::swap(hang.others, hang.behind);
    hang.stopped = false;
  }
  hang.place = hang.others.front()->progress->entered;
  for (const Attempt* one : hang.others) hang.place = std::min(hang.place, one->progress->entered);
  // Before the first of what they do together there is nothing that one of them could wait in.
  if (hang.place.cell == 0 && !hang.stopped) return std::nullopt;
  return hang;
}

std::string to_text(const Hang& hang) {
  if (hang.behind.empty()) return all_at_one_place(hang);
  if (hang.place.cell == 0) {
    return fmt::format(
        "{} had been stopped by a signal before all had come to the first of what "
        "they do together; none had moved for {:.0f} s",
        members_text(hang.behind), hang.still_seconds);
  }
  const std::size_t waited = standing_in(hang.others, hang.place).size();
  const std::size_t many = hang.behind.size();
  const bool is_short = std::all_of(hang.behind.begin(), hang.behind.end(), [&](const auto* one) {
    return one->progress->entered < hang.place;
  });
  std::string text = members_text(hang.behind);
  if (hang.stopped) text += many == 1 ? " was stopped by a signal" : " were stopped by a signal";
  if (is_short)
    text += (hang.stopped ? " and had not entered " : " had not entered ") + place_text(hang);
  if (waited == hang.others.size()) {
    text += fmt::format(", {} the {} had waited for {:.0f} s",
                        is_short ? "in which" : "while in " + place_text(hang),
                        waited == 1 ? "other one" : fmt::format("{} others", waited),
                        hang.still_seconds);
  } else {
    text +=
        fmt::format("{}; none had moved for {:.0f} s",
                    is_short ? fmt::format(", which the {} others had", hang.others.size()) : "",
                    hang.still_seconds);
  }
  if (many == 1) return text + "; " + stands_text(*hang.behind.front()->progress);
  return text + "; for which of them the others waited is not known";
}

model::Finding finding_of(const Hang& hang, const std::string& what) {
  const Attempt& any = *hang.others.front();
  model::Finding finding;
  finding.id = model::finding_id::kGroupFailed;
  finding.severity = model::Severity::kError;
  finding.subject = model::label(any.subject);
  finding.step = any.step;
  finding.text = what + "; " + to_text(hang);
  finding.evidence = {{"number", std::int64_t{any.number}}, {"still_seconds", hang.still_seconds}};
  if (hang.place.cell > 0) {
    const Progress& told = progress_at(hang.others, hang.place);
    finding.evidence["operation"] = told.operation;
    finding.evidence["bytes"] = told.bytes;
    finding.evidence["iteration"] = hang.place.iteration;
  }
  if (hang.place.exchange > 0) finding.evidence["exchange"] = hang.place.exchange;
  if (hang.behind.size() != 1) return finding;
  const Attempt& behind = *hang.behind.front();
  finding.evidence["behind_member"] = std::int64_t{behind.member};
  finding.evidence["rank"] = std::int64_t{behind.rank};
  finding.evidence["host"] = behind.host;
  finding.evidence["waiting"] = static_cast<std::int64_t>(hang.others.size());
  if (const std::string device = model::device_of(behind); !device.empty()) {
    finding.evidence["device"] = device;
  }
  return finding;
}

}  // namespace rackproof::evidence

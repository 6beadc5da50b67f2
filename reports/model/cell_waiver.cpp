#include "reports/model/cell_waiver.hpp"

#include "reports/model/day.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::model {
namespace {

bool fits_end(const std::string& pattern, const std::string& host, const std::string& device) {
  if (!host.empty() && glob_match(pattern, host)) return true;
  return !device.empty() &&
         (glob_match(pattern, device) || glob_match(pattern, host + "/" + device));
}

}  // namespace

bool fits_subject(const std::string& pattern, const Subject& subject) {
  if (glob_match(pattern, label(subject))) return true;
  if (subject.kind == contract::SubjectKind::kGroup) return false;
  return fits_end(pattern, subject.host, subject.device) ||
         fits_end(pattern, subject.peer_host, subject.peer_device);
}

bool is_over(const CellWaiver& waiver, const std::string& day) {
  return is_before(waiver.until, day);
}

std::string terms_of(const CellWaiver& waiver) {
  return "until " + waiver.until + " by " + waiver.approved_by +
         (waiver.ticket.empty() ? "" : " (" + waiver.ticket + ")") + ": " + waiver.reason;
}

}  // namespace rackproof::model

#include "harness/crew/keepsake.hpp"

#include "harness/warden/seal.hpp"

namespace rackproof::crew {

void Keepsake::keep(const std::string& name, std::string_view line) {
  bytes_ += line.size() + 1;
  whole_ = whole_ && bytes_ <= most_bytes_;
  if (!whole_) return;
  std::string& lines = lines_[name];
  lines += line;
  lines += '\n';
}

std::map<std::string, std::string> Keepsake::journals() const {
  std::map<std::string, std::string> out;
  for (const auto& [name, lines] : lines_) {
    warden::Seal seal;
    std::string& bytes = out[name];
    for (std::string_view rest = lines; !rest.empty();) {
      const std::size_t end = rest.find('\n');
      bytes += seal.sealed(rest.substr(0, end)) + "\n";
      rest.remove_prefix(end + 1);
    }
  }
  return out;
}

void KeepingWarden::open_journal(const std::string& path) {
  warden_.open_journal(path);
  name_ = "journals/" + path.substr(path.rfind('/') + 1);
}

void KeepingWarden::note(std::string_view line, bool durable) {
  // First: it is to be in the journal, whatever becomes of that.
  if (!name_.empty()) keepsake_.keep(name_, line);
  warden_.note(line, durable);
}

std::vector<warden::Event> KeepingWarden::wait(double seconds) {
  std::vector<warden::Event> events = warden_.wait(seconds);
  if (name_.empty()) return events;
  for (const warden::Event& event : events) keepsake_.keep(name_, event.line);
  return events;
}

}  // namespace rackproof::crew

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "harness/archive/rendering.hpp"
#include "harness/archive/report_file.hpp"
#include "harness/cli/verbs.hpp"
#include "harness/support/errors.hpp"

namespace rackproof::cli {
namespace {

std::string rendered(const RenderOptions& options, const archive::Rendering& rendering) {
  const auto details = contract::enumerator_of<openmetrics::Details>(options.details);
  if (details && rendering.in_detail == nullptr) {
    throw support::UsageError(fmt::format(
        "--details: '{}' always has everything: expected --format openmetrics", options.format));
  }
  const model::Report report = archive::load_report(options.report);
  if (details) return rendering.in_detail(report, *details);
  const std::string folder =
      std::filesystem::path(archive::report_file(options.report)).parent_path();
  return rendering.render(report, folder.empty() ? "." : folder);
}

unsigned file_mode_of(const std::string& text) {
  constexpr unsigned kPermissions = 0777;
  unsigned mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  // Three digits at least: 64 is more likely a slip than a file that its owner may not read.
  if (error == std::errc() && end == text.data() + text.size() && text.size() >= 3 &&
      mode <= kPermissions) {
    return mode;
  }
  throw support::UsageError(fmt::format(
      "--mode: '{}' is no file mode: expected permissions in octal, 0644 for example", text));
}

}  // namespace

int render_verb(const RenderOptions& options, const Program& program) {
  if (options.format == archive::kPageFormat) refuse_page_on_terminal(program, options.out);
  const unsigned mode = file_mode_of(options.mode);
  const std::string text = rendered(options, archive::rendering_of(options.format));
  if (options.out.empty()) {
    print(text);
  } else {
    archive::write_durably(options.out, text, mode);
  }
  return 0;
}

}  // namespace rackproof::cli

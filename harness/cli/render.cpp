#include <filesystem>

#include "harness/cli/rendering.hpp"
#include "harness/cli/report_file.hpp"
#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

int render_verb(const RenderOptions& options, const Program&) {
  const Rendering& rendering = rendering_of(options.format);
  const std::string folder = std::filesystem::path(report_file(options.report)).parent_path();
  const std::string text =
      rendering.render(load_report(options.report), folder.empty() ? "." : folder);
  if (options.out.empty()) {
    print(text);
  } else {
    write_out(options.out, text);
  }
  return 0;
}

}  // namespace rackproof::cli

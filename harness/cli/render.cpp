#include <filesystem>

#include "harness/archive/rendering.hpp"
#include "harness/archive/report_file.hpp"
#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

int render_verb(const RenderOptions& options, const Program&) {
  const archive::Rendering& rendering = archive::rendering_of(options.format);
  const std::string folder =
      std::filesystem::path(archive::report_file(options.report)).parent_path();
  const std::string text =
      rendering.render(archive::load_report(options.report), folder.empty() ? "." : folder);
  if (options.out.empty()) {
    print(text);
  } else {
    archive::write_durably(options.out, text);
  }
  return 0;
}

}  // namespace rackproof::cli

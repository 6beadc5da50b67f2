#include "harness/cli/rendering.hpp"
#include "harness/cli/report_file.hpp"
#include "harness/cli/verbs.hpp"

namespace rackproof::cli {

int render_verb(const RenderOptions& options, const Program&) {
  const Rendering& rendering = rendering_of(options.format);
  const std::string text = rendering.render(load_report(options.report));
  if (options.out.empty()) {
    print(text);
  } else {
    write_out(options.out, text);
  }
  return 0;
}

}  // namespace rackproof::cli

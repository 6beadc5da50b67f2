#include <fmt/format.h>

#include "reports/html/lists_script.hpp"
#include "reports/html/markup.hpp"
#include "reports/html/packing.hpp"
#include "reports/html/style.hpp"

namespace rackproof::html {

std::string list_section(std::string_view id, std::string_view title, std::string_view name,
                         const std::string& body) {
  return fmt::format(
      "<section id=\"{0}\" class=\"lists\" data-name=\"{1}\" aria-labelledby=\"{0}-title\"><h2 "
      "id=\"{0}-title\">{2}</h2>\n{3}</section>\n",
      id, name, title, body);
}

std::string document_with_lists(std::string_view title, std::string_view body) {
  std::string script;
  for (const char* piece : kListsScript) script += piece;
  std::string text = "<style>\n" + std::string(kListsStyle) + "</style>\n" + std::string(body);
  if (script.empty()) return document_of(title, text);
  text += "<script>" + script + "</script>\n";
  return document_of(title, text, fmt::format("'sha256-{}'", sha256_base64(script)));
}

}  // namespace rackproof::html

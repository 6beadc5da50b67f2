#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/html/quantities.hpp"
#include "reports/model/report.hpp"

namespace rackproof::html {

/// Foreign text as text: one line, nothing that is markup, at most so many characters.
std::string plain(std::string_view text, std::size_t most = 400);

/// What an outcome looks like without colour: a sign, and its word for those who do not see it.
std::string_view sign_of(model::Outcome outcome);
/// "<span class="sign fail">...": sign and word.
std::string badge(model::Outcome outcome);
/// The outcome that a verdict looks like, and its badge, in the verdict's own word.
model::Outcome outcome_like(model::Acceptance acceptance);
std::string badge(model::Acceptance acceptance);

/// A table that can be read aloud: a caption, and headings that name their columns. Entries are
/// markup already; those of a column whose name ends in "#" are numbers, and stand to the right.
class Table {
 public:
  Table(const std::string& caption, std::vector<std::string> columns);
  /// The rows from here on are of this group: a heading over all columns.
  void group(const std::string& name);
  void row(const std::vector<std::string>& entries);
  /// `left_out` rows more are counted below it.
  std::string take(std::size_t left_out = 0);

 private:
  std::vector<bool> numbers_;
  std::string out_;
};

/// A section of the page with a heading that can be linked to.
std::string section(std::string_view id, std::string_view title, const std::string& body);

/// A section whose list or table can be searched and ordered; `name` is what is counted there.
std::string list_section(std::string_view id, std::string_view title, std::string_view name,
                         const std::string& body);

/// A whole page, with the house's style: `body` is markup. It may load nothing, and run only the
/// scripts whose digests are in `scripts` ("'sha256-...'"); none by default. `foot` is foreign
/// text: it stands at the foot of each printed page, beside the number of the page.
std::string document_of(std::string_view title, std::string_view body,
                        std::string_view scripts = "", std::string_view foot = "");

/// The same for a page that lists many things, with the script (page/lists.js) by which readers
/// search and order them: every section of the class `lists`. It is whole without the script.
std::string document_with_lists(std::string_view title, std::string_view body);

// The parts of the page, each in its own file. Empty when there is nothing to say.
std::string summary_of(const model::Report& report, const Quantities& quantities);
std::string rack_of(const model::Report& report, const Quantities& quantities);
std::string failed_of(const model::Report& report, const Quantities& quantities);
std::string unproven_of(const model::Report& report);
std::string quantities_of(const Quantities& quantities);
std::string findings_of(const model::Report& report);
std::string hosts_of(const model::Report& report);
std::string provenance_of(const model::Report& report);

}  // namespace rackproof::html

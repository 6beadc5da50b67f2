#include "tests/evidence/document.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

#include "reports/json/report_json.hpp"
#include "tests/evidence/spoil.hpp"
#include "tests/fakes/sealed.hpp"

namespace rackproof::evidence {
namespace {

using nlohmann::json;

bool is_in(const std::string& pointer, const std::string& part) {
  return pointer == part || pointer.starts_with(part + "/");
}

/// Whether a change of what the pointer names changes one of the parts.
bool touches(const std::string& pointer, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
    return is_in(pointer, part) || is_in(part, pointer);
  });
}

/// What is wrong with the run, and with no cell of it.
bool is_of_the_whole(Ill ill) { return ill == Ill::kFewer || ill == Ill::kUnjudged; }

std::vector<std::string> evidence_in(const json& report, Ill ill) {
  if (ill == Ill::kNothing || ill == Ill::kUnjudged) return {};
  if (ill == Ill::kFewer) return {"/run/extent"};
  std::vector<std::string> out;
  const json& attempts = report.at("attempts");
  for (std::size_t i = 0; i < attempts.size(); ++i) {
    if (attempts[i].at("host") == kIllHost && attempts[i].at("step") == kIllStep) {
      out.push_back("/attempts/" + std::to_string(i));
    }
  }
  const json& cells = report.at("cells");
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].at("subject").at("host") == kIllHost && cells[i].at("step") == kIllStep) {
      out.push_back("/cells/" + std::to_string(i));
    }
  }
  return out;
}

std::vector<Document> reports(const std::vector<Scene>& scenes, const Installation& installation) {
  std::vector<Document> out;
  for (const Scene& scene : scenes) {
    Document one{
        scene.ill,
        json::parse(model::to_json(scene.report)),
        [&installation](const std::string& text) { return take_report(text, installation); },
        {}};
    const auto parts = evidence_in(one.content, scene.ill);
    one.is_the_evidence = [parts](const std::string& pointer) { return touches(pointer, parts); };
    out.push_back(std::move(one));
  }
  return out;
}

/// Journals of a scene without their seals, line by line.
struct Lines {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> lines;

  std::vector<assemble::JournalFile> with(std::size_t file, std::size_t line,
                                          const std::string& text) const {
    std::vector<assemble::JournalFile> out;
    for (std::size_t i = 0; i < names.size(); ++i) {
      assemble::JournalFile one{names[i]};
      for (std::size_t k = 0; k < lines[i].size(); ++k) {
        one.bytes += (i == file && k == line ? text : lines[i][k]) + "\n";
      }
      out.push_back(std::move(one));
    }
    return out;
  }
};

std::shared_ptr<const Lines> lines_of(const Scene& scene) {
  auto out = std::make_shared<Lines>();
  for (const assemble::JournalFile& file : scene.journals) {
    out->names.push_back(file.name);
    out->lines.emplace_back();
    std::istringstream text(fakes::unsealed(file.bytes));
    for (std::string line; std::getline(text, line);) out->lines.back().push_back(line);
  }
  return out;
}

bool is_of_the_ill(const json& line, const std::map<std::string, std::string>& attempts) {
  const auto attempt = line.find("attempt");
  return attempt != line.end() && attempts.contains(attempt->get<std::string>());
}

/// Attempts whose lines are the evidence.
std::map<std::string, std::string> ill_attempts(const Scene& scene) {
  std::map<std::string, std::string> out;
  if (scene.ill == Ill::kNothing || is_of_the_whole(scene.ill)) return out;
  for (const model::Attempt& attempt : scene.report.attempts) {
    if (attempt.host == kIllHost && attempt.step == kIllStep) out[attempt.nonce] = attempt.host;
  }
  return out;
}

/// Each line of the journals, or each record in one, is a document: its kind is the first part of
/// every pointer in it.
std::vector<Document> lines(const std::vector<Scene>& scenes, const Installation& installation,
                            bool records) {
  std::vector<Document> out;
  for (const Scene& scene : scenes) {
    const auto all = lines_of(scene);
    const auto attempts = ill_attempts(scene);
    for (std::size_t i = 0; i < all->names.size(); ++i) {
      for (std::size_t k = 0; k < all->lines[i].size(); ++k) {
        const json line = json::parse(all->lines[i][k]);
        const bool said = line.at("j") == "out";
        if (said != records) continue;
        const json inner = said ? json::parse(line.at("text").get<std::string>()) : line;
        const std::string kind = inner.at(said ? "kind" : "j");
        const bool evidence =
            is_of_the_ill(line, attempts) || (scene.ill == Ill::kFewer && kind == "run");
        const auto take = [=, &installation](const std::string& text) {
          const std::string prefix = "{\"" + kind + "\":";
          std::string own = text.starts_with(prefix)
                                ? text.substr(prefix.size(), text.size() - prefix.size() - 1)
                                : "{}";
          if (said) {
            json outer = line;
            outer["text"] = own;
            own = outer.dump();
          }
          return take_journals(all->with(i, k, own), installation);
        };
        out.push_back({scene.ill, json{{kind, inner}}, take,
                       [evidence](const std::string&) { return evidence; }});
      }
    }
  }
  return out;
}

using TakeFile = Fate (*)(const std::string&, Ill, const Installation&);

std::vector<Document> files(const std::string& text, TakeFile take,
                            const Installation& installation) {
  std::vector<Document> out;
  for (const Ill ill : kIlls) {
    out.push_back(
        {ill, json::parse(text),
         [=, &installation](const std::string& one) { return take(one, ill, installation); },
         [](const std::string&) { return false; }});
  }
  return out;
}

}  // namespace

bool judged_better(const Document& document, const Fate& fate) {
  switch (document.ill) {
    case Ill::kNothing:
      return false;
    case Ill::kFewer:
    case Ill::kUnjudged:
      return fate.accepted();
    default:
      return fate.accepted() || fate.ill_passed;
  }
}

std::vector<Kind> kinds(const std::vector<Scene>& scenes, const Installation& installation) {
  return {{"record", "Records of a bench", "reports/schema/record.schema.json",
           lines(scenes, installation, true)},
          {"journal", "Lines of a journal", "", lines(scenes, installation, false)},
          {"report", "Report", "reports/schema/report.schema.json", reports(scenes, installation)},
          {"suite", "Suite", "configs/schema/suite.schema.json",
           files(Installation::suite_text(), take_suite, installation)},
          {"table", "Platform table", "configs/schema/platform.schema.json",
           files(Installation::table_text(), take_table, installation)}};
}

std::string pattern_of(const std::string& pointer) {
  std::string out;
  std::istringstream parts(pointer.substr(1));
  for (std::string part; std::getline(parts, part, '/');) {
    const bool index = !part.empty() && std::all_of(part.begin(), part.end(),
                                                    [](char c) { return c >= '0' && c <= '9'; });
    out += "/" + (index ? std::string("*") : part);
  }
  return out;
}

}  // namespace rackproof::evidence

#include "harness/config/programs.hpp"

#include <algorithm>
#include <set>

#include "harness/document/reader.hpp"

namespace rackproof::config {
namespace {

constexpr std::int64_t kMostMembers = 1024;

bool contains(const std::vector<std::string>& all, const std::string& word) {
  return std::find(all.begin(), all.end(), word) != all.end();
}

std::vector<std::string> read_arguments(const document::Object& object, const char* name) {
  std::vector<std::string> arguments;
  const auto field = object.find(name);
  if (!field) return arguments;
  for (const document::Field& item : field->items()) arguments.push_back(item.text());
  return arguments;
}

OwnFault read_fault(const document::Field& field) {
  const document::Object object(field, {"name", "planted", "arguments"});
  OwnFault fault;
  fault.name = object.require("name").text();
  fault.planted = object.require("planted").text();
  fault.arguments = read_arguments(object, "arguments");
  if (fault.arguments.empty()) {
    object.require("arguments").fail("is empty; expected what makes the program do it");
  }
  return fault;
}

void read_faults(const document::Object& object, BenchProgram& program) {
  const auto faults = object.find("faults");
  if (!faults) return;
  std::set<std::string> names;
  for (const document::Field& item : faults->items()) {
    program.faults.push_back(read_fault(item));
    const std::string& name = program.faults.back().name;
    if (!names.insert(name).second) item.fail("the fault '" + name + "' is given a second time");
  }
}

// A value in the form that the metric has it: "$ranks" stands for how many there are.
bool is_value(const ParameterKind& kind, const contract::Scalar& value) {
  const auto* text = std::get_if<std::string>(&value);
  return takes(kind, value) || (text != nullptr && *text == "$ranks");
}

void read_metric_of(const document::Object& object, const MetricCatalogue& metrics,
                    BenchProgram& program) {
  const document::Field metric = object.require("metric");
  program.metric = metric.name();
  const auto kind = std::find_if(metrics.begin(), metrics.end(), [&program](const MetricKind& one) {
    return contains(one.names, program.metric) && contains(one.backends, program.backend);
  });
  if (kind == metrics.end()) {
    metric.fail("'" + program.metric + "' is no metric of the backend '" + program.backend + "'");
  }
  const auto parameters = object.find("parameters");
  if (!parameters) return;
  for (const auto& [name, value] : parameters->members()) {
    const auto known = kind->parameters.find(name);
    if (known == kind->parameters.end()) {
      value.fail("'" + name + "' is no parameter of '" + program.metric + "'");
    }
    contract::Scalar scalar = value.scalar();
    if (!is_value(known->second, scalar)) value.fail("expected " + description(known->second));
    program.parameters[name] = std::move(scalar);
  }
}

BenchProgram read_program(const std::string& backend, const document::Field& field,
                          const std::string& bench, const MetricCatalogue& metrics) {
  const document::Object object(field, {"placement", "members", "brief", "played", "by_hand",
                                        "metric", "parameters", "faults"});
  BenchProgram program;
  program.bench = bench;
  program.backend = backend;
  program.placement = object.require("placement")
                          .choice<Placement>({{"device", Placement::kDevice},
                                              {"node", Placement::kNode},
                                              {"world", Placement::kWorld}});
  if (const auto members = object.find("members")) {
    if (program.placement != Placement::kWorld) members->fail("only a 'world' has members");
    program.members = static_cast<int>(members->integer(1, kMostMembers));
  }
  object.require("brief");
  program.brief = read_arguments(object, "brief");
  read_arguments(object, "played");
  read_arguments(object, "by_hand");
  read_metric_of(object, metrics, program);
  read_faults(object, program);
  return program;
}

}  // namespace

std::vector<BenchProgram> read_programs(const document::Field& field, const std::string& bench,
                                        const MetricCatalogue& metrics) {
  std::vector<BenchProgram> programs;
  for (const auto& [backend, value] : field.members()) {
    if (!document::is_name(backend)) value.fail("expected the name of a backend");
    programs.push_back(read_program(backend, value, bench, metrics));
  }
  return programs;
}

}  // namespace rackproof::config

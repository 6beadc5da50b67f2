#pragma once

#include <string>

#include "harness/warden/store.hpp"
#include "reports/model/report.hpp"

namespace rackproof::archive {

/// Writes a file so that a crash leaves the old one or the new one, and who reads it meanwhile has
/// one of them whole. Throws warden::StoreError.
void write_durably(const std::string& file, const std::string& text,
                   unsigned mode = warden::kOwnersAlone);

/// model::write_json() into a file of the store, part by part.
void write_json(warden::Store& store, const std::string& name, const model::Report& report);

/// The same into a file of any name. Throws warden::StoreError.
void write_json(const std::string& file, const model::Report& report);

/// The file of a report: a directory stands for its report.json.
std::string report_file(const std::string& path);

/// Throws UsageError when the report asks for judging that cannot be.
void require_policy(const model::Report& report, const std::string& file);

/// Reads a report (report_file). Throws UsageError.
model::Report load_report(const std::string& path);

}  // namespace rackproof::archive

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::kit {

/// The command line of a bench. Long options only; each call declares one and binds it to a
/// variable, whose present value is the default shown by --help. CLI11 stands behind options.cpp
/// alone.
class Options {
 public:
  Options(std::string program, std::string summary, std::string example);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  void flag(std::string_view name, bool& target, std::string_view help);
  void integer(std::string_view name, std::int64_t& target, std::int64_t low, std::int64_t high,
               std::string_view help);
  void number(std::string_view name, double& target, double low, double high,
              std::string_view help);
  void text(std::string_view name, std::string& target, std::string_view help);
  void choice(std::string_view name, std::string& target, std::vector<std::string> allowed,
              std::string_view help);
  /// A comma-separated list, each word out of `allowed`.
  void choices(std::string_view name, std::vector<std::string>& target,
               std::vector<std::string> allowed, std::string_view help);
  /// A comma-separated list of words of any form; the bench parses them and throws UsageError.
  void list(std::string_view name, std::vector<std::string>& target, std::string_view help);
  /// A number of bytes as nccl-tests and fio write it: 8, 1K, 32M, 8G (powers of 1024), 512MiB,
  /// 1GB.
  void bytes(std::string_view name, std::int64_t& target, std::int64_t low, std::int64_t high,
             std::string_view help);

  /// Reads the words after the program name. Throws UsageError with one plain sentence.
  void parse(const std::vector<std::string>& arguments);
  bool help_asked() const;
  bool version_asked() const;
  std::string help() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Bytes for a text such as "32M" (see Options::bytes). Throws UsageError.
std::int64_t parse_bytes(std::string_view text);

}  // namespace rackproof::kit

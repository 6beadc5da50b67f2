#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rackproof::inventory {

/// What reading one file gave: its text without the white space at its ends, or why not.
struct Reading {
  std::string path;  ///< without the root
  std::optional<std::string> text;
  std::string why;  ///< "No such file or directory", when there is no text
};

/// The small files of /proc, /sys and /etc below a root folder. Nothing here blocks on a pipe or
/// reads more than 1 MiB of a file, and nothing throws for what cannot be read.
class FileTree {
 public:
  /// An empty root is this machine.
  explicit FileTree(std::string root) : root_(std::move(root)) {}

  bool live() const { return root_.empty(); }
  Reading read(const std::string& path) const;
  /// The file as a whole decimal number; nothing when it is anything else.
  std::optional<long long> integer(const std::string& path) const;
  bool exists(const std::string& path) const;
  bool executable(const std::string& path) const;
  /// Sorted names in a folder, without the dot entries; empty when it cannot be listed.
  std::vector<std::string> names(const std::string& folder) const;
  /// The last part of where a symbolic link points ("mlx5_core"), or nothing.
  std::optional<std::string> link_name(const std::string& path) const;
  /// Where a symbolic link points, as it is written; nothing for what is none.
  std::optional<std::string> link_target(const std::string& path) const;
  std::string full(const std::string& path) const { return root_ + path; }

 private:
  std::string root_;
};

/// Removes white space and NUL bytes at both ends.
std::string trimmed(const std::string& text);

/// A whole decimal number with nothing around it but white space.
std::optional<long long> to_integer(const std::string& text);

/// A finite decimal number with nothing around it but white space.
std::optional<double> to_number(const std::string& text);

/// The kernel's list form, "0-3,8": each number once, ascending. Nothing when it is malformed.
std::optional<std::vector<int>> parse_list(const std::string& text);

/// The words of a text, separated by white space.
std::vector<std::string> words_of(const std::string& text);

/// The value of "key<separator>value" in a text of lines, trimmed; the first line that has the key.
std::optional<std::string> line_value(const std::string& text, const std::string& key,
                                      char separator);

}  // namespace rackproof::inventory

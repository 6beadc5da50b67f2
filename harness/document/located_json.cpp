#include "harness/document/located_json.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_set>
#include <utility>

#include "benches/protocol/json_writer.hpp"
#include "harness/document/document.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::document {
namespace {

constexpr std::size_t kLongestMessage = 240;

std::string joined(const std::string& file, int line, const std::string& field,
                   const std::string& text) {
  std::string out = model::printable(file);
  if (line > 0) out += ":" + std::to_string(line);
  out += ": ";
  // Names of fields come from the file: they may be anything, and of any length.
  if (!field.empty()) out += model::printable(field, kLongestMessage) + ": ";
  return out + model::printable(text);
}

[[noreturn]] void fail_whole(const std::string& file, const std::string& text) {
  throw ConfigError(file, 0, "", text);
}

// Forward iterator over the text that tells how far the reader has come.
class Cursor {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Cursor(const char* at, const char** reached) : at_(at), reached_(reached) {}
  reference operator*() const { return *at_; }
  Cursor& operator++() {
    *reached_ = ++at_;
    return *this;
  }
  bool operator==(const Cursor& other) const { return at_ == other.at_; }
  bool operator!=(const Cursor& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** reached_;
};

// nlohmann's sentence without its prefix, and short: it quotes the whole of the last token.
std::string short_message(std::string text) {
  if (const auto column = text.find("column "); column != std::string::npos) {
    if (const auto colon = text.find(": ", column); colon != std::string::npos) {
      text.erase(0, colon + 2);
    }
  }
  if (text.size() <= kLongestMessage) return text;
  const auto continues = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  std::size_t head = kLongestMessage / 2;
  while (continues(head)) --head;
  std::size_t tail = text.size() - kLongestMessage / 2;
  while (tail < text.size() && continues(tail)) ++tail;
  return text.substr(0, head) + " [...] " + text.substr(tail);
}

class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const std::string& file, std::string_view text, std::size_t max_values)
      : file_(file), counted_(text.data()), reached_(text.data()), max_values_(max_values) {}

  const char** reached() { return &reached_; }
  Node take() { return std::move(root_); }

  bool null() override { return add({nullptr, line()}); }
  bool boolean(bool value) override { return add({value, line()}); }
  bool number_integer(std::int64_t value) override { return add({value, line()}); }
  bool number_unsigned(std::uint64_t value) override {
    if (value > static_cast<std::uint64_t>(INT64_MAX)) refuse_integer(std::to_string(value));
    return add({static_cast<std::int64_t>(value), line()});
  }
  bool number_float(double value, const std::string& token) override {
    if (token.find_first_of(".eE") == std::string::npos) refuse_integer(token);
    return add({value, line()});
  }
  bool string(std::string& value) override { return add({std::move(value), line()}); }
  bool binary(nlohmann::json::binary_t& /*value*/) override { return false; }
  bool start_object(std::size_t /*elements*/) override { return open({Node::Members{}, line()}); }
  bool start_array(std::size_t /*elements*/) override { return open({Node::List{}, line()}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(std::string& name) override {
    Frame& top = frames_.back();
    top.key = name;
    if (!top.seen.insert(name).second) {
      fail("the field is given twice in one object; expected each field once");
    }
    return true;
  }

  bool parse_error(std::size_t /*position*/, const std::string& token,
                   const nlohmann::json::exception& error) override {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow) {
      fail("the number " + short_message(token) + " is too large; expected a finite 64-bit number");
    }
    fail("not JSON: " + short_message(error.what()));
  }

 private:
  struct Frame {
    Node node;
    std::string key;
    std::unordered_set<std::string> seen;
  };

  // The reader may have looked one byte past the token, never further.
  int line() {
    for (; counted_ + 1 < reached_; ++counted_) line_ += *counted_ == '\n' ? 1 : 0;
    return line_;
  }

  std::string path() const {
    std::string out;
    for (const Frame& frame : frames_) {
      if (const auto* list = std::get_if<Node::List>(&frame.node.value)) {
        out += "[" + std::to_string(list->size()) + "]";
      } else if (!frame.key.empty()) {
        out += (out.empty() ? "" : ".") + frame.key;
      }
    }
    return short_message(out);
  }

  [[noreturn]] void fail(const std::string& text) {
    throw ConfigError(file_, line(), path(), text);
  }
  [[noreturn]] void refuse_integer(const std::string& token) {
    fail("the integer " + short_message(token) +
         " does not fit in 64 bits; expected -2^63 to 2^63-1");
  }

  bool add(Node node) {
    if (++values_ > max_values_) {
      fail("more than " + std::to_string(max_values_) + " values; no such file is that large");
    }
    if (frames_.empty()) {
      root_ = std::move(node);
    } else if (auto* list = std::get_if<Node::List>(&frames_.back().node.value)) {
      list->push_back(std::move(node));
    } else {
      Frame& top = frames_.back();
      std::get<Node::Members>(top.node.value).push_back({std::move(top.key), std::move(node)});
      top.key.clear();
    }
    return true;
  }

  bool open(Node node) {
    if (frames_.size() == kMaxDepth) {
      throw ConfigError(file_, line(), "",
                        "nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    frames_.push_back({std::move(node), "", {}});
    return true;
  }

  bool close() {
    Node node = std::move(frames_.back().node);
    frames_.pop_back();
    return add(std::move(node));
  }

  const std::string& file_;
  const char* counted_;
  const char* reached_;
  int line_ = 1;
  std::size_t values_ = 0;
  std::size_t max_values_;
  std::vector<Frame> frames_;
  Node root_;
};

void refuse_bytes(const std::string& file, std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") {
    throw ConfigError(file, 1, "", "begins with a byte order mark; expected UTF-8 without one");
  }
  const auto line_of = [&](std::size_t at) {
    return 1 + static_cast<int>(std::count(text.begin(), text.begin() + at, '\n'));
  };
  // To the JSON reader a NUL is the end of the document, whatever follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos) {
    throw ConfigError(file, line_of(nul), "", "a NUL byte; expected a UTF-8 text file");
  }
  if (protocol::is_utf8(text)) return;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!protocol::is_utf8(text.substr(begin, end - begin))) break;
    begin = end + 1;
  }
  throw ConfigError(file, line_of(std::min(begin, text.size())), "",
                    "a byte that is not UTF-8; expected a UTF-8 text file");
}

std::string system_error(const std::string& what) {
  return what + " (" + std::strerror(errno) + ")";
}

// Owner of a descriptor.
struct Descriptor {
  explicit Descriptor(int number) : fd(number) {}
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int fd;
};

}  // namespace

ConfigError::ConfigError(std::string file_name, int line_number, std::string field_name,
                         std::string text)
    : std::runtime_error(joined(file_name, line_number, field_name, text)),
      file(std::move(file_name)),
      line(line_number),
      field(std::move(field_name)),
      message(std::move(text)) {}

std::string read_file(const std::string& path, std::size_t max_bytes) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) fail_whole(path, system_error("cannot be read"));
  if (S_ISDIR(facts.st_mode)) fail_whole(path, "is a directory; expected a file");
  if (!S_ISREG(facts.st_mode)) fail_whole(path, "is not a regular file");
  const auto refuse_size = [&](std::uint64_t size) {
    fail_whole(path, "is " + std::to_string(size) + " bytes long; at most " +
                         std::to_string(max_bytes) + " bytes (" + std::to_string(max_bytes >> 20) +
                         " MiB) are read");
  };
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (size > max_bytes) refuse_size(size);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd < 0) fail_whole(path, system_error("cannot be read"));
  // One byte more than expected, so that a file which grows meanwhile is noticed; /proc says 0.
  std::string text(size == 0 ? max_bytes + 1 : size + 1, '\0');
  std::size_t length = 0;
  while (length < text.size()) {
    const ssize_t got = ::read(file.fd, text.data() + length, text.size() - length);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_whole(path, system_error("cannot be read"));
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (length == text.size()) fail_whole(path, "is being written while it is read");
  text.resize(length);
  return text;
}

Node parse(const std::string& file, std::string_view text, std::size_t max_values) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    fail_whole(file, "is empty; expected a JSON document");
  }
  refuse_bytes(file, text);
  TreeBuilder builder(file, text, max_values);
  const Cursor begin(text.data(), builder.reached());
  const Cursor end(text.data() + text.size(), builder.reached());
  nlohmann::json::sax_parse(begin, end, &builder, nlohmann::json::input_format_t::json, true, true);
  return builder.take();
}

Document load_document(const std::string& path, std::size_t max_bytes) {
  Document document{path, read_file(path, max_bytes), {}};
  document.root = parse(path, document.text);
  return document;
}

}  // namespace rackproof::document

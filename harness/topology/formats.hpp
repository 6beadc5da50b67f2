#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/topology/attachment.hpp"

namespace rackproof::topology {

/// What each tool writes, as the attachments of adapters to switches; links between switches are
/// passed over. All throw ConfigError, with file, line and field, for text that the tool does not
/// write, and where one adapter is connected at two places.

/// Output of ibnetdiscover(8), with or without -f and -g: sections of switches and channel adapters
/// with their ports (out_switch_port and out_ca_port in infiniband-diags/ibnetdiscover.c of
/// rdma-core).
std::vector<Attachment> read_ibnetdiscover(const std::string& file, std::string_view text);

/// Output of iblinkinfo(8), with or without -l and -p (print_port in infiniband-diags/iblinkinfo.c
/// of rdma-core).
std::vector<Attachment> read_iblinkinfo(const std::string& file, std::string_view text);

/// Output of lldpctl -f json or json0 (json_writer.c, display.c and lldpcli(8) of lldpd), taken on
/// `host`: LLDP does not say who asked. Of an interface at which several answer nothing is said.
std::vector<Attachment> read_lldp(const std::string& file, std::string_view text,
                                  const std::string& host);

/// Comma-separated values with a header (RFC 4180): host, nic, and any of port, leaf, leaf_port,
/// rail, cable_serial. Lines that begin with '#' are comments.
std::vector<Attachment> read_csv(const std::string& file, std::string_view text);

/// Names of switches by GUID. Where several have one name, as those have that nobody named, the
/// GUID is a part of it.
class SwitchNames {
 public:
  void add(std::uint64_t guid, const std::string& name);
  std::string of(std::uint64_t guid, const std::string& name) const;
  bool empty() const { return guids_.empty(); }
  bool known(const std::string& name) const { return guids_.contains(name); }
  /// Whether it is that of several switches.
  bool shared(const std::string& name) const;

 private:
  std::map<std::string, std::set<std::uint64_t>> guids_;
};

}  // namespace rackproof::topology

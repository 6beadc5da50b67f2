#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <list>
#include <vector>

#include "harness/fleet/team.hpp"

namespace rackproof::fleet {
namespace {

constexpr int kTag = 7001;

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw TeamError(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

class MpiTeam : public Team {
 public:
  MpiTeam() {
    check(MPI_Init(nullptr, nullptr), "MPI_Init");
    // A communicator of our own keeps control messages apart from what benches send.
    check(MPI_Comm_dup(MPI_COMM_WORLD, &comm_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int to, const std::string& kind, const std::string& body) override {
    // One message: u32 length of the kind, the kind, the body.
    Outgoing& out = outgoing_.emplace_back();
    const auto length = static_cast<std::uint32_t>(kind.size());
    out.bytes.resize(sizeof length);
    std::memcpy(out.bytes.data(), &length, sizeof length);
    out.bytes.insert(out.bytes.end(), kind.begin(), kind.end());
    out.bytes.insert(out.bytes.end(), body.begin(), body.end());
    check(MPI_Isend(out.bytes.data(), static_cast<int>(out.bytes.size()), MPI_BYTE, to, kTag, comm_,
                    &out.request),
          "MPI_Isend");
    retire();
  }

  std::optional<Message> receive() override {
    retire();
    int here = 0;
    MPI_Status status;
    check(MPI_Iprobe(MPI_ANY_SOURCE, kTag, comm_, &here, &status), "MPI_Iprobe");
    if (here == 0) return std::nullopt;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    std::vector<char> bytes(static_cast<std::size_t>(count));
    check(
        MPI_Recv(bytes.data(), count, MPI_BYTE, status.MPI_SOURCE, kTag, comm_, MPI_STATUS_IGNORE),
        "MPI_Recv");
    std::uint32_t length = 0;
    if (bytes.size() < sizeof length) throw TeamError("a control message is too short");
    std::memcpy(&length, bytes.data(), sizeof length);
    if (bytes.size() < sizeof length + length) throw TeamError("a control message is too short");
    const char* at = bytes.data() + sizeof length;
    Message message{status.MPI_SOURCE, std::string(at, length), ""};
    message.body.assign(at + length, bytes.size() - sizeof length - length);
    return message;
  }

  void leave(bool everyone) override {
    if (!everyone) return;
    while (!outgoing_.empty()) retire();
    MPI_Comm_free(&comm_);
    MPI_Finalize();
  }

 private:
  struct Outgoing {
    std::vector<char> bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  void retire() {
    for (auto it = outgoing_.begin(); it != outgoing_.end();) {
      int done = 0;
      MPI_Test(&it->request, &done, MPI_STATUS_IGNORE);
      it = done != 0 ? outgoing_.erase(it) : std::next(it);
    }
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  std::list<Outgoing> outgoing_;
};

}  // namespace

bool has_mpi() { return true; }

std::unique_ptr<Team> make_mpi_team(int expected_size) {
  auto team = std::make_unique<MpiTeam>();
  if (expected_size > 0 && team->size() != expected_size) {
    throw TeamError("the launcher started " + std::to_string(expected_size) +
                    " ranks, but MPI sees " + std::to_string(team->size()) +
                    ": this build's MPI library does not belong to that launcher");
  }
  return team;
}

}  // namespace rackproof::fleet

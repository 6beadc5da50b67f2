#include "benches/collectives/mpi_transport.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <utility>

#include "benches/kit/errors.hpp"
#include "benches/kit/mpi/mpi.hpp"
#include "benches/kit/mpi/world.hpp"

namespace rackproof::collectives {
namespace {

using kit::mpi::require;

MPI_Datatype type_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kInt8:
      return MPI_INT8_T;
    case Dtype::kUint8:
      return MPI_UINT8_T;
    case Dtype::kInt32:
      return MPI_INT32_T;
    case Dtype::kUint32:
      return MPI_UINT32_T;
    case Dtype::kInt64:
      return MPI_INT64_T;
    case Dtype::kUint64:
      return MPI_UINT64_T;
    case Dtype::kFloat:
      return MPI_FLOAT;
    case Dtype::kDouble:
      return MPI_DOUBLE;
    case Dtype::kHalf:
    case Dtype::kBfloat16:
    case Dtype::kFloat8E4M3:
    case Dtype::kFloat8E5M2:
      break;
  }
  throw kit::UsageError(fmt::format("MPI has no type for {}", word(dtype)));
}

MPI_Op op_of(RedOp redop) {
  switch (redop) {
    case RedOp::kSum:
      return MPI_SUM;
    case RedOp::kProd:
      return MPI_PROD;
    case RedOp::kMin:
      return MPI_MIN;
    case RedOp::kMax:
      return MPI_MAX;
    case RedOp::kAvg:
      break;
  }
  throw kit::UsageError(fmt::format("MPI has no reduction {}", word(redop)));
}

// A count and a type that MPI can take: the element itself, or for a message beyond what an int
// counts one large type, made here and freed with this.
class Message {
 public:
  Message(std::int64_t count, Dtype dtype, std::int64_t most) : type_(type_of(dtype)) {
    if (count <= most) [[likely]] {
      count_ = static_cast<int>(count);
      return;
    }
    if (count / most > kMpiMostCount) {
      throw kit::UsageError(fmt::format("MPI cannot count a message of {} elements", count));
    }
    make_large(count, static_cast<std::int64_t>(size_of(dtype)), most);
  }
  ~Message() {
    if (made_ != MPI_DATATYPE_NULL) MPI_Type_free(&made_);
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  int count() const { return count_; }
  MPI_Datatype type() const { return type_; }

 private:
  void make_large(std::int64_t count, std::int64_t width, std::int64_t most) {
    MPI_Datatype part = MPI_DATATYPE_NULL;
    MPI_Datatype body = MPI_DATATYPE_NULL;
    MPI_Datatype rest = MPI_DATATYPE_NULL;
    const std::int64_t parts = count / most;
    require(MPI_Type_contiguous(static_cast<int>(most), type_, &part), "MPI_Type_contiguous");
    require(MPI_Type_contiguous(static_cast<int>(parts), part, &body), "MPI_Type_contiguous");
    require(MPI_Type_contiguous(static_cast<int>(count % most), type_, &rest),
            "MPI_Type_contiguous");
    std::array<int, 2> lengths{1, 1};
    std::array<MPI_Aint, 2> places{0, static_cast<MPI_Aint>(parts * most * width)};
    std::array<MPI_Datatype, 2> types{body, rest};
    require(MPI_Type_create_struct(2, lengths.data(), places.data(), types.data(), &made_),
            "MPI_Type_create_struct");
    require(MPI_Type_commit(&made_), "MPI_Type_commit");
    for (MPI_Datatype* type : {&part, &body, &rest}) MPI_Type_free(type);
    count_ = 1;
    type_ = made_;
  }

  int count_ = 0;
  MPI_Datatype type_;
  MPI_Datatype made_ = MPI_DATATYPE_NULL;
};

const void* input(const void* in) { return in == nullptr ? MPI_IN_PLACE : in; }

class MpiTransport final : public Transport {
 public:
  explicit MpiTransport(std::int64_t most_count) : most_(most_count) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  int local_size() const override { return world_.local_size(); }

  TransportFacts facts() const override {
    const auto library = kit::mpi::library();
    return {library.begin()->first, library.begin()->second, world_.path()};
  }

  void all_reduce(const void* in, void* out, std::int64_t count, Dtype dtype,
                  RedOp redop) override {
    in_parts(in, out, count, dtype, [&](const void* from, void* to, int part) {
      require(MPI_Allreduce(input(from), to, part, type_of(dtype), op_of(redop), group_),
              "MPI_Allreduce");
    });
  }

  void all_gather(const void* in, void* out, std::int64_t count, Dtype dtype) override {
    const Message message(count, dtype, most_);
    require(MPI_Allgather(input(in), message.count(), message.type(), out, message.count(),
                          message.type(), group_),
            "MPI_Allgather");
  }

  void reduce_scatter(const void* in, void* out, std::int64_t count, Dtype dtype,
                      RedOp redop) override {
    if (count > most_) {
      throw kit::UsageError(
          fmt::format("MPI_Reduce_scatter_block counts to {} elements per rank, {} were asked for",
                      most_, count));
    }
    require(MPI_Reduce_scatter_block(input(in), out, static_cast<int>(count), type_of(dtype),
                                     op_of(redop), group_),
            "MPI_Reduce_scatter_block");
  }

  void broadcast(const void* in, void* out, std::int64_t count, Dtype dtype) override {
    const Message message(count, dtype, most_);
    // MPI has one argument for what the root sends and the others receive; a root only reads it.
    void* data = rank_ == kRoot ? const_cast<void*>(in) : out;
    require(MPI_Bcast(data, message.count(), message.type(), kRoot, group_), "MPI_Bcast");
  }

  void reduce(const void* in, void* out, std::int64_t count, Dtype dtype, RedOp redop) override {
    const bool root = rank_ == kRoot;
    const void* source = in == nullptr && !root ? out : in;
    in_parts(source, out, count, dtype, [&](const void* from, void* to, int part) {
      require(MPI_Reduce(root ? input(from) : from, root ? to : nullptr, part, type_of(dtype),
                         op_of(redop), kRoot, group_),
              "MPI_Reduce");
    });
  }

  void all_to_all(const void* in, void* out, std::int64_t count, Dtype dtype) override {
    const Message message(count, dtype, most_);
    require(MPI_Alltoall(input(in), message.count(), message.type(), out, message.count(),
                         message.type(), group_),
            "MPI_Alltoall");
  }

  void send_recv(const void* in, void* out, std::int64_t count, Dtype dtype) override {
    constexpr int kTag = 1;
    const Message message(count, dtype, most_);
    const int next = (rank_ + 1) % size_;
    const int before = (rank_ + size_ - 1) % size_;
    require(MPI_Sendrecv(in, message.count(), message.type(), next, kTag, out, message.count(),
                         message.type(), before, kTag, group_, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
  }

  void barrier() override { require(MPI_Barrier(group_), "MPI_Barrier"); }

  void max_over_ranks(std::span<double> values) override {
    all_reduce(nullptr, values.data(), static_cast<std::int64_t>(values.size()), Dtype::kDouble,
               RedOp::kMax);
  }

  std::vector<double> gather(std::span<const double> values) override {
    std::vector<double> all(values.size() * static_cast<std::size_t>(size_));
    all_gather(values.data(), all.data(), static_cast<std::int64_t>(values.size()), Dtype::kDouble);
    return all;
  }

 private:
  template <class Call>
  void in_parts(const void* in, void* out, std::int64_t count, Dtype dtype, Call&& call) {
    if (count <= most_) [[likely]]
      return call(in, out, static_cast<int>(count));
    const auto width = static_cast<std::int64_t>(size_of(dtype));
    for (std::int64_t done = 0; done < count; done += most_) {
      const auto part = static_cast<int>(std::min(most_, count - done));
      call(in == nullptr ? nullptr : static_cast<const char*>(in) + done * width,
           static_cast<char*>(out) + done * width, part);
    }
  }

  std::int64_t most_;
  kit::mpi::World world_;
  MPI_Comm group_ = world_.group();
  int rank_ = world_.rank();
  int size_ = world_.size();
};

}  // namespace

std::unique_ptr<Transport> make_mpi_transport(std::int64_t most_count) {
  return std::make_unique<MpiTransport>(most_count);
}

}  // namespace rackproof::collectives

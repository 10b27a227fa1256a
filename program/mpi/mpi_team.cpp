#include "program/mpi/mpi_team.hpp"

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr int tag_of_runs = 1;

void send(int to, const StudyTeam::Message& message) {
  MPI_Send(message.data(), static_cast<int>(message.size()), MPI_LONG, to, tag_of_runs, MPI_COMM_WORLD);
}

std::optional<std::pair<int, StudyTeam::Message>> receive() {
  int is_there = 0, count = 0;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, tag_of_runs, MPI_COMM_WORLD, &is_there, &status);
  if (is_there == 0) return std::nullopt;
  MPI_Get_count(&status, MPI_LONG, &count);
  StudyTeam::Message message(at(count));
  MPI_Recv(message.data(), count, MPI_LONG, status.MPI_SOURCE, tag_of_runs, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return std::pair(status.MPI_SOURCE, std::move(message));
}

}  // namespace

MpiTeam::MpiTeam(int& argc, char**& argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &team_.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &team_.ranks);
  team_.send = send;
  team_.receive = receive;
  team_.give_up = [this] {
    std::fputs(
        "mti: other processes of the study do not answer; mti study --resume goes on with what is there\n",
        stderr);
    is_given_up_ = true;
  };
  team_.meet = [this] {
    if (left_ == 0) left_ = meet(0);
    if (left_ != 0) throw TeamLeft();
  };
}

MpiTeam::~MpiTeam() { MPI_Finalize(); }

ExitStatus MpiTeam::end(ExitStatus status) {
  if (is_given_up_)
    MPI_Abort(MPI_COMM_WORLD,
              static_cast<int>(status == ExitStatus::done ? ExitStatus::ended_early : status));
  if (left_ == 0) left_ = meet(static_cast<int>(status));
  return static_cast<ExitStatus>(left_);
}

// Waiting inside of MPI takes a processor whole, which runs of others could use.
int MpiTeam::meet(int number) {
  constexpr std::chrono::milliseconds between_looks(1);
  int greatest = 0, is_over = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&number, &greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
  for (MPI_Test(&request, &is_over, MPI_STATUS_IGNORE); is_over == 0;
       MPI_Test(&request, &is_over, MPI_STATUS_IGNORE))
    std::this_thread::sleep_for(between_looks);
  MPI_Wait(&request, MPI_STATUS_IGNORE);  // it is over
  return greatest;
}

}  // namespace mti

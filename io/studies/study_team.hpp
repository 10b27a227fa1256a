#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace mti {

/// The processes that make a study together: rank 0 deals the runs and writes the results. They share a file system and
/// messages, no memory. All functions are called by one thread of each process.
struct StudyTeam {
  using Message = std::vector<long>;

  int rank = 0;
  int ranks = 1;
  std::function<void(int to, const Message& message)> send = {};
  /// A message that has arrived and its sender; nothing if there is none. Messages of one sender keep their order.
  std::function<std::optional<std::pair<int, Message>>()> receive = {};
  /// Waits until all have come here, without taking their processors. Throws TeamLeft if one has left for good.
  std::function<void()> meet = {};
  /// Others do not answer: this process will not meet them again, and its end is theirs.
  std::function<void()> give_up = {};
};

/// Other processes of a team have left: they have said why, or do not answer.
class TeamLeft {};

}  // namespace mti

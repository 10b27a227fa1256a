// Runs are shared among processes: each is made by one of them, whatever the order in which messages come.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <random>

#include "io/studies/run_sharing.hpp"
#include "mti/common/at.hpp"

namespace mti::test {
namespace run_sharing_test {

/// Processes in one thread, with letter boxes, each of which makes a random number of runs when its turn comes.
struct Office {
  using Letter = std::pair<int, StudyTeam::Message>;
  std::vector<std::deque<Letter>> boxes;
  std::vector<StudyTeam> teams;

  explicit Office(int ranks) : boxes(at(ranks)), teams(at(ranks)) {
    for (int rank = 0; rank < ranks; ++rank) {
      teams[at(rank)].rank = rank;
      teams[at(rank)].ranks = ranks;
      teams[at(rank)].send = [this, rank](int to, const StudyTeam::Message& message) {
        boxes[at(to)].emplace_back(rank, message);
      };
      teams[at(rank)].receive = [this, rank]() -> std::optional<Letter> {
        if (boxes[at(rank)].empty()) return std::nullopt;
        const Letter letter = boxes[at(rank)].front();
        boxes[at(rank)].pop_front();
        return letter;
      };
    }
  }
};

/// Makes the runs; `stops` leave after so many turns, −1 never. What each process has made.
std::vector<std::vector<long>> made_by(int ranks, long runs, unsigned seed, const std::vector<int>& stops) {
  Office office(ranks);
  std::mt19937 random(seed);
  std::vector<long> all(at(runs));
  std::iota(all.begin(), all.end(), 0L);
  std::deque<RunQueue> queues(at(ranks));
  std::vector<RunSharing> sharings;
  std::vector<std::vector<long>> made(at(ranks));
  for (int rank = 0; rank < ranks; ++rank)
    sharings.emplace_back(rank == 0 ? all : std::vector<long>(), &office.teams[at(rank)], queues[at(rank)],
                          1 + rank % 3);
  const auto is_over = [&] {
    return std::ranges::all_of(sharings, [](const RunSharing& sharing) { return sharing.is_over(); });
  };
  for (int turn = 0; !is_over(); ++turn) {
    EXPECT_LT(turn, 1'000'000) << "nobody comes to an end";
    if (turn >= 1'000'000) break;
    const std::size_t rank = std::uniform_int_distribution<std::size_t>(0, at(ranks) - 1)(random);
    const bool stopped = stops[rank] >= 0 && turn >= stops[rank];
    sharings[rank].tend(static_cast<long>(made[rank].size()), stopped);
    for (int run = std::uniform_int_distribution<int>(0, 3)(random); run > 0 && queues[rank].waiting() > 0;
         --run)
      made[rank].push_back(queues[rank].take().value());
  }
  for (std::size_t rank = 0; rank < made.size(); ++rank)
    while (const auto run = queues[rank].take()) made[rank].push_back(*run);
  for (const auto& box : office.boxes) EXPECT_TRUE(box.empty()) << "a letter that nobody has read";
  EXPECT_EQ(sharings.front().runs(), runs);
  return made;
}

std::vector<long> put_together(const std::vector<std::vector<long>>& made) {
  std::vector<long> all;
  for (const auto& some : made) all.insert(all.end(), some.begin(), some.end());
  std::ranges::sort(all);
  return all;
}

TEST(RunSharing, EachRunIsMadeOnce) {
  for (const int ranks : {1, 2, 3, 8, 20})
    for (const long runs : {0L, 1L, 7L, 1000L, 20'000L}) {
      const auto made =
          made_by(ranks, runs, static_cast<unsigned>(ranks + runs), std::vector<int>(at(ranks), -1));
      std::vector<long> all(at(runs));
      std::iota(all.begin(), all.end(), 0L);
      EXPECT_EQ(put_together(made), all) << ranks << " processes, " << runs << " runs";
      if (runs < 1000) continue;
      for (const auto& some : made)
        EXPECT_GT(static_cast<long>(some.size()), runs / ranks / 4) << "one has hardly anything to do";
    }
}

TEST(RunSharing, WhoStopsLosesItsOwnRunsOnly) {
  const auto made = made_by(4, 5000, 1, {-1, 200, -1, 300});
  const std::vector<long> all = put_together(made);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end()) << "a run was made twice";
  EXPECT_GT(all.size(), 3000U);
  EXPECT_GT(made[0].size() + made[2].size(), 2500U) << "the others go on";
}

TEST(RunSharing, NothingIsDealtAfterTheFirstHasStopped) {
  const auto made = made_by(4, 100'000, 1, {100, -1, -1, -1});
  EXPECT_LT(put_together(made).size(), 20'000U);
}

}  // namespace run_sharing_test
}  // namespace mti::test

#include "io/studies/run_sharing.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {
namespace {

constexpr std::chrono::milliseconds shortest_block(50), longest_block(200);
/// 2 kB, which MPI sends at once: with more it may wait until the other process looks for it.
constexpr long most_in_a_block = 256;

}  // namespace

RunSharing::RunSharing(std::vector<long> runs, const StudyTeam* team, RunQueue& queue, long threads)
    : runs_(std::move(runs)), team_(team), queue_(queue), threads_(threads) {
  if (team_ == nullptr) {
    queue_.put(runs_);
    queue_.close();
  } else if (team_->rank == 0) {
    members_.resize(at(team_->ranks));
    members_.front().threads = threads;
  }
}

void RunSharing::tend(long made, bool stopped) {
  if (stopped) queue_.abandon();
  if (team_ == nullptr) {
    members_.resize(1);
    members_.front().made = made;
  } else if (team_->rank == 0) {
    deal(made, stopped);
  } else {
    ask(made, stopped);
  }
}

bool RunSharing::is_over() const {
  if (team_ == nullptr) return true;
  if (team_->rank != 0) return has_left_;
  return queue_.is_closed() && std::all_of(members_.begin() + 1, members_.end(),
                                           [](const Member& member) { return member.has_left; });
}

long RunSharing::made() const {
  long sum = 0;
  for (const Member& member : members_) sum += member.made;
  return sum;
}

/// A question is: runs made, threads, whether more are wanted. The answer is the runs; none where there are no more.
void RunSharing::deal(long made, bool stopped) {
  if (stopped) next_ = runs_.size();
  while (const auto question = team_->receive()) {
    Member& member = members_[at(question->first)];
    member.made = question->second.at(0);
    member.threads = question->second.at(1);
    const bool wants_more = question->second.at(2) != 0;
    const StudyTeam::Message block = wants_more ? next_block(member) : StudyTeam::Message();
    member.has_left = block.empty();
    team_->send(question->first, block);
  }
  Member& self = members_.front();
  self.made = made;
  if (queue_.is_closed() || queue_.waiting() >= self.threads) return;
  const StudyTeam::Message block = next_block(self);
  if (block.empty())
    queue_.close();
  else
    queue_.put(block);
}

StudyTeam::Message RunSharing::next_block(Member& member) {
  const Clock::time_point now = Clock::now();
  if (member.given != Clock::time_point()) {
    if (now - member.given < shortest_block) member.block = std::min(2 * member.block, most_in_a_block);
    if (now - member.given > longest_block) member.block = std::max(member.block / 2, 1L);
  }
  member.given = now;
  const long left = static_cast<long>(runs_.size() - next_);
  const long part = left / (2 * static_cast<long>(members_.size()));
  const long count = std::min(left, std::max(member.threads, std::min(member.block, part)));
  StudyTeam::Message block(runs_.begin() + static_cast<std::ptrdiff_t>(next_),
                           runs_.begin() + static_cast<std::ptrdiff_t>(next_) + count);
  next_ += at(count);
  return block;
}

void RunSharing::ask(long made, bool stopped) {
  while (const auto answer = team_->receive()) {
    asked_ = false;
    if (answer->second.empty())
      queue_.close();
    else if (!stopped)
      queue_.put(answer->second);
    has_left_ = answer->second.empty();
  }
  if (asked_ || has_left_ || (!stopped && queue_.waiting() >= threads_)) return;
  team_->send(0, {made, threads_, stopped ? 0 : 1});
  asked_ = true;
}

}  // namespace mti

#pragma once

#include <memory>
#include <stop_token>
#include <string>

namespace mti {

/// Ends the process, with the outcome `time_budget` or `interrupted` and the exit status of runs that ended early, when
/// `seconds` have passed since the construction or a stop was requested: there are no results yet that could be kept.
/// Reading does not look at either, so it is ended at once; other work does, and has a moment to end by itself.
class CommandLimit {
 public:
  /// `file`: what the message is about. `seconds` that are not positive are no limit: others refuse them.
  CommandLimit(double seconds, std::string file, std::stop_token stop = {});
  /// Of a command that makes no run, which has no limit of time: to read is part of its work.
  CommandLimit(std::string file, std::stop_token stop);
  ~CommandLimit();
  CommandLimit(const CommandLimit&) = delete;
  CommandLimit& operator=(const CommandLimit&) = delete;

  void reading_is_done();
  /// The results are there: from here on they are written to their end.
  void results_are_there();
  /// The results are there and go to standard output, which may have a reader that takes no more: printing is work like
  /// any other.
  void results_are_printed();
  /// What is left to do is to write the file at `path` anew. An end in the middle leaves the file that is there as it is.
  void results_are_written(std::string path);
  [[nodiscard]] double seconds_left() const;  ///< never quite zero

 private:
  struct Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace mti

#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mti::fmi {

/// How a call ends, with the numbers that FMI 2.0 and 3.0 give it.
enum class Status : int { ok, warning, discard, error, fatal };

/// A call that is not done, and why.
class Refused : public std::runtime_error {
 public:
  explicit Refused(const std::string& why, Status status = Status::error)
      : std::runtime_error(why), status_(status) {}
  [[nodiscard]] Status status() const noexcept { return status_; }

 private:
  Status status_;
};

/// What an instance tells its importer. What is wrong is always told; events only if the importer asked for them.
class Log {
 public:
  using Sink = std::function<void(Status status, std::string_view category, const std::string& message)>;

  Log(Sink sink, bool events) : sink_(std::move(sink)), events_(events) {}

  /// Categories by name, none: all. Throws Refused if there is no such category.
  void choose(bool on, std::span<const std::string_view> categories);
  [[nodiscard]] bool tells_events() const noexcept { return events_ && sink_; }
  void tell_event(const std::string& message) const;
  void tell(Status status, const std::string& message) const;

 private:
  Sink sink_;
  bool events_;
};

}  // namespace mti::fmi

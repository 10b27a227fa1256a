#include "io/study_journals/trajectory_journal.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "io/files/files.hpp"
#include "io/study_journals/rank_files.hpp"
#include "mti/common/at.hpp"
#include "mti/common/check_sum.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

constexpr std::string_view mark = "mtir";
/// Mark, number of bytes, check sum.
constexpr std::size_t head_size = 4 + 2 * sizeof(std::uint64_t);

constexpr std::string_view file_mark = "mti study trajectories";

std::string first_line(const StudyPlan& plan) {
  std::string line(file_mark);
  line.append(" 1 ").append(plan.fingerprint).append("\n");
  return line;
}

template <class Number>
void put(std::string& bytes, std::span<const Number> numbers) {
  static_assert(std::is_trivially_copyable_v<Number>);
  const std::size_t before = bytes.size();
  bytes.resize(before + numbers.size_bytes());
  if (!numbers.empty()) std::memcpy(bytes.data() + before, numbers.data(), numbers.size_bytes());
}
void put(std::string& bytes, std::uint64_t number) { put(bytes, std::span<const std::uint64_t>(&number, 1)); }

/// Takes numbers from the front of bytes whose check sum is right.
struct Bytes {
  std::string_view left;

  template <class Number>
  void take(std::span<Number> numbers) {
    if (!numbers.empty()) std::memcpy(numbers.data(), left.data(), numbers.size_bytes());
    left.remove_prefix(numbers.size_bytes());
  }
  std::uint64_t take() {
    std::uint64_t number = 0;
    take(std::span(&number, 1));
    return number;
  }
};

std::string bytes_of(const RunTrajectory& trajectory) {
  std::string bytes;
  put(bytes, static_cast<std::uint64_t>(trajectory.run));
  put(bytes, trajectory.time.size());
  put(bytes, trajectory.names.size());
  for (const std::string& name : trajectory.names) {
    put(bytes, name.size());
    bytes += name;
  }
  put(bytes, std::span<const double>(trajectory.time));
  put(bytes, std::span<const signed char>(trajectory.side));
  for (const std::vector<double>& column : trajectory.values) put(bytes, std::span<const double>(column));
  return bytes;
}

RunTrajectory trajectory_of(std::string_view text) {
  Bytes bytes{text};
  RunTrajectory trajectory;
  trajectory.run = static_cast<long>(bytes.take());
  const std::size_t rows = bytes.take(), columns = bytes.take();
  for (std::size_t column = 0; column < columns; ++column) {
    std::string name(bytes.take(), ' ');
    bytes.take(std::span(name.data(), name.size()));
    trajectory.names.push_back(std::move(name));
  }
  trajectory.time.resize(rows);
  trajectory.side.resize(rows);
  trajectory.values.assign(columns, std::vector<double>(rows));
  bytes.take(std::span(trajectory.time));
  bytes.take(std::span(trajectory.side));
  for (std::vector<double>& column : trajectory.values) bytes.take(std::span(column));
  return trajectory;
}

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw UnusableFile("file-unreadable", "", "cannot read " + path.string());
}

/// Goes through whole records: the run of each and where it begins. Returns where they end; −1 without a file.
std::int64_t find_records(const std::filesystem::path& path, const StudyPlan& plan,
                          const std::function<void(long run, std::int64_t place)>& use) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return -1;
  const auto size = static_cast<std::int64_t>(std::filesystem::file_size(path));
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path);
  std::string begin(first_line(plan).size(), ' ');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(file.gcount()));
  if (!file && first_line(plan).starts_with(begin)) return 0;  // not even that was written
  if (!begin.starts_with(file_mark))
    throw UnusableFile("file-unwritable", "",
                       "cannot write " + path.string() + ": it is there, and no journal of trajectories");
  if (begin != first_line(plan))
    throw UnusableFile("study-changed", "",
                       path.string() + " holds runs of another plan, model or version of mti");
  auto place = static_cast<std::int64_t>(begin.size());
  std::array<char, head_size + sizeof(std::uint64_t)> head{};
  while (file.read(head.data(), head.size())) {
    Bytes bytes{{head.data() + mark.size(), head.size() - mark.size()}};
    const auto length = static_cast<std::int64_t>(bytes.take());
    bytes.take();  // the check sum, which is looked at where the record is read
    const auto run = static_cast<long>(bytes.take());
    if (!std::string_view(head.data(), head.size()).starts_with(mark) || length < 0 ||
        length > size - place - static_cast<std::int64_t>(head_size))
      break;
    const std::int64_t end = place + static_cast<std::int64_t>(head_size) + length;
    if (run >= 0 && run < plan.runs) use(run, place);
    place = end;
    file.seekg(place);
  }
  return place;
}

}  // namespace

TrajectoryJournal::TrajectoryJournal(const std::filesystem::path& path, const StudyPlan& plan) : file_(path) {
  const std::int64_t end = find_records(path, plan, [](long, std::int64_t) {});
  file_.cut(std::max<std::int64_t>(end, 0));
  if (end <= 0) file_.append(first_line(plan));
}

void TrajectoryJournal::add(const RunTrajectory& trajectory) {
  const std::string bytes = bytes_of(trajectory);
  std::string record(mark);
  put(record, bytes.size());
  put(record, check_sum(bytes));
  record += bytes;
  const std::lock_guard hold(mutex_);
  file_.append(record);
}

// A run that was made again stands further behind.
TrajectoryRecords::TrajectoryRecords(const std::filesystem::path& directory, const StudyPlan& plan)
    : paths_(trajectory_journals(directory)), places_(at(plan.runs), {-1, 0}) {
  for (std::size_t file = 0; file < paths_.size(); ++file)
    find_records(paths_[file], plan, [&](long run, std::int64_t place) {
      places_[at(run)] = {static_cast<int>(file), place};
    });
}

void TrajectoryRecords::forget_damaged() {
  for (long run = 0; run < static_cast<long>(places_.size()); ++run)
    if (has(run) && !bytes_of_run(run)) places_[at(run)].first = -1;
}

std::ifstream& TrajectoryRecords::file_at(long run) {
  const auto [file, place] = places_[at(run)];
  if (open_ != file) {
    file_ = std::ifstream(paths_[at(file)], std::ios::binary);
    open_ = file;
  }
  file_.clear();
  file_.seekg(place);
  return file_;
}

std::optional<std::string> TrajectoryRecords::bytes_of_run(long run) {
  std::ifstream& file = file_at(run);
  std::string head(head_size, ' ');
  if (!file.read(head.data(), static_cast<std::streamsize>(head.size())))
    refuse(paths_[at(places_[at(run)].first)]);
  Bytes numbers{std::string_view(head).substr(mark.size())};
  std::string bytes(numbers.take(), ' ');
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) ||
      check_sum(bytes) != numbers.take())
    return std::nullopt;
  return bytes;
}

// What is damaged is seen where the record is read whole.
std::vector<std::string> TrajectoryRecords::names(long run) {
  constexpr std::uint64_t longest_name = 1 << 16;
  std::ifstream& file = file_at(run);
  const auto next = [&file] {
    std::string number(sizeof(std::uint64_t), '\0');
    file.read(number.data(), static_cast<std::streamsize>(number.size()));
    return Bytes{number}.take();
  };
  std::vector<std::string> names;
  file.ignore(static_cast<std::streamsize>(head_size + 2 * sizeof(std::uint64_t)));  // run, rows
  std::uint64_t columns = next();
  for (; columns > 0 && file; --columns) {
    const std::uint64_t length = next();
    if (!file || length > longest_name) break;
    std::string name(length, ' ');
    file.read(name.data(), static_cast<std::streamsize>(length));
    names.push_back(std::move(name));
  }
  return names;
}

RunTrajectory TrajectoryRecords::read(long run) {
  const auto bytes = bytes_of_run(run);
  if (!bytes)
    throw UnusableFile("file-unreadable", "",
                       paths_[at(places_[at(run)].first)].string() + " is damaged at run " +
                           std::to_string(run) + ": --resume makes it again");
  return trajectory_of(*bytes);
}

std::string trajectory_journal_name(int rank) { return rank_file_name("trajectories", ".bin", rank); }

std::vector<std::filesystem::path> trajectory_journals(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> found = rank_files(directory, "trajectories", ".bin");
  std::erase_if(found, [](const std::filesystem::path& path) { return !begins_with(path, file_mark); });
  return found;
}

void remove_trajectory_journals(const std::filesystem::path& directory) {
  std::error_code ignored;
  for (const std::filesystem::path& path : trajectory_journals(directory))
    std::filesystem::remove(path, ignored);
}

}  // namespace mti

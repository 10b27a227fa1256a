#include "io/study_journals/study_journal.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include "io/files/files.hpp"
#include "mti/common/at.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

constexpr std::size_t digits_of_sum = 8;
/// What stands before the number of a run whose row does not count any more.
constexpr std::string_view taken_back = "again ";

/// FNV-1a with 32 bits: a line that was cut short has another one, but for one in 4·10⁹.
std::string line_sum(std::string_view text) {
  std::uint32_t hash = 0x811C9DC5U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193U;
  std::array<char, digits_of_sum + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x", hash);
  return digits.data();
}

std::string journal_line(const std::string& row) { return line_sum(row) + ',' + row + '\n'; }

/// The row of a line of a journal; empty where it is not as it was written.
std::string_view row_in(std::string_view line) {
  if (line.size() <= digits_of_sum || line[digits_of_sum] != ',') return {};
  const std::string_view row = line.substr(digits_of_sum + 1);
  return line_sum(row) == line.substr(0, digits_of_sum) ? row : std::string_view();
}

std::string header(const StudyPlan& plan) {
  std::string line(study_journal_mark);
  line.append(" 1 ").append(plan.fingerprint);
  return line;
}

/// It ends before the mark, as where a process was killed, or a disk was full, while it wrote that.
bool is_cut_short(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(digits_of_sum + 1 + std::string_view(study_journal_mark).size(), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(at(file.gcount()));
  const std::string_view sum = std::string_view(text).substr(0, digits_of_sum);
  return sum.find_first_not_of("0123456789abcdef") == std::string_view::npos &&
         (',' + std::string(study_journal_mark)).starts_with(text.substr(sum.size()));
}

bool ends_in_a_line(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file || file.tellg() <= 0) return true;
  file.seekg(-1, std::ios::end);
  return file.get() == '\n';
}

}  // namespace

void read_journal(const std::filesystem::path& path, const StudyPlan& plan,
                  const std::function<void(long run, std::int64_t place, std::string_view row)>& use) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UnusableFile("file-unreadable", "", "cannot read " + path.string());
  const std::string own_header = header(plan);
  std::string line;
  std::int64_t place = 0;
  bool is_of_plan = false;
  while (std::getline(file, line)) {
    const std::int64_t begin = place;
    place += static_cast<std::int64_t>(line.size()) + 1;
    const std::string_view row = row_in(line);
    if (row == own_header) is_of_plan = true;
    if (row.starts_with("mti ") && row != own_header)
      throw UnusableFile("study-changed", "",
                         path.string() + " holds runs of another plan, model or version of mti");
    const bool is_row = !row.starts_with(taken_back);
    const std::string_view number = is_row ? row : row.substr(taken_back.size());
    long run = -1;
    std::from_chars(number.data(), number.data() + number.size(), run);
    if (!is_of_plan || run < 0 || run >= plan.runs) continue;
    if (is_row)
      use(run, begin + static_cast<std::int64_t>(digits_of_sum) + 1, row);
    else
      use(run, -1, {});
  }
}

bool has_rows(const std::filesystem::path& journal) {
  std::ifstream file(journal, std::ios::binary);
  std::string line;
  return std::getline(file, line) && file.peek() != std::ifstream::traits_type::eof();
}

JournalRows::JournalRows(std::filesystem::path path, const StudyPlan& plan)
    : path_(std::move(path)), places_(at(plan.runs), -1) {
  read_journal(path_, plan,
               [this](long run, std::int64_t place, std::string_view) { places_[at(run)] = place; });
  std::error_code ignored;
  if (std::filesystem::exists(path_, ignored)) file_.open(path_, std::ios::binary);
}

long JournalRows::count() const {
  return std::ranges::count_if(places_, [](std::int64_t place) { return place >= 0; });
}

std::string JournalRows::row(long run) {
  const std::int64_t place = places_[at(run)];
  const std::int64_t line_begin = place - static_cast<std::int64_t>(digits_of_sum) - 1;
  if (line_begin != position_) file_.seekg(line_begin);
  std::string line;
  if (!std::getline(file_, line)) throw UnusableFile("file-unreadable", "", "cannot read " + path_.string());
  position_ = line_begin + static_cast<std::int64_t>(line.size()) + 1;
  return line.substr(digits_of_sum + 1);
}

StudyJournal::StudyJournal(const std::filesystem::path& path, const StudyPlan& plan)
    : path_(path), header_(journal_line(header(plan))), file_(path) {
  std::error_code ignored;
  if (std::filesystem::file_size(path, ignored) > 0 && !begins_with(path, study_journal_mark) &&
      !is_cut_short(path))
    throw UnusableFile("file-unwritable", "",
                       "cannot write " + path.string() + ": it is there, and is no journal of a study");
}

void StudyJournal::begin_anew() {
  file_.cut(0);
  file_.append(header_);
}

void StudyJournal::go_on() {
  if (!ends_in_a_line(path_)) file_.append("\n");
  file_.append(header_);  // the plan may be named again
}

void StudyJournal::add(const std::string& row) { add(std::span(&row, 1)); }

void StudyJournal::take_back(std::span<const long> runs) {
  std::vector<std::string> rows;
  for (const long run : runs) rows.push_back(std::string(taken_back) + std::to_string(run));
  add(rows);
}

void StudyJournal::add(std::span<const std::string> rows) {
  std::string lines;
  for (const std::string& row : rows) lines += journal_line(row);
  const std::lock_guard hold(mutex_);
  file_.append(lines);
}

}  // namespace mti

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "io/analysis/write_linearization.hpp"
#include "io/files/files.hpp"
#include "io/json/writer.hpp"

namespace mti {
namespace {

const std::vector<std::string>& file_names() {
  static const std::vector<std::string> names = {"linearization.json",
                                                 "E.mtx",
                                                 "A.mtx",
                                                 "B.mtx",
                                                 "C.mtx",
                                                 "D.mtx",
                                                 "state_space_A.mtx",
                                                 "state_space_B.mtx",
                                                 "state_space_C.mtx",
                                                 "state_space_D.mtx"};
  return names;
}

/// Those of the files of a linearisation that is in a directory which are not among `written`.
std::vector<std::string> superseded(const std::filesystem::path& directory,
                                    const std::vector<NamedText>& written) {
  std::vector<std::string> names;
  if (!begins_with(directory / "linearization.json", R"("side":)")) return names;
  for (const std::string& name : file_names())
    if (std::ranges::find(written, name, &NamedText::name) == written.end() &&
        std::filesystem::is_regular_file(directory / name))
      names.push_back(name);
  return names;
}

/// Removes a linearisation, and its directory if nothing else is in it. False if there is none.
bool remove_linearization(const std::filesystem::path& directory) {
  const std::vector<std::string> names = superseded(directory, {});
  if (names.empty()) return false;
  write_files(directory, {}, names);
  std::error_code ignored;  // not empty
  std::filesystem::remove(directory, ignored);
  return true;
}

/// Those of an earlier call in directories `first`, first + 1, ….
void remove_linearizations(const std::filesystem::path& directory, std::size_t first) {
  while (remove_linearization(directory / std::to_string(first))) ++first;
}

void write_one(const std::filesystem::path& directory, const Model& model,
               const Linearization& linearization) {
  const Linearization& l = linearization;
  std::vector<std::pair<std::string, std::string>> texts;
  texts.emplace_back("linearization.json", linearization_json(model, l));
  const auto add = [&texts](const std::string& name, const SparseColumns& matrix) {
    texts.emplace_back(name + ".mtx", matrix_market(matrix));
  };
  add("E", l.E);
  add("A", l.A);
  add("B", l.B);
  add("C", l.C);
  add("D", l.D);
  if (l.state_space) {
    add("state_space_A", l.state_space->A);
    add("state_space_B", l.state_space->B);
    add("state_space_C", l.state_space->C);
    add("state_space_D", l.state_space->D);
  }
  std::vector<NamedText> files;
  for (const auto& [name, text] : texts) files.push_back({name, text});
  write_files(directory, files, superseded(directory, files));
}

}  // namespace

std::vector<std::filesystem::path> linearization_files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> folders = {directory}, files;
  std::error_code ended;
  for (std::filesystem::directory_iterator entry(directory, ended), end; !ended && entry != end;
       entry.increment(ended)) {
    const std::string name = entry->path().filename().string();
    if (name.find_first_not_of("0123456789") == std::string::npos) folders.push_back(entry->path());
  }
  for (const std::filesystem::path& folder : folders)
    for (const std::string& name : file_names()) files.push_back(folder / name);
  return files;
}

std::string matrix_market(const SparseColumns& matrix) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n";
  text += std::to_string(matrix.rows()) + " " + std::to_string(matrix.cols()) + " " +
          std::to_string(matrix.nonZeros()) + "\n";
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry) {
      text += std::to_string(entry.row() + 1) + " " + std::to_string(k + 1) + " ";
      json::append_number(text, entry.value() + 0.0);  // 0 for −0
      text += '\n';
    }
  return text;
}

void write_linearizations(const std::filesystem::path& directory, const Model& model,
                          std::span<const Linearization> linearizations) {
  if (linearizations.size() == 1) {
    remove_linearizations(directory, 1);
    write_one(directory, model, linearizations.front());
    return;
  }
  remove_linearization(directory);
  prepare_directory(directory);
  remove_linearizations(directory, linearizations.size() + 1);
  for (std::size_t i = 0; i < linearizations.size(); ++i)
    write_one(directory / std::to_string(i + 1), model, linearizations[i]);
}

}  // namespace mti

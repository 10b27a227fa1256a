#include <string>
#include <vector>

#include "io/files.hpp"
#include "io/json/writer.hpp"
#include "io/write_linearization.hpp"

namespace mti {
namespace {

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
  write_files(directory, files);
}

}  // namespace

std::string matrix_market(const SparseColumns& matrix) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n";
  text += std::to_string(matrix.rows()) + " " + std::to_string(matrix.cols()) + " " +
          std::to_string(matrix.nonZeros()) + "\n";
  for (int k = 0; k < matrix.outerSize(); ++k)
    for (SparseColumns::InnerIterator entry(matrix, k); entry; ++entry) {
      text += std::to_string(entry.row() + 1) + " " + std::to_string(k + 1) + " ";
      json::append_number(text, entry.value());
      text += '\n';
    }
  return text;
}

void write_linearizations(const std::filesystem::path& directory, const Model& model,
                          std::span<const Linearization> linearizations) {
  if (linearizations.size() == 1) {
    write_one(directory, model, linearizations.front());
    return;
  }
  prepare_directory(directory);
  for (std::size_t i = 0; i < linearizations.size(); ++i)
    write_one(directory / std::to_string(i + 1), model, linearizations[i]);
}

}  // namespace mti

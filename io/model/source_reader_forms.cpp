#include "io/model/source_reader.hpp"

namespace mti::json {

ExplicitSource SourceReader::read_explicit(ObjectReader& matrices) {
  ExplicitSource form;
  form.phi = read_triplets(matrices, "phi");
  if (matrices.has("factors")) {
    read_factors(matrices, form);
    form.lambda = matrices.plain_numbers("lambda");
  } else {
    form.U = read_triplets(matrices, "U");
    form.normalized = matrices.boolean("normalized").value_or(true);
  }
  form.equation_names = matrices.strings("equation_names");
  return form;
}

/// A list of matrices, each a list of two rows of numbers.
void SourceReader::read_factors(ObjectReader& matrices, ExplicitSource& form) {
  const auto wrong = [&](const std::string& pointer, const Value& found, const char* expected) {
    matrices.fault("wrong-type", pointer, "found " + describe(found) + ", expected " + expected);
  };
  matrices.each("factors", [&](const Value& matrix, std::size_t i) {
    const std::string pointer = matrices.pointer_to("factors", i);
    auto& rows = form.factors.emplace_back();
    if (!matrix.array()) return wrong(pointer, matrix, "two rows of numbers");
    for (const Value& row : *matrix.array()) {
      const std::string at = pointer + "/" + std::to_string(rows.size());
      auto& numbers = rows.emplace_back();
      if (!row.array()) {
        wrong(at, row, "a list of numbers");
        continue;
      }
      for (const Value& entry : *row.array()) {
        if (!entry.number()) wrong(at + "/" + std::to_string(numbers.size()), entry, "a number");
        numbers.push_back(entry.number() ? *entry.number() : 0.0);
      }
    }
  });
}

StateSpaceSource SourceReader::read_state_space(ObjectReader& matrices) {
  StateSpaceSource form;
  if (matrices.has("E")) form.E = read_triplets(matrices, "E");
  form.A = read_triplets(matrices, "A");
  // Without inputs or outputs there is nothing to write.
  if (matrices.has("B")) form.B = read_triplets(matrices, "B");
  if (matrices.has("C")) form.C = read_triplets(matrices, "C");
  if (matrices.has("D")) form.D = read_triplets(matrices, "D");
  form.equation_names = matrices.strings("equation_names");
  return form;
}

}  // namespace mti::json

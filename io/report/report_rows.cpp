#include "io/report/report_rows.hpp"

#include "mti/common/at.hpp"
#include "mti/printing/readable_terms.hpp"

namespace mti {

ReportRows::ReportRows(const Model& model, const Trajectory& like)
    : rows_of_S_(like.rows_of_S()),
      input_rows_(like.input_rows()),
      known_(at(model.signature.size())),
      original_(text::find_copies(model).original) {
  const Signature& signature = model.signature;
  for (const int row : rows_of_S_) known_[at(row)] = 1;
  for (const int row : input_rows_) known_[at(row)] = 1;
  if (!signature.is_discrete()) {
    for (int i = 0; i < signature.r(); ++i)
      original_[at(signature.pre_row(i))] = signature.binary_row(signature.pre()[at(i)]);
  }
  for (std::size_t row = 0; row < original_.size(); ++row)
    if (known_[at(original_[row])]) known_[row] = 1;
}

void ReportRows::fill(const Trajectory& part, std::size_t row, std::span<double> v) const {
  for (std::size_t i = 0; i < input_rows_.size(); ++i) v[at(input_rows_[i])] = part.input(row, i);
  const auto recorded = part.row(row);
  for (std::size_t c = 0; c < recorded.size(); ++c) v[at(rows_of_S_[c])] = recorded[c];
  for (std::size_t k = 0; k < original_.size(); ++k)
    if (original_[k] != static_cast<int>(k)) v[k] = v[at(original_[k])];
}

}  // namespace mti

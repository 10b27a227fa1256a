#include "io/report/report_rows.hpp"

#include <utility>

#include "mti/common/at.hpp"
#include "mti/printing/readable_terms.hpp"

namespace mti {

ReportRows::ReportRows(const Model& model, std::vector<int> rows_of_S, double begin)
    : model_(model),
      rows_of_S_(std::move(rows_of_S)),
      begin_(begin),
      known_(at(model.signature.size())),
      original_(text::find_copies(model).original) {
  const Signature& signature = model.signature;
  for (const int row : rows_of_S_) known_[at(row)] = 1;
  for (int i = 0; i < signature.m(); ++i) known_[at(signature.input_row(i))] = 1;
  if (!signature.is_discrete()) {
    for (int i = 0; i < signature.r(); ++i)
      original_[at(signature.pre_row(i))] = signature.binary_row(signature.pre()[at(i)]);
  }
  for (std::size_t row = 0; row < original_.size(); ++row)
    if (known_[at(original_[row])]) known_[row] = 1;
}

void ReportRows::fill(std::span<const double> recorded, double time, int side, std::span<double> v) const {
  const Signature& signature = model_.signature;
  for (int i = 0; i < signature.m(); ++i)
    v[at(signature.input_row(i))] = input_at(model_, i, time, side, begin_);
  for (std::size_t c = 0; c < recorded.size(); ++c) v[at(rows_of_S_[c])] = recorded[c];
  for (std::size_t k = 0; k < original_.size(); ++k)
    if (original_[k] != static_cast<int>(k)) v[k] = v[at(original_[k])];
}

}  // namespace mti

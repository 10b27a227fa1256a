#include "solvers/integration/jacobian_layout.hpp"

#include <algorithm>
#include <utility>

#include "mti/common/at.hpp"

namespace mti {

JacobianLayout::JacobianLayout(const Signature& signature, const SegmentUnknowns& unknowns,
                               const SparsePattern& kernel, const SegmentRows& rows) {
  std::vector<std::vector<Placed>> columns(at(unknowns.size()));
  const auto place = [&](int slot, const Placed& entry) { columns[at(slot)].push_back(entry); };

  for (int signal = 0; signal < signature.size(); ++signal) {
    const SegmentUnknowns::Place unknown = unknowns.place(signal, 0);
    if (unknown.slot < 0) continue;
    for (int k = kernel.column_start[at(signal)]; k < kernel.column_start[at(signal) + 1]; ++k)
      if (const int row = rows.row_of_kernel[at(kernel.row[at(k)])]; row >= 0)
        place(unknown.slot, {row, k, of_kernel, unknown.is_rate});
  }
  int row = rows.of_kernel, k = 0;
  for (const DifferentiatedRows::Entry& entry : rows.differentiated.entries())
    place(entry.place.slot, {row + entry.row, k++, of_differentiated, entry.place.is_rate});
  row += rows.differentiated.rows();
  for (const SegmentUnknowns::Tie& tie : unknowns.ties()) {
    place(tie.rate_of, {row, plus_one, constant, true});
    place(tie.value, {row, minus_one, constant, false});
    ++row;
  }
  for (const int held : rows.held) place(unknowns.place(held, 0).slot, {row++, plus_one, constant, false});

  pattern_.rows = pattern_.cols = unknowns.size();
  pattern_.column_start.assign(1, 0);
  for (std::vector<Placed>& column : columns) compress(std::move(column));
}

/// The next column: entries of one row stand in one place.
void JacobianLayout::compress(std::vector<Placed> column) {
  const auto is_rate = [](const Placed& entry) { return entry.is_rate; };
  differential_.push_back(std::any_of(column.begin(), column.end(), is_rate) ? 1 : 0);
  std::sort(column.begin(), column.end(), [](const Placed& a, const Placed& b) { return a.row < b.row; });
  int last_row = -1;
  for (const Placed& entry : column) {
    if (entry.row != last_row) pattern_.row.push_back(last_row = entry.row);
    Entries& entries = entries_[entry.source];
    (entry.is_rate ? entries.of_rates : entries.of_values)
        .push_back({entry.place, static_cast<int>(pattern_.row.size()) - 1});
  }
  pattern_.column_start.push_back(static_cast<int>(pattern_.row.size()));
}

void JacobianLayout::fill(double alpha, std::span<const double> kernel,
                          std::span<const double> differentiated, std::span<double> J) const {
  std::fill(J.begin(), J.end(), 0.0);
  const std::array<std::span<const double>, sources> values = {kernel, differentiated, constants};
  for (std::size_t source = 0; source < values.size(); ++source) {
    for (const Entry& entry : entries_[source].of_rates)
      J[at(entry.target)] += alpha * values[source][at(entry.place)];
    for (const Entry& entry : entries_[source].of_values)
      J[at(entry.target)] += values[source][at(entry.place)];
  }
}

}  // namespace mti

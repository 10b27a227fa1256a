#pragma once

#include <map>
#include <span>
#include <vector>

#include "mti/model/signature.hpp"
#include "mti/multilinear/row_map.hpp"

namespace mti {

/// constant + Σ slope_i v_i, by signal (row of S).
struct AffineForm {
  double constant = 0.0;
  std::map<int, double> slopes = {};
};

/// What affine equations with constant coefficients say of the signals: some of them as affine forms of the others,
///
///     v_p = c_p + Σ k_pj v_j,      p eliminated, j free
///
/// by Gaussian elimination of these rows of f. ẋ is eliminated before y, and y before x; inputs and sliding binaries
/// stay free. Rows that are not affine say nothing here, and neither does one that joins too many signals.
class AffineRelations {
 public:
  /// A row that joins more free signals than these is left out, so that work stays linear in the number of rows.
  static constexpr std::size_t most_joined = 64;

  /// No signal is eliminated.
  AffineRelations() = default;
  /// Of these rows of f.
  AffineRelations(const RowMap& f, std::span<const int> rows, const Signature& signature);

  [[nodiscard]] bool empty() const noexcept { return forms_.empty(); }
  /// The signal by free ones; by itself if it is free, or where these are too many.
  [[nodiscard]] AffineForm form_of(int signal) const;
  [[nodiscard]] bool is_free(int signal) const { return !order_.contains(signal); }

 private:
  /// Puts the forms of eliminated signals in; false if too many others come up.
  [[nodiscard]] bool reduce(AffineForm& form) const;

  std::map<int, std::size_t> order_;  ///< which signals are eliminated, and by which of the forms
  std::vector<AffineForm> forms_;     ///< each of signals that are free or are eliminated by a later one
};

}  // namespace mti

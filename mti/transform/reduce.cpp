#include "mti/transform/reduce.hpp"

#include <array>
#include <utility>

#include "mti/transform/eliminate_aliases.hpp"
#include "mti/transform/eliminate_explicit.hpp"
#include "mti/transform/merge_equal.hpp"

namespace mti {
namespace {

std::array<Eigen::Index, 6> sizes_of(const Model& model) {
  return {model.signature.size(), model.equations(),       model.constraints(),
          model.S.nonZeros(),     model.Phi_eq.nonZeros(), model.Phi_ineq.nonZeros()};
}

}  // namespace

Transformed reduce(const Model& model, const EliminationOptions& options) {
  Transformed result = merge_equal(model);
  const auto follow = [&result](Transformed next) {
    result = {std::move(next.model), result.recovery.followed_by(next.recovery)};
  };
  for (auto before = sizes_of(model);; before = sizes_of(result.model)) {
    follow(eliminate_aliases(result.model, options));
    follow(eliminate_explicit(result.model, options));
    follow(merge_equal(result.model));
    if (sizes_of(result.model) == before) return result;
  }
}

}  // namespace mti

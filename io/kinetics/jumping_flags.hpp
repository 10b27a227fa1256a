#pragma once

#include <map>
#include <string>
#include <vector>

#include "io/kinetics/source_writer.hpp"
#include "io/kinetics/triggers.hpp"

namespace mti::sbml {

/// The law of an event that assigns its values, and the texts of these.
struct HappeningLaw {
  std::size_t transition = 0;  ///< of the model
  std::map<std::string, std::string> values = {};
};

/// An event that makes something exactly a threshold says with its law on which side what it makes constants is then:
///
///     f = 1 where a⁺ − b⁺ > 0, 0 where it is below, and at 0 what the operator says
///
/// for a jump that ends exactly at a threshold leaves no motion by which the comparison would follow. Laws take no functions of
/// what varies. Sums of products without time, and without concentrations whose state is the amount. `one_by_one`: of events that
/// are due at one instant each sees what the others have left; else two that move one comparison could set it at once, and leave
/// it to the motion.
void set_jumping_flags(SourceWriter& writer, const std::vector<Triggers::Comparison>& comparisons,
                       const std::map<std::string, HappeningLaw>& laws, bool one_by_one);

}  // namespace mti::sbml

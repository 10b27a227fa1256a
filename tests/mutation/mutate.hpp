#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace mti::test {

/// A model file with one to three faults in it, drawn from the seed.
///
/// The structure is kept in mind: numbers become 0, −1, 1e308, the smallest denormal, their negative or
/// another number of the file, also those inside of relations; elements of lists go, come twice or change
/// places; names of relations are exchanged for others, operators for others, whole members for their like
/// elsewhere. Most mutants can still be read, and many run.
[[nodiscard]] nlohmann::ordered_json mutated(nlohmann::ordered_json model, std::uint32_t seed);

}  // namespace mti::test

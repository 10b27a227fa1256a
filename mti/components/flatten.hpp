#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mti/components/composition.hpp"
#include "mti/components/source_map.hpp"
#include "mti/model/model.hpp"
#include "mti/source/overrides.hpp"

namespace mti {

/// Puts a model made of components together as one source:
///
///     S(composition) = own ∪ ⋃_c c.S(model of c) ∪ connections
///
/// where c.S is S with every name prefixed by the name of the component and a dot; names of unnamed relations
/// are made before (tank1.eq2). Parameters of components come after those of what they stand in and may be
/// expressions of these. The experiment is that of the outermost model; matrices become equations. Ranges of
/// indices may depend on parameters: `overrides` replaces them by their flat names (others are not looked
/// at). Work and memory are linear in the size of the result.
///
/// Errors: InvalidModel with every fault found, each where it is written: ids `unknown-parameter`,
/// `unknown-start`, `unknown-input`, `input-driven-twice`, `unknown-component`, `empty-connection`,
/// `bad-index`, `too-many-components`, `not-a-binary`, `duplicate-name`, `bad-name`, and those of
/// expressions.
[[nodiscard]] FlatSource flatten(const Composition& composition, const Overrides& overrides = {});

/// Flattens and builds; the faults are those of flattening and of build() (mti/build/build.hpp), in the order of
/// the documents, innermost first, each in the file it comes from. Where the documents are sound and only
/// `overrides` do not fit: InvalidOption, as of override_values().
[[nodiscard]] Model build(const Composition& composition, const Overrides& overrides = {});

}  // namespace mti

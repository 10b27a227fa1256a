#pragma once

namespace mti {

/// Which files a model may name, as csv inputs and as models of components: any, or those below the folder of
/// the model itself, links followed (docs/model-format.md, "Files that a model names").
enum class Reach { anywhere, own_folder };

}  // namespace mti

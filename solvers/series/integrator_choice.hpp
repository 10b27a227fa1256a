#pragma once

namespace mti {

/// What integrates the smooth sections of a run; `automatic`: power series where a mode admits them and is not stiff, the
/// exact flow where it is stiff and affine, IDA elsewhere; `flow`: the exact flow of all affine modes, others as
/// `automatic` has them.
enum class IntegratorChoice { automatic, series, flow, ida };

}  // namespace mti

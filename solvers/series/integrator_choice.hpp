#pragma once

namespace mti {

/// What integrates the smooth sections of a run; `automatic`: power series where a mode admits them and is not stiff,
/// IDA elsewhere.
enum class IntegratorChoice { automatic, series, ida };

}  // namespace mti

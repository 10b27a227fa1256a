#pragma once

namespace mti::test {

/// ẋ = −x + 2 h; h becomes 0 at x = 1.5 and 1 at x = 0.5: a relaxation between 0.5 and 1.5 with half-periods ln 3.
inline constexpr const char* relaxation =
    R"({"format": "mti-model", "version": 1, "states": [{"name": "x", "start": 0.5}],
  "inputs": [{"name": "u", "value": 0}], "algebraic": [{"name": "y"}], "binaries": [{"name": "h", "start": 1}],
  "equations": ["der(x) = 2*h - y", "y = x + u"],
  "constraints": [{"name": "above", "text": "(x - 1.5)*h <= 0"}, {"name": "below", "text": "(0.5 - x)*(1 - h) <= 0"}],
  "experiment": {"stop": 20, "rtol": 1e-8}})";

}  // namespace mti::test

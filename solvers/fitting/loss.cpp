#include "solvers/fitting/loss.hpp"

#include <cmath>

namespace mti {

double Loss::value(double r) const {
  const double k = scale, s = r * r;
  switch (kind) {
    case Kind::huber:
      return std::abs(r) <= k ? s : 2.0 * k * std::abs(r) - k * k;
    case Kind::soft_l1: {  // without cancellation: √(1 + q) − 1 = q/(√(1 + q) + 1)
      const double q = s / (k * k);
      return 2.0 * s / (std::sqrt(1.0 + q) + 1.0);
    }
    case Kind::cauchy:
      return k * k * std::log1p(s / (k * k));
    case Kind::squares:
      break;
  }
  return s;
}

double Loss::weight(double r) const {
  const double k = scale, q = (r / k) * (r / k);
  switch (kind) {
    case Kind::huber:
      return std::abs(r) <= k ? 1.0 : k / std::abs(r);
    case Kind::soft_l1:
      return 1.0 / std::sqrt(1.0 + q);
    case Kind::cauchy:
      return 1.0 / (1.0 + q);
    case Kind::squares:
      break;
  }
  return 1.0;
}

double Loss::slope(double r) const {
  const double k = scale, q = (r / k) * (r / k);
  switch (kind) {
    case Kind::huber:
      return std::abs(r) <= k ? 1.0 : 0.0;
    case Kind::soft_l1:
      return std::pow(1.0 + q, -1.5);
    case Kind::cauchy:
      return (1.0 - q) / ((1.0 + q) * (1.0 + q));
    case Kind::squares:
      break;
  }
  return 1.0;
}

}  // namespace mti

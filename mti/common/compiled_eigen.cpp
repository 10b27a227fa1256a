#include "mti/common/compiled_eigen.hpp"

MTI_COMPILED_EIGEN(template)

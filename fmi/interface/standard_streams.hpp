#pragma once

#include <cstdio>

// Standard streams for code that is not position independent: nothing is to be called (standard_streams.cpp).

// Stand-in for tests.
#pragma once

#define GAS_NAME_GEOMETRY "geometry"

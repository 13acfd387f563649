// Stand-in for tests: the names of Houdini's numbers.
#pragma once

using fpreal64 = double;
using fpreal = fpreal64;

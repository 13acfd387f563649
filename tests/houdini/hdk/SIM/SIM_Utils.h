// Stand-in for tests.
#pragma once

#include "SIM/SIM_DataUtils.h"

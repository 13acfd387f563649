// Stand-in for tests.
#pragma once

#include "GA/GA_Attribute.h"

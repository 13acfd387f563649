// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "GA/GA_Handle.h"
#include "GEO/GEO_Detail.h"

class GU_Detail : public GEO_Detail {};

// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests.
#pragma once

#include "GA/GA_Primitive.h"

class GEO_Primitive : public GA_Primitive {
protected:
    using GA_Primitive::GA_Primitive;
};

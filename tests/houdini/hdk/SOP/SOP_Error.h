// Stand-in for tests.
#pragma once

enum SOP_ErrorCodes { SOP_MESSAGE };

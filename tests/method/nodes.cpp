// SPDX-License-Identifier: Apache-2.0
// Prints the list of nodes as JSON.
#include "otls/nodes_json.h"

#include <iostream>

int main() {
    std::cout << nendo::houdini::nodes_json();
}

# SPDX-License-Identifier: Apache-2.0
"""Includes of the library, the nodes and the program go one way: from higher layers to lower."""
import os
import tempfile
import unittest

import layers

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Repository(unittest.TestCase):
    """The repository as it stands."""

    @classmethod
    def setUpClass(cls):
        cls.includes, cls.missing = layers.read_includes(REPOSITORY)

    def expect_none(self, messages):
        """Fails with all of the messages, one per line, if there are any."""
        if messages:
            self.fail("\n".join(messages))

    def test_every_included_file_is_found(self):
        self.expect_none(self.missing)

    def test_every_root_has_includes(self):
        for root in layers.ROOTS:
            self.assertTrue([i for i in self.includes if i.folder.startswith(root)],
                            f"no include was read in {root}: the test checks nothing there")

    def test_no_folders_include_each_other_in_a_cycle(self):
        messages = layers.cycle_messages(self.includes)
        self.expect_none(messages)

    def test_each_folder_of_the_library_includes_only_lower_layers(self):
        messages = layers.order_messages(REPOSITORY, self.includes)
        self.expect_none(messages)

    def test_the_library_includes_no_header_of_houdini(self):
        messages = layers.hdk_messages(REPOSITORY)
        self.expect_none(messages)


class PlantedFaults(unittest.TestCase):
    """Small trees with a fault in them, each of which has to be found."""

    def tree(self, **files):
        """A temporary folder of these files; dop__node_h stands for dop/node.h."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in files.items():
            stem, ending = name.rsplit("_", 1)
            path = os.path.join(folder.name, stem.replace("__", "/") + "." + ending)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
        return folder.name

    def check(self, top):
        """Messages about cycles, about the order and about missing files of this tree."""
        includes, missing = layers.read_includes(top)
        return layers.cycle_messages(includes), layers.order_messages(top, includes), missing

    def test_a_sound_tree_has_no_message(self):
        top = self.tree(solvers__core__types_h="#include <vector>\n",
                        solvers__melt__solver_h='#include "core/types.h"\n#include "stages.h"\n',
                        solvers__melt__stages_h='#include "core/types.h"\n',
                        dop__melt_cpp='#include "melt/solver.h"\n#include "bridge/errors.h"\n',
                        dop__bridge__errors_h='#include <UT/UT_Error.h>\n#include "core/types.h"\n')
        self.assertEqual(self.check(top), ([], [], []))
        self.assertEqual(layers.hdk_messages(top), [])

    def test_a_cycle_of_two_folders_is_found_with_its_includes(self):
        top = self.tree(dop__node_h='// A node.\n#include "sop/mesh.h"\n',
                        sop__mesh_h="", sop__view_cpp='#  include "dop/node.h"\n',
                        sop__other_cpp='#include "sop/mesh.h"\n')
        [message], _, _ = self.check(top)
        self.assertEqual(message.splitlines(), [
            "cycle between dop, sop:",
            '  dop/node.h:2: dop includes "sop/mesh.h" of sop',
            '  sop/view.cpp:1: sop includes "dop/node.h" of dop'])

    def test_a_cycle_through_a_third_folder_is_found(self):
        top = self.tree(examples__nendo__run__run_h='#include "preview/preview.h"\n',
                        examples__nendo__preview__preview_h='#include "usd/usd.h"\n',
                        examples__nendo__usd__usd_h='#include "run/run.h"\n',
                        examples__nendo__main_cpp='#include "run/run.h"\n')
        [message], _, _ = self.check(top)
        self.assertTrue(message.startswith("cycle between examples/nendo/preview, "
                                           "examples/nendo/run, examples/nendo/usd:\n"), message)
        self.assertNotIn("main.cpp", message)

    def test_two_separate_cycles_are_both_found(self):
        top = self.tree(dop__a_h='#include "sop/a.h"\n', sop__a_h='#include "dop/a.h"\n',
                        solvers__io__a_h='#include "io/geo/a.h"\n',
                        solvers__io__geo__a_h='#include "io/a.h"\n')
        self.assertEqual(len(self.check(top)[0]), 2)

    def test_an_include_of_a_higher_layer_is_found(self):
        top = self.tree(solvers__core__types_h='#include "math/vector.h"\n',
                        solvers__math__vector_h="")
        none, [message], _ = self.check(top)
        self.assertEqual(none, [])
        self.assertIn("solvers/core/types.h:1", message)

    def test_a_method_that_includes_another_is_found(self):
        top = self.tree(solvers__melt__solver_h='#include "coupling/solver.h"\n',
                        solvers__coupling__solver_h="")
        self.assertEqual(len(self.check(top)[1]), 1)

    def test_a_library_that_includes_a_node_is_found(self):
        top = self.tree(solvers__surface__field_cpp='#include "dop/node.h"\n', dop__node_h="")
        _, [message], _ = self.check(top)
        self.assertIn("outside the library", message)

    def test_a_folder_without_a_layer_is_found(self):
        top = self.tree(solvers__attic__box_h="")
        _, [message], _ = self.check(top)
        self.assertTrue(message.startswith("solvers/attic: "), message)

    def test_a_missing_file_is_found_unless_it_is_configured(self):
        top = self.tree(solvers__core__a_h='#include "core/version.h"\n#include "core/gone.h"\n')
        with open(os.path.join(top, "solvers/core/version.h.in"), "w", encoding="utf-8"):
            pass
        self.assertEqual(self.check(top)[2], ['solvers/core/a.h:2: no file "core/gone.h"'])

    def test_a_header_of_houdini_in_the_library_is_found(self):
        top = self.tree(solvers__core__host_h="#include <openvdb/openvdb.h>\n"
                                              "#include <UT/UT_Interrupt.h>\n")
        self.assertEqual(layers.hdk_messages(top),
                         ["solvers/core/host.h:2: includes UT/UT_Interrupt.h of Houdini"])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Broken libraries are refused, with the file and the line at which they are broken."""
import shutil
import unittest

import hda
from support import OTLS, Case

SECTION = "nendo_8_8Sop_1melt_8_81.0"
DIALOG = f"{SECTION}/DialogScript"
PRESET = f"{SECTION}/Presets/Wax"
MIME = f"{SECTION}/Contents.dir/Contents.mime"
BOUNDARY = ("HOUDINIMIMEBOUNDARY0xD3ADD339-0x00000F49-0x56B122C9-0x00000001"
            "HOUDINIMIMEBOUNDARY")

# Name: file, original text, broken text, part of the message. The line of the error is that of the
# first difference, plus the last number.
VARIANTS = {
    "index: a table that is not there": ("INDEX__SECTION", "Table:        Sop", "Table:        Sup",
                                         "no table 'Sup'", 0),
    "index: a key that is not there": ("INDEX__SECTION", "License:", "Lisense:",
                                       "no key 'Lisense'", 0),
    "index: inputs upside down": ("INDEX__SECTION", "1 to 3", "3 to 1", "Inputs must be", 0),
    "index: neither true nor false": ("INDEX__SECTION", "Subnet:       true",
                                      "Subnet:       yes", "true or false", 0),
    "index: another operator": ("INDEX__SECTION", "nendo::melt::1.0\n", "nendo::wax::1.0\n",
                                "does not fit its path", 0),
    "index: a key twice": ("INDEX__SECTION", "Extra:        \n", "User:        \n",
                           "User is there twice", 1),
    "sections: no first line": ("Sections.list", '""\n', "\n", 'first line must be ""', 0),
    "sections: no tab": ("Sections.list", "INDEX__SECTION\tINDEX_SECTION",
                         "INDEX__SECTION INDEX_SECTION", "a tab", 0),
    "sections: a file that is not there": (f"{SECTION}/Sections.list", "Help\tHelp",
                                           "Halp\tHalp", "Halp is missing", 0),
    "sections: wrongly escaped": ("Sections.list", "nendo::Sop/melt::1.0", "nendo::Sop/melt::1.1",
                                  "is not how", 0),
    "presets: another kind of file": (PRESET, "#PSI_PRESET", "#PSI", "must be #PSI_PRESET", 0),
    "presets: a value without its end": (PRESET, '"wax"\t)', '"wax"', "preset does not end", None),
    "presets: a value twice": (PRESET, "override_yield", "override_young",
                               "override_young is there twice", 0),
    "presets: a name that is not its file's": (f"{SECTION}/Presets/Sections.list", "Wax\tWax",
                                               "Wax\tWex", "is not how 'Wex'", 0),
    "presets: a space without quotes": (f"{SECTION}/Presets/Sections.list",
                                        '"Set-up Lava"\t', "Set-up Lava\t", "are in quotes", 0),
    "options: no number": (f"{SECTION}/TypePropertiesOptions", "LockContents := 1;",
                           "LockContents := on;", "NAME := NUMBER;", 0),
    "dialog: a keyword that is not there": (DIALOG, "type    float", "kind    float",
                                            "no keyword 'kind'", 0),
    "dialog: a type that is not there": (DIALOG, "type    float", "type    flaot",
                                         "no type 'flaot'", -3),
    "dialog: a string that does not end": (DIALOG, 'label\t"Nendo Melt Solver"',
                                           'label\t"Nendo Melt Solver', "a string does not end", 0),
    "dialog: a brace that does not close": (DIALOG, "\n}\n", "\n", "ends too early", 0),
    "dialog: a brace too many": (DIALOG, "\n}\n", "\n}\n}\n", "more after the last brace", 0),
    "dialog: a parameter twice": (DIALOG, 'name    "ground_height"', 'name    "ground"',
                                  "'ground' is there twice", -1),
    "dialog: a name that can't be": (DIALOG, 'name    "ground"', 'name    "2ground"',
                                     "can't be a parameter's name", -1),
    "dialog: a range of one end": (DIALOG, "range   { 1 240 }", "range   { 1 }", "two ends", 0),
    "dialog: a range upside down": (DIALOG, "range   { 1 240 }", "range   { 240 1 }",
                                    "upside down", -6),
    "dialog: a menu without a label": (DIALOG, '"ice"    "Ice"', '"ice"',
                                       "tokens and labels", -1),
    "dialog: too few defaults": (DIALOG, 'default { "0" "-9.81" "0" }', 'default { "0" "-9.81" }',
                                 "2 defaults for 3 values", -5),
    "dialog: a condition without braces": (DIALOG, 'disablewhen "{ ground == 0 }"',
                                           'disablewhen "ground == 0"', "no condition", -7),
    "dialog: an input counted from 0": (DIALOG, "inputlabel\t1", "inputlabel\t0",
                                        "count from 1", 0),
    "contents: another boundary": (MIME, f'boundary="{BOUNDARY}"', 'boundary="NENDO"',
                                   "text before the first part", 2),
    "contents: no end": (MIME, f"--{BOUNDARY}--", "", "does not end", 1),
    "contents: a part that is not there": (MIME, "hdaroot/source.init", "hdaroot/source.inti",
                                           "no such part", 3),
    "contents: a wire from nowhere": (MIME, "0 \tpoints 0 1", "0 \tpaints 0 1",
                                      "no node 'paints'", 0),
    "contents: a wire to another connector": (MIME, '0 \tpoints 2 1 "input1"',
                                              '0 \tpoints 5 1 "input1"', "no connector 5", 0),
    "contents: a flag that is not there": (MIME, "flags =  lock off", "flags =  lick off",
                                           "no flag 'lick'", 0),
    "contents: a value without a name": (MIME, "matter\t[ 0\tlocks=0 ]", "matter [ 0 locks=0 ]",
                                         "is no value", 0),
    "contents: a channel that is not there": (MIME, "channel spacing {", "channel spicing {",
                                              "there is no channel spacing", None),
    "contents: a channel that does not close": (MIME, "      flags = 0\n      segment { length",
                                                "      flags = 0 {\n      segment { length",
                                                "does not close", None),
    "contents: a node that is not listed": (MIME, "hdaroot.order", "hdaroot/simulation.order",
                                            "twice", None),
    "contents: another kind of network": (MIME, "\nSop\n", "\nDop\n", "the library is of 'Sop'",
                                          0),
    "contents: a definition without an end": (MIME, "exprlanguage hscript\nend\n",
                                              "exprlanguage hscript\n", "has no end", None),
    "contents: user data that is no JSON": (MIME, "userdata\"\nContent-Type: text/plain\n\n{\n}",
                                            "userdata\"\nContent-Type: text/plain\n\n{\n]",
                                            "delimiter|Expecting", None),
}


class Broken(Case):
    def test_the_unbroken_library_is_accepted(self):
        self.assertEqual(len(hda.parse_library(OTLS / "nendo_melt.hda")), 1)

    def test_thirty_and_more_broken_variants_are_refused(self):
        self.assertGreaterEqual(len(VARIANTS), 30)
        for name, (file, old, new, message, after) in VARIANTS.items():
            with self.subTest(name):
                library = self.folder / name.replace(" ", "_") / "nendo_melt.hda"
                shutil.copytree(OTLS / "nendo_melt.hda", library)
                path = library / file
                text = path.read_text()
                self.assertIn(old, text)
                broken = text.replace(old, new, 1)
                if name.startswith("dialog: a brace"):
                    cut = text.rindex(old)
                    broken = text[:cut] + new + text[cut + len(old):]
                path.write_text(broken)
                with self.assertRaises(hda.BadAsset) as caught:
                    hda.parse_library(library)
                self.assertRegex(caught.exception.what, message)
                self.assertEqual(caught.exception.path, path)
                self.assertEqual(str(caught.exception).rsplit(": ")[0][:len(str(path))],
                                 str(path))
                lines = len(broken.split("\n"))
                self.assertTrue(1 <= caught.exception.line <= lines)
                if after is not None:
                    same = next((i for i, (a, b) in enumerate(zip(text, broken)) if a != b),
                                min(len(text), len(broken)))
                    at = text[:same].count("\n") + 1
                    self.assertEqual(caught.exception.line, at + after, str(caught.exception))

    def test_missing_files_are_reported(self):
        for file in (DIALOG, MIME, "INDEX__SECTION", "houdini.hdalibrary",
                     f"{SECTION}/Contents.dir/Sections.list"):
            library = self.folder / "nendo_melt.hda"
            shutil.copytree(OTLS / "nendo_melt.hda", library)
            (library / file).unlink()
            with self.assertRaises(hda.BadAsset):
                hda.parse_library(library)
            shutil.rmtree(library)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""The library as others use it: installed to a prefix, found by CMake, and run."""
import pathlib
import re
import tempfile
import unittest

import package
from package import BUILD, ROOT, run


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        package.install(cls.prefix)
        build = cls.folder / "build"
        run("cmake", "-S", ROOT / "examples/cpp", "-B", build,
            f"-DCMAKE_PREFIX_PATH={cls.prefix}")
        run("cmake", "--build", build)
        cls.build = build

    def rows(self, program):
        """What an example prints: one list of numbers per line."""
        text = run(self.build / program)
        return [[float(word) for word in line.split()] for line in text.splitlines()]

    def test_the_program_runs_from_the_prefix(self):
        there = run(self.prefix / "bin/nendo", "--version")
        self.assertEqual(there, run(BUILD / "nendo", "--version"))
        self.assertTrue(there.startswith(package.project_version() + ","), there)

    def test_every_variant_of_the_library_is_installed(self):
        built = {path.relative_to(BUILD / "lib") for path in (BUILD / "lib").rglob("*.so")}
        lib = next(self.prefix.glob("lib*"))
        self.assertEqual({path.relative_to(lib) for path in lib.rglob("*.so")}, built)

    def test_headers_include_each_other_from_the_prefix_alone(self):
        headers = sorted(path.relative_to(self.prefix / "include")
                         for path in (self.prefix / "include").rglob("*.h"))
        expected = len(list((ROOT / "solvers").rglob("*.h")))
        self.assertEqual(len(headers), expected)
        for header in headers:
            text = (self.prefix / "include" / header).read_text()
            self.assertFalse(re.search(r'#include "', text), header)
        # A folder of the user's own with the same name does not collide.
        own = self.folder / "own/core"
        own.mkdir(parents=True)
        (own / "error.h").write_text("#error a header of Nendo included the user's core/error.h\n")
        source = self.folder / "all.cpp"
        source.write_text("".join(f"#include <{header}>\n" for header in headers))
        run("c++", "-std=c++17", "-fsyntax-only", "-I", own.parent, "-I", self.prefix / "include",
            "-isystem", "/usr/include/eigen3", "-isystem", "/usr/include/Imath", source)

    def test_hello_clay_falls_and_rests(self):
        times, heights = zip(*self.rows("hello_clay"))
        self.assertAlmostEqual(heights[0], 1, delta=0.03)
        package.assert_falls(self, times, heights, 0.25)
        package.assert_rests(self, times, heights, package.REST)

    def test_own_collider_holds_the_ball(self):
        rows = self.rows("own_collider")
        times, x, y, z, depths = zip(*rows)
        self.assertAlmostEqual(x[0], 0.25, delta=0.03)
        # No particle enters the wall.
        self.assertLess(max(depths), 0)
        # The ball ends at the bottom of the bowl, a radius above its lowest point.
        self.assertAlmostEqual(x[-1], 0, delta=0.08)
        self.assertAlmostEqual(z[-1], 0, delta=0.02)
        self.assertAlmostEqual(y[-1], -0.6 + 0.15, delta=0.02)


if __name__ == "__main__":
    unittest.main()

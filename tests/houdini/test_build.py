# SPDX-License-Identifier: Apache-2.0
"""The configuration of the plugin, with a folder in place of Houdini that records the requests."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CONFIG = """
set(Houdini_VERSION {version})
add_library(Houdini INTERFACE)
target_compile_definitions(Houdini INTERFACE OF_HOUDINI)
function(houdini_configure_target)
    file(APPEND ${{CMAKE_BINARY_DIR}}/asked.txt "${{ARGV}}\\n")
endfunction()
"""


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.build = self.folder / "build"

    def houdini(self, version):
        """A folder that looks like Houdini's to CMake."""
        place = self.folder / "hfs"
        config = place / "toolkit/cmake/HoudiniConfig.cmake"
        config.parent.mkdir(parents=True)
        config.write_text(CONFIG.format(version=version))
        return place

    def configure(self, *options, hfs=None):
        environment = {k: v for k, v in os.environ.items() if k != "HFS"}
        if hfs:
            environment["HFS"] = str(hfs)
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        result = subprocess.run(["cmake", "-S", ROOT, "-B", self.build, *generator, *options],
                                env=environment, capture_output=True, text=True)
        # CMake breaks lines anywhere.
        result.text = " ".join((result.stdout + result.stderr).split())
        return result

    def commands(self):
        entries = json.loads((self.build / "compile_commands.json").read_text())
        return {Path(entry["file"]).relative_to(ROOT).as_posix(): entry["command"]
                for entry in entries}


class Plugin(Case):
    def test_the_plugin_is_made_of_the_nodes_and_the_solvers(self):
        result = self.configure(hfs=self.houdini("20.5.278"))
        self.assertEqual(result.returncode, 0, result.text)
        self.assertIn("Nendo for Houdini 20.5.278", result.text)
        commands = self.commands()
        for file in ("dop/bridge/parameters.cpp", "sop/SOP_NendoSource.cpp", "solvers/geometry/sample.cpp",
                     "solvers/elastoplastic/solver.cpp"):
            self.assertIn(file, commands)
        for file, command in commands.items():
            self.assertNotIn("tests/", file)
            self.assertNotIn("solvers/io/", file)
            self.assertNotIn("examples/", file)
            self.assertNotIn("tests/standin/hdk", command)
            self.assertIn("-DOF_HOUDINI", command)
            self.assertIn("-ffp-contract=off", command)
            self.assertIn("-march=", command)

    def test_houdini_is_not_started_to_ask_for_a_folder(self):
        self.configure(hfs=self.houdini("20.5.278"))
        asked = (self.build / "asked.txt").read_text()
        self.assertEqual(asked, f"nendo_houdini;INSTDIR;{self.build}/dso\n")

    def test_the_package_is_installed_with_its_files(self):
        self.configure(hfs=self.houdini("21.0.440"))
        source = self.folder / "none.cpp"
        source.write_text("")
        subprocess.run(["c++", "-shared", source, "-o", self.build / "libnendo_houdini.so"],
                       check=True)
        subprocess.run(["cmake", "--install", self.build, "--prefix", self.folder / "home"],
                       check=True, capture_output=True)
        home = self.folder / "home"
        files = {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()}
        self.assertIn("packages/nendo.json", files)
        self.assertIn("packages/nendo/dso/libnendo_houdini.so", files)
        for page in (ROOT / "otls/help").rglob("*.txt"):
            name = page.relative_to(ROOT / "otls").as_posix()
            self.assertIn(f"packages/nendo/{name}", files)
            icon = page.stem
            self.assertIn(f"packages/nendo/config/Icons/{icon}.svg", files)
        for library in (ROOT / "otls").glob("*.hda"):
            for path in library.rglob("*"):
                if path.is_file():
                    name = path.relative_to(ROOT).as_posix()
                    self.assertIn(f"packages/nendo/{name}", files)
        for name in ("otls/nendo_melt.hda/INDEX__SECTION", "toolbar/nendo.shelf",
                     "scripts/python/nendo_tools.py", "scripts/python/nendo_setups.py"):
            self.assertIn(f"packages/nendo/{name}", files)
        package = json.loads((home / "packages/nendo.json").read_text())
        self.assertEqual(package["hpath"], "$NENDO")
        self.assertIn({"NENDO": "$HOUDINI_PACKAGE_PATH/nendo"}, package["env"])

    def test_an_old_houdini_is_refused(self):
        for version in ("18.5.633", "19.0.720"):
            with self.subTest(version):
                hfs = self.houdini(version)
                result = self.configure(hfs=hfs)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(f"$HFS holds Houdini {version}; Nendo needs 19.5 or later",
                              result.text)
                shutil.rmtree(hfs)
                shutil.rmtree(self.build)

    def test_the_oldest_supported_houdini_is_accepted(self):
        self.assertEqual(self.configure(hfs=self.houdini("19.5.303")).returncode, 0)

    def test_a_folder_without_houdini_is_refused(self):
        empty = self.folder / "empty"
        empty.mkdir()
        result = self.configure(hfs=empty)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("has no toolkit/cmake/HoudiniConfig.cmake", result.text)

    def test_a_required_houdini_that_is_missing_is_an_error(self):
        result = self.configure("-DNENDO_HOUDINI=ON")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("$HFS is not set", result.text)


class Objects(Case):
    """NENDO_HDK_INCLUDE, with the stand-in in place of Houdini's include tree."""

    def test_the_nodes_compile_against_an_include_tree(self):
        tree = ROOT / "tests/standin/hdk"
        result = self.configure(f"-DNENDO_HDK_INCLUDE={tree}", "-DCMAKE_BUILD_TYPE=Debug")
        self.assertEqual(result.returncode, 0, result.text)
        entries = json.loads((self.build / "compile_commands.json").read_text())
        objects = [entry["command"] for entry in entries
                   if "nendo_nodes_objects" in entry["command"]]
        self.assertEqual(len(objects), len(list(ROOT.glob("dop/**/*.cpp"))) +
                         len(list(ROOT.glob("sop/*.cpp"))))
        for command in objects:
            self.assertIn("-DMAKING_DSO", command)
            self.assertIn(f"-isystem {tree}", command)
        target = ("tests/houdini/CMakeFiles/nendo_nodes_objects.dir/__/__/dop/bridge/"
                  "parameters.cpp.o")
        subprocess.run(["cmake", "--build", self.build, "--target", target], check=True,
                       capture_output=True)

    def test_a_missing_include_folder_is_refused(self):
        result = self.configure(f"-DNENDO_HDK_INCLUDE={self.folder}")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("there is no UT/UT_DSOVersion.h in", result.text)


class Flags(unittest.TestCase):
    def test_all_targets_that_use_the_solvers_agree_on_layout(self):
        build = os.environ.get("NENDO_BUILD")
        if not build:
            self.skipTest("NENDO_BUILD is not set")
        entries = json.loads((Path(build) / "compile_commands.json").read_text())
        self.assertTrue(any("nendo_bench" in entry["command"] for entry in entries))
        kinds = {tuple(word for word in entry["command"].split()
                       if word.startswith(("-DEIGEN_MAX_ALIGN_BYTES", "-ffp-contract")))
                 for entry in entries}
        self.assertEqual(kinds, {("-DEIGEN_MAX_ALIGN_BYTES=16", "-ffp-contract=off")})


if __name__ == "__main__":
    unittest.main()

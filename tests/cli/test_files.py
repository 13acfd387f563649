# SPDX-License-Identifier: Apache-2.0
"""Products of a run: surfaces, pictures, and the output of `info` for every kind of file."""
import json
import os
import shutil
import struct
import zlib

from nendo_cli import CUBE_OBJ, ROOT, Case


def read_png(path):
    """Width, height and the number of distinct bytes of the picture."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    at, pixels = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            pixels += data[at + 8:at + 8 + length]
        at += length + 12
    return width, height, len(set(zlib.decompress(pixels)))


class Results(Case):
    def info(self, path):
        return json.loads(self.nendo("info", path, "--json").stdout)

    def test_info_describes_a_frame(self):
        self.sim(self.scene(frames=1))
        info = self.info(self.out / "masters.0001.bgeo.sc")
        self.assertEqual(info["points"], 27)
        attributes = {a["name"]: a for a in info["point_attributes"]}
        for name, size in (("P", 3), ("v", 3), ("id", 1), ("pscale", 1), ("mass", 1),
                           ("density", 1), ("F_E", 9), ("F_P", 9), ("young", 1), ("body", 1)):
            self.assertEqual(attributes[name]["size"], size, name)
        self.assertEqual(attributes["id"]["min"], [0])
        self.assertEqual(attributes["id"]["max"], [26])
        self.assertAlmostEqual(attributes["pscale"]["max"][0], 0.125, places=6)
        self.assertAlmostEqual(attributes["density"]["max"][0], 1000, delta=20)
        self.assertLess(attributes["v"]["max"][1], 0)
        self.assertIn("points: 27", self.nendo("info", self.out / "masters.0001.bgeo.sc").stdout)

    def test_info_describes_a_checkpoint(self):
        self.sim(self.scene(frames=2))
        info = self.info(self.out / "checkpoint.nendo")
        self.assertEqual(info["frame"], 2)
        self.assertEqual(info["hash"], self.final_hash())
        self.assertAlmostEqual(info["time"], 2 / 24)
        text = self.nendo("info", self.out / "checkpoint.nendo").stdout
        self.assertIn(self.final_hash(), text)

    def test_info_describes_a_mesh(self):
        info = self.info(self.write("cube.obj", CUBE_OBJ))
        self.assertEqual(info["points"], 8)
        self.assertEqual(info["triangles"], 12)
        self.assertEqual(info["bounds"], {"min": [0, 0, 0], "max": [1, 1, 1]})
        self.assertAlmostEqual(info["volume"], 1)

    def test_info_describes_a_scene(self):
        info = self.info(ROOT / "examples/scenes/cube_soft.json")
        self.assertEqual(info["masters"], 4096)
        self.assertEqual(info["slaves"], 6647)

    def test_info_refuses_an_unknown_kind(self):
        done = self.nendo("info", self.write("notes.txt", "hello"), code=1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("notes.txt", done.stderr)
        self.assertIn(".bgeo.sc", done.stderr)

    def test_a_run_becomes_surfaces(self):
        self.sim(self.scene(frames=2, solver={"spacing": 0.075, "time_step": 0.005}))
        self.nendo("surface", self.out, "--mesh", "ply", "--frames", "0-1")
        self.assertEqual(sorted(p.name for p in self.out.glob("surface.*")),
                         ["surface.0000.ply", "surface.0000.vdb",
                          "surface.0001.ply", "surface.0001.vdb"])
        grid = self.info(self.out / "surface.0000.vdb")
        self.assertIn("surface", {g["name"] for g in grid["grids"]})
        mesh = self.info(self.out / "surface.0000.ply")
        # The cube of 0.75 m, with its edges rounded by at most one spacing.
        self.assertAlmostEqual(mesh["volume"], 0.75**3, delta=0.2 * 0.75**3)
        for k, (low, high) in enumerate(((-0.375, 0.375), (0.125, 0.875), (-0.375, 0.375))):
            self.assertAlmostEqual(mesh["bounds"]["min"][k], low, delta=0.1)
            self.assertAlmostEqual(mesh["bounds"]["max"][k], high, delta=0.1)

    def test_surfaces_have_attributes(self):
        self.sim(self.scene(frames=0))
        self.nendo("surface", self.out, "--mesh", "bgeo.sc", "--mode", "anisotropic")
        mesh = self.info(self.out / "surface.0000.bgeo.sc")
        names = {a["name"] for a in mesh["point_attributes"]}
        self.assertLessEqual({"P", "v", "id", "body", "plastic_strain"}, names)
        done = self.nendo("surface", self.out, "--mode", "soap", code=2)
        self.assertIn("--mode", done.stderr)

    def test_one_file_becomes_a_surface(self):
        self.sim(self.scene(frames=1))
        other = self.folder / "other"
        self.nendo("surface", self.out / "masters.0001.bgeo.sc", "--out", other)
        self.assertEqual([p.name for p in other.iterdir()], ["surface.0001.vdb"])

    def test_a_run_becomes_pictures(self):
        self.sim(self.scene(frames=2))
        self.nendo("render", self.out, "--size", "96x64", "--sheet", "3")
        self.assertEqual(len(list(self.out.glob("render.*.png"))), 3)
        width, height, values = read_png(self.out / "render.0001.png")
        self.assertEqual((width, height), (96, 64))
        self.assertGreater(values, 16)
        width, height, _ = read_png(self.out / "sheet.png")
        self.assertGreater(width * height, 2 * 96 * 64)

    def pictures(self):
        """The bytes of each picture after a new rendering."""
        self.nendo("render", self.out, "--size", "96x64")
        return {path.name: path.read_bytes() for path in self.out.glob("render.*.png")}

    def test_render_draws_the_surfaces_in_the_folder(self):
        self.sim(self.scene(frames=2, solver={"spacing": 0.125, "time_step": 0.005}))
        made_from_particles = self.pictures()
        self.nendo("surface", self.out)
        self.assertEqual(self.pictures(), made_from_particles)
        # Another frame's surface in place of frame 2: only that picture changes.
        shutil.copy(self.out / "surface.0000.vdb", self.out / "surface.0002.vdb")
        changed = self.pictures()
        self.assertNotEqual(changed["render.0002.png"], made_from_particles["render.0002.png"])
        self.assertEqual(changed["render.0001.png"], made_from_particles["render.0001.png"])
        # Particles that are newer than their surface are surfaced again.
        future = (self.out / "surface.0002.vdb").stat().st_mtime + 10
        os.utime(self.out / "masters.0002.bgeo.sc", (future, future))
        self.assertEqual(self.pictures(), made_from_particles)

    def test_render_draws_a_mesh_in_the_folder(self):
        self.sim(self.scene(frames=1))
        made_from_particles = self.pictures()
        (self.out / "surface.0001.obj").write_text(CUBE_OBJ)
        changed = self.pictures()
        self.assertNotEqual(changed["render.0001.png"], made_from_particles["render.0001.png"])
        self.assertEqual(changed["render.0000.png"], made_from_particles["render.0000.png"])

    def test_render_draws_no_surface_with_another_section(self):
        camera = {"eye": [2, 1, 3], "target": [0, 0.5, 0],
                  "section": {"point": [0.1, 0, 0], "normal": [1, 0, 0]}}
        water = {"method": "melt", "frames": 0, "solver": {"spacing": 0.1, "time_step": 0.01},
                 "bodies": [{"box": {"center": [0, 0.5, 0], "size": [1, 1, 1]},
                             "look": "clay", "temperature": 40, "material": {"preset": "ice"}}],
                 "camera": camera}
        self.sim(self.write("water.json", water))
        made_from_particles = self.pictures()
        for flags in ((), ("--section",)):
            self.nendo("surface", self.out, *flags)
            self.assertEqual(self.pictures(), made_from_particles, flags)

    def test_rendering_needs_a_run(self):
        done = self.nendo("render", self.folder, code=1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("nendo sim", done.stderr)

    def test_a_bad_picture_size_is_refused(self):
        self.sim(self.scene(frames=0))
        done = self.nendo("render", self.out, "--size", "wide", code=1)
        self.assertIn("--size wide", done.stderr)

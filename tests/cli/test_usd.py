# SPDX-License-Identifier: Apache-2.0
"""USD scenes as read by the real USD library: its checker, and values against the cache.

The library is usd-core of PyPI: that of the interpreter, else one in the build folder, where it is
installed when it is missing. Without it and without network the tests are skipped."""
import json
import math
import os
import pathlib
import struct
import subprocess
import sys
import unittest

from nendo_cli import CUBE_OBJ, NENDO, Case

REPORT = pathlib.Path(__file__).resolve().parent / "usd_report.py"

# Two bodies with different looks; the second one enters a frame late.
BODIES = [
    {"name": "cube", "box": {"center": [0, 0.5, 0], "size": [0.75, 0.75, 0.75]},
     "material": {"preset": "jelly"}, "color": [0.2, 0.5, 0.1]},
    {"name": "late", "box": {"center": [2, 0.5, 0], "size": [0.5, 0.5, 0.5]}, "start": 0.04,
     "material": {"preset": "clay"}},
]


def usd_environment():
    """The environment in which Python finds pxr; raises SkipTest with the reason."""
    folder = pathlib.Path(os.environ.get("NENDO_BUILD", pathlib.Path(NENDO).parent)) / "usd"
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder),
               "usd-core>=24.8"]
    for command in ([], install):
        if command:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                raise unittest.SkipTest("usd-core can't be installed: " + done.stderr[-200:])
        found = subprocess.run([sys.executable, "-c", "import pxr.UsdVol"], env=environment,
                               capture_output=True, text=True)
        if found.returncode == 0:
            return environment
    raise unittest.SkipTest("usd-core can't be imported: " + found.stderr[-200:])


def read_geo(path):
    """Point attributes of a .geo file that nendo wrote: name to rows."""
    def pairs(flat):
        return dict(zip(flat[::2], flat[1::2]))
    top = pairs(json.loads(path.read_text()))
    columns = {}
    for definition, data in pairs(top["attributes"])["pointattributes"]:
        values = pairs(pairs(data).get("values", []))
        columns[pairs(definition)["name"]] = values.get("tuples") or values.get("arrays", [[]])[0]
    return columns


def single(value):
    """The nearest single-precision number."""
    return struct.unpack("f", struct.pack("f", value))[0]


def volume_of(points, corners):
    total = 0
    for k in range(0, len(corners), 3):
        a, b, c = (points[i] for i in corners[k:k + 3])
        total += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2])
                  + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    return total


class Usd(Case):
    @classmethod
    def setUpClass(cls):
        cls.environment = usd_environment()

    def report(self, *frames):
        done = subprocess.run(
            [sys.executable, str(REPORT), str(self.out / "scene.usda"), *map(str, frames)],
            env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("arning", done.stderr)
        return json.loads(done.stdout)

    def run_bodies(self, *usd, **changes):
        self.sim(self.scene(bodies=BODIES, output={"format": "geo"}, frames=3, **changes))
        self.nendo("usd", self.out, *usd)
        return self.report(0, 1, 2, 3)

    def assert_cache(self, report, frame):
        """The particles of all prims together are the rows of the cache, to the last bit."""
        cache = read_geo(self.out / f"masters.{frame:04}.geo")
        rows = {}
        for shape in report["shapes"].values():
            if shape["type"] != "Points":
                continue
            values = shape["frames"][str(frame)]
            columns = (values["ids"], values["points"], values["velocities"], values["widths"])
            self.assertEqual(len({len(c) for c in columns}), 1)
            for i, p, v, w in zip(*columns):
                rows[i] = (p, v, w)
        self.assertEqual(sorted(rows), sorted(cache["id"]))
        for i, p, v, r in zip(cache["id"], cache["P"], cache["v"], cache["pscale"]):
            self.assertEqual(rows[i], ([single(x) for x in p], [single(x) for x in v],
                                       single(2 * r)))
        low = [min(p[k] - r for p, r in zip(cache["P"], cache["pscale"])) for k in range(3)]
        high = [max(p[k] + r for p, r in zip(cache["P"], cache["pscale"])) for k in range(3)]
        for mine, theirs in zip((low, high), report["bounds"]["particles"][str(frame)]):
            for a, b in zip(mine, theirs):
                self.assertAlmostEqual(a, b, places=6)

    def assert_extents(self, report):
        for shape in report["shapes"].values():
            for row in shape["frames"].values():
                if not row["points"]:
                    continue
                for mine, theirs in zip(row["extent"], row["computed_extent"]):
                    for a, b in zip(mine, theirs):
                        self.assertAlmostEqual(a, b, places=5)

    def test_time_samples_hold_the_particles(self):
        report = self.run_bodies("--layout", "samples")
        self.assertEqual(report["complaints"], [])
        self.assertEqual((report["root"], report["meters"], report["up"]), ("/nendo", 1, "Y"))
        self.assertEqual((report["start"], report["end"], report["fps"]), (0, 3, 24))
        self.assertEqual(len(report["layers"]), 2 + 1)  # With the session's own.
        for frame in range(4):
            self.assert_cache(report, frame)
        self.assert_extents(report)
        late = report["shapes"]["/nendo/particles/clay"]["frames"]
        self.assertEqual([len(late[str(f)]["points"]) for f in range(4)][:1], [0])
        self.assertGreater(len(late["3"]["points"]), 0)

    def test_clips_hold_the_same_values(self):
        samples = self.run_bodies("--layout", "samples")
        self.nendo("usd", self.out, "--layout", "clips")
        self.assertEqual(len(list(self.out.glob("geometry.0*.usda"))), 4)
        clips = self.report(0, 1, 2, 3)
        self.assertEqual(clips["complaints"], [])
        self.assertEqual(clips["shapes"], samples["shapes"])
        self.assertEqual(clips["bounds"], samples["bounds"])
        for frame in range(4):
            self.assert_cache(clips, frame)
        # And back: layers of frames that are no longer referenced are gone.
        self.nendo("usd", self.out, "--layout", "samples")
        self.assertEqual(list(self.out.glob("geometry.0*.usda")), [])

    def test_clips_may_have_gaps(self):
        self.run_bodies("--layout", "samples")
        (self.out / "masters.0002.geo").unlink()
        self.nendo("usd", self.out, "--layout", "clips")
        report = self.report(0, 1, 3)
        self.assertEqual(report["complaints"], [])
        for frame in (0, 1, 3):
            self.assert_cache(report, frame)

    def test_surfaces_become_meshes(self):
        self.sim(self.scene(frames=1, solver={"spacing": 0.1, "time_step": 0.005},
                            output={"format": "geo"}))
        self.nendo("surface", self.out, "--mesh", "ply")
        info = json.loads(self.nendo("info", self.out / "surface.0001.ply", "--json").stdout)
        for source in ("ply", "vdb"):
            self.nendo("usd", self.out)
            report = self.report(0, 1)
            self.assertEqual(report["complaints"], [])
            self.assertEqual(report["variant"], "surface")
            self.assertEqual(report["variants"], ["all", "particles", "surface", "volume"])
            self.assertIn("surface", report["shown"])
            self.assertNotIn("particles", report["shown"])
            mesh = report["shapes"]["/nendo/surface/jelly"]["frames"]["1"]
            self.assertEqual(len(mesh["points"]), info["points"])
            self.assertEqual(mesh["faceVertexCounts"], [3] * info["triangles"])
            # Faces point outward: the volume is that of the mesh, with its sign.
            volume = volume_of(mesh["points"], mesh["faceVertexIndices"])
            self.assertAlmostEqual(volume / info["volume"], 1, places=4)
            for normal in mesh["normals"]:
                self.assertAlmostEqual(math.hypot(*normal), 1, places=5)
            self.assertEqual(len(mesh["velocities"]), info["points"])
            self.assertLess(max(v[1] for v in mesh["velocities"]), 0)
            for mine, theirs in zip(report["bounds"]["surface"]["1"],
                                    (info["bounds"]["min"], info["bounds"]["max"])):
                for a, b in zip(mine, theirs):
                    self.assertAlmostEqual(a, b, places=6)
            self.assert_extents(report)
            for path in self.out.glob("surface.*.ply"):
                path.unlink()

    def test_volumes_refer_to_vdb_files(self):
        self.sim(self.scene(frames=1, solver={"spacing": 0.1, "time_step": 0.005}))
        self.nendo("surface", self.out)
        layers = self.folder / "layers"
        self.nendo("usd", self.out, "--out", layers)
        for path in ("scene.usda", "geometry.usda"):
            self.assertTrue((layers / path).exists())
        caches, self.out = self.out, layers
        report = self.report(0, 1)
        self.assertEqual(report["complaints"], [])
        volume = report["volumes"]["/nendo/volume"]
        self.assertEqual(volume["grids"]["surface"]["class"], "levelSet")
        self.assertEqual(volume["grids"]["surface"]["type"], "float")
        for frame in (0, 1):
            file = caches / f"surface.{frame:04}.vdb"
            found = volume["grids"]["surface"]["files"][str(frame)]
            self.assertTrue(os.path.samefile(found, file), found)
            info = json.loads(self.nendo("info", file, "--json").stdout)
            low, high = volume["extent"][str(frame)]
            for k in range(3):
                self.assertAlmostEqual(low[k], min(g["bounds"]["min"][k] for g in info["grids"]),
                                       places=5)
                self.assertAlmostEqual(high[k], max(g["bounds"]["max"][k] for g in info["grids"]),
                                       places=5)

    def test_skins_of_bones_become_meshes(self):
        line = {"points": [{"at": [0, 1, 0], "width": 0.1, "height": 0.1},
                           {"at": [1, 1, 0], "width": 0.1, "height": 0.1}], "up": [0, 0, 1]}
        scene = {"method": "rheology", "frames": 2, "fps": 24,
                 "bodies": [{"name": "rod", "line": line, "bones": 4,
                             "material": {"preset": "wax"}}]}
        self.sim(self.write("rod.json", scene))
        self.nendo("usd", self.out)
        report = self.report(0, 2)
        self.assertEqual(report["complaints"], [])
        skin = report["shapes"]["/nendo/skin/wax"]
        first, last = skin["frames"]["0"], skin["frames"]["2"]
        self.assertEqual(first["faceVertexIndices"], last["faceVertexIndices"])
        self.assertGreater(volume_of(first["points"], first["faceVertexIndices"]), 0)
        self.assertEqual(skin["material"], "/nendo/materials/wax")

    def test_camera_lights_and_materials_are_written(self):
        camera = {"eye": [1, 2, 5], "target": [0, 0.5, 0], "fov": 40}
        report = self.run_bodies("--size", "800x400", camera=camera)
        seen = report["camera"]
        self.assertAlmostEqual(seen["fov"], 40, places=3)
        self.assertAlmostEqual(seen["aspect"], 2, places=4)
        view = [t - e for t, e in zip(camera["target"], camera["eye"])]
        for k in range(3):
            self.assertAlmostEqual(seen["eye"][k], camera["eye"][k], places=6)
            self.assertAlmostEqual(seen["view"][k], view[k] / math.hypot(*view), places=6)
        self.assertEqual(report["resolution"], [800, 400])
        self.assertEqual(report["products"], ["/Render/frame"])
        self.assertEqual(sorted(report["lights"].values()),
                         ["DistantLight", "DomeLight", "RectLight"])
        self.assertEqual(set(report["materials"]), {"jelly", "clay", "collider", "ground"})
        jelly = report["materials"]["jelly"]
        self.assertEqual(jelly[""]["id"], "UsdPreviewSurface")
        self.assertAlmostEqual(jelly[""]["ior"], 1.35, places=5)
        self.assertLess(jelly[""]["opacity"], 1)
        self.assertGreater(jelly["mtlx"]["transmission"], 0)
        self.assertEqual(jelly["mtlx"]["base_color"], "mtlx_color")
        self.assertNotIn("transmission", report["materials"]["clay"]["mtlx"])
        shape = report["shapes"]["/nendo/particles/jelly"]
        self.assertEqual(shape["material"], "/nendo/materials/jelly")
        color = shape["frames"]["0"]["primvars:displayColor"]
        self.assertEqual(color, [[single(c) for c in BODIES[0]["color"]]])

    def test_colliders_move_as_in_the_scene(self):
        mesh = self.write("ramp.obj", CUBE_OBJ)
        colliders = [
            {"name": "ground", "plane": {}},
            {"name": "a rod", "capsule": {"a": [0, 3, 0], "b": [1, 3, 0], "radius": 0.1},
             "keys": [{"time": 0, "translate": [0, 0, 0]}, {"time": 1, "translate": [0, 24, 0]}]},
            {"name": "ball", "sphere": {"center": [3, 1, 0], "radius": 0.5}},
            {"name": "two", "union": {"parts": [{"box": {"center": [-3, 1, 0]}}]}},
            {"name": "ramp", "mesh": pathlib.Path(mesh).name, "translate": [5, 0, 0]},
            {"name": "hidden", "box": {"center": [9, 9, 9]}, "shown": False},
        ]
        self.sim(self.scene(colliders=colliders, frames=2))
        self.nendo("usd", self.out)
        script = """
import json, sys
from pxr import Usd, UsdGeom
stage = Usd.Stage.Open(sys.argv[1])
boxes = {}
for prim in stage.GetPrimAtPath("/nendo/colliders").GetChildren():
    for frame in (0, 2):
        cache = UsdGeom.BBoxCache(frame, ["default"])
        box = cache.ComputeWorldBound(prim).ComputeAlignedRange()
        boxes[f"{prim.GetName()} {frame}"] = [list(box.GetMin()), list(box.GetMax())]
json.dump(boxes, sys.stdout)
"""
        done = subprocess.run([sys.executable, "-c", script, str(self.out / "scene.usda")],
                              env=self.environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        boxes = json.loads(done.stdout)
        self.assertEqual({name.split()[0] for name in boxes},
                         {"ground", "a_rod", "ball", "two", "ramp"})
        for name, low, high in (("a_rod 0", [-0.1, 2.9, -0.1], [1.1, 3.1, 0.1]),
                                ("a_rod 2", [-0.1, 4.9, -0.1], [1.1, 5.1, 0.1]),
                                ("ball 0", [2.5, 0.5, -0.5], [3.5, 1.5, 0.5]),
                                ("two 0", [-3.5, 0.5, -0.5], [-2.5, 1.5, 0.5]),
                                ("ramp 0", [5, 0, 0], [6, 1, 1])):
            for mine, theirs in zip((low, high), boxes[name]):
                for a, b in zip(mine, theirs):
                    self.assertAlmostEqual(a, b, places=5, msg=name)
        self.assertAlmostEqual(boxes["ground 0"][1][1], 0)
        self.assertEqual(self.report(0, 2)["complaints"], [])

    def test_a_folder_without_a_run_is_refused(self):
        done = self.nendo("usd", self.folder, code=1)
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.assertIn("nendo sim", done.stderr)

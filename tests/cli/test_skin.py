# SPDX-License-Identifier: Apache-2.0
"""`nendo surface` with an artist's mesh (a skin, UVs by rest point) and with a section."""
import json
import math

from nendo_cli import Case

SIDE = 12  # Quads along an edge of the box.


def box_obj(center, size):
    """A box of fine quads; each face has its own square of a texture of 3 x 2."""
    lines, faces, count = [], [], 0
    for axis in range(3):
        for side in (-1, 1):
            u, v = (axis + 1) % 3, (axis + 2) % 3
            first = count + 1
            for i in range(SIDE + 1):
                for j in range(SIDE + 1):
                    point = [0.0] * 3
                    point[axis], point[u], point[v] = side, 2 * i / SIDE - 1, 2 * j / SIDE - 1
                    point = [c + s / 2 * p for c, s, p in zip(center, size, point)]
                    lines.append("v %.9g %.9g %.9g" % tuple(point))
                    lines.append("vt %.9g %.9g" % ((axis + i / SIDE) / 3,
                                                   ((side > 0) + j / SIDE) / 2))
                    count += 1
            for i in range(SIDE):
                for j in range(SIDE):
                    a = first + i * (SIDE + 1) + j
                    corners = [a, a + SIDE + 1, a + SIDE + 2, a + 1]
                    if side < 0:
                        corners.reverse()
                    faces.append("f " + " ".join(f"{c}/{c}" for c in corners))
    return "\n".join(lines + faces) + "\n"


def read_obj(path):
    points, uvs, triangles = [], [], []
    for line in path.read_text().splitlines():
        words = line.split()
        if words and words[0] == "v":
            points.append([float(w) for w in words[1:]])
        elif words and words[0] == "vt":
            uvs.append([float(w) for w in words[1:]])
        elif words and words[0] == "f":
            triangles.append([int(w.split("/")[0]) - 1 for w in words[1:]])
    return points, uvs, triangles


class Skin(Case):
    CENTER, SIZE = (0, 2, 0), (0.75, 0.75, 0.75)

    def setUp(self):
        super().setUp()
        body = {"name": "cube", "box": {"center": self.CENTER, "size": self.SIZE},
                "material": {"preset": "jelly"}}
        self.sim(self.scene(bodies=[body], frames=3,
                            solver={"spacing": 0.125, "time_step": 0.005}))
        self.mesh = self.write("box.obj", box_obj(self.CENTER, self.SIZE))

    def test_skin_falls_with_the_body_and_keeps_its_uv(self):
        self.nendo("surface", self.out, "--skin", self.mesh, "--mesh", "obj")
        before, uv_before, triangles = read_obj(self.out / "skin.0000.obj")
        after, uv_after, same = read_obj(self.out / "skin.0003.obj")
        self.assertEqual(triangles, same)
        self.assertEqual(len(triangles), 6 * 2 * SIDE * SIDE)
        self.assertEqual(uv_before, uv_after)
        self.assertEqual(len(uv_before), len(before))
        # Free fall without rotation: each point falls by the same distance.
        drop = 9.81 / 2 * (3 / 24) ** 2
        for a, b in zip(before, after):
            self.assertLess(math.dist(a, [b[0], b[1] + drop, b[2]]), 0.005)

    def test_surface_has_uv_by_closest_rest_point(self):
        self.nendo("surface", self.out, "--uv", self.mesh, "--mesh", "obj", "--frames", "3")
        points, uvs, _ = read_obj(self.out / "surface.0003.obj")
        self.assertEqual(len(points), len(uvs))
        self.assertFalse((self.out / "skin.0003.obj").exists())
        middle = [sum(p[k] for p in points) / len(points) for k in range(3)]
        checked = 0
        for point, uv in zip(points, uvs):
            at = [2 * (p - m) / s for p, m, s in zip(point, middle, self.SIZE)]
            axis = max(range(3), key=lambda k: abs(at[k]))
            u, v = (axis + 1) % 3, (axis + 2) % 3
            if max(abs(at[u]), abs(at[v])) > 0.6:
                continue  # near an edge, where faces are rounded
            self.assertAlmostEqual(uv[0], (axis + (at[u] + 1) / 2) / 3, delta=0.01)
            self.assertAlmostEqual(uv[1], ((at[axis] > 0) + (at[v] + 1) / 2) / 2, delta=0.015)
            checked += 1
        self.assertGreater(checked, 100)

    def test_geometry_carries_rest_and_fade(self):
        self.nendo("surface", self.out, "--skin", self.mesh, "--frames", "2")
        info = json.loads(self.nendo("info", self.out / "skin.0002.bgeo.sc", "--json").stdout)
        text = json.dumps(info)
        for name in ("rest", "fade", "uv", "body"):
            self.assertIn(f'"{name}"', text)
        self.nendo("usd", self.out, "--frames", "2")
        layer = (self.out / "geometry.usda").read_text()
        for name in ("texCoord2f[] primvars:st", "float[] primvars:fade"):
            self.assertIn(name, layer)

    def test_bad_meshes_are_refused(self):
        before = sorted(self.out.iterdir())
        away = self.write("away.obj", box_obj((50, 0, 0), self.SIZE))
        bare = self.write("bare.obj", "v 0 2 0\nv 1 2 0\nv 0 3 0\nf 1 2 3\n")
        for arguments, words in (
                (("--skin", away), "not where the particles are"),
                (("--uv", bare), "no texture coordinates"),
                (("--skin", self.folder / "none.obj"), "none.obj")):
            done = self.nendo("surface", self.out, *arguments, code=1)
            self.assertIn(words, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)
        done = self.nendo("surface", self.out / "masters.0001.bgeo.sc", "--skin", self.mesh, code=1)
        self.assertIn("--rest", done.stderr)
        self.assertEqual(sorted(self.out.iterdir()), before)


class Section(Case):
    def test_the_cameras_section_cuts_fluid_out_of_surfaces(self):
        scene = {"method": "melt", "frames": 0, "fps": 24,
                 "solver": {"spacing": 0.1, "time_step": 0.01},
                 "bodies": [{"name": "water", "box": {"center": [0, 0.5, 0], "size": [1, 1, 1]},
                             "temperature": 40, "material": {"preset": "ice"}}],
                 "camera": {"eye": [0, 1, 4], "target": [0, 0.5, 0],
                            "section": {"point": [0.2, 0, 0], "normal": [1, 0, 0]}}}
        self.sim(self.write("water.json", scene))
        widths = []
        for flags in ((), ("--section",)):
            self.nendo("surface", self.out, "--mesh", "obj", *flags)
            points, _, _ = read_obj(self.out / "surface.0000.obj")
            widths.append(max(p[0] for p in points))
        self.assertAlmostEqual(widths[0], 0.5, delta=0.05)
        self.assertAlmostEqual(widths[1], 0.2, delta=0.06)

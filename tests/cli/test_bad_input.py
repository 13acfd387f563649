# SPDX-License-Identifier: Apache-2.0
"""Bad input: one line with the place and the remedy, exit code 1, no partial output."""
import json

from nendo_cli import CUBE_OBJ, SMALL, Case


class BadScene(Case):
    def check(self, scene, *parts, arguments=()):
        self.assert_bad_input(self.sim(scene, *arguments, code=1), *parts)

    def check_set(self, assignment, *parts):
        self.check(self.scene(), *parts, arguments=["--set", assignment])

    def test_an_unknown_key_is_refused_with_the_nearest_one(self):
        body = dict(SMALL["bodies"][0])
        body["materal"] = body.pop("material")
        self.check(self.scene(bodies=[body]), "scene.json", "bodies.0.materal", "'material'")

    def test_an_unknown_key_of_set_is_refused(self):
        self.check_set("solver.spaceing=1", "solver.spaceing", "'spacing'")

    def test_a_wrong_type_is_refused(self):
        self.check_set("fps=fast", "fps", "a number")
        self.check_set("bodies.0.name=3", "bodies.0.name", "text")
        self.check_set("gravity=[0,1]", "gravity", "three numbers")
        self.check_set("bodies={}", "bodies", "a list")

    def test_a_value_that_is_not_a_number_is_refused(self):
        text = json.dumps(SMALL).replace("0.75", "NaN", 1)
        self.check(self.write("scene.json", text), "scene.json", "line 1", "NaN")
        self.check_set("gravity=[0,NaN,0]", "gravity")
        self.check(self.write("scene.json", json.dumps(SMALL).replace("0.75", "1e999", 1)), "1e999")

    def test_a_negative_mass_is_refused(self):
        self.check_set("bodies.0.material.density=-1000", "bodies.0.material.density", "above 0")

    def test_a_zero_spacing_is_refused(self):
        self.check_set("solver.spacing=0", "solver.spacing", "above 0")

    def test_an_unknown_choice_is_refused(self):
        self.check_set("bodies.0.material.preset=caly", "bodies.0.material.preset", "'clay'")

    def test_an_empty_body_is_refused(self):
        self.check_set("bodies.0.box.size=[1,1e-9,1e-9]", "bodies.0")
        self.check_set("bodies=[]", "bodies", "at least one")

    def test_a_body_without_a_shape_is_refused(self):
        self.check_set('bodies.0={"name": "nothing"}', "bodies.0", "box")

    def test_a_syntax_error_is_reported_with_its_place(self):
        self.check(self.write("scene.json", '{\n "fps": 24,\n "frames" 3\n}'), "line 3")
        self.check(self.write("scene.json", ""), "scene.json")

    def test_a_key_given_twice_is_refused(self):
        self.check(self.write("scene.json", '{"fps": 24, "fps": 25}'), "fps", "twice")

    def test_a_missing_scene_is_reported(self):
        self.check(str(self.folder / "none.json"), "none.json")

    def test_a_missing_mesh_is_reported(self):
        self.check(self.scene(bodies=[{"mesh": "none.obj"}]), "bodies.0.mesh", "none.obj")

    def test_a_missing_vdb_is_reported(self):
        self.check(self.scene(colliders=[{"vdb": "none.vdb"}]), "colliders.0.vdb", "none.vdb")

    def test_a_mesh_without_volume_is_refused(self):
        self.write("flat.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n")
        self.check(self.scene(bodies=[{"mesh": "flat.obj"}]), "bodies.0.mesh")

    def test_a_broken_mesh_is_refused(self):
        self.write("broken.obj", "v 0 0 0\nv 1 zero 0\nf 1 2 3\n")
        self.check(self.scene(bodies=[{"mesh": "broken.obj"}]), "bodies.0.mesh", "broken.obj")
        self.write("index.obj", CUBE_OBJ + "f 1 2 99\n")
        self.check(self.scene(bodies=[{"mesh": "index.obj"}]), "bodies.0.mesh", "index.obj")
        self.write("nan.obj", CUBE_OBJ.replace("v 1 1 1", "v 1 nan 1"))
        self.check(self.scene(bodies=[{"mesh": "nan.obj"}]), "bodies.0.mesh", "nan.obj")

    def test_a_broken_vdb_is_refused(self):
        self.write("broken.vdb", b"no vdb at all")
        self.check(self.scene(colliders=[{"vdb": "broken.vdb"}]), "colliders.0.vdb", "broken.vdb")

    def test_a_reversed_frame_range_is_refused(self):
        done = self.sim(self.scene(), "--frames", "5-2", code=1)
        self.assert_bad_input(done, "--frames 5-2", "0-48")

    def test_bad_bones_are_refused(self):
        scene = {
            "method": "rheology", "frames": 1,
            "bodies": [{
                "name": "wire", "bones": 4, "material": {"preset": "aluminium"},
                "line": {"points": [{"at": [0, 0, 0]}, {"at": [0, 1, 0]}]},
                "branches": [{"points": [{"at": [0, 0.5, 0]}, {"at": [0.5, 0.5, 0]}], "bones": 2}],
            }],
        }
        self.sim(self.write("wire.json", scene), out=self.folder / "good")
        bad = lambda name, **changes: self.write(
            name, {**scene, "bodies": [{**scene["bodies"][0], **changes}]})
        far = [{"points": [{"at": [0.2, 0.5, 0]}, {"at": [0.5, 0.5, 0]}]}]
        self.check(bad("far.json", branches=far), "bodies.0.branches.0", "0.2", "nearest bone")
        self.check(bad("one.json", line={"points": [{"at": [0, 0, 0]}]}), "bodies.0.line",
                   "two points")
        box = {"size": [1, 1, 1]}
        self.check(bad("box.json", line=None, box=box), "bodies.0.line")
        no_line = dict(scene["bodies"][0], box=box)
        del no_line["line"]
        self.check(self.write("no.json", {**scene, "bodies": [no_line]}), "bodies.0.branches",
                   "no line to branch off")
        self.check(bad("load.json", loads=[{"bone": 6, "keys": []}]), "bodies.0.loads.0.bone",
                   "6 bones")


class BadCache(Case):
    """Frames and checkpoints that were cut or changed."""

    def test_truncated_frames_are_reported(self):
        self.sim(self.scene(frames=1))
        whole = (self.out / "masters.0001.bgeo.sc").read_bytes()
        for length in (0, 3, len(whole) // 2, len(whole) - 1):
            name = self.write("cut.bgeo.sc", whole[:length])
            self.check(self.nendo("info", name, code=1), "cut.bgeo.sc")

    def test_corrupt_frames_are_reported(self):
        self.sim(self.scene(frames=1))
        whole = bytearray((self.out / "masters.0001.bgeo.sc").read_bytes())
        whole[len(whole) // 2] ^= 0xFF
        name = self.write("corrupt.bgeo.sc", bytes(whole))
        done = self.nendo("info", name, code=1)
        self.check(done, "corrupt.bgeo.sc")

    def test_bad_checkpoints_are_refused(self):
        scene = self.scene(frames=1)
        self.sim(scene)
        checkpoint = self.out / "checkpoint.nendo"
        whole = checkpoint.read_bytes()
        flipped = bytearray(whole)
        flipped[len(whole) // 2] ^= 1
        for content in (b"", whole[:20], whole[:-1], bytes(flipped), b"x" * 100):
            checkpoint.write_bytes(content)
            before = {p.name: p.read_bytes() for p in self.out.iterdir()}
            done = self.sim(scene, "--resume", "--frames", "0-2", code=1)
            self.check(done, "checkpoint.nendo")
            self.assertEqual(before, {p.name: p.read_bytes() for p in self.out.iterdir()})
            self.check(self.nendo("info", checkpoint, code=1), "checkpoint.nendo")

    def test_the_surface_of_a_truncated_frame_is_refused(self):
        self.sim(self.scene(frames=1))
        frame = self.out / "masters.0001.bgeo.sc"
        frame.write_bytes(frame.read_bytes()[:-9])
        done = self.nendo("surface", self.out, "--frames", "1", code=1)
        self.check(done, "masters.0001.bgeo.sc")
        self.assertEqual(list(self.out.glob("surface.*")), [])

    def check(self, done, *parts):
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)


class Usage(Case):
    def test_wrong_usage_has_its_own_exit_code(self):
        self.nendo(code=2)
        self.nendo("sim", code=2)
        self.nendo("sim", self.scene(), "--out", self.out, "--threads", "0", code=2)
        self.nendo("fly", code=2)
        self.nendo("scene", code=2)
        self.assertIn("130 interrupted", self.nendo("--help").stdout)

    def test_a_failure_to_write_has_its_own_exit_code(self):
        self.write("file", "in the way")
        done = self.sim(self.scene(), out=self.folder / "file" / "out", code=3)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn("file", done.stderr)

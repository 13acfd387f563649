# SPDX-License-Identifier: Apache-2.0
"""The schema agrees with the reader: it accepts the example scenes and refuses mistakes."""
import copy
import json

from nendo_cli import ROOT, SMALL, Case

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
}


def matches_type(value, kind):
    if kind in ("number", "integer"):
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return number and (kind == "number" or value == int(value))
    return isinstance(value, TYPES[kind])


def problems(value, schema, root, path=""):
    """Violations of the part of JSON schema that Nendo uses."""
    if "$ref" in schema:
        target = root
        for key in schema["$ref"].lstrip("#/").split("/"):
            target = target[key]
        schema = {**target, **{k: v for k, v in schema.items() if k != "$ref"}}
    unknown = set(schema) - {
        "$schema", "$defs", "title", "description", "default", "type", "properties", "required",
        "additionalProperties", "items", "minItems", "maxItems", "minimum", "maximum",
        "exclusiveMinimum", "enum", "const", "anyOf"}
    assert not unknown, f"the test does not know {unknown}"
    if "anyOf" in schema and all(problems(value, s, root, path) for s in schema["anyOf"]):
        return [f"{path}: none of anyOf"]
    if "const" in schema and value != schema["const"]:
        return [f"{path}: not {schema['const']}"]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(matches_type(value, kind) for kind in kinds):
        return [f"{path}: not {kinds}"]
    found = []
    if "enum" in schema and value not in schema["enum"]:
        found.append(f"{path}: not in enum")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if value < schema.get("minimum", value) or value > schema.get("maximum", value):
            found.append(f"{path}: out of range")
        if "exclusiveMinimum" in schema and value <= schema["exclusiveMinimum"]:
            found.append(f"{path}: too low")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            found.append(f"{path}: wrong length")
        for i, item in enumerate(value):
            found += problems(item, schema.get("items", {}), root, f"{path}.{i}")
    if isinstance(value, dict):
        for key in schema.get("required", []):
            if key not in value:
                found.append(f"{path}: lacks {key}")
        for key, item in value.items():
            if key in schema.get("properties", {}):
                found += problems(item, schema["properties"][key], root, f"{path}.{key}")
            elif schema.get("additionalProperties") is False:
                found.append(f"{path}.{key}: unknown")
    return found


class Schema(Case):
    def setUp(self):
        super().setUp()
        self.schema = json.loads(self.nendo("scene", "--schema").stdout)

    def test_the_example_scenes_are_valid(self):
        scenes = sorted((ROOT / "examples/scenes").glob("*.json"))
        self.assertTrue(scenes)
        for path in scenes:
            scene = json.loads(path.read_text())
            self.assertEqual(problems(scene, self.schema, self.schema), [], path.name)
            self.assertTrue(scene["title"] and scene["reference"], path.name)
            self.nendo("scene", path, "--check")

    def test_example_scenes_have_the_papers_counts(self):
        counts = {"cube_hard": (4096, 6647), "cube_soft": (4096, 6647),
                  "cube_plastic": (2 * 4096, 2 * 6647), "sheet_on_cross": (7569, 31680)}
        for name, (masters, slaves) in counts.items():
            path = ROOT / "examples/scenes" / f"{name}.json"
            self.assertIn(f"{masters} masters, {slaves} slaves",
                          self.nendo("scene", path, "--check").stdout)

    def test_the_schema_agrees_with_the_reader(self):
        cases = {
            "fps": [24, 0, -1, "24", None, True],
            "frames": [3, 2.5, -1, 3.0],
            "precision": ["double", "half"],
            "gravity": [[0, 0, 0], [0, 0], "down"],
            "solver": [{}, {"spacing": 0.25}, {"spacing": 0}, {"spacings": 1},
                       {"spacing": 0.25, "transfer": "paper"}, {"transfer": "papers"}],
            "colliders": [[], [{"plane": {}, "friction": None}], [{"plane": {}, "friction": -1}],
                          [{"plane": {"up": 1}}]],
            "pins": [[{"sphere": {}, "end": None}], [{"sphere": {}, "start": None}]],
            "unheard": [1],
        }
        for key, values in cases.items():
            for value in values:
                scene = copy.deepcopy(SMALL)
                scene[key] = value
                valid = not problems(scene, self.schema, self.schema)
                file = self.write("scene.json", scene)
                self.nendo("scene", file, "--check", code=0 if valid else 1)

    def test_a_union_within_a_union_is_valid(self):
        part = {"union": {"parts": [{"sphere": {}}, {"box": {}, "rotate": [0, 45, 0]}]}}
        scene = copy.deepcopy(SMALL)
        scene["bodies"] = [{"union": {"parts": [part], "blend": 0.1}, "join": "auto"}]
        self.assertEqual(problems(scene, self.schema, self.schema), [])
        self.nendo("scene", self.write("scene.json", scene), "--check")

    def test_every_key_has_help(self):
        def walk(schema, path):
            for key, entry in schema.get("properties", {}).items():
                self.assertTrue(entry.get("description"), f"{path}.{key}")
                walk(entry, f"{path}.{key}")
                walk(entry.get("items", {}), f"{path}.{key}")
        for name, entry in self.schema["$defs"].items():
            walk(entry, name)

    def test_presets_are_listed(self):
        text = self.nendo("scene", "--presets").stdout
        for name in ("rubber", "jelly", "clay", "gum", "cream", "snow", "metal"):
            self.assertIn(name, text)

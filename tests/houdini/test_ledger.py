# SPDX-License-Identifier: Apache-2.0
"""The ledger API.md, the stand-in and the nodes' sources agree about the HDK."""
import unittest

import ledger


class TheLedger(unittest.TestCase):
    def setUp(self):
        self.ledger = ledger.Ledger((ledger.HERE / "API.md").read_text(encoding="utf-8"))
        self.headers = ledger.read_tree(ledger.ROOT / "tests/standin/hdk", ".h")
        self.sources = ledger.read_sources()

    def test_there_is_something_to_compare(self):
        self.assertGreater(len(self.ledger.rows), 40)
        self.assertGreater(len(self.headers), 5)
        self.assertIn("dop/bridge/parameters.cpp", self.sources)

    def test_sources_use_only_names_of_the_ledger(self):
        self.assertEqual(ledger.unknown_in_sources(self.ledger, self.sources), [])

    def test_the_stand_in_agrees_with_the_ledger(self):
        self.assertEqual(ledger.declared_otherwise(self.ledger, self.headers, self.sources), [])

    def test_every_row_is_used(self):
        self.assertEqual(ledger.unused_rows(self.ledger, self.sources), [])

    def test_every_row_has_a_public_source(self):
        self.assertEqual(ledger.without_source(self.ledger), [])

    def test_every_plugin_is_cited(self):
        self.assertEqual(ledger.unused_plugins(self.ledger), [])


ROWS = """
| `AcademySoftwareFoundation/openvdb` | Apache-2.0 | 20.5, 21 | CHANGES |
| `dairy/cheddar` | MIT | 19.5, 20.5 | README.md |
| `GU/GU_Cheese.h` | `#include <GU/GU_Cheese.h>` | hdk:cheese.html | not stated |
| `GU_Cheese` | `class GU_Cheese : public GEO_Food` | openvdb:Cheese.cc, dairy/cheddar:src/x.C | 19.5, 20.5, 21 |
| `GEO_Food` | `class GEO_Food` | houdini:nodes/food.html | not stated |
| `GU_Cheese::ripen` | `bool ripen(fpreal days, const char *cellar) const` | hdk:cheese.html | not stated |
| `fpreal` | `using fpreal = double` | hdk:cheese.html | not stated |
"""
HEADER = """
using fpreal = double;  // a comment
class GEO_Food;
class GEO_Food { public: virtual ~GEO_Food() = default; };
class GU_Cheese : public GEO_Food {
public:
    int standin_holes = 3;
    GU_Cheese& operator=(const GU_Cheese&) = delete;
    bool ripen(fpreal days = 1, const char* cellar = nullptr) const { return days > 0 && cellar; }
private:
    int m_age;
};
"""
SOURCE = "#include <GU/GU_Cheese.h>\nvoid f(const GU_Cheese& c, fpreal d) { c.ripen(d, 0); }"


class TheTest(unittest.TestCase):
    """Planted mistakes are found."""

    def problems(self, rows=ROWS, header=HEADER, source=SOURCE):
        book = ledger.Ledger(rows)
        headers = {"GU/GU_Cheese.h": header}
        sources = {"sop/x.cpp": source}
        return (ledger.unknown_in_sources(book, sources) +
                ledger.declared_otherwise(book, headers, sources) + ledger.unused_rows(book, sources) +
                ledger.without_source(book) + ledger.unused_plugins(book))

    def test_a_sound_ledger_has_no_problems(self):
        self.assertEqual(self.problems(), [])

    def test_unknown_names_are_found(self):
        for planted, name in (("GU_Unheard u;", "GU_Unheard"),
                              ("#include <GU/GU_Unheard.h>\n", "<GU/GU_Unheard.h>"),
                              ("c->washRind();", "washRind"),
                              ("DECLARE_UNHEARD(a)", "DECLARE_UNHEARD"),
                              ("UTunheard(1);", "UTunheard"),
                              ("c.standin_holes;", "a name of the stand-in")):
            self.assertEqual(self.problems(source=planted + SOURCE), [f"sop/x.cpp: {name}"])

    def test_names_in_comments_and_texts_do_not_count(self):
        text = ledger.strip_comments("// GU_Unheard\n/* UT_Unheard */" + SOURCE)
        self.assertEqual(self.problems(source=text + 'auto s = "GU_Unheard";'), [])

    def test_different_declarations_are_found(self):
        for old, new in (("fpreal days = 1", "float days = 1"), (") const {", ") {"),
                         ("bool ripen", "int ripen"), (": public GEO_Food", ""),
                         ("const char* cellar = nullptr", "const char* cellar, int shelf"),
                         ("using fpreal = double", "using fpreal = float")):
            self.assertIn(old, HEADER)
            self.assertTrue(self.problems(header=HEADER.replace(old, new)), new)

    def test_names_used_without_a_row_are_found(self):
        for planted, use in (("int eat();", "c.eat();"), ("int age;", "c.age;"),
                             ("static const int holes = 3;", "GU_Cheese::holes;"),
                             ("enum Taste { MILD };", "GU_Cheese::MILD;"),
                             ("using Age = int;", "GU_Cheese::Age a;"),
                             ("class Rind {};", "GU_Cheese::Rind r;"),
                             ("int operator[](int hole);", ""),
                             ("operator const char*() const;", ""),
                             ("bool ripen(int days);", "")):
            header = HEADER.replace("int standin_holes", planted + " int standin_holes")
            self.assertTrue(self.problems(header=header, source=SOURCE + use), planted)
            if use:
                self.assertEqual(self.problems(header=header), [], planted)

    def test_unused_rows_are_found(self):
        row = "| `GU_Cheese::smell` | `int smell()` | hdk:cheese.html | not stated |\n"
        header = HEADER.replace("private:", "int smell();\nprivate:")
        self.assertEqual(self.problems(rows=ROWS + row, header=header), ["GU_Cheese::smell"])

    def with_source(self, source, versions):
        old = "using fpreal = double` | hdk:cheese.html | not stated"
        self.assertIn(old, ROWS)
        return self.problems(rows=ROWS.replace(old, f"using fpreal = double` | {source} | {versions}"))

    def test_rows_without_a_source_are_found(self):
        for source in ("", "heard of it", "hdk:cheese", "https://example.org/cheese.html",
                       "hdk:x_8h_source.html", "hdk:cheese.html, heard of it",
                       "openvdb:Cheese.txt", "nobody/knows:src/x.C", "dairy/cheddar:",
                       "dairy/cheddar:include/GU/GU_Cheese.h", "dairy/cheddar:toolkit/include/x.h",
                       "dairy/cheddar@newest:src/x.C", "dairy/cheddar@de19f07:toolkit/include/x.h"):
            for versions in ("not stated", "19.5, 20.5"):
                self.assertTrue(self.with_source(source, versions), source)

    def test_operators_with_a_row_are_accepted(self):
        row = "| `GU_Cheese::{0}` | `{1}` | hdk:cheese.html | not stated |\n"
        for name, text in (("operator const char *", "operator const char *() const"),
                           ("operator[]", "int operator[](int)")):
            header = HEADER.replace("private:", text + ";\nprivate:")
            self.assertEqual(self.problems(rows=ROWS + row.format(name, text), header=header), [])

    def test_versions_must_be_those_of_the_sources(self):
        for place in ("dairy/cheddar:src/x.C", "dairy/cheddar:src/x.C.in",
                      "dairy/cheddar@de19f07:src/x.C"):
            self.assertEqual(self.with_source(place, "19.5, 20.5"), [])
        self.assertEqual(self.with_source("openvdb:x.cc, hdk:cheese.html", "20.5, 21"), [])
        for source, versions in (("hdk:cheese.html", "21"), ("hdk:cheese.html", ""),
                                 ("hdk:cheese.html", "not stated; guessed 19.5"),
                                 ("dairy/cheddar:src/x.C", "not stated"),
                                 ("dairy/cheddar:src/x.C", "19.5"),
                                 ("openvdb:x.cc", "20.5, 21, 22")):
            self.assertTrue(self.with_source(source, versions), versions)

    def test_plugins_must_have_an_open_license_and_be_cited(self):
        for old, new in (("| MIT |", "| none |"), ("| MIT |", "| all rights reserved |"),
                         ("dairy/cheddar:src", "openvdb:src")):
            self.assertIn(old, ROWS)
            self.assertTrue(self.problems(rows=ROWS.replace(old, new)), new)


if __name__ == "__main__":
    unittest.main()

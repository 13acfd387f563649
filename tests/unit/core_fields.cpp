// SPDX-License-Identifier: Apache-2.0
// Fields are declared once. These tests cover their readers: JSON in, JSON out, schema, messages.
#include "io/json_fields.h"

#include "elastoplastic/material.h"
#include "elastoplastic/params.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

using namespace nendo;

namespace {

enum class Milk { cow, goat, sheep };

struct Rind {
    double thickness = 2;
    bool washed = false;
    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.thickness, field("thickness").unit("mm").above(0));
        visit(self.washed, field("washed"));
    }
};

struct Cheese {
    std::string name = "tomme";
    double age = 12;
    double keeps = infinite;
    int holes = 3;
    Milk milk = Milk::cow;
    Vec3d size{1, 2, 3};
    std::optional<Rind> rind;
    std::vector<Rind> layers;
    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.name, field("name"));
        visit(self.age, field("age").label("Age").unit("months").range(0, 240).help("It ripens."));
        visit(self.keeps, field("keeps").range(0, infinite).may_be_none());
        visit(self.holes, field("holes").range(0, 10));
        visit(self.milk, field("milk").choices({"cow", "goat", "sheep"}));
        visit(self.size, field("size").above(0));
        visit(self.rind, field("rind"));
        visit(self.layers, field("layers"));
    }
};

Cheese read_cheese(const std::string& text) {
    Cheese cheese;
    read_object(cheese, parse_json(text, "cheese.json"), {"cheese.json", ""});
    return cheese;
}

/// The one-line message of the Error that `action` must throw.
std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const Error& problem) {
        EXPECT_EQ(std::string(problem.what()).find('\n'), std::string::npos);
        EXPECT_FALSE(problem.where().empty());
        EXPECT_FALSE(problem.remedy().empty());
        return problem.what();
    }
    ADD_FAILURE() << "no error";
    return "";
}

std::string complaint(const std::string& text) {
    return message_of([&] { read_cheese(text); });
}

} // namespace

TEST(Fields, reads_every_kind_of_member) {
    const Cheese c = read_cheese(R"({
        // comments are fine
        "name": "brebis", "age": 240, "keeps": null, "holes": 0, "milk": "sheep",
        "size": [0.5, 1e-3, 7], "rind": {"thickness": 1.5}, "layers": [{"washed": true}, {}]})");
    EXPECT_EQ(c.name, "brebis");
    EXPECT_EQ(c.age, 240);
    EXPECT_EQ(c.keeps, infinite);
    EXPECT_EQ(c.holes, 0);
    EXPECT_EQ(c.milk, Milk::sheep);
    EXPECT_EQ(c.size, Vec3d(0.5, 1e-3, 7));
    ASSERT_TRUE(c.rind.has_value());
    EXPECT_EQ(c.rind->thickness, 1.5);
    ASSERT_EQ(c.layers.size(), 2u);
    EXPECT_TRUE(c.layers[0].washed);
    EXPECT_FALSE(c.layers[1].washed);
}

TEST(Fields, missing_keys_keep_their_values) {
    const Cheese c = read_cheese("{}");
    EXPECT_EQ(c.age, Cheese{}.age);
    EXPECT_FALSE(c.rind.has_value());
}

TEST(Fields, written_values_read_back) {
    Cheese c;
    c.name = "bleu \"d'Auvergne\"";
    c.age = 0.1 + 0.2;
    c.keeps = 1.0 / 3.0;
    c.milk = Milk::goat;
    c.size = {1e-300, 3.141592653589793, 1e300};
    c.rind = Rind{0.25, true};
    c.layers = {Rind{1, false}, Rind{2, true}};
    const std::string text = write_object(c).dump();
    EXPECT_EQ(write_object(read_cheese(text)).dump(), text);
    const Cheese back = read_cheese(text);
    EXPECT_EQ(back.age, c.age);
    EXPECT_EQ(back.keeps, c.keeps);
    EXPECT_EQ(back.size, c.size);
}

TEST(Fields, unknown_keys_are_reported_with_path_and_nearest_key) {
    const std::string text = complaint(R"({"rind": {"thicknes": 1}})");
    EXPECT_NE(text.find("cheese.json: rind.thicknes"), std::string::npos) << text;
    EXPECT_NE(text.find("thickness"), std::string::npos) << text;
}

TEST(Fields, mistakes_are_reported_with_place_and_remedy) {
    const struct {
        const char* json;
        const char* place;
        const char* remedy;
    } cases[] = {
        {R"({"age": "old"})", "age", "a number"},
        {R"({"age": 241})", "age", "at most 240"},
        {R"({"age": -1})", "age", "at least 0"},
        {R"({"age": null})", "age", "a number"},
        {R"({"holes": 1.5})", "holes", "a whole number"},
        {R"({"holes": 11})", "holes", "at most 10"},
        {R"({"milk": "gota"})", "milk", "did you mean 'goat'"},
        {R"({"milk": 3})", "milk", "one of: cow, goat, sheep"},
        {R"({"name": 3})", "name", "text in quotes"},
        {R"({"size": [1, 2]})", "size", "three numbers"},
        {R"({"size": [1, 2, 0]})", "size.2", "above 0"},
        {R"({"size": [1, true, 3]})", "size.1", "a number"},
        {R"({"rind": 1})", "rind", "an object"},
        {R"({"rind": {"thickness": 0}})", "rind.thickness", "above 0 [mm]"},
        {R"({"rind": {"washed": 1}})", "rind.washed", "true or false"},
        {R"({"layers": {}})", "layers", "a list"},
        {R"({"layers": [{}, {"thickness": -2}]})", "layers.1.thickness", "above 0"},
        {R"([])", "cheese.json", "an object"},
    };
    for (const auto& c : cases) {
        const std::string text = complaint(c.json);
        EXPECT_EQ(text.find(std::string("cheese.json")), 0u) << text;
        EXPECT_NE(text.find(std::string(c.place) + ": "), std::string::npos) << text;
        EXPECT_NE(text.find(c.remedy), std::string::npos) << text;
    }
}

TEST(Fields, values_out_of_range_change_nothing) {
    Cheese cheese;
    cheese.age = 5;
    EXPECT_THROW(read_object(cheese, Json{{"age", 1000}}, {"c", ""}), Error);
    EXPECT_EQ(cheese.age, 5);
}

TEST(Fields, parse_errors_have_line_and_column) {
    EXPECT_NE(complaint("{\n  \"age\": ,\n}").find("line 2, column 10"), std::string::npos);
    EXPECT_NE(complaint("{\"age\": NaN}").find("no NaN"), std::string::npos);
    EXPECT_NE(complaint("{\"age\": 1e999}").find("1e999"), std::string::npos);
    EXPECT_NE(complaint("").find("cheese.json"), std::string::npos);
    EXPECT_NE(complaint("{\"age\": 1").find("cheese.json"), std::string::npos);
}

TEST(Fields, a_key_given_twice_is_an_error) {
    EXPECT_NE(complaint(R"({"age": 1, "age": 2})").find("twice"), std::string::npos);
    EXPECT_NO_THROW(read_cheese(R"({"layers": [{"washed": true}, {"washed": true}]})"));
}

TEST(Fields, schema_states_what_the_reader_checks) {
    Json defs = Json::object();
    const Json schema = describe_object(Cheese{}, defs);
    EXPECT_EQ(schema["additionalProperties"], false);
    const Json& p = schema["properties"];
    EXPECT_EQ(p["age"]["title"], "Age");
    EXPECT_EQ(p["age"]["description"], "It ripens. [months]");
    EXPECT_EQ(p["age"]["minimum"], 0);
    EXPECT_EQ(p["age"]["maximum"], 240);
    EXPECT_EQ(p["age"]["default"], 12);
    EXPECT_EQ(p["keeps"]["type"], Json::array({"number", "null"}));
    EXPECT_TRUE(p["keeps"]["default"].is_null());
    EXPECT_EQ(p["milk"]["enum"], Json::array({"cow", "goat", "sheep"}));
    EXPECT_EQ(p["size"]["items"]["exclusiveMinimum"], 0);
    EXPECT_EQ(p["size"]["minItems"], 3);
    EXPECT_EQ(p["rind"]["properties"]["thickness"]["exclusiveMinimum"], 0);
    EXPECT_EQ(p["layers"]["items"]["additionalProperties"], false);
}

/// Declarations of parameters: names once, defaults in range, choices for each enum.
template <class Object> void check_declaration() {
    Object object{};
    std::set<std::string> names;
    for_each_field(object, [&](auto& member, const Field& f) {
        using Member = std::decay_t<decltype(member)>;
        EXPECT_TRUE(names.insert(std::string(f.name_)).second) << f.name_ << " is declared twice";
        EXPECT_FALSE(f.help_.empty()) << f.name_;
        if constexpr (std::is_enum_v<Member>) {
            EXPECT_LT(static_cast<std::size_t>(member), f.choices_.size()) << f.name_;
        } else if constexpr (std::is_arithmetic_v<Member> && !std::is_same_v<Member, bool>) {
            const auto value = static_cast<double>(member);
            if (std::isinf(value))
                EXPECT_TRUE(f.may_be_none_) << f.name_;
            else
                EXPECT_NO_THROW(check_range(value, f, "defaults", "")) << f.name_;
        }
    });
    Object back{};
    read_object(back, write_object(object), {"defaults", ""});
    EXPECT_EQ(write_object(back), write_object(object));
}

TEST(Fields, parameters_are_declared_well) {
    check_declaration<elastoplastic::Params>();
    check_declaration<elastoplastic::Material>();
}

TEST(Fields, presets_are_in_range) {
    for (const auto& preset : elastoplastic::presets()) {
        elastoplastic::Material back;
        EXPECT_NO_THROW(read_object(back, write_object(preset.material), {"presets", ""}))
            << preset.name;
        EXPECT_EQ(back.young, elastoplastic::preset(preset.name).young);
    }
    EXPECT_NE(message_of([] {
                  try {
                      elastoplastic::preset("caly");
                  } catch (const Error& problem) {
                      throw Error(problem.what(), "here", problem.remedy());
                  }
              }).find("clay"),
              std::string::npos);
}

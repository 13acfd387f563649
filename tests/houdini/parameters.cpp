// SPDX-License-Identifier: Apache-2.0
// Node parameters from declared fields: the templates given to Houdini, and the values read back.
#include "dop/bridge/parameters.h"

#include "elastoplastic/material.h"
#include "elastoplastic/params.h"

#include <PRM/PRM_ChoiceList.h>
#include <PRM/PRM_Conditional.h>
#include <PRM/PRM_Default.h>
#include <PRM/PRM_Name.h>
#include <PRM/PRM_Range.h>
#include <PRM/PRM_Template.h>

#include <gtest/gtest.h>

#include <map>

using namespace nendo;
using namespace nendo::houdini;

namespace {

enum class Milk { cow, goat };

struct Cheese {
    double age = 12;
    double keeps = infinite;
    int holes = 3;
    bool washed = true;
    Milk milk = Milk::goat;
    std::string name = "tomme";
    Vec3d size{1, 2, 3};

    template <class Self, class Visit> static void fields(Self& self, Visit&& visit) {
        visit(self.age, field("age").label("Age").unit("months").range(0, 240).usual(1, 24).help(
                            "How long it ripened."));
        visit(self.keeps, field("keeps")
                              .label("Keeps")
                              .folder("Shelf")
                              .range(0, infinite)
                              .usual(0, 9)
                              .may_be_none());
        visit(self.holes, field("holes").label("Holes").range(0, 10));
        visit(self.washed, field("washed").label("Washed").folder("Rind"));
        visit(self.milk,
              field("milk").label("Milk").choices({"cow", "goat"}).disable_when("{ holes == 0 }"));
        visit(self.name, field("name").label("Name").folder("Shelf"));
        visit(self.size,
              field("size").label("Size").unit("m").above(0).hide_when("{ milk == cow }"));
    }
};

/// The templates by token, as Houdini would walk them.
std::map<std::string, const PRM_Template*> by_token(const PRM_Template* t) {
    std::map<std::string, const PRM_Template*> found;
    for (; t->standin_type.standin_kind != standin_ParmKind::list_end; ++t)
        EXPECT_TRUE(found.emplace(t->standin_name->standin_token(), t).second);
    return found;
}

std::string rule(const PRM_Template& t, PRM_ConditionalType type) {
    const auto* group = static_cast<const PRM_ConditionalGroup*>(t.standin_conditions);
    if (group == nullptr || group->standin_rules.count(type) == 0) return "";
    return group->standin_rules.at(type);
}

struct Typed final : ParameterValues {
    std::map<std::string, std::vector<double>> numbers;
    std::map<std::string, std::string> texts;
    double number(const std::string& name, int k) const override {
        return numbers.at(name).at(static_cast<std::size_t>(k));
    }
    std::int64_t whole(const std::string& name) const override {
        return static_cast<std::int64_t>(numbers.at(name).at(0));
    }
    bool toggle(const std::string& name) const override { return numbers.at(name).at(0) != 0; }
    std::string text(const std::string& name) const override { return texts.at(name); }

    /// The parameters of an untouched node.
    explicit Typed(const std::vector<Parameter>& list) {
        for (const Parameter& p : list) {
            numbers[p.name] = p.defaults;
            texts[p.name] = p.default_text;
        }
    }
};

std::string message_of(const Typed& values) {
    Cheese cheese;
    try {
        read_parameters(cheese, values);
    } catch (const Error& problem) {
        return problem.what();
    }
    return "";
}

TEST(Parameters, templates_agree_with_the_fields) {
    const ParameterTemplates made(describe_parameters(Cheese{}));
    const auto parms = by_token(made.templates());
    ASSERT_EQ(parms.size(), 9u); // seven fields, a limit, the folders

    const PRM_Template& age = *parms.at("age");
    EXPECT_EQ(age.standin_type.standin_kind, standin_ParmKind::number);
    EXPECT_STREQ(age.standin_name->standin_label(), "Age [months]");
    EXPECT_STREQ(age.standin_help, "How long it ripened.");
    EXPECT_EQ(age.standin_defaults->standin_number, 12);
    EXPECT_EQ(age.standin_range->standin_low_flag, PRM_RANGE_UI);
    EXPECT_EQ(age.standin_range->standin_low, 1);
    EXPECT_EQ(age.standin_range->standin_high, 24);

    const PRM_Template& holes = *parms.at("holes");
    EXPECT_EQ(holes.standin_type.standin_kind, standin_ParmKind::whole);
    EXPECT_EQ(holes.standin_range->standin_high_flag, PRM_RANGE_RESTRICTED);
    EXPECT_EQ(holes.standin_range->standin_high, 10);

    const PRM_Template& milk = *parms.at("milk");
    EXPECT_EQ(milk.standin_type.standin_kind, standin_ParmKind::text);
    EXPECT_STREQ(milk.standin_defaults->standin_text, "goat");
    ASSERT_NE(milk.standin_choices, nullptr);
    const PRM_Name* choices = milk.standin_choices->standin_names;
    EXPECT_STREQ(choices[0].standin_token(), "cow");
    EXPECT_STREQ(choices[1].standin_label(), "Goat");
    EXPECT_EQ(choices[2].standin_token(), nullptr);
    EXPECT_EQ(rule(milk, PRM_CONDTYPE_DISABLE), "{ holes == 0 }");

    const PRM_Template& size = *parms.at("size");
    EXPECT_EQ(size.standin_size, 3);
    EXPECT_EQ(size.standin_defaults[2].standin_number, 3);
    EXPECT_EQ(rule(size, PRM_CONDTYPE_HIDE), "{ milk == cow }");
    EXPECT_EQ(size.standin_range->standin_high_flag, PRM_RANGE_FREE);

    EXPECT_EQ(parms.at("washed")->standin_type.standin_kind, standin_ParmKind::toggle);
    EXPECT_EQ(parms.at("name")->standin_choices, nullptr);
}

TEST(Parameters, a_value_that_may_be_none_has_a_toggle) {
    const ParameterTemplates made(describe_parameters(Cheese{}));
    const auto parms = by_token(made.templates());
    EXPECT_STREQ(parms.at("limit_keeps")->standin_name->standin_label(), "Limit Keeps");
    EXPECT_EQ(parms.at("limit_keeps")->standin_defaults->standin_number, 0);
    EXPECT_EQ(parms.at("keeps")->standin_defaults->standin_number, 9);
    EXPECT_EQ(rule(*parms.at("keeps"), PRM_CONDTYPE_DISABLE), "{ limit_keeps == 0 }");
}

TEST(Parameters, folders_hold_their_parameters) {
    const ParameterTemplates made(describe_parameters(Cheese{}));
    std::vector<std::string> tokens;
    for (const PRM_Template* t = made.templates();
         t->standin_type.standin_kind != standin_ParmKind::list_end; ++t)
        tokens.emplace_back(t->standin_name->standin_token());
    const std::vector<std::string> expected = {"age",         "holes", "milk", "size",  "folders",
                                               "limit_keeps", "keeps", "name", "washed"};
    EXPECT_EQ(tokens, expected);
    const PRM_Template& folders = made.templates()[4];
    ASSERT_EQ(folders.standin_size, 2);
    EXPECT_STREQ(folders.standin_defaults[0].standin_text, "Shelf");
    EXPECT_EQ(folders.standin_defaults[0].standin_number, 3);
    EXPECT_STREQ(folders.standin_defaults[1].standin_text, "Rind");
    EXPECT_EQ(folders.standin_defaults[1].standin_number, 1);

    const ParameterTemplates plain(describe_parameters(Cheese{}),
                                   ParameterTemplates::Layout::plain);
    EXPECT_EQ(by_token(plain.templates()).count("folders"), 0u);
}

TEST(Parameters, untouched_values_are_the_defaults) {
    Cheese cheese;
    cheese.age = 1;
    cheese.keeps = 5;
    cheese.milk = Milk::cow;
    cheese.size.setZero();
    read_parameters(cheese, Typed(describe_parameters(Cheese{})));
    EXPECT_EQ(cheese.age, 12);
    EXPECT_EQ(cheese.keeps, infinite);
    EXPECT_EQ(cheese.holes, 3);
    EXPECT_TRUE(cheese.washed);
    EXPECT_EQ(cheese.milk, Milk::goat);
    EXPECT_EQ(cheese.name, "tomme");
    EXPECT_EQ(cheese.size, Vec3d(1, 2, 3));
}

/// Every parameter of the solver and of the material reads back as it was written.
TEST(Parameters, parameters_of_the_solvers_survive_a_round_trip) {
    elastoplastic::Params params;
    params.spacing = 0.5;
    params.transfer = elastoplastic::Transfer::blend;
    params.cg_iterations = 17;
    params.lively_contact = false;
    const auto list = describe_parameters(params);
    elastoplastic::Params read;
    read_parameters(read, Typed(list));
    EXPECT_EQ(read.spacing, 0.5);
    EXPECT_EQ(read.transfer, elastoplastic::Transfer::blend);
    EXPECT_EQ(read.cg_iterations, 17);
    EXPECT_FALSE(read.lively_contact);
    EXPECT_EQ(read.cg_tolerance, params.cg_tolerance);

    for (const auto& preset : elastoplastic::presets()) {
        elastoplastic::Material material;
        read_parameters(material, Typed(describe_parameters(preset.material)));
        EXPECT_EQ(material.density, preset.material.density);
        EXPECT_EQ(material.yield_stretch, preset.material.yield_stretch);
        EXPECT_EQ(material.hardening, preset.material.hardening);
    }
}

TEST(Parameters, on_request_keeps_values_that_are_not_requested) {
    Typed values(describe_parameters(Cheese{}, Given::on_request, "Cheese"));
    values.numbers["age"] = {30};
    values.numbers["holes"] = {7};
    values.numbers["override_holes"] = {1};
    Cheese cheese;
    cheese.age = 99;
    read_parameters(cheese, values, Given::on_request);
    EXPECT_EQ(cheese.age, 99);
    EXPECT_EQ(cheese.holes, 7);

    const auto list = describe_parameters(Cheese{}, Given::on_request, "Cheese");
    EXPECT_EQ(list[0].name, "override_age");
    EXPECT_EQ(list[0].folder, "Cheese");
    EXPECT_EQ(list[1].disable_when, "{ override_age == 0 }");
}

TEST(Parameters, bad_values_are_refused) {
    const Typed good(describe_parameters(Cheese{}));
    EXPECT_EQ(message_of(good), "");
    Typed values = good;
    values.numbers["age"] = {-1};
    EXPECT_EQ(message_of(values),
              "Age: the value is -1; use a number of at least 0 and at most 240 [months]");
    values = good;
    values.numbers["age"] = {std::nan("")};
    EXPECT_EQ(message_of(values).rfind("Age: the value is not finite", 0), 0u);
    values = good;
    values.numbers["holes"] = {11};
    EXPECT_EQ(message_of(values),
              "Holes: the value is 11; use a whole number of at least 0 and at most 10");
    values = good;
    values.numbers["size"] = {1, 0, 1};
    EXPECT_EQ(message_of(values), "Size: the value is 0; use a number above 0 [m]");
    values = good;
    values.texts["milk"] = "goats";
    EXPECT_EQ(message_of(values), "Milk: 'goats' is not in the menu; did you mean 'goat'?");
}

} // namespace

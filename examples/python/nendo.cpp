// SPDX-License-Identifier: Apache-2.0
// The Python module: scenes from dictionaries or files, simulated by any method, and their state as
// NumPy arrays.
#include <nendo/core/error.h>
#include <nendo/core/hash.h>
#include <nendo/core/host.h>
#include <nendo/core/version.h>
#include <nendo/io/checkpoint.h>
#include <nendo/io/scene/scenes.h>
#include <nendo/registry/methods.h>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>

namespace py = pybind11;

namespace nendo {
namespace {

// ---- values --------------------------------------------------------------------------------------

py::object to_python(const Json& json) {
    return py::module_::import("json").attr("loads")(json.dump());
}

Json to_json(const py::handle& value) {
    const auto text = py::module_::import("json").attr("dumps")(value).cast<std::string>();
    return Json::parse(text);
}

/// A column as an array: one number, one vector or one 3x3 matrix per row.
template <class T> py::array to_array(const std::vector<T>& column) {
    using Traits = ElementTraits<T>;
    using Scalar = typename Traits::Scalar;
    std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(column.size())};
    if (Traits::width == 9)
        shape.insert(shape.end(), {3, 3});
    else if (Traits::width > 1)
        shape.push_back(Traits::width);
    py::array_t<Scalar> array(shape);
    Scalar* number = array.mutable_data();
    for (const T& element : column)
        for (int k = 0; k < Traits::width; ++k) *number++ = Traits::get(element, k);
    return array;
}

template <class Table> py::dict to_arrays(const Table& table) {
    py::dict columns;
    for_each_field(table, [&](const auto& column, const Field& f) {
        columns[py::str(std::string(f.name_))] = to_array(column);
    });
    return columns;
}

template <class Fields> py::dict to_dict(const Fields& object) {
    py::dict values;
    for_each_field(object, [&](const auto& member, const Field& f) {
        using T = std::decay_t<decltype(member)>;
        const py::str name{std::string(f.name_)};
        if constexpr (std::is_enum_v<T>)
            values[name] = std::string(f.choices_.at(static_cast<std::size_t>(member)));
        else if constexpr (std::is_same_v<T, Vec3d>)
            values[name] = py::make_tuple(member.x(), member.y(), member.z());
        else
            values[name] = member;
    });
    return values;
}

// ---- the host ------------------------------------------------------------------------------------

/// Passes progress to a function, messages to the logger "nendo", and stops at Ctrl-C and when the
/// function raises an exception. The solver runs without Python's lock; each call takes it.
class PythonHost : public Host {
public:
    explicit PythonHost(py::object progress = py::none()) : m_progress(std::move(progress)) {}

    bool interrupted() override {
        const py::gil_scoped_acquire lock;
        if (!m_raised && PyErr_CheckSignals() != 0) keep_exception();
        return m_raised != nullptr;
    }
    void progress(double fraction, std::string_view stage) override {
        const py::gil_scoped_acquire lock;
        if (m_progress.is_none() || m_raised) return;
        try {
            m_progress(fraction, std::string(stage));
        } catch (const py::error_already_set&) {
            m_raised = std::current_exception();
        }
    }
    void log(Severity severity, std::string_view text) override {
        const py::gil_scoped_acquire lock;
        static constexpr const char* levels[] = {"info", "warning", "error"};
        const py::object logger = py::module_::import("logging").attr("getLogger")("nendo");
        logger.attr(levels[static_cast<int>(severity)])(std::string(text));
    }
    /// Throws the exception that stopped the solver, if any.
    void rethrow() const {
        if (m_raised) std::rethrow_exception(m_raised);
    }

private:
    void keep_exception() {
        try {
            throw py::error_already_set();
        } catch (const py::error_already_set&) {
            m_raised = std::current_exception();
        }
    }

    py::object m_progress;
    std::exception_ptr m_raised;
};

// ---- simulations ---------------------------------------------------------------------------------

/// A simulation of any method and precision.
class Run {
public:
    virtual ~Run() = default;
    virtual std::string_view method() const = 0;
    virtual std::string_view precision() const = 0;
    virtual double time() const = 0;
    virtual py::dict details() const = 0;
    virtual py::dict tables() const = 0;
    virtual py::dict table(const std::string& name) const = 0;
    virtual std::uint64_t hash() const = 0;
    virtual Json advance(double seconds, Host& host) = 0;
    virtual void save(const std::string& path) const = 0;
    virtual void load(const std::string& path) = 0;
};

template <class Method, class Built, class Real> class RunOf : public Run {
public:
    explicit RunOf(Built built) : m_built(std::move(built)) {}

    std::string_view method() const override { return Method::name; }
    std::string_view precision() const override {
        return std::is_same_v<Real, float> ? "float" : "double";
    }
    double time() const override { return m_state.details.time; }
    py::dict details() const override { return to_dict(m_state.details); }
    py::dict tables() const override {
        py::dict all;
        State::tables(m_state, [&](const auto& table, std::string_view name) {
            all[py::str(std::string(name))] = to_arrays(table);
        });
        return all;
    }
    py::dict table(const std::string& name) const override {
        py::object found = py::none();
        std::string names;
        State::tables(m_state, [&](const auto& table, std::string_view known) {
            if (known == name) found = to_arrays(table);
            names += (names.empty() ? "" : ", ") + std::string(known);
        });
        if (found.is_none()) throw py::key_error("no table '" + name + "'; there are: " + names);
        return found;
    }
    std::uint64_t hash() const override { return hash_state(m_state); }
    Json advance(double seconds, Host& host) override {
        return write_object(m_solver.advance(m_state, m_built.scene, m_built.bodies, m_built.params,
                                             seconds, host));
    }
    void save(const std::string& path) const override {
        write_checkpoint(path, m_state, Method::name, "");
    }
    void load(const std::string& path) override { read_checkpoint(path, m_state, Method::name); }

private:
    using State = typename Method::template State<Real>;

    Built m_built;
    State m_state;
    Solver<Method, Real> m_solver;
};

/// Makes the run of a scene that has been read.
template <class Spec>
std::unique_ptr<Run> make_run(const Spec& spec, const std::filesystem::path& file, Host& host) {
    using Method = typename Spec::Method;
    using Built = decltype(build_scene(spec, file, host));
    if (spec.common.precision == Precision::double_)
        return std::make_unique<RunOf<Method, Built, double>>(build_scene(spec, file, host));
    return std::make_unique<RunOf<Method, Built, float>>(build_scene(spec, file, host));
}

/// The class that Python sees.
class Simulation {
public:
    Simulation(const py::object& scene, const std::filesystem::path& folder) {
        std::filesystem::path file = folder / "scene";
        Json document;
        if (py::isinstance<py::dict>(scene)) {
            document = to_json(scene);
        } else {
            file = py::module_::import("os").attr("fspath")(scene).cast<std::string>();
            document = load_scene_json(file);
        }
        PythonHost host;
        {
            const py::gil_scoped_release unlocked;
            with_scene(document, file.string(), [&](const auto& spec) {
                m_run = make_run(spec, file, host);
                m_fps = spec.common.fps;
            });
        }
        advance(0, py::none());
    }

    Run& run() const { return *m_run; }
    double fps() const { return m_fps; }
    /// The whole frames that have passed; a little tolerance for sums of durations.
    int frame() const { return static_cast<int>(std::floor(m_run->time() * m_fps + 1e-6)); }

    py::object advance(double seconds, const py::object& progress) {
        if (m_busy)
            throw Error("advance() is already running", "simulation",
                        "call it from one thread, and not from the progress function");
        if (!(seconds >= 0))
            throw Error("can't advance by " + std::to_string(seconds) + " s", "simulation",
                        "give zero or more seconds");
        PythonHost host(progress);
        Json report;
        const Occupied occupied(m_busy);
        try {
            const py::gil_scoped_release unlocked;
            report = m_run->advance(seconds, host);
        } catch (const Interrupted&) {
            host.rethrow();
            throw;
        }
        host.rethrow();
        return to_python(report);
    }

    py::object advance_frame(const py::object& progress) {
        return advance((frame() + 1) / m_fps - m_run->time(), progress);
    }

private:
    struct Occupied {
        explicit Occupied(bool& flag) : busy(flag) { busy = true; }
        ~Occupied() { busy = false; }
        bool& busy;
    };

    std::unique_ptr<Run> m_run;
    double m_fps = 24;
    bool m_busy = false;
};

std::string hex(std::uint64_t hash) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

py::dict presets() {
    py::dict all;
    for_each_type(Methods{}, [&](auto type) {
        using Method = typename decltype(type)::type;
        py::dict materials;
        for (const auto& preset : Method::presets())
            materials[py::str(std::string(preset.name))] = to_dict(preset.material);
        all[py::str(std::string(Method::name))] = materials;
    });
    return all;
}

/// nendo.Error, with what is wrong, where, and what to do about it.
void raise_error(const py::handle& type, const Error& error) {
    py::object exception = type(std::string(error.what()));
    exception.attr("what") = error.problem();
    exception.attr("where") = error.where();
    exception.attr("remedy") = error.remedy();
    PyErr_SetObject(type.ptr(), exception.ptr());
}

} // namespace
} // namespace nendo

PYBIND11_MODULE(nendo, module) {
    using namespace nendo;
    using namespace pybind11::literals;
    module.doc() = "Simulates soft, plastic and melting matter.";
    module.attr("__version__") = version();

    static const py::handle error_type =
        PyErr_NewExceptionWithDoc("nendo.Error",
                                  "What is wrong (.what), where (.where), and what to do about it "
                                  "(.remedy).",
                                  PyExc_RuntimeError, nullptr);
    module.attr("Error") = error_type;
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(std::move(thrown));
        } catch (const Error& error) {
            raise_error(error_type, error);
        }
    });

    module.def(
        "schema", [] { return to_python(scene_schema()); },
        "The JSON schema of scenes, as a dictionary.");
    module.def("presets", &presets, "The materials of each method: method, name, field, value.");

    py::class_<Simulation>(module, "Simulation",
                           "A scene that moves forward in time. The scene is a dictionary or the "
                           "path of a scene file; paths in a dictionary are relative to `folder`.")
        .def(py::init<const py::object&, const std::filesystem::path&>(), "scene"_a,
             "folder"_a = ".")
        .def("advance", &Simulation::advance, "seconds"_a, "progress"_a = py::none(),
             "Moves forward by `seconds` and returns the statistics of the call. "
             "progress(fraction, stage) is called from time to time. If it raises an exception, or "
             "at Ctrl-C, the simulation stays as it was before the call.")
        .def("advance_frame", &Simulation::advance_frame, "progress"_a = py::none(),
             "Moves forward to the next frame, like `nendo sim`.")
        .def(
            "columns", [](const Simulation& s) { return s.run().tables(); },
            "Copies of all columns of the state: table, column, array.")
        .def(
            "__getitem__",
            [](const Simulation& s, const std::string& table) { return s.run().table(table); },
            "table"_a, "Copies of the columns of a table, such as sim['masters']['P'].")
        .def(
            "save",
            [](const Simulation& s, const std::filesystem::path& path) {
                s.run().save(path.string());
            },
            "path"_a, "Writes the state to a checkpoint.")
        .def(
            "load",
            [](Simulation& s, const std::filesystem::path& path) { s.run().load(path.string()); },
            "path"_a, "Reads the state from a checkpoint of the same method and precision.")
        .def_property_readonly(
            "time", [](const Simulation& s) { return s.run().time(); }, "Simulated time [s].")
        .def_property_readonly("frame", &Simulation::frame, "Number of whole frames simulated.")
        .def_property_readonly("fps", &Simulation::fps, "Frames per second of the scene.")
        .def_property_readonly(
            "method", [](const Simulation& s) { return std::string(s.run().method()); },
            "Name of the method.")
        .def_property_readonly(
            "precision", [](const Simulation& s) { return std::string(s.run().precision()); },
            "'float' or 'double'.")
        .def_property_readonly(
            "details", [](const Simulation& s) { return s.run().details(); },
            "The values of the state that are not per particle.")
        .def_property_readonly(
            "hash", [](const Simulation& s) { return hex(s.run().hash()); },
            "Hash of the state, equal to that of the program `nendo`.");
}

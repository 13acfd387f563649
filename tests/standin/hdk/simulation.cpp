// SPDX-License-Identifier: Apache-2.0
// Stand-in for tests: simulations.
#include "GAS/GAS_SubSolver.h"
#include "GU/GU_PrimPoly.h"
#include "GU/GU_PrimVDB.h"
#include "SIM/SIM_EmptyData.h"
#include "SIM/SIM_Engine.h"
#include "SIM/SIM_ForceGravity.h"
#include "SIM/SIM_PhysicalParms.h"
#include "SIM/SIM_Position.h"
#include "SIM/SIM_SDF.h"
#include "SIM/SIM_ScalarField.h"
#include "SIM/SIM_VectorField.h"

#include <openvdb/io/Stream.h>

#include <algorithm>
#include <istream>
#include <ostream>
#include <sstream>

// ---- bytes -------------------------------------------------------------------------------------

namespace {

template <class T> void put(std::ostream& stream, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    stream.write(reinterpret_cast<const char*>(&value), sizeof value);
}
void put(std::ostream& stream, const std::string& text) {
    put(stream, text.size());
    stream.write(text.data(), static_cast<std::streamsize>(text.size()));
}
template <class T> T take(std::istream& stream) {
    T value;
    stream.read(reinterpret_cast<char*>(&value), sizeof value);
    if (!stream) standin::fail("the file is too short");
    return value;
}
template <> std::string take(std::istream& stream) {
    std::string text(take<std::size_t>(stream), '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    return text;
}

/// Offsets of the elements for which an attribute has a value, in order.
std::vector<GA_Offset> elements(const GA_Detail& gdp, GA_AttributeOwner owner) {
    if (owner == GA_ATTRIB_POINT) return gdp.standin_order();
    if (owner == GA_ATTRIB_PRIMITIVE) return gdp.standin_primitives();
    if (owner == GA_ATTRIB_DETAIL) return {GA_DETAIL_OFFSET};
    return {};
}

void put_attribute(std::ostream& stream, const GA_Detail& gdp, const GA_Attribute& a) {
    put(stream, a.getOwner());
    put(stream, std::string(a.getName().c_str()));
    put(stream, a.standin_kind());
    put(stream, a.standin_storage());
    put(stream, a.getTupleSize());
    put(stream, a.getOptions().typeInfo());
    for (int k = 0; k < a.getTupleSize(); ++k) put(stream, a.standin_defaults().standin_at(k));
    for (const GA_Offset offset : elements(gdp, a.getOwner())) {
        if (a.standin_kind() == standin::Kind::text) put(stream, a.standin_text(offset));
        if (a.standin_kind() == standin::Kind::arrays) {
            put(stream, a.standin_array(offset).size());
            for (const int64 item : a.standin_array(offset)) put(stream, item);
        }
        if (a.standin_kind() == standin::Kind::numbers)
            for (int k = 0; k < a.getTupleSize(); ++k) {
                if (standin::is_real(a.standin_storage()))
                    put(stream, a.standin_get<fpreal64>(offset, k));
                else
                    put(stream, a.standin_get<int64>(offset, k));
            }
    }
}

void take_attribute(std::istream& stream, GA_Detail& gdp) {
    const auto owner = take<GA_AttributeOwner>(stream);
    const auto name = take<std::string>(stream);
    const auto kind = take<standin::Kind>(stream);
    const auto storage = take<GA_Storage>(stream);
    const auto width = take<int>(stream);
    const auto info = take<GA_TypeInfo>(stream);
    std::vector<double> defaults;
    for (int k = 0; k < width; ++k) defaults.push_back(take<double>(stream));
    GA_Attribute* a = nullptr;
    if (kind == standin::Kind::text) a = gdp.addStringTuple(owner, name, width);
    if (kind == standin::Kind::arrays)
        a = gdp.addIntArray(owner, name, width, nullptr, nullptr, storage);
    if (kind == standin::Kind::numbers)
        a = gdp.addTuple(storage, owner, name, width, GA_Defaults::standin_make(defaults));
    a->getOptions().setTypeInfo(info);
    for (const GA_Offset offset : elements(gdp, owner)) {
        if (kind == standin::Kind::text) a->standin_set_text(offset, take<std::string>(stream));
        if (kind == standin::Kind::arrays) {
            std::vector<int64> items(take<std::size_t>(stream));
            for (int64& item : items) item = take<int64>(stream);
            a->standin_set_array(offset, items);
        }
        if (kind == standin::Kind::numbers)
            for (int k = 0; k < width; ++k) {
                if (standin::is_real(storage))
                    a->standin_set<fpreal64>(offset, k, take<fpreal64>(stream));
                else
                    a->standin_set<int64>(offset, k, take<int64>(stream));
            }
    }
}

void put_polygons(std::ostream& stream, const GA_Detail& gdp) {
    std::vector<const GU_PrimPoly*> polygons;
    for (const GA_Offset offset : gdp.standin_primitives())
        if (const auto* polygon = dynamic_cast<const GU_PrimPoly*>(gdp.getPrimitive(offset)))
            polygons.push_back(polygon);
    put(stream, polygons.size());
    for (const GU_PrimPoly* polygon : polygons) {
        put(stream, polygon->standin_closed);
        put(stream, polygon->getVertexCount());
        for (GA_Size k = 0; k < polygon->getVertexCount(); ++k)
            put(stream, static_cast<int>(gdp.pointIndex(polygon->getPointOffset(k))));
    }
}

void take_polygons(std::istream& stream, GA_Detail& gdp) {
    for (auto count = take<std::size_t>(stream); count > 0; --count) {
        const auto closed = take<bool>(stream);
        GU_PrimPoly* polygon = GU_PrimPoly::build(&gdp, 0, GU_POLY_OPEN, 0);
        for (auto corners = take<GA_Size>(stream); corners > 0; --corners)
            polygon->appendVertex(gdp.pointOffset(take<int>(stream)));
        if (closed) polygon->close();
    }
}

void put_volumes(std::ostream& stream, const GA_Detail& gdp) {
    std::vector<const GU_PrimVDB*> volumes;
    for (const GA_Offset offset : gdp.standin_primitives())
        if (const auto* vdb = dynamic_cast<const GU_PrimVDB*>(gdp.getPrimitive(offset)))
            volumes.push_back(vdb);
    put(stream, volumes.size());
    for (const GU_PrimVDB* vdb : volumes) {
        std::ostringstream bytes;
        openvdb::io::Stream(bytes).write(openvdb::GridCPtrVec{vdb->getConstGridPtr()});
        put(stream, vdb->standin_name);
        put(stream, gdp.pointIndex(vdb->getPointOffset(0)));
        // The file's own random name is left out, so that equal volumes have equal bytes.
        std::string text = bytes.str();
        const std::size_t name_at = 21;
        text.replace(name_at, 36, "00000000-0000-0000-0000-000000000000");
        put(stream, text);
    }
}

void take_volumes(std::istream& stream, GU_Detail& gdp) {
    for (auto count = take<std::size_t>(stream); count > 0; --count) {
        const auto name = take<std::string>(stream);
        const auto point = take<GA_Index>(stream);
        std::istringstream bytes(take<std::string>(stream));
        GU_PrimVDB* vdb = GU_PrimVDB::buildFromGrid(
            gdp, openvdb::io::Stream(bytes).getGrids()->front(), nullptr, name.c_str());
        // The primitive's point is among those that were already read.
        std::vector<GA_Offset>& corners = vdb->standin_points();
        GA_PointGroup own(gdp);
        own.addOffset(corners[0]);
        corners[0] = gdp.pointOffset(point);
        gdp.destroyPointOffsets(GA_Range(own));
    }
}

/// As in Houdini, offsets have no holes when the geometry is read back.
void put_geometry(std::ostream& stream, const GA_Detail& gdp) {
    put(stream, gdp.getNumPoints());
    std::size_t count = 0;
    gdp.standin_each_attribute([&](const GA_Attribute&) { ++count; });
    put_polygons(stream, gdp);
    put_volumes(stream, gdp);
    put(stream, count);
    gdp.standin_each_attribute([&](const GA_Attribute& a) { put_attribute(stream, gdp, a); });
}

void take_geometry(std::istream& stream, GU_Detail& gdp) {
    gdp.clearAndDestroy();
    gdp.appendPointBlock(take<GA_Size>(stream));
    take_polygons(stream, gdp);
    take_volumes(stream, gdp);
    const auto count = take<std::size_t>(stream);
    for (std::size_t i = 0; i < count; ++i) take_attribute(stream, gdp);
}

void put_matrix(std::ostream& stream, const UT_DMatrix4& m) {
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned j = 0; j < 4; ++j) put(stream, m(i, j));
}
void take_matrix(std::istream& stream, UT_DMatrix4& m) {
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned j = 0; j < 4; ++j) m.standin_at(i, j) = take<double>(stream);
}

} // namespace

// ---- data --------------------------------------------------------------------------------------

namespace standin {

std::vector<SIM_DataFactory>& data_factories() {
    static std::vector<SIM_DataFactory> list;
    return list;
}

void add_data_factory(const char* type, SIM_DataFactory::Maker maker,
                      const SIM_DopDescription* description) {
    if (find_data_factory(type) == nullptr) data_factories().push_back({type, maker, description});
}

const SIM_DataFactory* find_data_factory(const std::string& type) {
    for (const SIM_DataFactory& factory : data_factories())
        if (factory.standin_type == type) return &factory;
    return nullptr;
}

std::unique_ptr<SIM_Data> make_data(const std::string& type) {
    const SIM_DataFactory* factory = find_data_factory(type);
    if (factory == nullptr) fail("data of an unknown type '" + type + "'");
    std::unique_ptr<SIM_Data> data(factory->standin_maker(factory));
    data->standin_initialize();
    return data;
}

std::vector<Message>& messages() {
    static std::vector<Message> list;
    return list;
}

void save_options(const SIM_Options& options, std::ostream& stream) {
    put(stream, options.standin_values().size());
    for (const auto& [name, value] : options.standin_values()) {
        put(stream, name);
        put(stream, value.index());
        std::visit(
            [&](const auto& item) {
                using T = std::decay_t<decltype(item)>;
                if constexpr (std::is_same_v<T, UT_StringHolder>)
                    put(stream, std::string(item.c_str()));
                else
                    put(stream, item);
            },
            value);
    }
}

void load_options(SIM_Options& options, std::istream& stream) {
    options.standin_values().clear();
    for (auto count = take<std::size_t>(stream); count > 0; --count) {
        const auto name = take<std::string>(stream);
        switch (take<std::size_t>(stream)) {
        case 0: options.setOptionB(name, take<bool>(stream)); break;
        case 1: options.setOptionI(name, take<int64>(stream)); break;
        case 2: options.setOptionF(name, take<fpreal64>(stream)); break;
        case 3: options.setOptionV3(name, take<UT_Vector3D>(stream)); break;
        default: options.setOptionS(name, take<std::string>(stream)); break;
        }
    }
}

} // namespace standin

SIM_Data* SIM_Data::getNamedSubData(const char* name) {
    const std::string path = name;
    const std::size_t slash = path.find('/');
    for (auto& [key, piece] : m_pieces)
        if (key.standin_text() == path.substr(0, slash))
            return slash == std::string::npos
                       ? piece.get()
                       : piece->getNamedSubData(path.substr(slash + 1).c_str());
    return nullptr;
}

const SIM_Data* SIM_Data::getConstNamedSubData(const char* name) const {
    return const_cast<SIM_Data*>(this)->getNamedSubData(name);
}

SIM_Data* SIM_Data::createNamedSubData(const char* name, const char* type, int flags) {
    const std::string path = name;
    const std::size_t slash = path.find('/');
    if (slash != std::string::npos) {
        const std::string head = path.substr(0, slash);
        SIM_Data* parent = getNamedSubData(head.c_str());
        if (parent == nullptr) parent = createNamedSubData(head.c_str(), "SIM_EmptyData", 0);
        return parent->createNamedSubData(path.substr(slash + 1).c_str(), type, flags);
    }
    std::unique_ptr<SIM_Data> old;
    for (auto it = m_pieces.begin(); it != m_pieces.end(); ++it)
        if (it->first.standin_text() == name) {
            const bool keep = (flags & SIM_DATA_RETURN_EXISTING) != 0;
            if (keep && it->second->standin_is(type)) return it->second.get();
            old = std::move(it->second);
            m_pieces.erase(it);
            break;
        }
    m_pieces.emplace_back(name, standin::make_data(type));
    SIM_Data* made = m_pieces.back().second.get();
    if (old && (flags & SIM_DATA_ADOPT_EXISTING_ON_DELETE) != 0) made->standin_make_equal(*old);
    return made;
}

void SIM_Data::removeNamedSubData(const char* name) {
    m_pieces.erase(
        std::remove_if(m_pieces.begin(), m_pieces.end(),
                       [&](const auto& piece) { return piece.first.standin_text() == name; }),
        m_pieces.end());
}

void SIM_Data::addError(const SIM_RootData*, int, const char* text,
                        UT_ErrorSeverity severity) const {
    standin::messages().push_back({text, severity});
}

void SIM_Data::standin_make_equal(const SIM_Data& source) {
    makeEqualSubclass(&source);
    m_pieces.clear();
    for (const auto& [name, piece] : source.m_pieces)
        m_pieces.emplace_back(name, piece->standin_copy());
}

std::unique_ptr<SIM_Data> SIM_Data::standin_copy() const {
    std::unique_ptr<SIM_Data> copy = standin::make_data(standin_type_name());
    copy->standin_make_equal(*this);
    return copy;
}

void SIM_Data::standin_save(std::ostream& stream) const {
    put(stream, standin_type_name());
    standin_save_own(stream);
    put(stream, m_pieces.size());
    for (const auto& [name, piece] : m_pieces) {
        put(stream, std::string(name.c_str()));
        piece->standin_save(stream);
    }
}

/// Reads the data after its type's name has been read.
void SIM_Data::standin_load(std::istream& stream) {
    standin_load_own(stream);
    m_pieces.clear();
    for (auto count = take<std::size_t>(stream); count > 0; --count) {
        const auto name = take<std::string>(stream);
        std::unique_ptr<SIM_Data> piece = standin::make_data(take<std::string>(stream));
        piece->standin_load(stream);
        m_pieces.emplace_back(name, std::move(piece));
    }
}

void SIM_Position::makeEqualSubclass(const SIM_Data* source) {
    if (const auto* other = dynamic_cast<const SIM_Position*>(source))
        m_transform = other->m_transform;
}
void SIM_Position::standin_save_own(std::ostream& stream) const {
    put_matrix(stream, m_transform);
}
void SIM_Position::standin_load_own(std::istream& stream) {
    take_matrix(stream, m_transform);
}

void SIM_PhysicalParms::makeEqualSubclass(const SIM_Data* source) {
    if (const auto* other = dynamic_cast<const SIM_PhysicalParms*>(source))
        getOptions() = other->getOptions();
}
void SIM_PhysicalParms::standin_save_own(std::ostream& stream) const {
    standin::save_options(getOptions(), stream);
}
void SIM_PhysicalParms::standin_load_own(std::istream& stream) {
    standin::load_options(getOptions(), stream);
}

void SIM_ForceGravity::makeEqualSubclass(const SIM_Data* source) {
    if (const auto* other = dynamic_cast<const SIM_ForceGravity*>(source))
        getOptions() = other->getOptions();
}
void SIM_ForceGravity::standin_save_own(std::ostream& stream) const {
    standin::save_options(getOptions(), stream);
}
void SIM_ForceGravity::standin_load_own(std::istream& stream) {
    standin::load_options(getOptions(), stream);
}

void SIM_SDF::makeEqualSubclass(const SIM_Data* source) {
    if (const auto* other = dynamic_cast<const SIM_SDF*>(source)) m_sdf = other->m_sdf;
}

// ---- geometry of objects -----------------------------------------------------------------------

void SIM_Geometry::makeEqualSubclass(const SIM_Data* source) {
    const auto* other = dynamic_cast<const SIM_Geometry*>(source);
    if (other == nullptr) return;
    m_transform = other->m_transform;
    m_geometry.standin_clear();
    if (!other->m_geometry.isValid()) return;
    m_geometry.allocateAndSet(new GU_Detail);
    m_geometry.gdpNC()->replaceWith(*other->m_geometry.gdp());
}

void SIM_Geometry::standin_save_own(std::ostream& stream) const {
    put_matrix(stream, m_transform);
    put(stream, m_geometry.isValid());
    if (m_geometry.isValid()) put_geometry(stream, *m_geometry.gdp());
}

void SIM_Geometry::standin_load_own(std::istream& stream) {
    take_matrix(stream, m_transform);
    m_geometry.standin_clear();
    if (!take<bool>(stream)) return;
    m_geometry.allocateAndSet(new GU_Detail);
    take_geometry(stream, *m_geometry.gdpNC());
}

GU_DetailHandle SIM_GeometryCopy::lockGeometry() {
    if (!m_geometry.isValid()) m_geometry.allocateAndSet(new GU_Detail);
    ++m_locks;
    return m_geometry;
}

void SIM_GeometryCopy::releaseGeometry(SIM_DataIdStrategy strategy) {
    if (m_locks == 0) standin::fail("geometry is released that was not locked");
    --m_locks;
    if (strategy == SIM_DATA_ID_BUMP) m_geometry.gdpNC()->bumpAllDataIds();
}

// ---- fields ------------------------------------------------------------------------------------

void SIM_RawField::standin_save(std::ostream& stream) const {
    put(stream, m_first);
    put(stream, m_voxel);
    put(stream, m_count);
    for (const float value : m_values) put(stream, value);
}
void SIM_RawField::standin_load(std::istream& stream) {
    const auto first = take<UT_Vector3D>(stream);
    const auto voxel = take<UT_Vector3D>(stream);
    standin_init(first, voxel, take<std::array<int, 3>>(stream));
    for (float& value : m_values) value = take<float>(stream);
}

void SIM_ScalarField::makeEqualSubclass(const SIM_Data* source) {
    const auto* other = dynamic_cast<const SIM_ScalarField*>(source);
    if (other == nullptr) return;
    m_low = other->m_low;
    m_voxel = other->m_voxel;
    m_count = other->m_count;
    m_field = other->m_field;
}
void SIM_ScalarField::standin_save_own(std::ostream& stream) const {
    put(stream, m_low);
    put(stream, m_voxel);
    put(stream, m_count);
    m_field.standin_save(stream);
}
void SIM_ScalarField::standin_load_own(std::istream& stream) {
    m_low = take<UT_Vector3D>(stream);
    m_voxel = take<UT_Vector3D>(stream);
    m_count = take<std::array<int, 3>>(stream);
    m_field.standin_load(stream);
}

void SIM_VectorField::makeEqualSubclass(const SIM_Data* source) {
    const auto* other = dynamic_cast<const SIM_VectorField*>(source);
    if (other == nullptr) return;
    m_low = other->m_low;
    m_voxel = other->m_voxel;
    m_count = other->m_count;
    m_fields = other->m_fields;
}
void SIM_VectorField::standin_save_own(std::ostream& stream) const {
    put(stream, m_low);
    put(stream, m_voxel);
    put(stream, m_count);
    for (const SIM_RawField& field : m_fields) field.standin_save(stream);
}
void SIM_VectorField::standin_load_own(std::istream& stream) {
    m_low = take<UT_Vector3D>(stream);
    m_voxel = take<UT_Vector3D>(stream);
    m_count = take<std::array<int, 3>>(stream);
    for (SIM_RawField& field : m_fields) field.standin_load(stream);
}

// ---- objects and the engine --------------------------------------------------------------------

void SIM_Object::getConstAffectors(SIM_ConstObjectArray& affectors,
                                   const char* relationship) const {
    if (std::string(relationship) != "SIM_RelationshipCollide") return;
    const auto found = m_engine->standin_affectors.find(m_id);
    if (found == m_engine->standin_affectors.end()) return;
    for (const int id : found->second)
        if (const SIM_Object* affector = m_engine->getSimulationObjectFromId(id))
            affectors.standin_add(affector);
}

void SIM_ConstObjectArray::standin_add(const SIM_Object* object) {
    int place = 0;
    while (place < entries() && (*this)(place)->getObjectId() < object->getObjectId()) ++place;
    if (place < entries() && (*this)(place) == object) return;
    standin_insert(static_cast<std::size_t>(place), object);
}

const SIM_Geometry* SIM_Object::getGeometry() const {
    return SIM_DATA_GETCONST(*this, "Geometry", SIM_Geometry);
}
const SIM_Position* SIM_Object::getPosition() const {
    return SIM_DATA_GETCONST(*this, "Position", SIM_Position);
}
const SIM_PhysicalParms* SIM_Object::getPhysicalParms() const {
    return SIM_DATA_GETCONST(*this, "PhysicalParms", SIM_PhysicalParms);
}

void SIM_Object::makeEqualSubclass(const SIM_Data* source) {
    const auto* other = dynamic_cast<const SIM_Object*>(source);
    if (other == nullptr) return;
    m_name = other->m_name;
    m_id = other->m_id;
    m_engine = other->m_engine;
}
void SIM_Object::standin_save_own(std::ostream& stream) const {
    put(stream, std::string(m_name.c_str()));
    put(stream, m_id);
}
void SIM_Object::standin_load_own(std::istream& stream) {
    m_name.standin_text = take<std::string>(stream);
    m_id = take<int>(stream);
}

SIM_Engine::SIM_Engine() {
    IMPLEMENT_DATAFACTORY(SIM_EmptyData);
    IMPLEMENT_DATAFACTORY(SIM_ForceGravity);
    IMPLEMENT_DATAFACTORY(SIM_Geometry);
    IMPLEMENT_DATAFACTORY(SIM_GeometryCopy);
    IMPLEMENT_DATAFACTORY(SIM_Object);
    IMPLEMENT_DATAFACTORY(SIM_PhysicalParms);
    IMPLEMENT_DATAFACTORY(SIM_Position);
    IMPLEMENT_DATAFACTORY(SIM_SDF);
    IMPLEMENT_DATAFACTORY(SIM_ScalarField);
    IMPLEMENT_DATAFACTORY(SIM_VectorField);
}

const SIM_Object* SIM_Engine::getSimulationObjectFromId(int id) const {
    for (const auto& object : m_objects)
        if (object->getObjectId() == id) return object.get();
    return nullptr;
}

SIM_Object& SIM_Engine::standin_add_object(const char* name) {
    std::unique_ptr<SIM_Data> data = standin::make_data("SIM_Object");
    m_objects.emplace_back(static_cast<SIM_Object*>(data.release()));
    m_objects.back()->standin_place(*this, m_next_id++);
    m_objects.back()->setName(name);
    return *m_objects.back();
}

SIM_Object* SIM_Engine::standin_object(const std::string& name) const {
    for (const auto& object : m_objects)
        if (object->getName().standin_text == name) return object.get();
    return nullptr;
}

void SIM_Engine::standin_collide(const SIM_Object& object, const SIM_Object& affector) {
    standin_affectors[object.getObjectId()].push_back(affector.getObjectId());
}

SIM_Engine::Objects SIM_Engine::copy(const Objects& objects) {
    Objects result;
    for (const auto& object : objects)
        result.emplace_back(static_cast<SIM_Object*>(object->standin_copy().release()));
    return result;
}

void SIM_Engine::standin_go_to(int frame) {
    m_cache[m_frame] = copy(m_objects);
    auto start = m_cache.upper_bound(frame);
    if (start == m_cache.begin()) standin::fail("no frame to start from");
    --start;
    m_objects = copy(start->second);
    m_frame = start->first;
    while (m_frame < frame) {
        m_objects = copy(m_objects);
        ++m_frame;
        standin_time = m_frame / standin_fps;
        if (standin_nodes) standin_nodes(*this, m_frame);
        if (standin_solve) standin_solve(*this, 1 / standin_fps);
        m_cache[m_frame] = copy(m_objects);
    }
    standin_time = m_frame / standin_fps;
}

void SIM_Engine::standin_forget_after(int frame) {
    m_cache.erase(m_cache.upper_bound(frame), m_cache.end());
}

std::string SIM_Engine::standin_save() const {
    std::ostringstream stream;
    put(stream, m_objects.size());
    for (const auto& object : m_objects) object->standin_save(stream);
    return stream.str();
}

void SIM_Engine::standin_load(const std::string& bytes, int frame) {
    std::istringstream stream(bytes);
    m_cache.clear();
    m_objects.clear();
    for (auto count = take<std::size_t>(stream); count > 0; --count) {
        std::unique_ptr<SIM_Data> data = standin::make_data(take<std::string>(stream));
        data->standin_load(stream);
        m_objects.emplace_back(static_cast<SIM_Object*>(data.release()));
        const int id = m_objects.back()->getObjectId();
        m_objects.back()->standin_place(*this, id);
        m_next_id = std::max(m_next_id, id + 1);
    }
    m_frame = frame;
    standin_time = frame / standin_fps;
}

// ---- microsolvers ------------------------------------------------------------------------------

SIM_GeometryCopy* GAS_SubSolver::getGeometryCopy(SIM_Object* object, const char* token,
                                                 bool silent) {
    const UT_StringHolder name = getOptions().getOptionS(token);
    if (!name.isstring() || object->getConstNamedSubData(name.c_str()) == nullptr) {
        if (!silent) addError(object, SIM_MESSAGE, "no such geometry", UT_ERROR_WARNING);
        return nullptr;
    }
    return SIM_DATA_CREATE(*object, name.c_str(), SIM_GeometryCopy,
                           SIM_DATA_RETURN_EXISTING | SIM_DATA_ADOPT_EXISTING_ON_DELETE);
}

void GAS_SubSolver::makeEqualSubclass(const SIM_Data* source) {
    if (const auto* other = dynamic_cast<const GAS_SubSolver*>(source))
        getOptions() = other->getOptions();
}
void GAS_SubSolver::standin_save_own(std::ostream& stream) const {
    standin::save_options(getOptions(), stream);
}
void GAS_SubSolver::standin_load_own(std::istream& stream) {
    standin::load_options(getOptions(), stream);
}

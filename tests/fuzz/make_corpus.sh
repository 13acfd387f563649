#!/usr/bin/env bash
# Makes the seeds of the fuzz targets anew, with our own writers:
#   bash tests/fuzz/make_corpus.sh NENDO        NENDO is the path of the program
set -euo pipefail
nendo=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/corpus"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Two bodies of eight masters, all kinds of shapes around them.
cat >scene/small.json <<'JSON'
{"fps": 24, "frames": 2, "solver": {"spacing": 0.25, "time_step": 0.01},
 "bodies": [{"name": "a", "box": {"size": [0.5, 0.5, 0.5]}, "material": {"preset": "clay"},
             "velocity": [0, -1, 0], "join": "auto"},
            {"sphere": {"radius": 0.4}, "translate": [1, 0, 0], "start": 0.01, "color": [1, 0, 0],
             "copies": {"count": 2, "translate": [0, 1, 0], "interval": 0.1}}],
 "colliders": [{"plane": {"point": [0, -0.3, 0]}, "friction": null}]}
JSON
cat >scene/shapes.json <<'JSON'
{"precision": "double", "gravity": [0, 0, 0], "solver": {"spacing": 0.5, "transfer": "blend"},
 "bodies": [{"union": {"parts": [{"capsule": {"b": [0, 1, 0]}}, {"ellipsoid": {"radii": [1, 2, 1]},
             "rotate": [0, 45, 0]}], "blend": 0.1}, "material": {"young": 1e5, "poisson": 0.4,
             "yield_stretch": null, "hardening": 3}}, {"animal": {}, "fit": 2}],
 "colliders": [{"box": {"center": [0, -5, 0]}, "keys": [{"time": 0}, {"time": 1,
                "translate": [0, 1, 0], "rotate": [0, 90, 0]}], "stickiness": 10}],
 "pins": [{"sphere": {"radius": 0.6}, "start": 0.1, "end": null}],
 "output": {"format": "geo", "internals": true, "checkpoint_every": 2}, "camera": {"fov": 40}}
JSON
printf 'bodies.0.material.young=1e5' >scene/set

for format in geo bgeo bgeo.sc; do
    "$nendo" sim scene/small.json --out "$folder/$format" --frames 0-1 --quiet \
        --set "output.format=$format" --set output.internals=true --set "bodies=[{\"box\": {\"size\": [0.5, 0.5, 0.5]}}]"
    cp "$folder/$format/masters.0001.$format" "geometry/masters.$format"
done
cp "$folder/bgeo.sc/slaves.0001.bgeo.sc" geometry/slaves.bgeo.sc
cp "$folder/bgeo.sc/checkpoint.nendo" checkpoint/float.nendo
"$nendo" sim scene/small.json --out "$folder/double" --frames 0-1 --quiet --set precision=double \
    --set "bodies=[{\"box\": {\"size\": [0.25, 0.25, 0.25]}}]"
cp "$folder/double/checkpoint.nendo" checkpoint/double.nendo

# A file with elements that particles lack: polygons, strings, groups, kinds that are only passed on.
cat >geometry/kinds.geo <<'GEO'
["fileversion","16.5.268","hasindex",false,"pointcount",4,"vertexcount",7,"primitivecount",3,
"info",{"software":"Nendo"},"topology",["pointref",["indices",[0,1,2,1,2,3,0]]],
"attributes",["vertexattributes",[[["scope","public","type","numeric","name","uv","options",{}],
["size",2,"storage","fpreal32","values",["size",2,"storage","fpreal32",
"tuples",[[0,0],[1,0],[0,1],[1,1],[0,0],[1,0],[0,1]]]]]],
"pointattributes",[[["scope","public","type","numeric","name","P","options",{"type":{"type":"string","value":"point"}}],
["size",3,"storage","fpreal32","values",["size",3,"storage","fpreal32","pagesize",1024,"packing",[2,1],
"constantpageflags",[[false],[true]],"rawpagedata",[0,0,1,0,0,1,1,1,0]]]],
[["scope","public","type","string","name","kind","options",{}],["size",1,"storage","int32",
"strings",["clay","gum"],"indices",["size",1,"storage","int32","arrays",[[0,1,-1,0]]]]]],
"globalattributes",[[["scope","public","type","numeric","name","time","options",{}],
["size",1,"storage","fpreal64","values",["size",1,"storage","fpreal64","arrays",[[0.5]]]]]]],
"primitives",[[["type","Polygon_run"],["startvertex",0,"nprimitives",2,"nvertices_rle",[3,2]]],
[["type","Sphere"],["vertex",[6],"transform",[1,0,0,0,1,0,0,0,1]]]],
"pointgroups",[[["name","some"],["selection",["unordered",["boolRLE",[2,true,2,false]]]]],
[["name","row"],["selection",["ordered",[3,1]]]]]]
GEO

cat >mesh/tetrahedron.obj <<'OBJ'
# a comment
v 0 0 0
v 1 0 0 1
v 0 1e0 0
v 0 0 -1.5
vt 0 0
vn 0 1 0
g side
usemtl clay
f 1/1/1 3//1 2
f -4 -3 -1
f 2 3 4
f 1 4 3
OBJ
cat >mesh/quad.ply <<'PLY'
ply
format ascii 1.0
comment by hand
element vertex 4
property float x
property float y
property float z
property uchar red
element face 1
property list uchar int vertex_indices
element edge 1
property int a
property list uint short more
end_header
0 0 0 255
1 0 0 0
1 1 0 7
0 1 0 8
4 0 1 2 3
5 2 1 2
PLY
"$nendo" sim scene/small.json --out "$folder/mesh" --frames 0-0 --quiet \
    --set "bodies=[{\"box\": {\"size\": [0.25, 0.25, 0.25]}}]"
"$nendo" surface "$folder/mesh" --mesh ply --quiet --voxel 1 2>/dev/null ||
    "$nendo" surface "$folder/mesh" --mesh ply --quiet
cp "$folder/mesh/surface.0000.ply" mesh/surface.ply
ls -l */ | awk 'NF > 8 {print $5, $9}'

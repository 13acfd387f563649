"""Builds nendo::coupling::1.0. Written by otls/generate.py from otls/networks.py: change that.

    hython otls/build.py OUT       makes OUT/nendo_coupling.hda, and the others
"""
from typing import Any, Dict, List

import builder

OPERATOR = 'nendo::coupling::1.0'
FILE = 'nendo_coupling'
LABEL = 'Nendo Coupling Solver'
TABLE = 'Sop'
ICON = 'nendo_coupling'
INPUTS = (1, 4)
INPUT_LABELS: List[str] = ['Fluid', 'Colliders', 'Sources', 'Body']
OUTPUTS = 2

PARAMETERS: List[Dict[str, Any]] = [{'kind': 'number',
  'name': 'spacing',
  'label': 'Spacing [m]',
  'help': "Distance of neighbouring particles; the solver's must be the same, but for bodies in "
          'fluid, which are best half as wide.',
  'default': [0.0625],
  'range': [0.01, 0.2, False, False]},
 {'kind': 'number',
  'name': 'time_step',
  'label': 'Time step [s]',
  'help': 'Longest substep; sound and fast motion take shorter ones by themselves.',
  'default': [0.01],
  'range': [0.001, 0.05, False, False]},
 {'kind': 'vector',
  'name': 'gravity',
  'label': 'Gravity [m/s^2]',
  'help': 'Downwards. Gravity that is attached to the object replaces it.',
  'default': [0.0, -9.81, 0.0]},
 {'kind': 'folder',
  'name': 'folder_simulation',
  'label': 'Simulation',
  'parameters': [{'kind': 'button',
                  'name': 'resimulate',
                  'label': 'Reset simulation',
                  'help': 'Forgets what was simulated.'},
                 {'kind': 'whole',
                  'name': 'startframe',
                  'label': 'Start frame',
                  'help': 'The frame of the matter as it is wired.',
                  'default': [1],
                  'range': [1.0, 240.0, False, False]},
                 {'kind': 'toggle',
                  'name': 'ground',
                  'label': 'Ground',
                  'help': 'A plane that all falls on.',
                  'default': [1]},
                 {'kind': 'number',
                  'name': 'ground_height',
                  'label': 'Ground height [m]',
                  'help': 'Where the plane is.',
                  'default': [0],
                  'range': [-10.0, 10.0, False, False],
                  'disable_when': '{ ground == 0 }'},
                 {'kind': 'toggle',
                  'name': 'deforming',
                  'label': 'Colliders change shape',
                  'help': 'The second input is read at each frame, not once.',
                  'default': [1]},
                 {'kind': 'toggle',
                  'name': 'emit',
                  'label': 'Emit',
                  'help': 'The third input becomes matter again and again.',
                  'default': [0]},
                 {'kind': 'whole',
                  'name': 'emit_every',
                  'label': 'Emit every [frames]',
                  'help': 'Frames between two fillings.',
                  'default': [10],
                  'range': [1.0, 100.0, True, False],
                  'disable_when': '{ emit == 0 }'},
                 {'kind': 'whole',
                  'name': 'cachemaxsize',
                  'label': 'Memory for frames [MB]',
                  'help': 'Simulated frames that are kept in memory, at most.',
                  'default': [5000],
                  'range': [1.0, 50000.0, True, False]}]},
 {'kind': 'folder',
  'name': 'folder_disk',
  'label': 'Disk',
  'parameters': [{'kind': 'toggle',
                  'name': 'loadfromdisk',
                  'label': 'Load from disk',
                  'help': 'Reads the files below in place of simulating.',
                  'default': [0]},
                 {'kind': 'text',
                  'name': 'cachefile',
                  'label': 'Files',
                  'help': 'A file a frame.',
                  'default': '$HIP/geo/$HIPNAME.$OS.$F.bgeo.sc'},
                 {'kind': 'button',
                  'name': 'save',
                  'label': 'Save to disk',
                  'help': 'Simulates and writes all frames.',
                  'callback': "hou.pwd().node('save').parm('execute').pressButton()"},
                 {'kind': 'toggle',
                  'name': 'explicitcache',
                  'label': 'Checkpoints',
                  'help': 'Keeps the simulation itself on disk, to go on from a frame.',
                  'default': [0]},
                 {'kind': 'text',
                  'name': 'explicitcachename',
                  'label': 'Checkpoint files',
                  'help': 'A file a checkpoint.',
                  'default': '$HIP/sim/$HIPNAME.$OS.$SF.sim',
                  'disable_when': '{ explicitcache == 0 }'},
                 {'kind': 'whole',
                  'name': 'explicitcachensteps',
                  'label': 'Checkpoints kept',
                  'help': 'Older ones are deleted.',
                  'default': [2],
                  'range': [1.0, 100.0, False, False],
                  'disable_when': '{ explicitcache == 0 }'},
                 {'kind': 'whole',
                  'name': 'explicitcachecheckpointspacing',
                  'label': 'Frames between checkpoints [frames]',
                  'help': 'More is less to write, and more to simulate again.',
                  'default': [10],
                  'range': [1.0, 100.0, True, False],
                  'disable_when': '{ explicitcache == 0 }'}]},
 {'kind': 'folder',
  'name': 'folder_material',
  'label': 'Material',
  'parameters': [{'kind': 'menu',
                  'name': 'coupling_preset',
                  'label': 'Fluid or body',
                  'help': 'Where values that are not overridden come from.',
                  'default': 'water',
                  'menu': [['water', 'large_water', 'oil', 'honey', 'membrane', 'telescopic',
                            'jellyfish', 'balloon'],
                           ['Water', 'Large water', 'Oil', 'Honey', 'Membrane', 'Telescopic',
                            'Jellyfish', 'Balloon']]},
                 {'kind': 'toggle',
                  'name': 'use_attributes',
                  'label': 'Use point attributes',
                  'help': "Point attributes of the input that are called as a material's values "
                          '(density, young, ...) come before all: each particle takes those of the '
                          'nearest point.',
                  'default': [1.0]},
                 {'kind': 'toggle',
                  'name': 'override_density',
                  'label': 'Override Density',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'density',
                  'label': 'Density [kg/m^3]',
                  'help': 'Mass of a cubic metre of matter at rest.',
                  'default': [1000.0],
                  'range': [100.0, 10000.0, False, False],
                  'disable_when': '{ override_density == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_young',
                  'label': "Override Young's modulus",
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'young',
                  'label': "Young's modulus [Pa]",
                  'help': 'Stiffness: 1e4 jelly, 1e6 rubber, 1e8 hard plastic.',
                  'default': [1000000.0],
                  'range': [10000.0, 100000000.0, False, False],
                  'disable_when': '{ override_young == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_poisson',
                  'label': "Override Poisson's ratio",
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'poisson',
                  'label': "Poisson's ratio",
                  'help': 'How much it bulges when it is squeezed; near 0.5 the volume stays.',
                  'default': [0.35],
                  'range': [-0.95, 0.499, True, True],
                  'disable_when': '{ override_poisson == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_yield_stretch',
                  'label': 'Override Yield in stretch',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_yield_stretch',
                  'label': 'Limit Yield in stretch',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ override_yield_stretch == 0 }'},
                 {'kind': 'number',
                  'name': 'yield_stretch',
                  'label': 'Yield in stretch',
                  'help': 'Strain above which a stretch stays; no limit: it always springs back.',
                  'default': [1.0],
                  'range': [0.0, 1.0, True, False],
                  'disable_when': '{ override_yield_stretch == 0 } { limit_yield_stretch == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_yield_compress',
                  'label': 'Override Yield in compression',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_yield_compress',
                  'label': 'Limit Yield in compression',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ override_yield_compress == 0 }'},
                 {'kind': 'number',
                  'name': 'yield_compress',
                  'label': 'Yield in compression',
                  'help': 'Strain above which a squeeze stays; no limit: it always springs back.',
                  'default': [1.0],
                  'range': [0.0, 1.0, True, False],
                  'disable_when': '{ override_yield_compress == 0 } { limit_yield_compress == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_hardening',
                  'label': 'Override Hardening',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'hardening',
                  'label': 'Hardening',
                  'help': 'How fast matter that was squeezed for good gets stiffer.',
                  'default': [0.0],
                  'range': [0.0, 20.0, True, False],
                  'disable_when': '{ override_hardening == 0 }'}]},
 {'kind': 'folder',
  'name': 'folder_body',
  'label': 'Body',
  'parameters': [{'kind': 'menu',
                  'name': 'join_rule',
                  'label': 'Join by',
                  'help': 'automatic: plastic bodies grow together where they meet, each elastic '
                          'one stays its own.',
                  'default': 'automatic',
                  'menu': [['automatic', 'number'], ['Automatic', 'Number']]},
                 {'kind': 'whole',
                  'name': 'join',
                  'label': 'Join number',
                  'help': 'Matter of equal value grows together where it meets.',
                  'default': [0.0],
                  'range': [0.0, 100.0, True, False],
                  'disable_when': '{ join_rule == automatic }'}]},
 {'kind': 'folder',
  'name': 'folder_motion',
  'label': 'Motion',
  'parameters': [{'kind': 'vector',
                  'name': 'velocity',
                  'label': 'Velocity [m/s]',
                  'help': 'At the start.',
                  'default': [0.0, 0.0, 0.0]},
                 {'kind': 'vector',
                  'name': 'angular_velocity',
                  'label': 'Angular velocity [rad/s]',
                  'help': 'About the centre of mass, at the start.',
                  'default': [0.0, 0.0, 0.0]}]},
 {'kind': 'folder',
  'name': 'folder_springs_and_fluid',
  'label': 'Springs and fluid',
  'parameters': [{'kind': 'toggle',
                  'name': 'override_phase',
                  'label': 'Override Phase',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'menu',
                  'name': 'phase',
                  'label': 'Phase',
                  'help': 'fluid flows; body is held together by springs.',
                  'default': 'fluid',
                  'menu': [['fluid', 'body'], ['Fluid', 'Body']],
                  'disable_when': '{ override_phase == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_viscosity',
                  'label': 'Override Viscosity',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'viscosity',
                  'label': 'Viscosity [m^2/s]',
                  'help': 'Kinematic; of a body: how much fluid drags along it.',
                  'default': [0.01],
                  'range': [0.0, 1.0, True, False],
                  'disable_when': '{ override_viscosity == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_spring_stiffness',
                  'label': 'Override Spring stiffness',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'spring_stiffness',
                  'label': 'Spring stiffness [1/s^2]',
                  'help': 'Pull for each metre of stretch and kilogram of a particle.',
                  'default': [120.0],
                  'range': [1.0, 10000.0, False, False],
                  'disable_when': '{ override_spring_stiffness == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_spring_damping',
                  'label': 'Override Spring damping',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'spring_damping',
                  'label': 'Spring damping [1/s]',
                  'help': 'Pull for each m/s of stretching and kilogram.',
                  'default': [4.0],
                  'range': [0.0, 100.0, True, False],
                  'disable_when': '{ override_spring_damping == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_connection',
                  'label': 'Override Connection radius',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'connection',
                  'label': 'Connection radius',
                  'help': 'Particles within this many spacings are joined; 1.5 or more.',
                  'default': [2.1],
                  'range': [1.0, 6.0, True, True],
                  'disable_when': '{ override_connection == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_break_strain',
                  'label': 'Override Break strain',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_break_strain',
                  'label': 'Limit Break strain',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ override_break_strain == 0 }'},
                 {'kind': 'number',
                  'name': 'break_strain',
                  'label': 'Break strain',
                  'help': 'A spring stretched by more than this part of its length breaks; no '
                          'limit: never.',
                  'default': [5.0],
                  'range': [0.1, 5.0, False, False],
                  'disable_when': '{ override_break_strain == 0 } { limit_break_strain == 0 }'}]},
 {'kind': 'folder',
  'name': 'folder_body_body',
  'label': 'Body Body',
  'parameters': [{'kind': 'number',
                  'name': 'body_spacing',
                  'label': 'Spacing [m]',
                  'help': "Distance of neighbouring particles; the solver's must be the same, but "
                          'for bodies in fluid, which are best half as wide.',
                  'default': [0.0625],
                  'range': [0.01, 0.2, False, False]},
                 {'kind': 'toggle',
                  'name': 'body_membrane',
                  'label': 'Membrane',
                  'help': 'A particle at each point of the polygons instead of a filling: a skin '
                          'of one layer, whose triangles hold fluid. Its points should be a '
                          'spacing apart.',
                  'default': [0.0]},
                 {'kind': 'menu',
                  'name': 'body_join_rule',
                  'label': 'Join by',
                  'help': 'automatic: plastic bodies grow together where they meet, each elastic '
                          'one stays its own.',
                  'default': 'automatic',
                  'menu': [['automatic', 'number'], ['Automatic', 'Number']]},
                 {'kind': 'whole',
                  'name': 'body_join',
                  'label': 'Join number',
                  'help': 'Matter of equal value grows together where it meets.',
                  'default': [0.0],
                  'range': [0.0, 100.0, True, False],
                  'disable_when': '{ body_join_rule == automatic }'}]},
 {'kind': 'folder',
  'name': 'folder_body_material',
  'label': 'Body Material',
  'parameters': [{'kind': 'menu',
                  'name': 'body_coupling_preset',
                  'label': 'Fluid or body',
                  'help': 'Where values that are not overridden come from.',
                  'default': 'water',
                  'menu': [['water', 'large_water', 'oil', 'honey', 'membrane', 'telescopic',
                            'jellyfish', 'balloon'],
                           ['Water', 'Large water', 'Oil', 'Honey', 'Membrane', 'Telescopic',
                            'Jellyfish', 'Balloon']]},
                 {'kind': 'toggle',
                  'name': 'body_use_attributes',
                  'label': 'Use point attributes',
                  'help': "Point attributes of the input that are called as a material's values "
                          '(density, young, ...) come before all: each particle takes those of the '
                          'nearest point.',
                  'default': [1.0]},
                 {'kind': 'toggle',
                  'name': 'body_override_density',
                  'label': 'Override Density',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'body_density',
                  'label': 'Density [kg/m^3]',
                  'help': 'Mass of a cubic metre of matter at rest.',
                  'default': [1000.0],
                  'range': [100.0, 10000.0, False, False],
                  'disable_when': '{ body_override_density == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_young',
                  'label': "Override Young's modulus",
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'body_young',
                  'label': "Young's modulus [Pa]",
                  'help': 'Stiffness: 1e4 jelly, 1e6 rubber, 1e8 hard plastic.',
                  'default': [1000000.0],
                  'range': [10000.0, 100000000.0, False, False],
                  'disable_when': '{ body_override_young == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_poisson',
                  'label': "Override Poisson's ratio",
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'body_poisson',
                  'label': "Poisson's ratio",
                  'help': 'How much it bulges when it is squeezed; near 0.5 the volume stays.',
                  'default': [0.35],
                  'range': [-0.95, 0.499, True, True],
                  'disable_when': '{ body_override_poisson == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_yield_stretch',
                  'label': 'Override Yield in stretch',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'body_limit_yield_stretch',
                  'label': 'Limit Yield in stretch',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ body_override_yield_stretch == 0 }'},
                 {'kind': 'number',
                  'name': 'body_yield_stretch',
                  'label': 'Yield in stretch',
                  'help': 'Strain above which a stretch stays; no limit: it always springs back.',
                  'default': [1.0],
                  'range': [0.0, 1.0, True, False],
                  'disable_when': '{ body_override_yield_stretch == 0 } { body_limit_yield_stretch '
                                  '== 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_yield_compress',
                  'label': 'Override Yield in compression',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'body_limit_yield_compress',
                  'label': 'Limit Yield in compression',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ body_override_yield_compress == 0 }'},
                 {'kind': 'number',
                  'name': 'body_yield_compress',
                  'label': 'Yield in compression',
                  'help': 'Strain above which a squeeze stays; no limit: it always springs back.',
                  'default': [1.0],
                  'range': [0.0, 1.0, True, False],
                  'disable_when': '{ body_override_yield_compress == 0 } { '
                                  'body_limit_yield_compress == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_hardening',
                  'label': 'Override Hardening',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'body_hardening',
                  'label': 'Hardening',
                  'help': 'How fast matter that was squeezed for good gets stiffer.',
                  'default': [0.0],
                  'range': [0.0, 20.0, True, False],
                  'disable_when': '{ body_override_hardening == 0 }'}]},
 {'kind': 'folder',
  'name': 'folder_body_motion',
  'label': 'Body Motion',
  'parameters': [{'kind': 'vector',
                  'name': 'body_velocity',
                  'label': 'Velocity [m/s]',
                  'help': 'At the start.',
                  'default': [0.0, 0.0, 0.0]},
                 {'kind': 'vector',
                  'name': 'body_angular_velocity',
                  'label': 'Angular velocity [rad/s]',
                  'help': 'About the centre of mass, at the start.',
                  'default': [0.0, 0.0, 0.0]}]},
 {'kind': 'folder',
  'name': 'folder_body_springs_and_fluid',
  'label': 'Body Springs and fluid',
  'parameters': [{'kind': 'toggle',
                  'name': 'body_override_phase',
                  'label': 'Override Phase',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'menu',
                  'name': 'body_phase',
                  'label': 'Phase',
                  'help': 'fluid flows; body is held together by springs.',
                  'default': 'fluid',
                  'menu': [['fluid', 'body'], ['Fluid', 'Body']],
                  'disable_when': '{ body_override_phase == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_viscosity',
                  'label': 'Override Viscosity',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'body_viscosity',
                  'label': 'Viscosity [m^2/s]',
                  'help': 'Kinematic; of a body: how much fluid drags along it.',
                  'default': [0.01],
                  'range': [0.0, 1.0, True, False],
                  'disable_when': '{ body_override_viscosity == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_spring_stiffness',
                  'label': 'Override Spring stiffness',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'body_spring_stiffness',
                  'label': 'Spring stiffness [1/s^2]',
                  'help': 'Pull for each metre of stretch and kilogram of a particle.',
                  'default': [120.0],
                  'range': [1.0, 10000.0, False, False],
                  'disable_when': '{ body_override_spring_stiffness == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_spring_damping',
                  'label': 'Override Spring damping',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'body_spring_damping',
                  'label': 'Spring damping [1/s]',
                  'help': 'Pull for each m/s of stretching and kilogram.',
                  'default': [4.0],
                  'range': [0.0, 100.0, True, False],
                  'disable_when': '{ body_override_spring_damping == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_connection',
                  'label': 'Override Connection radius',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'body_connection',
                  'label': 'Connection radius',
                  'help': 'Particles within this many spacings are joined; 1.5 or more.',
                  'default': [2.1],
                  'range': [1.0, 6.0, True, True],
                  'disable_when': '{ body_override_connection == 0 }'},
                 {'kind': 'toggle',
                  'name': 'body_override_break_strain',
                  'label': 'Override Break strain',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'body_limit_break_strain',
                  'label': 'Limit Break strain',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ body_override_break_strain == 0 }'},
                 {'kind': 'number',
                  'name': 'body_break_strain',
                  'label': 'Break strain',
                  'help': 'A spring stretched by more than this part of its length breaks; no '
                          'limit: never.',
                  'default': [5.0],
                  'range': [0.1, 5.0, False, False],
                  'disable_when': '{ body_override_break_strain == 0 } { body_limit_break_strain '
                                  '== 0 }'}]},
 {'kind': 'folder',
  'name': 'folder_fluid',
  'label': 'Fluid',
  'parameters': [{'kind': 'number',
                  'name': 'support',
                  'label': 'Support',
                  'help': "Reach of a particle in spacings; 1.5 is S002's and coarse.",
                  'default': [2.0],
                  'range': [1.3, 4.0, True, True]},
                 {'kind': 'menu',
                  'name': 'pressure',
                  'label': 'Pressure',
                  'help': 'state_equation: fluid is a little soft, steps follow its sound; '
                          'implicit: incompressible, steps follow its motion.',
                  'default': 'state_equation',
                  'menu': [['state_equation', 'implicit'], ['State equation', 'Implicit']]},
                 {'kind': 'number',
                  'name': 'stiffness',
                  'label': 'Stiffness [m^2/s^2]',
                  'help': 'Squared speed of sound. A fluid at rest is compressed by gravity times '
                          'depth over this; 2.2 is printed in S002 and holds no column.',
                  'default': [2200.0],
                  'range': [100.0, 10000.0, False, False],
                  'disable_when': '{ pressure == implicit }'},
                 {'kind': 'toggle',
                  'name': 'tension',
                  'label': 'Tension',
                  'help': 'Fluid that is pulled apart pulls back; particles clump.',
                  'default': [0.0],
                  'disable_when': '{ pressure == implicit }'},
                 {'kind': 'number',
                  'name': 'surface_tension',
                  'label': 'Surface tension [N/m]',
                  'help': 'Water has 0.07; larger values hold larger drops together.',
                  'default': [0.0],
                  'range': [0.0, 1.0, True, False]}]},
 {'kind': 'folder',
  'name': 'folder_steps',
  'label': 'Steps',
  'parameters': [{'kind': 'number',
                  'name': 'pressure_tolerance',
                  'label': 'Pressure tolerance',
                  'help': 'Mean compression at which the implicit solve ends.',
                  'default': [0.001],
                  'range': [0.0001, 0.01, False, False],
                  'disable_when': '{ pressure == state_equation }'},
                 {'kind': 'whole',
                  'name': 'pressure_iterations',
                  'label': 'Pressure iterations',
                  'help': 'The implicit solve ends here even when it has not converged; a warning '
                          'says so.',
                  'default': [100.0],
                  'range': [10.0, 200.0, False, False],
                  'disable_when': '{ pressure == state_equation }'},
                 {'kind': 'number',
                  'name': 'courant',
                  'label': 'Courant number',
                  'help': 'Share of the support that sound, or of the spacing that matter, may '
                          'cross in one substep.',
                  'default': [0.3],
                  'range': [0.01, 1.0, True, True]},
                 {'kind': 'number',
                  'name': 'cg_tolerance',
                  'label': 'Solver tolerance',
                  'help': "Residual of the springs' solve, relative to its right side.",
                  'default': [1e-05],
                  'range': [1e-07, 0.01, False, False],
                  'disable_when': '{ springs == explicit }'},
                 {'kind': 'whole',
                  'name': 'cg_iterations',
                  'label': 'Solver iterations',
                  'help': "The springs' solve ends here even when it has not converged; a warning "
                          'says so.',
                  'default': [200.0],
                  'range': [10.0, 1000.0, False, False],
                  'disable_when': '{ springs == explicit }'}]},
 {'kind': 'folder',
  'name': 'folder_bodies',
  'label': 'Bodies',
  'parameters': [{'kind': 'toggle',
                  'name': 'density_change',
                  'label': 'Density follows stretch',
                  'help': 'Stretched bodies fill their space, so that fluid does not slip through, '
                          'and contracted ones get heavy: S002 eq 8-10.',
                  'default': [1.0]},
                 {'kind': 'menu',
                  'name': 'springs',
                  'label': 'Spring solve',
                  'help': 'implicit: calm at any stiffness; explicit: short substeps where springs '
                          'or dampers are stiff.',
                  'default': 'implicit',
                  'menu': [['implicit', 'explicit'], ['Implicit', 'Explicit']]},
                 {'kind': 'toggle',
                  'name': 'collisions',
                  'label': 'Collisions of bodies',
                  'help': 'Particles of bodies that no spring joins keep a diameter apart.',
                  'default': [1.0]},
                 {'kind': 'whole',
                  'name': 'collision_sweeps',
                  'label': 'Collision sweeps',
                  'help': 'At most; what is left is reported. Packings that cannot be never end.',
                  'default': [16.0],
                  'range': [1.0, 16.0, True, False],
                  'disable_when': '{ collisions == 0 }'},
                 {'kind': 'number',
                  'name': 'collision_tolerance',
                  'label': 'Collision tolerance',
                  'help': 'Overlap in diameters that is no collision.',
                  'default': [0.001],
                  'range': [0.0001, 0.01, False, False],
                  'disable_when': '{ collisions == 0 }'},
                 {'kind': 'number',
                  'name': 'muscle_length',
                  'label': 'Muscle length',
                  'help': 'Of springs whose attribute muscle is above 0, over their own; animate '
                          'it.',
                  'default': [1.0],
                  'range': [0.5, 1.5, False, False]},
                 {'kind': 'number',
                  'name': 'muscle_force',
                  'label': 'Muscle force [m/s^2]',
                  'help': 'With which those springs push, or pull below 0, a kilogram; animate it.',
                  'default': [0.0],
                  'range': [-50.0, 50.0, False, False]}]},
 {'kind': 'folder',
  'name': 'folder_contact',
  'label': 'Contact',
  'parameters': [{'kind': 'number',
                  'name': 'collider_friction',
                  'label': 'Collider friction',
                  'help': "Coulomb's coefficient of colliders that have no physical parameters, "
                          'and of the field `collision`.',
                  'default': [0.5],
                  'range': [0.0, 2.0, True, False]}]},
 {'kind': 'folder',
  'name': 'folder_surface_surface',
  'label': 'Surface Surface',
  'parameters': [{'kind': 'menu',
                  'name': 'surface_output',
                  'label': 'Output',
                  'help': 'Triangles with attributes, a level set with its velocity, or both.',
                  'default': 'mesh',
                  'menu': [['mesh', 'vdb', 'both'], ['Mesh', 'Vdb', 'Both']]},
                 {'kind': 'toggle',
                  'name': 'surface_from_pscale',
                  'label': 'Spacing from pscale',
                  'help': 'Twice the largest pscale of the particles.',
                  'default': [1.0]},
                 {'kind': 'number',
                  'name': 'surface_spacing',
                  'label': 'Spacing [m]',
                  'help': 'Distance of neighbouring particles.',
                  'default': [0.0625],
                  'range': [0.01, 0.2, False, False],
                  'disable_when': '{ surface_from_pscale == 1 }'}]},
 {'kind': 'folder',
  'name': 'folder_surface_shape',
  'label': 'Surface Shape',
  'parameters': [{'kind': 'menu',
                  'name': 'surface_mode',
                  'label': 'Mode',
                  'help': 'matter: as anisotropic, with what the solver knows: sheets stay thin '
                          'and flat, edges sharp, and what has melted goes smooth. anisotropic: '
                          'each particle is an ellipsoid that follows those around it. metaball: '
                          'each is a ball.',
                  'default': 'matter',
                  'menu': [['matter', 'anisotropic', 'metaball'],
                           ['Matter', 'Anisotropic', 'Metaball']]},
                 {'kind': 'number',
                  'name': 'surface_voxel',
                  'label': 'Voxel [spacings]',
                  'help': "Edge of the level set's voxels; halved, memory is fourfold.",
                  'default': [0.5],
                  'range': [0.1, 1.0, True, True]},
                 {'kind': 'number',
                  'name': 'surface_reach',
                  'label': 'Reach [spacings]',
                  'help': 'How far a particle looks for others that shape it; more is smoother.',
                  'default': [3.0],
                  'range': [1.5, 4.0, True, True]},
                 {'kind': 'number',
                  'name': 'surface_radius',
                  'label': 'Radius [spacings]',
                  'help': 'Distance of the surface from the centres of the outermost particles.',
                  'default': [0.5],
                  'range': [0.3, 1.5, True, True]},
                 {'kind': 'whole',
                  'name': 'surface_smoothing',
                  'label': 'Smoothing',
                  'help': 'Rounds of smoothing; volume and thin parts are kept.',
                  'default': [4.0],
                  'range': [0.0, 100.0, True, True]},
                 {'kind': 'number',
                  'name': 'surface_adaptivity',
                  'label': 'Adaptivity',
                  'help': 'Larger triangles where the surface is flat; 0: all alike.',
                  'default': [0.0],
                  'range': [0.0, 1.0, True, True]}]}]

NODES: List[Dict[str, Any]] = [{'name': 'source',
  'type': 'nendo_source',
  'at': [0.0, -0.0],
  'inputs': ['@1'],
  'parms': {'matter': 'coupling',
            'membrane': False,
            'first_id': 0,
            'body': 0,
            'show': 'particles',
            'spacing': {'expr': 'ch("../spacing")'},
            'coupling_preset': '`chs("../coupling_preset")`',
            'use_attributes': {'expr': 'ch("../use_attributes")'},
            'override_density': {'expr': 'ch("../override_density")'},
            'density': {'expr': 'ch("../density")'},
            'override_young': {'expr': 'ch("../override_young")'},
            'young': {'expr': 'ch("../young")'},
            'override_poisson': {'expr': 'ch("../override_poisson")'},
            'poisson': {'expr': 'ch("../poisson")'},
            'override_yield_stretch': {'expr': 'ch("../override_yield_stretch")'},
            'limit_yield_stretch': {'expr': 'ch("../limit_yield_stretch")'},
            'yield_stretch': {'expr': 'ch("../yield_stretch")'},
            'override_yield_compress': {'expr': 'ch("../override_yield_compress")'},
            'limit_yield_compress': {'expr': 'ch("../limit_yield_compress")'},
            'yield_compress': {'expr': 'ch("../yield_compress")'},
            'override_hardening': {'expr': 'ch("../override_hardening")'},
            'hardening': {'expr': 'ch("../hardening")'},
            'join_rule': '`chs("../join_rule")`',
            'join': {'expr': 'ch("../join")'},
            'velocity': [{'expr': 'ch("../velocityx")'}, {'expr': 'ch("../velocityy")'},
                         {'expr': 'ch("../velocityz")'}],
            'angular_velocity': [{'expr': 'ch("../angular_velocityx")'},
                                 {'expr': 'ch("../angular_velocityy")'},
                                 {'expr': 'ch("../angular_velocityz")'}],
            'override_phase': {'expr': 'ch("../override_phase")'},
            'phase': '`chs("../phase")`',
            'override_viscosity': {'expr': 'ch("../override_viscosity")'},
            'viscosity': {'expr': 'ch("../viscosity")'},
            'override_spring_stiffness': {'expr': 'ch("../override_spring_stiffness")'},
            'spring_stiffness': {'expr': 'ch("../spring_stiffness")'},
            'override_spring_damping': {'expr': 'ch("../override_spring_damping")'},
            'spring_damping': {'expr': 'ch("../spring_damping")'},
            'override_connection': {'expr': 'ch("../override_connection")'},
            'connection': {'expr': 'ch("../connection")'},
            'override_break_strain': {'expr': 'ch("../override_break_strain")'},
            'limit_break_strain': {'expr': 'ch("../limit_break_strain")'},
            'break_strain': {'expr': 'ch("../break_strain")'}}},
 {'name': 'colliders', 'type': 'null', 'at': [3.0, -0.0], 'inputs': ['@2']},
 {'name': 'emit_source',
  'type': 'nendo_source',
  'at': [6.0, -0.0],
  'inputs': ['@3'],
  'parms': {'matter': 'coupling',
            'membrane': False,
            'first_id': 0,
            'body': 0,
            'show': 'particles',
            'spacing': {'expr': 'ch("../spacing")'},
            'coupling_preset': '`chs("../coupling_preset")`',
            'use_attributes': {'expr': 'ch("../use_attributes")'},
            'override_density': {'expr': 'ch("../override_density")'},
            'density': {'expr': 'ch("../density")'},
            'override_young': {'expr': 'ch("../override_young")'},
            'young': {'expr': 'ch("../young")'},
            'override_poisson': {'expr': 'ch("../override_poisson")'},
            'poisson': {'expr': 'ch("../poisson")'},
            'override_yield_stretch': {'expr': 'ch("../override_yield_stretch")'},
            'limit_yield_stretch': {'expr': 'ch("../limit_yield_stretch")'},
            'yield_stretch': {'expr': 'ch("../yield_stretch")'},
            'override_yield_compress': {'expr': 'ch("../override_yield_compress")'},
            'limit_yield_compress': {'expr': 'ch("../limit_yield_compress")'},
            'yield_compress': {'expr': 'ch("../yield_compress")'},
            'override_hardening': {'expr': 'ch("../override_hardening")'},
            'hardening': {'expr': 'ch("../hardening")'},
            'join_rule': '`chs("../join_rule")`',
            'join': {'expr': 'ch("../join")'},
            'velocity': [{'expr': 'ch("../velocityx")'}, {'expr': 'ch("../velocityy")'},
                         {'expr': 'ch("../velocityz")'}],
            'angular_velocity': [{'expr': 'ch("../angular_velocityx")'},
                                 {'expr': 'ch("../angular_velocityy")'},
                                 {'expr': 'ch("../angular_velocityz")'}],
            'override_phase': {'expr': 'ch("../override_phase")'},
            'phase': '`chs("../phase")`',
            'override_viscosity': {'expr': 'ch("../override_viscosity")'},
            'viscosity': {'expr': 'ch("../viscosity")'},
            'override_spring_stiffness': {'expr': 'ch("../override_spring_stiffness")'},
            'spring_stiffness': {'expr': 'ch("../spring_stiffness")'},
            'override_spring_damping': {'expr': 'ch("../override_spring_damping")'},
            'spring_damping': {'expr': 'ch("../spring_damping")'},
            'override_connection': {'expr': 'ch("../override_connection")'},
            'connection': {'expr': 'ch("../connection")'},
            'override_break_strain': {'expr': 'ch("../override_break_strain")'},
            'limit_break_strain': {'expr': 'ch("../limit_break_strain")'},
            'break_strain': {'expr': 'ch("../break_strain")'}}},
 {'name': 'body', 'type': 'null', 'at': [9.0, -0.0], 'inputs': ['@4']},
 {'name': 'nothing', 'type': 'null', 'at': [12.0, -0.0]},
 {'name': 'body_particles',
  'type': 'nendo_source',
  'at': [0.0, -1.5],
  'inputs': ['body'],
  'parms': {'matter': 'coupling',
            'first_id': 1000000,
            'body': 1,
            'show': 'particles',
            'spacing': {'expr': 'ch("../body_spacing")'},
            'coupling_preset': '`chs("../body_coupling_preset")`',
            'use_attributes': {'expr': 'ch("../body_use_attributes")'},
            'override_density': {'expr': 'ch("../body_override_density")'},
            'density': {'expr': 'ch("../body_density")'},
            'override_young': {'expr': 'ch("../body_override_young")'},
            'young': {'expr': 'ch("../body_young")'},
            'override_poisson': {'expr': 'ch("../body_override_poisson")'},
            'poisson': {'expr': 'ch("../body_poisson")'},
            'override_yield_stretch': {'expr': 'ch("../body_override_yield_stretch")'},
            'limit_yield_stretch': {'expr': 'ch("../body_limit_yield_stretch")'},
            'yield_stretch': {'expr': 'ch("../body_yield_stretch")'},
            'override_yield_compress': {'expr': 'ch("../body_override_yield_compress")'},
            'limit_yield_compress': {'expr': 'ch("../body_limit_yield_compress")'},
            'yield_compress': {'expr': 'ch("../body_yield_compress")'},
            'override_hardening': {'expr': 'ch("../body_override_hardening")'},
            'hardening': {'expr': 'ch("../body_hardening")'},
            'membrane': {'expr': 'ch("../body_membrane")'},
            'join_rule': '`chs("../body_join_rule")`',
            'join': {'expr': 'ch("../body_join")'},
            'velocity': [{'expr': 'ch("../body_velocityx")'}, {'expr': 'ch("../body_velocityy")'},
                         {'expr': 'ch("../body_velocityz")'}],
            'angular_velocity': [{'expr': 'ch("../body_angular_velocityx")'},
                                 {'expr': 'ch("../body_angular_velocityy")'},
                                 {'expr': 'ch("../body_angular_velocityz")'}],
            'override_phase': {'expr': 'ch("../body_override_phase")'},
            'phase': '`chs("../body_phase")`',
            'override_viscosity': {'expr': 'ch("../body_override_viscosity")'},
            'viscosity': {'expr': 'ch("../body_viscosity")'},
            'override_spring_stiffness': {'expr': 'ch("../body_override_spring_stiffness")'},
            'spring_stiffness': {'expr': 'ch("../body_spring_stiffness")'},
            'override_spring_damping': {'expr': 'ch("../body_override_spring_damping")'},
            'spring_damping': {'expr': 'ch("../body_spring_damping")'},
            'override_connection': {'expr': 'ch("../body_override_connection")'},
            'connection': {'expr': 'ch("../body_connection")'},
            'override_break_strain': {'expr': 'ch("../body_override_break_strain")'},
            'limit_break_strain': {'expr': 'ch("../body_limit_break_strain")'},
            'break_strain': {'expr': 'ch("../body_break_strain")'}}},
 {'name': 'use_particles',
  'type': 'switch',
  'at': [0.0, -3.0],
  'inputs': ['nothing', 'body_particles'],
  'parms': {'input': {'expr': 'if(npoints("../body") == 0, 0, 1)'}}},
 {'name': 'body_springs',
  'type': 'nendo_source',
  'at': [3.0, -1.5],
  'inputs': ['body'],
  'parms': {'matter': 'coupling',
            'first_id': 1000000,
            'body': 1,
            'show': 'springs',
            'spacing': {'expr': 'ch("../body_spacing")'},
            'coupling_preset': '`chs("../body_coupling_preset")`',
            'use_attributes': {'expr': 'ch("../body_use_attributes")'},
            'override_density': {'expr': 'ch("../body_override_density")'},
            'density': {'expr': 'ch("../body_density")'},
            'override_young': {'expr': 'ch("../body_override_young")'},
            'young': {'expr': 'ch("../body_young")'},
            'override_poisson': {'expr': 'ch("../body_override_poisson")'},
            'poisson': {'expr': 'ch("../body_poisson")'},
            'override_yield_stretch': {'expr': 'ch("../body_override_yield_stretch")'},
            'limit_yield_stretch': {'expr': 'ch("../body_limit_yield_stretch")'},
            'yield_stretch': {'expr': 'ch("../body_yield_stretch")'},
            'override_yield_compress': {'expr': 'ch("../body_override_yield_compress")'},
            'limit_yield_compress': {'expr': 'ch("../body_limit_yield_compress")'},
            'yield_compress': {'expr': 'ch("../body_yield_compress")'},
            'override_hardening': {'expr': 'ch("../body_override_hardening")'},
            'hardening': {'expr': 'ch("../body_hardening")'},
            'membrane': {'expr': 'ch("../body_membrane")'},
            'join_rule': '`chs("../body_join_rule")`',
            'join': {'expr': 'ch("../body_join")'},
            'velocity': [{'expr': 'ch("../body_velocityx")'}, {'expr': 'ch("../body_velocityy")'},
                         {'expr': 'ch("../body_velocityz")'}],
            'angular_velocity': [{'expr': 'ch("../body_angular_velocityx")'},
                                 {'expr': 'ch("../body_angular_velocityy")'},
                                 {'expr': 'ch("../body_angular_velocityz")'}],
            'override_phase': {'expr': 'ch("../body_override_phase")'},
            'phase': '`chs("../body_phase")`',
            'override_viscosity': {'expr': 'ch("../body_override_viscosity")'},
            'viscosity': {'expr': 'ch("../body_viscosity")'},
            'override_spring_stiffness': {'expr': 'ch("../body_override_spring_stiffness")'},
            'spring_stiffness': {'expr': 'ch("../body_spring_stiffness")'},
            'override_spring_damping': {'expr': 'ch("../body_override_spring_damping")'},
            'spring_damping': {'expr': 'ch("../body_spring_damping")'},
            'override_connection': {'expr': 'ch("../body_override_connection")'},
            'connection': {'expr': 'ch("../body_connection")'},
            'override_break_strain': {'expr': 'ch("../body_override_break_strain")'},
            'limit_break_strain': {'expr': 'ch("../body_limit_break_strain")'},
            'break_strain': {'expr': 'ch("../body_break_strain")'}}},
 {'name': 'use_springs',
  'type': 'switch',
  'at': [3.0, -3.0],
  'inputs': ['nothing', 'body_springs'],
  'parms': {'input': {'expr': 'if(npoints("../body") == 0, 0, 1)'}}},
 {'name': 'body_faces',
  'type': 'nendo_source',
  'at': [6.0, -1.5],
  'inputs': ['body'],
  'parms': {'matter': 'coupling',
            'first_id': 1000000,
            'body': 1,
            'show': 'faces',
            'spacing': {'expr': 'ch("../body_spacing")'},
            'coupling_preset': '`chs("../body_coupling_preset")`',
            'use_attributes': {'expr': 'ch("../body_use_attributes")'},
            'override_density': {'expr': 'ch("../body_override_density")'},
            'density': {'expr': 'ch("../body_density")'},
            'override_young': {'expr': 'ch("../body_override_young")'},
            'young': {'expr': 'ch("../body_young")'},
            'override_poisson': {'expr': 'ch("../body_override_poisson")'},
            'poisson': {'expr': 'ch("../body_poisson")'},
            'override_yield_stretch': {'expr': 'ch("../body_override_yield_stretch")'},
            'limit_yield_stretch': {'expr': 'ch("../body_limit_yield_stretch")'},
            'yield_stretch': {'expr': 'ch("../body_yield_stretch")'},
            'override_yield_compress': {'expr': 'ch("../body_override_yield_compress")'},
            'limit_yield_compress': {'expr': 'ch("../body_limit_yield_compress")'},
            'yield_compress': {'expr': 'ch("../body_yield_compress")'},
            'override_hardening': {'expr': 'ch("../body_override_hardening")'},
            'hardening': {'expr': 'ch("../body_hardening")'},
            'membrane': {'expr': 'ch("../body_membrane")'},
            'join_rule': '`chs("../body_join_rule")`',
            'join': {'expr': 'ch("../body_join")'},
            'velocity': [{'expr': 'ch("../body_velocityx")'}, {'expr': 'ch("../body_velocityy")'},
                         {'expr': 'ch("../body_velocityz")'}],
            'angular_velocity': [{'expr': 'ch("../body_angular_velocityx")'},
                                 {'expr': 'ch("../body_angular_velocityy")'},
                                 {'expr': 'ch("../body_angular_velocityz")'}],
            'override_phase': {'expr': 'ch("../body_override_phase")'},
            'phase': '`chs("../body_phase")`',
            'override_viscosity': {'expr': 'ch("../body_override_viscosity")'},
            'viscosity': {'expr': 'ch("../body_viscosity")'},
            'override_spring_stiffness': {'expr': 'ch("../body_override_spring_stiffness")'},
            'spring_stiffness': {'expr': 'ch("../body_spring_stiffness")'},
            'override_spring_damping': {'expr': 'ch("../body_override_spring_damping")'},
            'spring_damping': {'expr': 'ch("../body_spring_damping")'},
            'override_connection': {'expr': 'ch("../body_override_connection")'},
            'connection': {'expr': 'ch("../body_connection")'},
            'override_break_strain': {'expr': 'ch("../body_override_break_strain")'},
            'limit_break_strain': {'expr': 'ch("../body_limit_break_strain")'},
            'break_strain': {'expr': 'ch("../body_break_strain")'}}},
 {'name': 'use_faces',
  'type': 'switch',
  'at': [6.0, -3.0],
  'inputs': ['nothing', 'body_faces'],
  'parms': {'input': {'expr': 'if(npoints("../body") == 0, 0, 1)'}}},
 {'name': 'matter', 'type': 'merge', 'at': [0.0, -4.5], 'inputs': ['source', 'use_particles']},
 {'name': 'simulation',
  'type': 'dopnet',
  'at': [15.0, -0.0],
  'parms': {'resimulate': {'expr': 'ch("../resimulate")'},
            'startframe': {'expr': 'ch("../startframe")'},
            'cachemaxsize': {'expr': 'ch("../cachemaxsize")'},
            'explicitcache': {'expr': 'ch("../explicitcache")'},
            'explicitcachensteps': {'expr': 'ch("../explicitcachensteps")'},
            'explicitcachecheckpointspacing': {'expr': 'ch("../explicitcachecheckpointspacing")'},
            'explicitcachename': '`chs("../explicitcachename")`'},
  'nodes': [{'name': 'object',
             'type': 'emptyobject',
             'at': [0.0, -0.0],
             'parms': {'objname': 'nendo'}},
            {'name': 'geometry',
             'type': 'sopgeo',
             'at': [3.0, -0.0],
             'parms': {'usesoppath': True, 'soppath': '../../matter', 'dataname': 'Geometry'}},
            {'name': 'springs',
             'type': 'sopgeo',
             'at': [6.0, -0.0],
             'parms': {'usesoppath': True, 'soppath': '../../use_springs', 'dataname': 'Springs'}},
            {'name': 'faces',
             'type': 'sopgeo',
             'at': [9.0, -0.0],
             'parms': {'usesoppath': True, 'soppath': '../../use_faces', 'dataname': 'Faces'}},
            {'name': 'data',
             'type': 'applydata',
             'at': [0.0, -1.5],
             'inputs': ['object', 'geometry', 'springs', 'faces']},
            {'name': 'emission',
             'type': 'sopsolver::2.0',
             'at': [12.0, -0.0],
             'nodes': [{'name': 'dop_geometry',
                        'type': 'dopimport',
                        'at': [0.0, -0.0],
                        'parms': {'doppath': '`stamps("..", "DOPNET", "../..")`',
                                  'objpattern': '`stamps("..", "OBJID", arg(dopnodeobjs(".."), '
                                                '0))`',
                                  'importstyle': 'fetch',
                                  'geodatapath': '`stamps("..", "DATANAME", chs("../datapath"))`',
                                  'pointvels': 'none',
                                  'donotsim': True}},
                       {'name': 'new_points',
                        'type': 'object_merge',
                        'at': [3.0, -0.0],
                        'parms': {'objpath1': '../../../emit_source'}},
                       {'name': 'no_id',
                        'type': 'attribwrangle',
                        'at': [0.0, -1.5],
                        'inputs': ['new_points'],
                        'parms': {'class': 'point', 'snippet': 'i@id = -1;'}},
                       {'name': 'add',
                        'type': 'merge',
                        'at': [0.0, -3.0],
                        'inputs': ['dop_geometry', 'no_id']},
                       {'name': 'when',
                        'type': 'switch',
                        'at': [0.0, -4.5],
                        'inputs': ['dop_geometry', 'add'],
                        'parms': {'input': {'expr': 'ch("../../../emit") && ($F - '
                                                    'ch("../../../startframe")) % '
                                                    'ch("../../../emit_every") == 0'}}},
                       {'name': 'output',
                        'type': 'output',
                        'at': [0.0, -6.0],
                        'inputs': ['when'],
                        'parms': {'outputidx': 0},
                        'shown': True}]},
            {'name': 'solver',
             'type': 'nendo_coupling',
             'at': [15.0, -0.0],
             'parms': {'time_step': {'expr': 'ch("../../time_step")'},
                       'spacing': {'expr': 'ch("../../spacing")'},
                       'gravity': [{'expr': 'ch("../../gravityx")'},
                                   {'expr': 'ch("../../gravityy")'},
                                   {'expr': 'ch("../../gravityz")'}],
                       'support': {'expr': 'ch("../../support")'},
                       'pressure': '`chs("../../pressure")`',
                       'stiffness': {'expr': 'ch("../../stiffness")'},
                       'tension': {'expr': 'ch("../../tension")'},
                       'surface_tension': {'expr': 'ch("../../surface_tension")'},
                       'pressure_tolerance': {'expr': 'ch("../../pressure_tolerance")'},
                       'pressure_iterations': {'expr': 'ch("../../pressure_iterations")'},
                       'courant': {'expr': 'ch("../../courant")'},
                       'cg_tolerance': {'expr': 'ch("../../cg_tolerance")'},
                       'cg_iterations': {'expr': 'ch("../../cg_iterations")'},
                       'density_change': {'expr': 'ch("../../density_change")'},
                       'springs': '`chs("../../springs")`',
                       'collisions': {'expr': 'ch("../../collisions")'},
                       'collision_sweeps': {'expr': 'ch("../../collision_sweeps")'},
                       'collision_tolerance': {'expr': 'ch("../../collision_tolerance")'},
                       'muscle_length': {'expr': 'ch("../../muscle_length")'},
                       'muscle_force': {'expr': 'ch("../../muscle_force")'},
                       'collider_friction': {'expr': 'ch("../../collider_friction")'}}},
            {'name': 'solve',
             'type': 'multisolver',
             'at': [0.0, -3.0],
             'inputs': ['data', 'emission', 'solver']},
            {'name': 'nothing', 'type': 'null', 'at': [18.0, -0.0]},
            {'name': 'collider',
             'type': 'staticobject',
             'at': [21.0, -0.0],
             'parms': {'soppath': '../../colliders',
                       'animategeo': {'expr': 'ch("../../deforming")'},
                       'friction': {'expr': 'ch("../../collider_friction")'}}},
            {'name': 'ground',
             'type': 'groundplane',
             'at': [24.0, -0.0],
             'parms': {'t': [0, {'expr': 'ch("../../ground_height")'}, 0],
                       'friction': {'expr': 'ch("../../collider_friction")'}}},
            {'name': 'use_collider',
             'type': 'switch',
             'at': [3.0, -1.5],
             'inputs': ['nothing', 'collider'],
             'parms': {'input': {'expr': 'if(npoints("../../colliders") == 0, 0, 1)'}}},
            {'name': 'use_ground',
             'type': 'switch',
             'at': [6.0, -1.5],
             'inputs': ['nothing', 'ground'],
             'parms': {'input': {'expr': 'ch("../../ground")'}}},
            {'name': 'obstacles',
             'type': 'merge',
             'at': [3.0, -3.0],
             'inputs': ['use_collider', 'use_ground']},
            {'name': 'still', 'type': 'staticsolver', 'at': [0.0, -4.5], 'inputs': ['obstacles']},
            {'name': 'affect',
             'type': 'merge',
             'at': [0.0, -6.0],
             'inputs': ['still', 'solve'],
             'parms': {'affectortype': 'ordered'}},
            {'name': 'gravity',
             'type': 'gravity',
             'at': [0.0, -7.5],
             'inputs': ['affect'],
             'parms': {'force': [{'expr': 'ch("../../gravityx")'}, {'expr': 'ch("../../gravityy")'},
                                 {'expr': 'ch("../../gravityz")'}]}},
            {'name': 'output',
             'type': 'output',
             'at': [0.0, -9.0],
             'inputs': ['gravity'],
             'shown': True}]},
 {'name': 'import',
  'type': 'dopimport',
  'at': [18.0, -0.0],
  'parms': {'doppath': '../simulation',
            'objpattern': 'nendo',
            'importstyle': 'fetch',
            'pointvels': 'none'}},
 {'name': 'save',
  'type': 'rop_geometry',
  'at': [9.0, -1.5],
  'inputs': ['import'],
  'parms': {'sopoutput': '`chs("../cachefile")`', 'trange': 'on'}},
 {'name': 'load', 'type': 'file', 'at': [21.0, -0.0], 'parms': {'file': '`chs("../cachefile")`'}},
 {'name': 'points',
  'type': 'switch',
  'at': [12.0, -1.5],
  'inputs': ['import', 'load'],
  'parms': {'input': {'expr': 'ch("../loadfromdisk")'}}},
 {'name': 'surface',
  'type': 'nendo_surface',
  'at': [9.0, -3.0],
  'inputs': ['points'],
  'parms': {'output': '`chs("../surface_output")`',
            'from_pscale': {'expr': 'ch("../surface_from_pscale")'},
            'spacing': {'expr': 'ch("../surface_spacing")'},
            'mode': '`chs("../surface_mode")`',
            'voxel': {'expr': 'ch("../surface_voxel")'},
            'reach': {'expr': 'ch("../surface_reach")'},
            'radius': {'expr': 'ch("../surface_radius")'},
            'smoothing': {'expr': 'ch("../surface_smoothing")'},
            'adaptivity': {'expr': 'ch("../surface_adaptivity")'}}},
 {'name': 'output_surface',
  'type': 'output',
  'at': [3.0, -4.5],
  'inputs': ['surface'],
  'parms': {'outputidx': 0},
  'shown': True},
 {'name': 'output_points',
  'type': 'output',
  'at': [12.0, -3.0],
  'inputs': ['points'],
  'parms': {'outputidx': 1}}]

BOXES: List[Dict[str, Any]] = [{'comment': 'What goes in: fluid, and a body of particles, springs and faces.',
  'nodes': ['source', 'emit_source', 'body', 'nothing', 'body_particles', 'use_particles',
            'body_springs', 'use_springs', 'body_faces', 'use_faces', 'matter']},
 {'comment': 'The simulation. Dive in to wire forces and solvers of your own.',
  'nodes': ['colliders', 'simulation']},
 {'comment': 'What comes out: simulated or from disk, and its surface.',
  'nodes': ['import', 'save', 'load', 'points', 'surface', 'output_surface', 'output_points']}]

PRESETS: Dict[str, str] = {'Water': '#PSI_PRESET\n'
          'version 2.0a\n'
          'opvalues\n'
          '{\n'
          'version 0.8\n'
          'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'coupling_preset\t[ 0\tlocks=0 ]\t(\t"water"\t)\n'
          '}\n',
 'Large water': '#PSI_PRESET\n'
                'version 2.0a\n'
                'opvalues\n'
                '{\n'
                'version 0.8\n'
                'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'coupling_preset\t[ 0\tlocks=0 ]\t(\t"large_water"\t)\n'
                '}\n',
 'Oil': '#PSI_PRESET\n'
        'version 2.0a\n'
        'opvalues\n'
        '{\n'
        'version 0.8\n'
        'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'coupling_preset\t[ 0\tlocks=0 ]\t(\t"oil"\t)\n'
        '}\n',
 'Honey': '#PSI_PRESET\n'
          'version 2.0a\n'
          'opvalues\n'
          '{\n'
          'version 0.8\n'
          'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'coupling_preset\t[ 0\tlocks=0 ]\t(\t"honey"\t)\n'
          '}\n',
 'Membrane': '#PSI_PRESET\n'
             'version 2.0a\n'
             'opvalues\n'
             '{\n'
             'version 0.8\n'
             'body_override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'body_coupling_preset\t[ 0\tlocks=0 ]\t(\t"membrane"\t)\n'
             '}\n',
 'Telescopic': '#PSI_PRESET\n'
               'version 2.0a\n'
               'opvalues\n'
               '{\n'
               'version 0.8\n'
               'body_override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
               'body_coupling_preset\t[ 0\tlocks=0 ]\t(\t"telescopic"\t)\n'
               '}\n',
 'Jellyfish': '#PSI_PRESET\n'
              'version 2.0a\n'
              'opvalues\n'
              '{\n'
              'version 0.8\n'
              'body_override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'body_coupling_preset\t[ 0\tlocks=0 ]\t(\t"jellyfish"\t)\n'
              '}\n',
 'Balloon': '#PSI_PRESET\n'
            'version 2.0a\n'
            'opvalues\n'
            '{\n'
            'version 0.8\n'
            'body_override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'body_coupling_preset\t[ 0\tlocks=0 ]\t(\t"balloon"\t)\n'
            '}\n',
 'Set-up Water balloon': '#PSI_PRESET\n'
                         'version 2.0a\n'
                         'opvalues\n'
                         '{\n'
                         'version 0.8\n'
                         'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'body_override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                         'coupling_preset\t[ 0\tlocks=0 ]\t(\t"water"\t)\n'
                         'spacing\t[ 0\tlocks=0 ]\t(\t0.08\t)\n'
                         'body_coupling_preset\t[ 0\tlocks=0 ]\t(\t"balloon"\t)\n'
                         'body_membrane\t[ 0\tlocks=0 ]\t(\t"on"\t)\n'
                         'body_spacing\t[ 0\tlocks=0 ]\t(\t0.06\t)\n'
                         '}\n',
 'Set-up Membrane': '#PSI_PRESET\n'
                    'version 2.0a\n'
                    'opvalues\n'
                    '{\n'
                    'version 0.8\n'
                    'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'body_override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'coupling_preset\t[ 0\tlocks=0 ]\t(\t"large_water"\t)\n'
                    'spacing\t[ 0\tlocks=0 ]\t(\t0.5\t)\n'
                    'body_coupling_preset\t[ 0\tlocks=0 ]\t(\t"membrane"\t)\n'
                    'body_spacing\t[ 0\tlocks=0 ]\t(\t0.25\t)\n'
                    '}\n',
 'Set-up Jellyfish': '#PSI_PRESET\n'
                     'version 2.0a\n'
                     'opvalues\n'
                     '{\n'
                     'version 0.8\n'
                     'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_yield_stretch\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_yield_compress\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_hardening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_phase\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_spring_stiffness\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_spring_damping\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_connection\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'body_override_break_strain\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                     'coupling_preset\t[ 0\tlocks=0 ]\t(\t"large_water"\t)\n'
                     'spacing\t[ 0\tlocks=0 ]\t(\t1\t)\n'
                     'body_coupling_preset\t[ 0\tlocks=0 ]\t(\t"jellyfish"\t)\n'
                     'body_spacing\t[ 0\tlocks=0 ]\t(\t0.5\t)\n'
                     '}\n'}


def build(folder: str, help_text: str) -> str:
    """Makes the asset, and returns the path of its library."""
    return builder.build_asset(folder, FILE, OPERATOR, LABEL, TABLE, ICON, INPUTS, INPUT_LABELS,
                               OUTPUTS, PARAMETERS, NODES, BOXES, PRESETS, help_text)

"""Builds nendo::elastoplastic::1.0. Written by otls/generate.py from otls/networks.py: change that.

    hython otls/build.py OUT       makes OUT/nendo_elastoplastic.hda, and the others
"""
from typing import Any, Dict, List

import builder

OPERATOR = 'nendo::elastoplastic::1.0'
FILE = 'nendo_elastoplastic'
LABEL = 'Nendo Elastoplastic Solver'
TABLE = 'Sop'
ICON = 'nendo_elastoplastic'
INPUTS = (1, 3)
INPUT_LABELS: List[str] = ['Geometry', 'Colliders', 'Sources']
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
  'help': 'Longest substep; fast motion and hard contact take shorter ones by themselves.',
  'default': [0.001],
  'range': [0.0001, 0.01, False, False]},
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
                  'name': 'preset',
                  'label': 'Material',
                  'help': 'Where values that are not overridden come from.',
                  'default': 'dough',
                  'menu': [['rubber', 'jelly', 'clay', 'firm_clay', 'gum', 'cream', 'dough', 'snow',
                            'metal', 'wet_sand'],
                           ['Rubber', 'Jelly', 'Clay', 'Firm clay', 'Gum', 'Cream', 'Dough', 'Snow',
                            'Metal', 'Wet sand']]},
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
  'parameters': [{'kind': 'whole',
                  'name': 'body',
                  'label': 'Body',
                  'help': 'Number of the body, for colours and for joining; give each source its '
                          'own.',
                  'default': [0.0],
                  'range': [0.0, 100.0, True, False]},
                 {'kind': 'menu',
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
  'name': 'folder_steps',
  'label': 'Steps',
  'parameters': [{'kind': 'number',
                  'name': 'implicitness',
                  'label': 'Implicitness',
                  'help': '1: calm at any stiffness; 0.5: livelier; 0: explicit, short substeps.',
                  'default': [1.0],
                  'range': [0.0, 1.0, True, True]},
                 {'kind': 'number',
                  'name': 'courant',
                  'label': 'Courant number',
                  'help': 'Spacings that matter may move in one substep.',
                  'default': [0.3],
                  'range': [0.01, 1.0, True, True]},
                 {'kind': 'toggle',
                  'name': 'lively_contact',
                  'label': 'Lively contact',
                  'help': 'Shorter substeps while hard matter hits something, so that it bounces.',
                  'default': [1.0]},
                 {'kind': 'number',
                  'name': 'cg_tolerance',
                  'label': 'Solver tolerance',
                  'help': 'Error that the velocity solve leaves, relative to what forces change in '
                          'a substep.',
                  'default': [0.001],
                  'range': [1e-06, 0.01, False, False]},
                 {'kind': 'whole',
                  'name': 'cg_iterations',
                  'label': 'Solver iterations',
                  'help': 'The velocity solve ends here even when it has not converged; a warning '
                          'says so.',
                  'default': [200.0],
                  'range': [10.0, 1000.0, False, False]}]},
 {'kind': 'folder',
  'name': 'folder_slaves',
  'label': 'Slaves',
  'parameters': [{'kind': 'menu',
                  'name': 'stress_points',
                  'label': 'Stress points',
                  'help': 'masters: the comparison without slaves of S000 Fig 7; not for use.',
                  'default': 'slaves',
                  'menu': [['slaves', 'masters'], ['Slaves', 'Masters']]},
                 {'kind': 'menu',
                  'name': 'transfer',
                  'label': 'Velocity transfer',
                  'help': 'affine keeps rotation; paper is S000 eq 8; blend is PIC/FLIP.',
                  'default': 'affine',
                  'menu': [['affine', 'paper', 'blend'], ['Affine', 'Paper', 'Blend']]},
                 {'kind': 'number',
                  'name': 'transfer_blend',
                  'label': 'Transfer blend',
                  'help': 'alpha of `paper`; the share of FLIP of `blend`.',
                  'default': [0.9],
                  'range': [0.0, 1.0, True, True],
                  'disable_when': '{ transfer == affine }'},
                 {'kind': 'menu',
                  'name': 'add_slaves',
                  'label': 'Add slaves',
                  'help': 'How many slaves are added where neighbours part.',
                  'default': 'two',
                  'menu': [['two', 'one', 'none'], ['Two', 'One', 'None']],
                  'disable_when': '{ stress_points == masters }'},
                 {'kind': 'menu',
                  'name': 'remove_slaves',
                  'label': 'Remove slaves',
                  'help': 'What happens to two slaves that come too close.',
                  'default': 'one',
                  'menu': [['one', 'merge', 'none'], ['One', 'Merge', 'None']],
                  'disable_when': '{ stress_points == masters }'},
                 {'kind': 'number',
                  'name': 'neighbour_reach',
                  'label': 'Neighbour reach',
                  'help': 'Masters within this many particle radii are remembered as neighbours.',
                  'default': [2.5],
                  'range': [1.0, 4.0, True, True]},
                 {'kind': 'number',
                  'name': 'remove_distance',
                  'label': 'Remove distance',
                  'help': 'Slaves closer than this many spacings are too close.',
                  'default': [0.15],
                  'range': [0.0, 1.0, True, True],
                  'disable_when': '{ remove_slaves == none } { stress_points == masters }'}]},
 {'kind': 'folder',
  'name': 'folder_contact',
  'label': 'Contact',
  'parameters': [{'kind': 'menu',
                  'name': 'contact_solve',
                  'label': 'Contact solve',
                  'help': 'inside: contact is part of the velocity solve; after: as printed in '
                          'S000, noisier.',
                  'default': 'inside',
                  'menu': [['inside', 'after'], ['Inside', 'After']]},
                 {'kind': 'number',
                  'name': 'friction',
                  'label': 'Friction between bodies',
                  'help': "Coulomb's coefficient where bodies touch that do not join.",
                  'default': [0.5],
                  'range': [0.0, 2.0, True, False]},
                 {'kind': 'number',
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
  'parms': {'matter': 'elastoplastic',
            'show': 'particles',
            'spacing': {'expr': 'ch("../spacing")'},
            'preset': '`chs("../preset")`',
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
            'body': {'expr': 'ch("../body")'},
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
  'parms': {'matter': 'elastoplastic',
            'show': 'particles',
            'spacing': {'expr': 'ch("../spacing")'},
            'preset': '`chs("../preset")`',
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
            'body': {'expr': 'ch("../body")'},
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
 {'name': 'simulation',
  'type': 'dopnet',
  'at': [9.0, -0.0],
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
             'parms': {'usesoppath': True, 'soppath': '../../source', 'dataname': 'Geometry'}},
            {'name': 'data',
             'type': 'applydata',
             'at': [0.0, -1.5],
             'inputs': ['object', 'geometry']},
            {'name': 'emission',
             'type': 'sopsolver::2.0',
             'at': [6.0, -0.0],
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
             'type': 'nendo_elastoplastic',
             'at': [9.0, -0.0],
             'parms': {'spacing': {'expr': 'ch("../../spacing")'},
                       'time_step': {'expr': 'ch("../../time_step")'},
                       'gravity': [{'expr': 'ch("../../gravityx")'},
                                   {'expr': 'ch("../../gravityy")'},
                                   {'expr': 'ch("../../gravityz")'}],
                       'implicitness': {'expr': 'ch("../../implicitness")'},
                       'courant': {'expr': 'ch("../../courant")'},
                       'lively_contact': {'expr': 'ch("../../lively_contact")'},
                       'cg_tolerance': {'expr': 'ch("../../cg_tolerance")'},
                       'cg_iterations': {'expr': 'ch("../../cg_iterations")'},
                       'stress_points': '`chs("../../stress_points")`',
                       'transfer': '`chs("../../transfer")`',
                       'transfer_blend': {'expr': 'ch("../../transfer_blend")'},
                       'add_slaves': '`chs("../../add_slaves")`',
                       'remove_slaves': '`chs("../../remove_slaves")`',
                       'neighbour_reach': {'expr': 'ch("../../neighbour_reach")'},
                       'remove_distance': {'expr': 'ch("../../remove_distance")'},
                       'contact_solve': '`chs("../../contact_solve")`',
                       'friction': {'expr': 'ch("../../friction")'},
                       'collider_friction': {'expr': 'ch("../../collider_friction")'}}},
            {'name': 'solve',
             'type': 'multisolver',
             'at': [0.0, -3.0],
             'inputs': ['data', 'emission', 'solver']},
            {'name': 'nothing', 'type': 'null', 'at': [12.0, -0.0]},
            {'name': 'collider',
             'type': 'staticobject',
             'at': [15.0, -0.0],
             'parms': {'soppath': '../../colliders',
                       'animategeo': {'expr': 'ch("../../deforming")'},
                       'friction': {'expr': 'ch("../../collider_friction")'}}},
            {'name': 'ground',
             'type': 'groundplane',
             'at': [18.0, -0.0],
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
  'at': [12.0, -0.0],
  'parms': {'doppath': '../simulation',
            'objpattern': 'nendo',
            'importstyle': 'fetch',
            'pointvels': 'none'}},
 {'name': 'save',
  'type': 'rop_geometry',
  'at': [0.0, -1.5],
  'inputs': ['import'],
  'parms': {'sopoutput': '`chs("../cachefile")`', 'trange': 'on'}},
 {'name': 'load', 'type': 'file', 'at': [15.0, -0.0], 'parms': {'file': '`chs("../cachefile")`'}},
 {'name': 'points',
  'type': 'switch',
  'at': [3.0, -1.5],
  'inputs': ['import', 'load'],
  'parms': {'input': {'expr': 'ch("../loadfromdisk")'}}},
 {'name': 'surface',
  'type': 'nendo_surface',
  'at': [0.0, -3.0],
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
  'at': [0.0, -4.5],
  'inputs': ['surface'],
  'parms': {'outputidx': 0},
  'shown': True},
 {'name': 'output_points',
  'type': 'output',
  'at': [3.0, -3.0],
  'inputs': ['points'],
  'parms': {'outputidx': 1}}]

BOXES: List[Dict[str, Any]] = [{'comment': 'What goes in: geometry is filled with particles.',
  'nodes': ['source', 'emit_source']},
 {'comment': 'The simulation. Dive in to wire forces and solvers of your own.',
  'nodes': ['colliders', 'simulation']},
 {'comment': 'What comes out: simulated or from disk, and its surface.',
  'nodes': ['import', 'save', 'load', 'points', 'surface', 'output_surface', 'output_points']}]

PRESETS: Dict[str, str] = {'Rubber': '#PSI_PRESET\n'
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
           'preset\t[ 0\tlocks=0 ]\t(\t"rubber"\t)\n'
           '}\n',
 'Jelly': '#PSI_PRESET\n'
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
          'preset\t[ 0\tlocks=0 ]\t(\t"jelly"\t)\n'
          '}\n',
 'Clay': '#PSI_PRESET\n'
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
         'preset\t[ 0\tlocks=0 ]\t(\t"clay"\t)\n'
         '}\n',
 'Firm clay': '#PSI_PRESET\n'
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
              'preset\t[ 0\tlocks=0 ]\t(\t"firm_clay"\t)\n'
              '}\n',
 'Chewing gum': '#PSI_PRESET\n'
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
                'preset\t[ 0\tlocks=0 ]\t(\t"gum"\t)\n'
                '}\n',
 'Cream': '#PSI_PRESET\n'
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
          'preset\t[ 0\tlocks=0 ]\t(\t"cream"\t)\n'
          '}\n',
 'Dough': '#PSI_PRESET\n'
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
          'preset\t[ 0\tlocks=0 ]\t(\t"dough"\t)\n'
          '}\n',
 'Snow': '#PSI_PRESET\n'
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
         'preset\t[ 0\tlocks=0 ]\t(\t"snow"\t)\n'
         '}\n',
 'Soft metal': '#PSI_PRESET\n'
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
               'preset\t[ 0\tlocks=0 ]\t(\t"metal"\t)\n'
               '}\n',
 'Wet sand': '#PSI_PRESET\n'
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
             'preset\t[ 0\tlocks=0 ]\t(\t"wet_sand"\t)\n'
             '}\n',
 'Set-up Clay ball': '#PSI_PRESET\n'
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
                     'preset\t[ 0\tlocks=0 ]\t(\t"clay"\t)\n'
                     'spacing\t[ 0\tlocks=0 ]\t(\t0.05\t)\n'
                     '}\n',
 'Set-up Jelly cube': '#PSI_PRESET\n'
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
                      'preset\t[ 0\tlocks=0 ]\t(\t"jelly"\t)\n'
                      'spacing\t[ 0\tlocks=0 ]\t(\t0.0625\t)\n'
                      '}\n',
 'Set-up Dough on a ball': '#PSI_PRESET\n'
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
                           'preset\t[ 0\tlocks=0 ]\t(\t"dough"\t)\n'
                           'spacing\t[ 0\tlocks=0 ]\t(\t0.05\t)\n'
                           'velocity\t[ 0\tlocks=0 ]\t(\t0\t-4\t0\t)\n'
                           '}\n'}


def build(folder: str, help_text: str) -> str:
    """Makes the asset, and returns the path of its library."""
    return builder.build_asset(folder, FILE, OPERATOR, LABEL, TABLE, ICON, INPUTS, INPUT_LABELS,
                               OUTPUTS, PARAMETERS, NODES, BOXES, PRESETS, help_text)

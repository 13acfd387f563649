"""Builds nendo::rheology::1.0. Written by otls/generate.py from otls/networks.py: change that.

    hython otls/build.py OUT       makes OUT/nendo_rheology.hda, and the others
"""
from typing import Any, Dict, List

import builder

OPERATOR = 'nendo::rheology::1.0'
FILE = 'nendo_rheology'
LABEL = 'Nendo Rheology Solver'
TABLE = 'Sop'
ICON = 'nendo_rheology'
INPUTS = (1, 2)
INPUT_LABELS: List[str] = ['Mesh', 'Colliders']
OUTPUTS = 2

PARAMETERS: List[Dict[str, Any]] = [{'kind': 'whole',
  'name': 'body',
  'label': 'Body',
  'help': 'Number of the body: which of the bones move this mesh.',
  'default': [0.0],
  'range': [0.0, 100.0, True, False]},
 {'kind': 'number',
  'name': 'time_step',
  'label': 'Time step [s]',
  'help': 'Longest substep. Any is stable; shorter ones follow motion better.',
  'default': [0.004],
  'range': [0.001, 0.02, False, False]},
 {'kind': 'number',
  'name': 'drag',
  'label': 'Drag [1/s]',
  'help': 'How fast free motion dies away, as in air or syrup.',
  'default': [0.0],
  'range': [0.0, 10.0, True, False]},
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
  'name': 'folder_skeleton',
  'label': 'Skeleton',
  'parameters': [{'kind': 'whole',
                  'name': 'bones',
                  'label': 'Bones',
                  'help': 'Along the line in the middle of the mesh.',
                  'default': [12.0],
                  'range': [1.0, 50.0, True, False]},
                 {'kind': 'menu',
                  'name': 'clamp',
                  'label': 'Clamp',
                  'help': 'Ends that the world holds.',
                  'default': 'none',
                  'menu': [['none', 'first', 'both'], ['None', 'First', 'Both']]},
                 {'kind': 'number',
                  'name': 'line_radius',
                  'label': 'Line radius [m]',
                  'help': 'Of a wire: a bone for each piece of a line that is wired in place of a '
                          'mesh.',
                  'default': [0.01],
                  'range': [0.001, 0.1, False, False]}]},
 {'kind': 'folder',
  'name': 'folder_material',
  'label': 'Material',
  'parameters': [{'kind': 'menu',
                  'name': 'preset',
                  'label': 'Material',
                  'help': 'Where values that are not overridden come from.',
                  'default': 'aluminium',
                  'menu': [['steel', 'aluminium', 'lead', 'wax', 'plastic', 'leaf', 'dough',
                            'copper'],
                           ['Steel', 'Aluminium', 'Lead', 'Wax', 'Plastic', 'Leaf', 'Dough',
                            'Copper']]},
                 {'kind': 'toggle',
                  'name': 'override_density',
                  'label': 'Override Density',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'density',
                  'label': 'Density [kg/m^3]',
                  'help': 'Mass of a cubic metre.',
                  'default': [1000.0],
                  'range': [100.0, 10000.0, False, False],
                  'disable_when': '{ override_density == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_young',
                  'label': "Override Young's modulus",
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_young',
                  'label': "Limit Young's modulus",
                  'help': 'Off: there is no limit.',
                  'default': [1.0],
                  'disable_when': '{ override_young == 0 }'},
                 {'kind': 'number',
                  'name': 'young',
                  'label': "Young's modulus [Pa]",
                  'help': 'Stiffness of the part of a bend that comes back.',
                  'default': [1000000000.0],
                  'range': [1000000.0, 100000000000.0, False, False],
                  'disable_when': '{ override_young == 0 } { limit_young == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_poisson',
                  'label': "Override Poisson's ratio",
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'poisson',
                  'label': "Poisson's ratio",
                  'help': 'Sets how hard it is to twist.',
                  'default': [0.3],
                  'range': [-0.95, 0.5, True, True],
                  'disable_when': '{ override_poisson == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_delay',
                  'label': 'Override Delay',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'delay',
                  'label': 'Delay [s]',
                  'help': 'How long a bend takes to come back: 0 rings like a bell.',
                  'default': [0.05],
                  'range': [0.0, 1.0, True, False],
                  'disable_when': '{ override_delay == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_first_young',
                  'label': 'Override First modulus',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_first_young',
                  'label': 'Limit First modulus',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ override_first_young == 0 }'},
                 {'kind': 'number',
                  'name': 'first_young',
                  'label': 'First modulus [Pa]',
                  'help': "Stiffness of a spring in series that answers at once (Burgers' model); "
                          'no limit: three elements.',
                  'default': [100000000000.0],
                  'range': [1000000.0, 100000000000.0, False, False],
                  'disable_when': '{ override_first_young == 0 } { limit_first_young == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_viscosity',
                  'label': 'Override Viscosity',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_viscosity',
                  'label': 'Limit Viscosity',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ override_viscosity == 0 }'},
                 {'kind': 'number',
                  'name': 'viscosity',
                  'label': 'Viscosity [Pa s]',
                  'help': 'Resistance of the part of a bend that stays; no limit: all comes back.',
                  'default': [1000000000000.0],
                  'range': [1000000.0, 1000000000000.0, False, False],
                  'disable_when': '{ override_viscosity == 0 } { limit_viscosity == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_yield',
                  'label': 'Override Yield stress',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_yield',
                  'label': 'Limit Yield stress',
                  'help': 'Off: there is no limit.',
                  'default': [1.0],
                  'disable_when': '{ override_yield == 0 }'},
                 {'kind': 'number',
                  'name': 'yield',
                  'label': 'Yield stress [Pa]',
                  'help': 'Stress at the surface below which nothing stays.',
                  'default': [0.0],
                  'range': [0.0, 1000000000.0, True, False],
                  'disable_when': '{ override_yield == 0 } { limit_yield == 0 }'}]},
 {'kind': 'folder',
  'name': 'folder_skin',
  'label': 'Skin',
  'parameters': [{'kind': 'menu',
                  'name': 'blend',
                  'label': 'Blend',
                  'help': 'linear: S003 eq 1; dual_quaternion keeps thickness.',
                  'default': 'dual_quaternion',
                  'menu': [['linear', 'dual_quaternion'], ['Linear', 'Dual quaternion']]},
                 {'kind': 'menu',
                  'name': 'weights',
                  'label': 'Weights',
                  'help': 'By distance to the bones, by heat that flows over the mesh, or painted: '
                          'point attributes weight0, weight1, ... one a bone.',
                  'default': 'distance',
                  'menu': [['distance', 'heat', 'painted'], ['Distance', 'Heat', 'Painted']]},
                 {'kind': 'whole',
                  'name': 'influences',
                  'label': 'Influences',
                  'help': 'Bones that move a point, at most.',
                  'default': [4.0],
                  'range': [1.0, 8.0, True, True]},
                 {'kind': 'whole',
                  'name': 'detail',
                  'label': 'Detail',
                  'help': "Sweeps of elastic correction of the skin's own shape.",
                  'default': [0.0],
                  'range': [0.0, 100.0, True, False]}]},
 {'kind': 'folder',
  'name': 'folder_contact',
  'label': 'Contact',
  'parameters': [{'kind': 'number',
                  'name': 'friction',
                  'label': 'Friction between bones',
                  'help': "Coulomb's coefficient where bones touch.",
                  'default': [0.5],
                  'range': [0.0, 2.0, True, False]},
                 {'kind': 'toggle',
                  'name': 'self_contact',
                  'label': 'Contact within a body',
                  'help': 'Bones of one body touch, where they do not overlap at rest.',
                  'default': [1.0]},
                 {'kind': 'number',
                  'name': 'push_out',
                  'label': 'Push out [m/s]',
                  'help': 'Fastest speed at which overlaps are undone.',
                  'default': [1.0],
                  'range': [0.0, 10.0, True, False]},
                 {'kind': 'number',
                  'name': 'contact_tolerance',
                  'label': 'Contact tolerance [m/s]',
                  'help': 'Residual speed at which the contact solve ends.',
                  'default': [1e-09],
                  'range': [1e-10, 0.0001, False, False]},
                 {'kind': 'whole',
                  'name': 'contact_sweeps',
                  'label': 'Contact sweeps',
                  'help': 'The contact solve ends here even when it has not converged; a warning '
                          'says so.',
                  'default': [400.0],
                  'range': [10.0, 1000.0, False, False]},
                 {'kind': 'number',
                  'name': 'collider_friction',
                  'label': 'Collider friction',
                  'help': "Coulomb's coefficient of colliders that have no physical parameters, "
                          'and of the field `collision`.',
                  'default': [0.5],
                  'range': [0.0, 2.0, True, False]}]},
 {'kind': 'folder',
  'name': 'folder_steps',
  'label': 'Steps',
  'parameters': [{'kind': 'number',
                  'name': 'drift_repair',
                  'label': 'Drift repair',
                  'help': 'Share of an overlap, or of a gap in a loop, that a substep undoes.',
                  'default': [0.2],
                  'range': [0.0, 1.0, True, True]}]},
 {'kind': 'folder',
  'name': 'folder_bend',
  'label': 'Bend',
  'parameters': [{'kind': 'menu',
                  'name': 'bend',
                  'label': 'Bend that stays',
                  'help': 'blend: a share of it is left, and nothing moves; bake: it becomes the '
                          'shape at rest. Both act at the begin of each step, so key them for one '
                          'frame.',
                  'default': 'keep',
                  'menu': [['keep', 'blend', 'bake'], ['Keep', 'Blend', 'Bake']]},
                 {'kind': 'number',
                  'name': 'bend_share',
                  'label': 'Share',
                  'help': '0 goes back to the shape at rest.',
                  'default': [0.0],
                  'range': [0.0, 1.0, True, True],
                  'disable_when': '{ bend == keep } { bend == bake }'}]}]

NODES: List[Dict[str, Any]] = [{'name': 'bones',
  'type': 'nendo_skin',
  'at': [0.0, -0.0],
  'inputs': ['@1'],
  'parms': {'output': 'bones',
            'body': {'expr': 'ch("../body")'},
            'bones': {'expr': 'ch("../bones")'},
            'clamp': '`chs("../clamp")`',
            'line_radius': {'expr': 'ch("../line_radius")'},
            'preset': '`chs("../preset")`',
            'override_density': {'expr': 'ch("../override_density")'},
            'density': {'expr': 'ch("../density")'},
            'override_young': {'expr': 'ch("../override_young")'},
            'limit_young': {'expr': 'ch("../limit_young")'},
            'young': {'expr': 'ch("../young")'},
            'override_poisson': {'expr': 'ch("../override_poisson")'},
            'poisson': {'expr': 'ch("../poisson")'},
            'override_delay': {'expr': 'ch("../override_delay")'},
            'delay': {'expr': 'ch("../delay")'},
            'override_first_young': {'expr': 'ch("../override_first_young")'},
            'limit_first_young': {'expr': 'ch("../limit_first_young")'},
            'first_young': {'expr': 'ch("../first_young")'},
            'override_viscosity': {'expr': 'ch("../override_viscosity")'},
            'limit_viscosity': {'expr': 'ch("../limit_viscosity")'},
            'viscosity': {'expr': 'ch("../viscosity")'},
            'override_yield': {'expr': 'ch("../override_yield")'},
            'limit_yield': {'expr': 'ch("../limit_yield")'},
            'yield': {'expr': 'ch("../yield")'},
            'blend': '`chs("../blend")`',
            'weights': '`chs("../weights")`',
            'influences': {'expr': 'ch("../influences")'},
            'detail': {'expr': 'ch("../detail")'}}},
 {'name': 'joints',
  'type': 'nendo_skin',
  'at': [3.0, -0.0],
  'inputs': ['@1'],
  'parms': {'output': 'joints',
            'body': {'expr': 'ch("../body")'},
            'bones': {'expr': 'ch("../bones")'},
            'clamp': '`chs("../clamp")`',
            'line_radius': {'expr': 'ch("../line_radius")'},
            'preset': '`chs("../preset")`',
            'override_density': {'expr': 'ch("../override_density")'},
            'density': {'expr': 'ch("../density")'},
            'override_young': {'expr': 'ch("../override_young")'},
            'limit_young': {'expr': 'ch("../limit_young")'},
            'young': {'expr': 'ch("../young")'},
            'override_poisson': {'expr': 'ch("../override_poisson")'},
            'poisson': {'expr': 'ch("../poisson")'},
            'override_delay': {'expr': 'ch("../override_delay")'},
            'delay': {'expr': 'ch("../delay")'},
            'override_first_young': {'expr': 'ch("../override_first_young")'},
            'limit_first_young': {'expr': 'ch("../limit_first_young")'},
            'first_young': {'expr': 'ch("../first_young")'},
            'override_viscosity': {'expr': 'ch("../override_viscosity")'},
            'limit_viscosity': {'expr': 'ch("../limit_viscosity")'},
            'viscosity': {'expr': 'ch("../viscosity")'},
            'override_yield': {'expr': 'ch("../override_yield")'},
            'limit_yield': {'expr': 'ch("../limit_yield")'},
            'yield': {'expr': 'ch("../yield")'},
            'blend': '`chs("../blend")`',
            'weights': '`chs("../weights")`',
            'influences': {'expr': 'ch("../influences")'},
            'detail': {'expr': 'ch("../detail")'}}},
 {'name': 'colliders', 'type': 'null', 'at': [6.0, -0.0], 'inputs': ['@2']},
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
             'parms': {'usesoppath': True, 'soppath': '../../bones', 'dataname': 'Geometry'}},
            {'name': 'joints',
             'type': 'sopgeo',
             'at': [6.0, -0.0],
             'parms': {'usesoppath': True, 'soppath': '../../joints', 'dataname': 'Joints'}},
            {'name': 'data',
             'type': 'applydata',
             'at': [0.0, -1.5],
             'inputs': ['object', 'geometry', 'joints']},
            {'name': 'solver',
             'type': 'nendo_rheology',
             'at': [9.0, -0.0],
             'parms': {'time_step': {'expr': 'ch("../../time_step")'},
                       'drag': {'expr': 'ch("../../drag")'},
                       'gravity': [{'expr': 'ch("../../gravityx")'},
                                   {'expr': 'ch("../../gravityy")'},
                                   {'expr': 'ch("../../gravityz")'}],
                       'friction': {'expr': 'ch("../../friction")'},
                       'self_contact': {'expr': 'ch("../../self_contact")'},
                       'push_out': {'expr': 'ch("../../push_out")'},
                       'contact_tolerance': {'expr': 'ch("../../contact_tolerance")'},
                       'contact_sweeps': {'expr': 'ch("../../contact_sweeps")'},
                       'collider_friction': {'expr': 'ch("../../collider_friction")'},
                       'drift_repair': {'expr': 'ch("../../drift_repair")'},
                       'bend': '`chs("../../bend")`',
                       'bend_share': {'expr': 'ch("../../bend_share")'}}},
            {'name': 'solve',
             'type': 'multisolver',
             'at': [0.0, -3.0],
             'inputs': ['data', 'solver']},
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
 {'name': 'skin',
  'type': 'nendo_skin',
  'at': [0.0, -3.0],
  'inputs': ['@1', 'points'],
  'parms': {'output': 'skin',
            'body': {'expr': 'ch("../body")'},
            'bones': {'expr': 'ch("../bones")'},
            'clamp': '`chs("../clamp")`',
            'line_radius': {'expr': 'ch("../line_radius")'},
            'preset': '`chs("../preset")`',
            'override_density': {'expr': 'ch("../override_density")'},
            'density': {'expr': 'ch("../density")'},
            'override_young': {'expr': 'ch("../override_young")'},
            'limit_young': {'expr': 'ch("../limit_young")'},
            'young': {'expr': 'ch("../young")'},
            'override_poisson': {'expr': 'ch("../override_poisson")'},
            'poisson': {'expr': 'ch("../poisson")'},
            'override_delay': {'expr': 'ch("../override_delay")'},
            'delay': {'expr': 'ch("../delay")'},
            'override_first_young': {'expr': 'ch("../override_first_young")'},
            'limit_first_young': {'expr': 'ch("../limit_first_young")'},
            'first_young': {'expr': 'ch("../first_young")'},
            'override_viscosity': {'expr': 'ch("../override_viscosity")'},
            'limit_viscosity': {'expr': 'ch("../limit_viscosity")'},
            'viscosity': {'expr': 'ch("../viscosity")'},
            'override_yield': {'expr': 'ch("../override_yield")'},
            'limit_yield': {'expr': 'ch("../limit_yield")'},
            'yield': {'expr': 'ch("../yield")'},
            'blend': '`chs("../blend")`',
            'weights': '`chs("../weights")`',
            'influences': {'expr': 'ch("../influences")'},
            'detail': {'expr': 'ch("../detail")'}}},
 {'name': 'output_skin',
  'type': 'output',
  'at': [0.0, -4.5],
  'inputs': ['skin'],
  'parms': {'outputidx': 0},
  'shown': True},
 {'name': 'output_bones',
  'type': 'output',
  'at': [3.0, -3.0],
  'inputs': ['points'],
  'parms': {'outputidx': 1}}]

BOXES: List[Dict[str, Any]] = [{'comment': 'What goes in: bones and joints of the mesh.', 'nodes': ['bones', 'joints']},
 {'comment': 'The simulation. Dive in to wire forces and solvers of your own.',
  'nodes': ['colliders', 'simulation']},
 {'comment': 'What comes out: the mesh on the simulated bones.',
  'nodes': ['import', 'save', 'load', 'points', 'skin', 'output_skin', 'output_bones']}]

PRESETS: Dict[str, str] = {'Steel': '#PSI_PRESET\n'
          'version 2.0a\n'
          'opvalues\n'
          '{\n'
          'version 0.8\n'
          'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'preset\t[ 0\tlocks=0 ]\t(\t"steel"\t)\n'
          '}\n',
 'Aluminium': '#PSI_PRESET\n'
              'version 2.0a\n'
              'opvalues\n'
              '{\n'
              'version 0.8\n'
              'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'preset\t[ 0\tlocks=0 ]\t(\t"aluminium"\t)\n'
              '}\n',
 'Lead': '#PSI_PRESET\n'
         'version 2.0a\n'
         'opvalues\n'
         '{\n'
         'version 0.8\n'
         'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'preset\t[ 0\tlocks=0 ]\t(\t"lead"\t)\n'
         '}\n',
 'Wax': '#PSI_PRESET\n'
        'version 2.0a\n'
        'opvalues\n'
        '{\n'
        'version 0.8\n'
        'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'preset\t[ 0\tlocks=0 ]\t(\t"wax"\t)\n'
        '}\n',
 'Plastic': '#PSI_PRESET\n'
            'version 2.0a\n'
            'opvalues\n'
            '{\n'
            'version 0.8\n'
            'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
            'preset\t[ 0\tlocks=0 ]\t(\t"plastic"\t)\n'
            '}\n',
 'Leaf': '#PSI_PRESET\n'
         'version 2.0a\n'
         'opvalues\n'
         '{\n'
         'version 0.8\n'
         'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'preset\t[ 0\tlocks=0 ]\t(\t"leaf"\t)\n'
         '}\n',
 'Dough': '#PSI_PRESET\n'
          'version 2.0a\n'
          'opvalues\n'
          '{\n'
          'version 0.8\n'
          'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
          'preset\t[ 0\tlocks=0 ]\t(\t"dough"\t)\n'
          '}\n',
 'Copper': '#PSI_PRESET\n'
           'version 2.0a\n'
           'opvalues\n'
           '{\n'
           'version 0.8\n'
           'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'preset\t[ 0\tlocks=0 ]\t(\t"copper"\t)\n'
           '}\n',
 'Set-up Spoon': '#PSI_PRESET\n'
                 'version 2.0a\n'
                 'opvalues\n'
                 '{\n'
                 'version 0.8\n'
                 'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                 'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                 'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                 'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                 'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                 'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                 'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                 'preset\t[ 0\tlocks=0 ]\t(\t"aluminium"\t)\n'
                 'bones\t[ 0\tlocks=0 ]\t(\t12\t)\n'
                 'clamp\t[ 0\tlocks=0 ]\t(\t"first"\t)\n'
                 'ground\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                 '}\n',
 'Set-up Wire': '#PSI_PRESET\n'
                'version 2.0a\n'
                'opvalues\n'
                '{\n'
                'version 0.8\n'
                'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'preset\t[ 0\tlocks=0 ]\t(\t"aluminium"\t)\n'
                'line_radius\t[ 0\tlocks=0 ]\t(\t0.01\t)\n'
                '}\n',
 'Set-up Bumper': '#PSI_PRESET\n'
                  'version 2.0a\n'
                  'opvalues\n'
                  '{\n'
                  'version 0.8\n'
                  'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                  'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                  'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                  'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                  'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                  'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                  'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                  'preset\t[ 0\tlocks=0 ]\t(\t"plastic"\t)\n'
                  'bones\t[ 0\tlocks=0 ]\t(\t16\t)\n'
                  'clamp\t[ 0\tlocks=0 ]\t(\t"both"\t)\n'
                  'ground\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                  '}\n',
 'Set-up Sagging candle': '#PSI_PRESET\n'
                          'version 2.0a\n'
                          'opvalues\n'
                          '{\n'
                          'version 0.8\n'
                          'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                          'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                          'override_poisson\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                          'override_delay\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                          'override_first_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                          'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                          'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                          'preset\t[ 0\tlocks=0 ]\t(\t"wax"\t)\n'
                          'bones\t[ 0\tlocks=0 ]\t(\t14\t)\n'
                          'clamp\t[ 0\tlocks=0 ]\t(\t"first"\t)\n'
                          'ground\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                          '}\n'}


def build(folder: str, help_text: str) -> str:
    """Makes the asset, and returns the path of its library."""
    return builder.build_asset(folder, FILE, OPERATOR, LABEL, TABLE, ICON, INPUTS, INPUT_LABELS,
                               OUTPUTS, PARAMETERS, NODES, BOXES, PRESETS, help_text)

"""Builds nendo::melt::1.0. Written by otls/generate.py from otls/networks.py: change that.

    hython otls/build.py OUT       makes OUT/nendo_melt.hda, and the others
"""
from typing import Any, Dict, List

import builder

OPERATOR = 'nendo::melt::1.0'
FILE = 'nendo_melt'
LABEL = 'Nendo Melt Solver'
TABLE = 'Sop'
ICON = 'nendo_melt'
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
  'help': 'Longest substep; fast motion, heat and liquid take shorter ones by themselves.',
  'default': [0.01],
  'range': [0.001, 0.02, False, False]},
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
  'name': 'folder_body',
  'label': 'Body',
  'parameters': [{'kind': 'whole',
                  'name': 'body',
                  'label': 'Body',
                  'help': 'Number of the body, for colours and for joining; give each source its '
                          'own.',
                  'default': [0.0],
                  'range': [0.0, 100.0, True, False]}]},
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
  'name': 'folder_hardness',
  'label': 'Hardness',
  'parameters': [{'kind': 'menu',
                  'name': 'control',
                  'label': 'Control',
                  'help': 'hardness: one knob chooses stiffness, samples and iterations within the '
                          'budget.',
                  'default': 'expert',
                  'menu': [['expert', 'hardness'], ['Expert', 'Hardness']]},
                 {'kind': 'number',
                  'name': 'hardness',
                  'label': 'Hardness',
                  'help': '0: as soft as jelly; 1: as hard as the budget allows.',
                  'default': [0.5],
                  'range': [0.0, 1.0, True, True],
                  'disable_when': '{ control == expert }'},
                 {'kind': 'number',
                  'name': 'budget',
                  'label': 'Budget [ms]',
                  'help': 'Work for the solid in a frame of 1/30 s, by a model of the cost: the '
                          'same on every machine.',
                  'default': [10.0],
                  'range': [1.0, 100.0, False, False],
                  'disable_when': '{ control == expert }'}]},
 {'kind': 'folder',
  'name': 'folder_clusters',
  'label': 'Clusters',
  'parameters': [{'kind': 'menu',
                  'name': 'constraint',
                  'label': 'Constraint',
                  'help': 'oriented holds thin parts too.',
                  'default': 'oriented',
                  'menu': [['positions', 'oriented'], ['Positions', 'Oriented']]},
                 {'kind': 'menu',
                  'name': 'scheme',
                  'label': 'Solver',
                  'help': 'jacobi: all clusters at once; gauss_seidel: one after the other, '
                          'fastest to converge; hybrid: group after group.',
                  'default': 'jacobi',
                  'menu': [['jacobi', 'gauss_seidel', 'hybrid'],
                           ['Jacobi', 'Gauss seidel', 'Hybrid']]},
                 {'kind': 'toggle',
                  'name': 'weighted',
                  'label': 'Weighted',
                  'help': 'Clusters that are deformed more count more.',
                  'default': [1.0],
                  'disable_when': '{ scheme == gauss_seidel }'},
                 {'kind': 'menu',
                  'name': 'grouping',
                  'label': 'Groups by',
                  'help': 'parity: even and odd, as in S004; colours: clusters that share no '
                          'particle are together.',
                  'default': 'parity',
                  'menu': [['parity', 'colours'], ['Parity', 'Colours']],
                  'disable_when': '{ scheme == jacobi } { scheme == gauss_seidel }'},
                 {'kind': 'whole',
                  'name': 'groups',
                  'label': 'Groups',
                  'help': 'How many groups colours are put into.',
                  'default': [8.0],
                  'range': [1.0, 8.0, True, True],
                  'disable_when': '{ scheme == jacobi } { scheme == gauss_seidel } { grouping == '
                                  'parity }'},
                 {'kind': 'toggle',
                  'name': 'chebyshev',
                  'label': 'Chebyshev',
                  'help': 'Speeds the iterations up by what the last two did.',
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'chebyshev_radius',
                  'label': 'Spectral radius',
                  'help': 'How slow the plain iterations are thought to be.',
                  'default': [0.998],
                  'range': [0.9, 0.999, False, False],
                  'disable_when': '{ chebyshev == 0 }'},
                 {'kind': 'whole',
                  'name': 'iterations',
                  'label': 'Iterations',
                  'help': 'Of the solid, in a time step; where motion shortens the substeps, they '
                          'share them.',
                  'default': [17.0],
                  'range': [1.0, 100.0, False, False],
                  'disable_when': '{ control == hardness }'},
                 {'kind': 'number',
                  'name': 'cluster_radius',
                  'label': 'Cluster radius',
                  'help': "In spacings: who is in a particle's cluster when it freezes or enters.",
                  'default': [1.75],
                  'range': [1.1, 3.0, False, True]},
                 {'kind': 'number',
                  'name': 'samples',
                  'label': 'Solved clusters',
                  'help': 'Share of the clusters that is solved; never fewer than it takes to hold '
                          'all particles.',
                  'default': [1.0],
                  'range': [0.0, 1.0, True, True],
                  'disable_when': '{ control == hardness }'},
                 {'kind': 'menu',
                  'name': 'interpolation',
                  'label': 'Interpolation',
                  'help': 'Of the orientations of clusters that are not solved.',
                  'default': 'qlerp',
                  'menu': [['qlerp', 'expmap'], ['Qlerp', 'Expmap']]},
                 {'kind': 'whole',
                  'name': 'seed',
                  'label': 'Seed',
                  'help': 'Of the choice of clusters and of their order.',
                  'default': [1.0],
                  'range': [0.0, 1000000000.0, True, True]}]},
 {'kind': 'folder',
  'name': 'folder_steps',
  'label': 'Steps',
  'parameters': [{'kind': 'toggle',
                  'name': 'limit_damping',
                  'label': 'Limit Damping',
                  'help': 'Off: there is no limit.',
                  'default': [1.0]},
                 {'kind': 'number',
                  'name': 'damping',
                  'label': 'Damping [1/s]',
                  'help': 'How fast solid matter loses its motion; no limit: it only creeps into '
                          'shape.',
                  'default': [0.0],
                  'range': [0.0, 10.0, True, False],
                  'disable_when': '{ limit_damping == 0 }'},
                 {'kind': 'toggle',
                  'name': 'watch_deformation',
                  'label': 'Watch deformation',
                  'help': 'Reports how far clusters are from their shape, d_sum of S004, at the '
                          'cost of an iteration.',
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'courant',
                  'label': 'Courant number',
                  'help': 'Spacings that matter may move in one substep.',
                  'default': [0.4],
                  'range': [0.01, 1.0, True, True]},
                 {'kind': 'number',
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
                  'disable_when': '{ pressure == state_equation }'}]},
 {'kind': 'folder',
  'name': 'folder_heat',
  'label': 'Heat',
  'parameters': [{'kind': 'toggle',
                  'name': 'heat',
                  'label': 'Heat',
                  'help': 'Off: temperatures stay.',
                  'default': [1.0]},
                 {'kind': 'number',
                  'name': 'air_temperature',
                  'label': 'Air temperature [degC]',
                  'help': 'Of the air around all matter.',
                  'default': [20.0],
                  'range': [-20.0, 100.0, False, False],
                  'disable_when': '{ heat == 0 }'},
                 {'kind': 'number',
                  'name': 'air_transfer',
                  'label': 'Air transfer [W/(m^2 K)]',
                  'help': 'Heat through a square metre of surface for a degree of difference: '
                          'still air 10, wind 50.',
                  'default': [10.0],
                  'range': [0.0, 500.0, True, False],
                  'disable_when': '{ heat == 0 }'},
                 {'kind': 'number',
                  'name': 'heat_speed',
                  'label': 'Heat speed',
                  'help': 'Seconds of heat in a second of motion: a candle that takes an hour '
                          'melts in a shot.',
                  'default': [1.0],
                  'range': [1.0, 1000.0, False, False],
                  'disable_when': '{ heat == 0 }'},
                 {'kind': 'number',
                  'name': 'start_temperature',
                  'label': 'Start temperature [degC]',
                  'help': 'With which new points enter; above the melting point they are liquid.',
                  'default': [20.0],
                  'range': [-20.0, 100.0, False, False]},
                 {'kind': 'toggle',
                  'name': 'heat_ball',
                  'label': 'Heat ball',
                  'help': 'A hot ball that may be animated.',
                  'default': [0.0]},
                 {'kind': 'vector',
                  'name': 'heat_center',
                  'label': 'Ball centre [m]',
                  'help': 'Where the ball is.',
                  'default': [0.0, 1.0, 0.0],
                  'disable_when': '{ heat_ball == 0 }'},
                 {'kind': 'number',
                  'name': 'heat_radius',
                  'label': 'Ball radius [m]',
                  'help': 'How large it is.',
                  'default': [0.1],
                  'range': [0.01, 1.0, False, False],
                  'disable_when': '{ heat_ball == 0 }'},
                 {'kind': 'number',
                  'name': 'heat_reach',
                  'label': 'Ball reach [m]',
                  'help': 'How far from it the ball is felt; 0: by contact only.',
                  'default': [0.5],
                  'range': [0.0, 2.0, True, False],
                  'disable_when': '{ heat_ball == 0 }'},
                 {'kind': 'number',
                  'name': 'heat_temperature',
                  'label': 'Ball temperature [degC]',
                  'help': 'How hot it is.',
                  'default': [200.0],
                  'range': [0.0, 1000.0, False, False],
                  'disable_when': '{ heat_ball == 0 }'},
                 {'kind': 'number',
                  'name': 'heat_transfer',
                  'label': 'Ball transfer [W/(m^2 K)]',
                  'help': 'How fast it warms.',
                  'default': [500.0],
                  'range': [0.0, 5000.0, True, False],
                  'disable_when': '{ heat_ball == 0 }'},
                 {'kind': 'number',
                  'name': 'collider_temperature',
                  'label': 'Collider temperature [degC]',
                  'help': 'Of all colliders, felt by contact.',
                  'default': [100.0],
                  'range': [0.0, 500.0, False, False]},
                 {'kind': 'number',
                  'name': 'collider_transfer',
                  'label': 'Collider transfer [W/(m^2 K)]',
                  'help': 'How fast they warm; 0: not at all.',
                  'default': [0.0],
                  'range': [0.0, 5000.0, True, False]}]},
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
                  'default': [100.0],
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
  'name': 'folder_material',
  'label': 'Material',
  'parameters': [{'kind': 'menu',
                  'name': 'preset',
                  'label': 'Material',
                  'help': 'Of points that come without a material of their own.',
                  'default': 'wax',
                  'menu': [['ice', 'paper', 'wax', 'chocolate', 'butter', 'gelatin', 'lava'],
                           ['Ice', 'Paper', 'Wax', 'Chocolate', 'Butter', 'Gelatin', 'Lava']]},
                 {'kind': 'toggle',
                  'name': 'override_density',
                  'label': 'Override Density',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'density',
                  'label': 'Density [kg/m^3]',
                  'help': 'Mass of a cubic metre as a solid.',
                  'default': [900.0],
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
                  'default': [0.0],
                  'disable_when': '{ override_young == 0 }'},
                 {'kind': 'number',
                  'name': 'young',
                  'label': "Young's modulus [Pa]",
                  'help': 'Stiffness when cold; no limit: as hard as iterations and samples make '
                          'it.',
                  'default': [10000000.0],
                  'range': [1000.0, 10000000.0, False, False],
                  'disable_when': '{ override_young == 0 } { limit_young == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_yield',
                  'label': 'Override Yield',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_yield',
                  'label': 'Limit Yield',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ override_yield == 0 }'},
                 {'kind': 'number',
                  'name': 'yield',
                  'label': 'Yield',
                  'help': 'Strain above which the rest shape flows; no limit: never.',
                  'default': [1.0],
                  'range': [0.0, 1.0, True, False],
                  'disable_when': '{ override_yield == 0 } { limit_yield == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_creep',
                  'label': 'Override Creep',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'creep',
                  'label': 'Creep [1/s]',
                  'help': 'How fast the rest shape flows above the yield.',
                  'default': [0.0],
                  'range': [0.0, 10.0, True, False],
                  'disable_when': '{ override_creep == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_melting_point',
                  'label': 'Override Melting point',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'melting_point',
                  'label': 'Melting point [degC]',
                  'help': 'Temperature at which it melts and freezes.',
                  'default': [60.0],
                  'range': [0.0, 1500.0, False, False],
                  'disable_when': '{ override_melting_point == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_latent_heat',
                  'label': 'Override Latent heat',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'latent_heat',
                  'label': 'Latent heat [J/kg]',
                  'help': 'Heat that melting takes at the melting point.',
                  'default': [200000.0],
                  'range': [0.0, 400000.0, True, False],
                  'disable_when': '{ override_latent_heat == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_heat_capacity',
                  'label': 'Override Heat capacity',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'heat_capacity',
                  'label': 'Heat capacity [J/(kg K)]',
                  'help': 'Heat that a degree takes.',
                  'default': [2000.0],
                  'range': [500.0, 5000.0, False, False],
                  'disable_when': '{ override_heat_capacity == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_conductivity',
                  'label': 'Override Conductivity',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'conductivity',
                  'label': 'Conductivity [W/(m K)]',
                  'help': 'How well it conducts heat. True values of small things melt in minutes; '
                          'raise it for seconds.',
                  'default': [0.3],
                  'range': [0.0, 100.0, True, False],
                  'disable_when': '{ override_conductivity == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_softening',
                  'label': 'Override Softening range',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'softening',
                  'label': 'Softening range [K]',
                  'help': 'It softens over so many degrees below the melting point.',
                  'default': [0.0],
                  'range': [0.0, 100.0, True, False],
                  'disable_when': '{ override_softening == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_soft_young',
                  'label': 'Override Soft modulus',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'soft_young',
                  'label': 'Soft modulus [Pa]',
                  'help': 'Stiffness when half soft.',
                  'default': [20000.0],
                  'range': [1000.0, 1000000.0, False, False],
                  'disable_when': '{ override_soft_young == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_blend',
                  'label': 'Override Blend',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'blend',
                  'label': 'Blend',
                  'help': '0: a particle is solid until all its latent heat is in, as ice; 1: it '
                          'flows more and more while it melts, as wax.',
                  'default': [0.0],
                  'range': [0.0, 1.0, True, True],
                  'disable_when': '{ override_blend == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_flow',
                  'label': 'Override Flow',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'flow',
                  'label': 'Flow [1/s]',
                  'help': 'How fast the rest shape flows when half melted.',
                  'default': [1.0],
                  'range': [0.0, 10.0, True, False],
                  'disable_when': '{ override_flow == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_liquid_density',
                  'label': 'Override Liquid density',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'liquid_density',
                  'label': 'Liquid density [kg/m^3]',
                  'help': 'Mass of a cubic metre as a liquid.',
                  'default': [900.0],
                  'range': [100.0, 10000.0, False, False],
                  'disable_when': '{ override_liquid_density == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_viscosity',
                  'label': 'Override Viscosity',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'number',
                  'name': 'viscosity',
                  'label': 'Viscosity [Pa s]',
                  'help': 'Of the liquid at the melting point.',
                  'default': [0.01],
                  'range': [0.0, 100.0, True, False],
                  'disable_when': '{ override_viscosity == 0 }'},
                 {'kind': 'toggle',
                  'name': 'override_thinning',
                  'label': 'Override Thinning',
                  'help': "Off: the preset's value counts.",
                  'default': [0.0]},
                 {'kind': 'toggle',
                  'name': 'limit_thinning',
                  'label': 'Limit Thinning',
                  'help': 'Off: there is no limit.',
                  'default': [0.0],
                  'disable_when': '{ override_thinning == 0 }'},
                 {'kind': 'number',
                  'name': 'thinning',
                  'label': 'Thinning [K]',
                  'help': 'Warming that divides the viscosity by e; no limit: it stays the same.',
                  'default': [200.0],
                  'range': [1.0, 200.0, False, False],
                  'disable_when': '{ override_thinning == 0 } { limit_thinning == 0 }'}]},
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
            'body': {'expr': 'ch("../body")'},
            'velocity': [{'expr': 'ch("../velocityx")'}, {'expr': 'ch("../velocityy")'},
                         {'expr': 'ch("../velocityz")'}],
            'angular_velocity': [{'expr': 'ch("../angular_velocityx")'},
                                 {'expr': 'ch("../angular_velocityy")'},
                                 {'expr': 'ch("../angular_velocityz")'}]}},
 {'name': 'colliders', 'type': 'null', 'at': [3.0, -0.0], 'inputs': ['@2']},
 {'name': 'emit_source',
  'type': 'nendo_source',
  'at': [6.0, -0.0],
  'inputs': ['@3'],
  'parms': {'matter': 'elastoplastic',
            'show': 'particles',
            'spacing': {'expr': 'ch("../spacing")'},
            'body': {'expr': 'ch("../body")'},
            'velocity': [{'expr': 'ch("../velocityx")'}, {'expr': 'ch("../velocityy")'},
                         {'expr': 'ch("../velocityz")'}],
            'angular_velocity': [{'expr': 'ch("../angular_velocityx")'},
                                 {'expr': 'ch("../angular_velocityy")'},
                                 {'expr': 'ch("../angular_velocityz")'}]}},
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
             'type': 'nendo_melt',
             'at': [9.0, -0.0],
             'parms': {'spacing': {'expr': 'ch("../../spacing")'},
                       'time_step': {'expr': 'ch("../../time_step")'},
                       'gravity': [{'expr': 'ch("../../gravityx")'},
                                   {'expr': 'ch("../../gravityy")'},
                                   {'expr': 'ch("../../gravityz")'}],
                       'control': '`chs("../../control")`',
                       'hardness': {'expr': 'ch("../../hardness")'},
                       'budget': {'expr': 'ch("../../budget")'},
                       'constraint': '`chs("../../constraint")`',
                       'scheme': '`chs("../../scheme")`',
                       'weighted': {'expr': 'ch("../../weighted")'},
                       'grouping': '`chs("../../grouping")`',
                       'groups': {'expr': 'ch("../../groups")'},
                       'chebyshev': {'expr': 'ch("../../chebyshev")'},
                       'chebyshev_radius': {'expr': 'ch("../../chebyshev_radius")'},
                       'iterations': {'expr': 'ch("../../iterations")'},
                       'cluster_radius': {'expr': 'ch("../../cluster_radius")'},
                       'samples': {'expr': 'ch("../../samples")'},
                       'interpolation': '`chs("../../interpolation")`',
                       'seed': {'expr': 'ch("../../seed")'},
                       'limit_damping': {'expr': 'ch("../../limit_damping")'},
                       'damping': {'expr': 'ch("../../damping")'},
                       'watch_deformation': {'expr': 'ch("../../watch_deformation")'},
                       'courant': {'expr': 'ch("../../courant")'},
                       'pressure_tolerance': {'expr': 'ch("../../pressure_tolerance")'},
                       'pressure_iterations': {'expr': 'ch("../../pressure_iterations")'},
                       'heat': {'expr': 'ch("../../heat")'},
                       'air_temperature': {'expr': 'ch("../../air_temperature")'},
                       'air_transfer': {'expr': 'ch("../../air_transfer")'},
                       'heat_speed': {'expr': 'ch("../../heat_speed")'},
                       'start_temperature': {'expr': 'ch("../../start_temperature")'},
                       'heat_ball': {'expr': 'ch("../../heat_ball")'},
                       'heat_center': [{'expr': 'ch("../../heat_centerx")'},
                                       {'expr': 'ch("../../heat_centery")'},
                                       {'expr': 'ch("../../heat_centerz")'}],
                       'heat_radius': {'expr': 'ch("../../heat_radius")'},
                       'heat_reach': {'expr': 'ch("../../heat_reach")'},
                       'heat_temperature': {'expr': 'ch("../../heat_temperature")'},
                       'heat_transfer': {'expr': 'ch("../../heat_transfer")'},
                       'collider_temperature': {'expr': 'ch("../../collider_temperature")'},
                       'collider_transfer': {'expr': 'ch("../../collider_transfer")'},
                       'support': {'expr': 'ch("../../support")'},
                       'pressure': '`chs("../../pressure")`',
                       'stiffness': {'expr': 'ch("../../stiffness")'},
                       'tension': {'expr': 'ch("../../tension")'},
                       'surface_tension': {'expr': 'ch("../../surface_tension")'},
                       'collider_friction': {'expr': 'ch("../../collider_friction")'},
                       'preset': '`chs("../../preset")`',
                       'override_density': {'expr': 'ch("../../override_density")'},
                       'density': {'expr': 'ch("../../density")'},
                       'override_young': {'expr': 'ch("../../override_young")'},
                       'limit_young': {'expr': 'ch("../../limit_young")'},
                       'young': {'expr': 'ch("../../young")'},
                       'override_yield': {'expr': 'ch("../../override_yield")'},
                       'limit_yield': {'expr': 'ch("../../limit_yield")'},
                       'yield': {'expr': 'ch("../../yield")'},
                       'override_creep': {'expr': 'ch("../../override_creep")'},
                       'creep': {'expr': 'ch("../../creep")'},
                       'override_melting_point': {'expr': 'ch("../../override_melting_point")'},
                       'melting_point': {'expr': 'ch("../../melting_point")'},
                       'override_latent_heat': {'expr': 'ch("../../override_latent_heat")'},
                       'latent_heat': {'expr': 'ch("../../latent_heat")'},
                       'override_heat_capacity': {'expr': 'ch("../../override_heat_capacity")'},
                       'heat_capacity': {'expr': 'ch("../../heat_capacity")'},
                       'override_conductivity': {'expr': 'ch("../../override_conductivity")'},
                       'conductivity': {'expr': 'ch("../../conductivity")'},
                       'override_softening': {'expr': 'ch("../../override_softening")'},
                       'softening': {'expr': 'ch("../../softening")'},
                       'override_soft_young': {'expr': 'ch("../../override_soft_young")'},
                       'soft_young': {'expr': 'ch("../../soft_young")'},
                       'override_blend': {'expr': 'ch("../../override_blend")'},
                       'blend': {'expr': 'ch("../../blend")'},
                       'override_flow': {'expr': 'ch("../../override_flow")'},
                       'flow': {'expr': 'ch("../../flow")'},
                       'override_liquid_density': {'expr': 'ch("../../override_liquid_density")'},
                       'liquid_density': {'expr': 'ch("../../liquid_density")'},
                       'override_viscosity': {'expr': 'ch("../../override_viscosity")'},
                       'viscosity': {'expr': 'ch("../../viscosity")'},
                       'override_thinning': {'expr': 'ch("../../override_thinning")'},
                       'limit_thinning': {'expr': 'ch("../../limit_thinning")'},
                       'thinning': {'expr': 'ch("../../thinning")'}}},
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

PRESETS: Dict[str, str] = {'Ice': '#PSI_PRESET\n'
        'version 2.0a\n'
        'opvalues\n'
        '{\n'
        'version 0.8\n'
        'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'preset\t[ 0\tlocks=0 ]\t(\t"ice"\t)\n'
        '}\n',
 "Paper's matter": '#PSI_PRESET\n'
                   'version 2.0a\n'
                   'opvalues\n'
                   '{\n'
                   'version 0.8\n'
                   'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                   'preset\t[ 0\tlocks=0 ]\t(\t"paper"\t)\n'
                   '}\n',
 'Wax': '#PSI_PRESET\n'
        'version 2.0a\n'
        'opvalues\n'
        '{\n'
        'version 0.8\n'
        'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
        'preset\t[ 0\tlocks=0 ]\t(\t"wax"\t)\n'
        '}\n',
 'Chocolate': '#PSI_PRESET\n'
              'version 2.0a\n'
              'opvalues\n'
              '{\n'
              'version 0.8\n'
              'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
              'preset\t[ 0\tlocks=0 ]\t(\t"chocolate"\t)\n'
              '}\n',
 'Butter': '#PSI_PRESET\n'
           'version 2.0a\n'
           'opvalues\n'
           '{\n'
           'version 0.8\n'
           'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
           'preset\t[ 0\tlocks=0 ]\t(\t"butter"\t)\n'
           '}\n',
 'Gelatine': '#PSI_PRESET\n'
             'version 2.0a\n'
             'opvalues\n'
             '{\n'
             'version 0.8\n'
             'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
             'preset\t[ 0\tlocks=0 ]\t(\t"gelatin"\t)\n'
             '}\n',
 'Lava': '#PSI_PRESET\n'
         'version 2.0a\n'
         'opvalues\n'
         '{\n'
         'version 0.8\n'
         'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
         'preset\t[ 0\tlocks=0 ]\t(\t"lava"\t)\n'
         '}\n',
 'Set-up Wax candle': '#PSI_PRESET\n'
                      'version 2.0a\n'
                      'opvalues\n'
                      '{\n'
                      'version 0.8\n'
                      'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                      'preset\t[ 0\tlocks=0 ]\t(\t"wax"\t)\n'
                      'spacing\t[ 0\tlocks=0 ]\t(\t0.04\t)\n'
                      'heat_ball\t[ 0\tlocks=0 ]\t(\t"on"\t)\n'
                      'heat_center\t[ 0\tlocks=0 ]\t(\t0\t0.9\t0\t)\n'
                      'heat_temperature\t[ 0\tlocks=0 ]\t(\t300\t)\n'
                      '}\n',
 'Set-up Ice cube': '#PSI_PRESET\n'
                    'version 2.0a\n'
                    'opvalues\n'
                    '{\n'
                    'version 0.8\n'
                    'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                    'preset\t[ 0\tlocks=0 ]\t(\t"ice"\t)\n'
                    'spacing\t[ 0\tlocks=0 ]\t(\t0.04\t)\n'
                    'start_temperature\t[ 0\tlocks=0 ]\t(\t-5\t)\n'
                    'collider_temperature\t[ 0\tlocks=0 ]\t(\t60\t)\n'
                    'collider_transfer\t[ 0\tlocks=0 ]\t(\t2000\t)\n'
                    '}\n',
 'Set-up Lava': '#PSI_PRESET\n'
                'version 2.0a\n'
                'opvalues\n'
                '{\n'
                'version 0.8\n'
                'override_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_yield\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_creep\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_melting_point\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_latent_heat\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_heat_capacity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_conductivity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_softening\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_soft_young\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_blend\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_flow\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_liquid_density\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_viscosity\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'override_thinning\t[ 0\tlocks=0 ]\t(\t"off"\t)\n'
                'preset\t[ 0\tlocks=0 ]\t(\t"lava"\t)\n'
                'spacing\t[ 0\tlocks=0 ]\t(\t0.06\t)\n'
                'start_temperature\t[ 0\tlocks=0 ]\t(\t1200\t)\n'
                '}\n'}


def build(folder: str, help_text: str) -> str:
    """Makes the asset, and returns the path of its library."""
    return builder.build_asset(folder, FILE, OPERATOR, LABEL, TABLE, ICON, INPUTS, INPUT_LABELS,
                               OUTPUTS, PARAMETERS, NODES, BOXES, PRESETS, help_text)

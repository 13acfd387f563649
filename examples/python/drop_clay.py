# SPDX-License-Identifier: Apache-2.0
"""Drops a ball of clay and plots its height: python examples/python/drop_clay.py [PICTURE.png]"""
import sys

import nendo

sim = nendo.Simulation({
    "solver": {"spacing": 0.05},
    "bodies": [{"sphere": {"center": [0, 1, 0], "radius": 0.25}, "material": {"preset": "clay"}}],
    "colliders": [{"plane": {}, "name": "ground"}],
})
times, heights = [], []
while sim.frame < 36:
    times.append(sim.time)
    heights.append(sim["masters"]["P"][:, 1].mean())
    print(f"{times[-1]:.4f} s  {heights[-1]:.4f} m")
    sim.advance_frame()

if len(sys.argv) > 1:
    import matplotlib.pyplot as plt
    plt.plot(times, heights)
    plt.xlabel("time [s]")
    plt.ylabel("height of the center [m]")
    plt.savefig(sys.argv[1])

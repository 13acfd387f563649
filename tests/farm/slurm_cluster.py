# SPDX-License-Identifier: Apache-2.0
"""A real Slurm with two nodes on this machine, in a folder of its own, removed without a trace."""
import ctypes
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

SEARCH = os.environ["PATH"] + ":/usr/sbin:/sbin"
PR_SET_CHILD_SUBREAPER = 36
COMMANDS = ("munged", "slurmctld", "slurmd", "sbatch", "sinfo", "squeue")


def missing_commands():
    return [name for name in COMMANDS if shutil.which(name, path=SEARCH) is None]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def processes():
    """The parent and the readable environment of each running process."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            environment = []
        if state != "Z":
            found[int(folder.name)] = (int(parent), environment)
    return found


def descendants():
    """All running processes below this one."""
    everyone = processes()
    found, level = set(), {os.getpid()}
    while level:
        level = {pid for pid, (parent, _) in everyone.items() if parent in level}
        found |= level
    return found


def kill_all(pids):
    """Kills all at once: they are stopped first, so that none sees another one end."""
    for kind in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            try:
                os.kill(pid, kind)
            except ProcessLookupError:
                pass


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.conf = folder / "slurm.conf"
        self.daemons = {}
        self.environment = {**os.environ, "PATH": SEARCH, "SLURM_CONF": str(self.conf)}

    def start(self):
        # A process that loses its parent becomes a child of this one, and is found in the end.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        (self.folder / "state").mkdir()
        key, munge = self.folder / "munge.key", self.folder / "munge.socket"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        host, user = socket.gethostname(), getpass.getuser()
        ports = free_ports(3)
        nodes = "".join(f"NodeName=n{k} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[k]} "
                        "CPUs=1 State=UNKNOWN\n" for k in (1, 2))
        self.conf.write_text(f"""ClusterName=nendo
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={munge}
CredType=cred/munge
StateSaveLocation={self.folder}/state
SlurmctldPidFile={self.folder}/slurmctld.pid
SlurmdPidFile={self.folder}/slurmd.%n.pid
SlurmdSpoolDir={self.folder}/spool.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SlurmdTimeout=5
MessageTimeout=5
ReturnToService=2
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1
{nodes}PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
""")
        self.daemon("munged", "munged", "--force", "--foreground", f"--key-file={key}",
                    f"--socket={munge}", f"--pid-file={self.folder}/munged.pid",
                    f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/seed")
        self.wait(lambda: munge.exists(), "munged made no socket")
        self.daemon("slurmctld", "slurmctld", "-i", "-D")
        for node in ("n1", "n2"):
            (self.folder / f"spool.{node}").mkdir()
            self.daemon(node, "slurmd", "-N", node, "-D")
        self.wait(lambda: self.ask("sinfo", "-h", "-t", "idle", "-o", "%D") == "2",
                  "the nodes did not come up")

    def daemon(self, name, *command):
        with open(self.folder / f"{name}.txt", "w") as log:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, stdout=log,
                                                  stderr=log, start_new_session=True)

    def ask(self, *command):
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else ""

    def wait(self, condition, problem, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                logs = "".join(f"--- {log.name}\n{log.read_text()[-2000:]}\n"
                               for log in sorted(self.folder.glob("*.txt")))
                raise AssertionError(f"{problem} in {seconds} s\n{logs}")
            time.sleep(0.05)

    def tasks_of(self, node):
        """The tasks of a node, and the slurmstepd that started each."""
        conf, name = f"SLURM_CONF={self.conf}".encode(), f"SLURMD_NODENAME={node}".encode()
        everyone = processes()
        tasks = {pid for pid, (_, environment) in everyone.items()
                 if conf in environment and name in environment}
        ours = {daemon.pid for daemon in self.daemons.values()} | {1, os.getpid()}
        return (tasks | {everyone[pid][0] for pid in tasks}) - ours

    def kill_node(self, node):
        """Stops the node as if its plug were pulled."""
        self.daemons[node].kill()
        self.daemons[node].wait()
        kill_all(self.tasks_of(node))

    def stop(self):
        for daemon in self.daemons.values():
            daemon.kill()
            daemon.wait()
        for _ in range(100):
            left = descendants()
            if not left:
                return
            kill_all(left)
            time.sleep(0.05)
        raise AssertionError(f"processes {left} are left")

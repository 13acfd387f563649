"""A real Slurm with two nodes on this machine, in a folder of its own, gone without a trace."""
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

SEARCH = os.environ["PATH"] + ":/usr/sbin:/sbin"
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
    """Of each process: its id, its parent's, and its environment as far as we may see it."""
    found = {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            environment = (folder / "environ").read_bytes().split(b"\0")
        except (OSError, ValueError):
            continue
        found[int(folder.name)] = (parent, environment)
    return found


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.conf = folder / "slurm.conf"
        self.daemons = {}
        self.environment = {**os.environ, "PATH": SEARCH, "SLURM_CONF": str(self.conf)}

    def start(self):
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

    def processes_of(self, node=None):
        """Tasks, of one node or all, with those that started them; never one of ours."""
        mine = f"SLURM_CONF={self.conf}".encode()
        named = f"SLURMD_NODENAME={node}".encode()
        known = {daemon.pid for daemon in self.daemons.values()} | {1, os.getpid()}
        everyone = processes()
        found = set()
        for pid, (parent, environment) in everyone.items():
            if mine in environment and any(
                    entry == named if node else entry.startswith(b"SLURMD_NODENAME=")
                    for entry in environment):
                found.add(pid)
                if parent not in known and parent in everyone:
                    found.add(parent)  # slurmstepd, or the script
        return found - known

    def kill_node(self, node):
        """As if its plug were pulled."""
        self.daemons[node].kill()
        self.daemons[node].wait()
        for pid in self.processes_of(node):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def stop(self):
        for name in ("slurmctld", "n1", "n2", "munged"):
            if name in self.daemons:
                self.daemons[name].kill()
        for pid in self.processes_of():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for daemon in self.daemons.values():
            daemon.wait()
            try:
                os.killpg(daemon.pid, signal.SIGKILL)  # helpers that it forked
            except (ProcessLookupError, PermissionError):
                pass

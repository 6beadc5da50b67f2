"""A Slurm of Debian's packages on this machine alone: munged, slurmctld and a slurmd for each of a few nodes, on
loopback, with keys, sockets and folders of their own. Everything is found again by the folder's name and ended by
process id. scripts/setup has unpacked the packages: none is installed, so no Slurm of this machine is touched."""
import os
import pathlib
import secrets
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
import support  # noqa: E402

NODES = 5
UNPACKED = pathlib.Path(__file__).resolve().parents[2] / "build" / "tools" / "debian" / "usr"
LIBRARIES = UNPACKED / "lib" / f"{os.uname().machine}-linux-gnu"
PLUGINS = LIBRARIES / "slurm-wlm"
PROGRAMS = ["munged", "munge", "slurmctld", "slurmd", "slurmstepd", "srun", "sbatch", "scontrol", "squeue", "scancel"]
# Jobs on nodes of one host would share it: a step of several nodes cannot have PMIx here, one of one node can.
CONFIGURATION = """
ClusterName=rackproof
PluginDir={plugins}
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire={cred_expire}
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/linear
SchedulerType=sched/builtin
SlurmdParameters=config_overrides
ReturnToService=2
KillWait={kill_wait}
MailProg=/bin/true
NodeName=node[1-{nodes}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first_port}-{last_port}] CPUs=8
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
{more}
"""


def program(name):
    """Its path: Debian's daemons have a name of their own, and a link by the usual one once they are installed."""
    for folder in (UNPACKED / "bin", UNPACKED / "sbin"):
        for path in (folder / name, folder / f"{name}-wlm"):
            if path.exists():
                return str(path)
    return None


def why_not():
    """Why no Slurm can be started here; empty when it can."""
    missing = [name for name in PROGRAMS if program(name) is None]
    if missing:
        return f"no {', '.join(missing)} in {UNPACKED}: scripts/setup unpacks them"
    if os.geteuid() != 0:
        return "Slurm's daemons want root here"
    return ""


def free_ports(count):
    """The first of so many ports in a row that nobody uses."""
    while True:
        first = 20000 + secrets.randbelow(10000)
        held = []
        try:
            for port in range(first, first + count):
                held.append(socket.socket())
                held[-1].bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for one in held:
                one.close()


class Cluster:
    """Runs until stop(). `cred_expire` is also how long a requeued job waits before it starts again, `more` are further
    lines of slurm.conf."""

    def __init__(self, folder, cred_expire=10, kill_wait=4, more=""):
        self.folder = pathlib.Path(folder)
        self.daemons = []
        for name in ("state", *(f"spool.node{i + 1}" for i in range(NODES))):
            (self.folder / name).mkdir(parents=True)
        host = socket.gethostname().split(".")[0]
        first = free_ports(NODES + 1)
        self.conf = self.folder / "slurm.conf"
        self.conf.write_text(CONFIGURATION.format(
            folder=self.folder, plugins=PLUGINS, host=host, ctld_port=first, first_port=first + 1, last_port=first + NODES, nodes=NODES,
            cred_expire=cred_expire, kill_wait=kill_wait, more=more))
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)

    def environment(self, **extra):
        env = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_", "SLURM_"))}
        env["PATH"] = f"{UNPACKED}/bin:{env['PATH']}:/usr/sbin"
        env["LD_LIBRARY_PATH"] = f"{PLUGINS}:{LIBRARIES}"
        env["SLURM_CONF"] = str(self.conf)
        env.update(extra)
        return env

    def start(self, seconds=30):
        f = self.folder
        self.daemon("munged", "--foreground", "--force", f"--key-file={f}/munge.key", f"--socket={f}/munge.socket",
                    f"--pid-file={f}/munged.pid", f"--log-file={f}/munged.log", f"--seed-file={f}/munge.seed")
        self.await_true(lambda: (f / "munge.socket").exists(), seconds, "munged")
        self.daemon("slurmctld", "-D", "-i")
        slurmd = self.slurmd_of_its_own()
        for i in range(NODES):
            self.daemon("slurmd", "-D", "-d", program("slurmstepd"), "-N", f"node{i + 1}", executable=slurmd)
        self.await_true(lambda: self.ask("sinfo", "-h", "-o", "%D %t") == f"{NODES} idle", seconds, "idle nodes")

    def slurmd_of_its_own(self):
        """A copy of slurmd that finds its library beside itself: since 24.11 it starts itself anew for prolog, epilog and
        health check, in an environment without LD_LIBRARY_PATH."""
        own = self.folder / "own"
        own.mkdir()
        (own / PLUGINS.name).symlink_to(PLUGINS)
        installed = f"/usr/lib/{LIBRARIES.name}/{PLUGINS.name}".encode()
        beside = f"$ORIGIN/{PLUGINS.name}".encode().ljust(len(installed), b"\0")
        copy = own / "slurmd"
        copy.write_bytes(pathlib.Path(program("slurmd")).read_bytes().replace(installed + b"\0", beside + b"\0"))
        copy.chmod(0o755)
        return copy

    def daemon(self, *command, executable=None):
        # By its usual name: since 24.11 Slurm loads some plugins for these names alone.
        with open(self.folder / f"{command[0]}.output", "ab") as output:
            self.daemons.append(subprocess.Popen(
                list(command), executable=executable or program(command[0]), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env=self.environment(), cwd=self.folder))

    def ask(self, *command, timeout=20):
        """What a command of Slurm says; empty when it fails."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=self.environment(), timeout=timeout,
                                  cwd=self.folder)
        except subprocess.TimeoutExpired:
            return ""
        return done.stdout.strip() if done.returncode == 0 else ""

    def state(self, job):
        """JobState of a job: PENDING, RUNNING, COMPLETED, FAILED, TIMEOUT, ..."""
        for word in self.ask("scontrol", "show", "job", str(job)).split():
            if word.startswith("JobState="):
                return word.split("=")[1]
        return ""

    def await_true(self, condition, seconds, what):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if condition():
                return
            time.sleep(0.1)
        raise TimeoutError(f"waited {seconds} s in vain for {what}; {self.logs()}")

    def logs(self):
        parts = []
        for path in sorted([*self.folder.glob("*.output"), *self.folder.glob("*.log")]):
            parts.append(f"--- {path.name}\n{path.read_text(errors='replace')[-1500:]}")
        return "\n".join(parts)

    def stop(self):
        self.ask("scancel", "--full", "--signal=KILL", "--user=root", timeout=5)
        for daemon in reversed(self.daemons):
            daemon.terminate()
        until = time.monotonic() + 5
        for daemon in self.daemons:
            try:
                daemon.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        # What a daemon leaves behind: slurmstepd, and tasks in the middle of their end.
        support.end_all(self.folder)
        self.daemons = []

"""Hosts on this machine: each has a network, a host name, mounts and processes of its own, and a wire to a switch.

Each host is the first process of its own pid namespace. It dies with the test, however that ends, and with it
die all processes, links and mounts of the host: the kernel clears away, and nothing of a host has a name
outside. Needs root, unshare, nsenter, ip and mount; why_not() says what is missing."""
import contextlib
import functools
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

AGENT = pathlib.Path(__file__).with_name("agent.py")
NAMESPACES = ("--net", "--uts", "--mount", "--pid")
PREFIX = "10.77.0."
# An interface of a namespace is virtual, which is no adapter; and without this each host would show those of the
# machine that it is played on.
ADAPTERS = """mkdir '{tmp}/sys'
mount -t sysfs none '{tmp}/sys'
mount -t tmpfs none /sys/class/net
mkdir -p /sys/class/net/eth0/device
for what in address carrier_changes mtu operstate speed statistics type; do
  ln -s "{tmp}/sys/class/net/eth0/$what" /sys/class/net/eth0/
done
"""
FAKETIME = pathlib.Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1")


def why_not(*tools):
    """Why hosts cannot be made here; nothing when they can."""
    if os.geteuid() != 0:
        return "hosts of their own need root"
    missing = [tool for tool in ("setpriv", "unshare", "nsenter", "ip", "mount", *tools) if shutil.which(tool) is None]
    if missing:
        return "missing: " + ", ".join(missing)
    tried = subprocess.run(
        ["unshare", *NAMESPACES, "--fork", "--kill-child=KILL", "--mount-proc", "sh", "-c",
         "hostname probe && ip link add probe0 type bridge && mount -t sysfs none /mnt && mount -t tmpfs none /mnt"],
        capture_output=True, text=True)
    return f"namespaces are not permitted here: {tried.stderr.strip()}" if tried.returncode else None


@functools.cache
def remote_shell():
    """What mpirun calls its way to start daemons on other hosts: Open MPI 4 rsh, 5 ssh."""
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=True).stdout
    return "plm_rsh" if " 4." in version else "plm_ssh"


class Host:
    """One of them; `pid` is its first process, as this machine counts."""

    def __init__(self, folder, name, uts=None, script="", environment=None):
        self.name = name
        self.uts = uts or name
        self.environment = dict(environment or {})
        self.entered = []
        self.tmp = folder / f"tmp-{name}"
        self.tmp.mkdir()
        ready = folder / f"ready-{name}"
        # Shared memory of its own, too: what is left there by a process of this number on another host is in the way.
        body = f'set -e\nhostname "$0"\nmount -t tmpfs -o mode=1777 none /dev/shm\n{script}\n: >"$1"\nexec sleep infinity\n'
        # Dies with the thread that starts it, and the host with it.
        self.holder = subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", "unshare", *NAMESPACES, "--fork", "--kill-child=KILL",
             "--mount-proc", "sh", "-c", body, self.uts, str(ready)],
            stdin=subprocess.DEVNULL)
        until = time.monotonic() + 30
        while not ready.exists():
            if self.holder.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"host {name} does not come up")
            time.sleep(0.01)
        children = pathlib.Path(f"/proc/{self.holder.pid}/task/{self.holder.pid}/children").read_text()
        self.pid = int(children.split()[0])

    def enter(self, *command):
        return ["nsenter", "--target", str(self.pid), *NAMESPACES, "--", *map(str, command)]

    def start(self, *command, env=None, cwd="/", **more):
        # Who enters other mounts stands at their root: the way back has to be gone inside.
        inside = ["sh", "-c", 'cd "$0" && exec "$@"', cwd, *command]
        process = subprocess.Popen(self.enter(*inside), stdin=subprocess.DEVNULL, env=self.own_environment(env),
                                   **more)
        self.entered.append(process)
        return process

    def do(self, *command):
        """A command that has to succeed."""
        done = subprocess.run(self.enter(*command), capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            raise RuntimeError(f"{self.name}: {' '.join(map(str, command))}: {done.stderr.strip()}")
        return done.stdout

    def own_environment(self, env):
        return {**(os.environ if env is None else env), "TMPDIR": str(self.tmp), **self.environment}

    def processes(self):
        """All processes of the host but its first, as this machine counts. What has ended and nobody asked after
        is left out: the first process asks after nobody."""
        space = os.stat(f"/proc/{self.pid}/ns/pid").st_ino
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            try:
                if not entry.name.isdigit() or os.stat(entry / "ns" / "pid").st_ino != space:
                    continue
                if (entry / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                    found.append(int(entry.name))
            except OSError:
                continue
        return [pid for pid in found if pid != self.pid]

    def signal(self, number):
        for pid in self.processes():
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def freeze(self):
        """Stops every process, those too that are started meanwhile."""
        stopped = set()
        while not stopped.issuperset(now := set(self.processes())):
            self.signal(signal.SIGSTOP)
            stopped = now

    def crash(self):
        """Everything on it is gone at once, and its wire with it."""
        self.holder.kill()
        self.holder.wait()
        for process in self.entered:
            # What entered for a program that was stopped stands still itself, outside.
            process.kill()
            process.wait()


class Hosts:
    """Hosts node1, node2 ... at one switch. Use as a context, or call close().

    uts: other host names, by host. environment: variables of everything on a host. script: shell commands
    when a host comes up, in its own mounts ({tmp} is its folder)."""

    def __init__(self, count, folder, uts=None, environment=None, script=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.hosts = {}
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.log = self.folder / "agent.log"
        names = [f"node{i + 1}" for i in range(count)]
        table = "127.0.0.1 localhost\n" + "".join(f"{PREFIX}{i + 1} {name}\n" for i, name in enumerate(names))
        (self.folder / "etc-hosts").write_text(table)
        try:
            self.switch = Host(self.folder, "switch")
            self.switch.do("ip", "link", "add", "br0", "type", "bridge")
            self.switch.do("ip", "link", "set", "br0", "up")
            for number, name in enumerate(names, 1):
                own = f"ip link set lo up\nmount --bind '{self.folder}/etc-hosts' /etc/hosts\n"
                own += ADAPTERS.format(tmp=self.folder / f"tmp-{name}")
                own += (script or {}).get(name, "").format(tmp=self.folder / f"tmp-{name}")
                host = Host(self.folder, name, (uts or {}).get(name), own, (environment or {}).get(name))
                self.hosts[name] = host
                self.plug_in(host, number)
            self.socket.bind(str(self.agent_socket))
            self.socket.listen(count)
            threading.Thread(target=self.serve, daemon=True).start()
        except Exception:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __getitem__(self, name):
        return self.hosts[name]

    @property
    def agent_socket(self):
        return self.folder / "agent"

    def plug_in(self, host, number):
        """eth0 on the host, port1, port2 ... on the switch. Made on the switch: what is moved away leaves no
        name behind, whoever dies meanwhile."""
        port = f"port{number}"
        self.switch.do("ip", "link", "add", port, "type", "veth", "peer", "name", "far")
        # The switch cannot see the host's processes: this machine moves the end.
        subprocess.run(["nsenter", "--target", str(self.switch.pid), "--net", "ip", "link", "set", "far", "netns",
                        str(host.pid)], check=True, capture_output=True)
        self.switch.do("ip", "link", "set", port, "master", "br0", "up")
        host.do("ip", "link", "set", "far", "name", "eth0")
        host.do("ip", "addr", "add", f"{PREFIX}{number}/24", "dev", "eth0")
        host.do("ip", "link", "set", "eth0", "up")

    def serve(self):
        while True:
            try:
                wire, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(wire,), daemon=True).start()

    def answer(self, wire):
        with wire:
            head, descriptors, _, _ = socket.recv_fds(wire, 4, 3)
            try:
                size = int.from_bytes(head, "big")
                text = b""
                while len(text) < size:
                    text += wire.recv(size - len(text))
                request = json.loads(text)
                host = self.hosts[request["host"]]
                process = subprocess.Popen(host.enter("sh", "-c", request["command"]), stdin=descriptors[0],
                                           stdout=descriptors[1], stderr=descriptors[2],
                                           env=host.own_environment(self.base_environment))
                host.entered.append(process)
                wire.sendall(str(process.wait() % 256).encode())
            except (OSError, KeyError, ValueError) as error:
                with contextlib.suppress(FileNotFoundError), self.log.open("a") as log:  # the hosts may be gone
                    log.write(f"{error!r}\n")
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)

    base_environment = None

    # --- what befalls a network -------------------------------------------------------------------------------

    def port(self, name):
        return f"port{list(self.hosts).index(name) + 1}"

    def cut(self, name):
        self.switch.do("ip", "link", "set", self.port(name), "down")

    def mend(self, name):
        self.switch.do("ip", "link", "set", self.port(name), "up")

    def throttle(self, name, rate):
        """Both ways: `rate` as tc writes it, such as 100mbit."""
        shape = ["root", "tbf", "rate", rate, "burst", "16kb", "latency", "50ms"]
        self.switch.do("tc", "qdisc", "replace", "dev", self.port(name), *shape)
        self[name].do("tc", "qdisc", "replace", "dev", "eth0", *shape)

    def delay(self, name, seconds, jitter=0.0):
        """Every frame to and from a host takes this long, through a program in its wire."""
        plain = AGENT.with_name("plain.py")
        for host in self.hosts.values():
            host.do(sys.executable, plain, "eth0")
        port = self.port(name)
        self.switch.do("ip", "link", "set", port, "nomaster")
        self.switch.do("ip", "link", "add", "near", "type", "veth", "peer", "name", "bridged")
        for link in (port, "near", "bridged"):
            self.switch.do(sys.executable, plain, link)
            self.switch.do("ip", "link", "set", link, "up")
        self.switch.do("ip", "link", "set", "bridged", "master", "br0")
        wire = self.switch.start(sys.executable, AGENT.with_name("delay.py"), port, "near", str(seconds), str(jitter),
                                 stdout=subprocess.PIPE)
        if wire.stdout.readline().strip() != b"ready":
            raise RuntimeError("the slow wire does not come up")

    def limit_frames(self, name, mtu):
        """The switch drops what is larger, without a word, while both ends think otherwise."""
        self.switch.do("ip", "link", "set", self.port(name), "mtu", str(mtu))

    def drop(self, name, rule):
        """An nft rule for what comes in at a host, such as 'numgen random mod 100 < 5 drop'."""
        host = self[name]
        host.do("nft", "add", "table", "inet", "faults")
        host.do("nft", "add", "chain", "inet", "faults", "in", "{ type filter hook input priority 0 ; }")
        host.do("nft", "add", "rule", "inet", "faults", "in", *rule.split())

    # --- runs ---------------------------------------------------------------------------------------------------

    def mpirun(self, ranks_per_host=1, hosts=None, keepalive=True):
        """The launcher's part of a command, to be started on the first host."""
        hosts = hosts or list(self.hosts)
        shell = remote_shell()
        words = ["mpirun", "--mca", f"{shell}_agent", f"{sys.executable} {AGENT} {self.agent_socket}",
                 "--mca", f"{shell}_no_tree_spawn", "1", "--mca", "oob_tcp_if_include", "eth0",
                 "--mca", "pml", "ob1", "--mca", "btl", "tcp,vader,self", "--mca", "btl_tcp_if_include", "eth0",
                 "--mca", "mpi_yield_when_idle", "1", "--bind-to", "none"]
        if keepalive:
            words += ["--mca", "oob_tcp_keepalive_time", "3", "--mca", "oob_tcp_keepalive_intvl", "1",
                      "--mca", "oob_tcp_keepalive_probes", "2"]
        return [*words, "--host", ",".join(f"{name}:{ranks_per_host}" for name in hosts),
                "-n", str(ranks_per_host * len(hosts))]

    def close(self):
        self.socket.close()
        for host in [*self.hosts.values(), *filter(None, [getattr(self, "switch", None)])]:
            host.crash()
        shutil.rmtree(self.folder, ignore_errors=True)

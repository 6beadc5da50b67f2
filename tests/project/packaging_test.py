"""What is under packaging/, as far as it can be held against rules here: no cluster, no Spack, no container runtime."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGING = ROOT / "packaging"
VERSION = (ROOT / "VERSION").read_text().splitlines()[0]


def check_shell(test, script, shell="bash"):
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)
    test.assertEqual((done.returncode, done.stderr), (0, ""), script)


class Kubernetes(unittest.TestCase):
    def setUp(self):
        self.schema = json.loads((PACKAGING / "kubernetes" / "mpijob.schema.json").read_text())
        self.claim, self.job = yaml.safe_load_all((PACKAGING / "kubernetes" / "mpijob.yaml").read_text())
        self.replicas = self.job["spec"]["mpiReplicaSpecs"]

    def problems(self, job):
        return [error.message for error in jsonschema.Draft7Validator(self.schema).iter_errors(job)]

    def container(self, role):
        containers = self.replicas[role]["template"]["spec"]["containers"]
        self.assertEqual(len(containers), 1)
        return containers[0]

    def test_the_job_has_fields_of_the_resource_only(self):
        jsonschema.Draft7Validator.check_schema(self.schema)
        self.assertEqual(self.problems(self.job), [])

    def test_a_misspelled_field_is_found(self):
        for path, wrong in ((("spec",), "slotsperWorker"), (("spec", "runPolicy"), "cleanPodPolcy"),
                            (("spec", "mpiReplicaSpecs"), "Workers"),
                            (("spec", "mpiReplicaSpecs", "Worker"), "replica"),
                            (("spec", "mpiReplicaSpecs", "Worker", "template", "spec"), "container")):
            job = json.loads(json.dumps(self.job))
            place = job
            for key in path:
                place = place[key]
            place[wrong] = {}
            self.assertTrue(self.problems(job), wrong)
        self.job["spec"]["mpiImplementation"] = "Openmpi"
        self.assertTrue(self.problems(self.job))

    def test_as_many_ranks_as_workers(self):
        script = self.container("Launcher")["args"][0]
        ranks = int(re.search(r"mpirun .*?-n (\d+)", script)[1])
        self.assertEqual(ranks, self.replicas["Worker"]["replicas"] * self.job["spec"]["slotsPerWorker"])

    def test_the_launcher_ends_with_the_code_of_the_verdict(self):
        script = self.container("Launcher")["args"][0].strip()
        self.assertRegex(script.splitlines()[-1], r'^rackproof show "\$out" --exit-code$')
        for role in ("Launcher", "Worker"):
            check_shell(self, self.container(role)["args"][0])

    def test_volumes_that_are_mounted_are_there(self):
        for role in ("Launcher", "Worker"):
            volumes = {volume["name"]: volume for volume in self.replicas[role]["template"]["spec"]["volumes"]}
            mounts = {mount["name"] for mount in self.container(role)["volumeMounts"]}
            self.assertEqual(mounts, set(volumes), role)
            self.assertEqual(volumes["reports"]["persistentVolumeClaim"]["claimName"], self.claim["metadata"]["name"])
        self.assertEqual((self.claim["apiVersion"], self.claim["kind"]), ("v1", "PersistentVolumeClaim"))
        self.assertEqual(self.claim["spec"]["accessModes"], ["ReadWriteMany"])

    def test_a_worker_has_whole_processors_and_may_lock_memory(self):
        worker = self.container("Worker")
        self.assertEqual(worker["resources"]["requests"], worker["resources"]["limits"])
        self.assertEqual(str(int(worker["resources"]["limits"]["cpu"])), worker["resources"]["limits"]["cpu"])
        self.assertIn("IPC_LOCK", worker["securityContext"]["capabilities"]["add"])
        affinity = self.replicas["Worker"]["template"]["spec"]["affinity"]["podAntiAffinity"]
        labels = affinity["requiredDuringSchedulingIgnoredDuringExecution"][0]["labelSelector"]["matchLabels"]
        self.assertEqual(labels, self.replicas["Worker"]["template"]["metadata"]["labels"])


class FakeSpec:
    """A spec with these variants on, as cmake_args() asks it."""

    def __init__(self, on, architectures=("90", "100")):
        self.on = on
        self.variants = {"cuda_arch": types.SimpleNamespace(value=architectures)}

    def satisfies(self, text):
        return text[1:] in self.on


class Spack(unittest.TestCase):
    """The recipe, read by Python beside names of Spack's API that keep what they are called with."""

    PATH = PACKAGING / "spack" / "spack_repo" / "rackproof" / "packages" / "rackproof" / "package.py"

    def setUp(self):
        self.said = {}
        api = types.ModuleType("spack.package")
        for name in ("version", "variant", "depends_on", "conflicts", "license"):
            setattr(api, name, self.keeper(name))
        api.which = None
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage = type("CMakePackage", (), {
            "define": staticmethod(lambda name, value: (name, value)),
            "define_from_variant": lambda self, name, variant: (name, self.spec.satisfies("+" + variant))})
        cmake.generator = self.keeper("generator")
        cuda = types.ModuleType("spack_repo.builtin.build_systems.cuda")
        cuda.CudaPackage = type("CudaPackage", (), {})
        parents = {name: types.ModuleType(name)
                   for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems")}
        modules = {**parents, api.__name__: api, cmake.__name__: cmake, cuda.__name__: cuda}
        before = {name: sys.modules.get(name) for name in modules}
        sys.modules.update(modules)
        try:
            self.scope = {"__file__": str(self.PATH), "__name__": "recipe"}
            exec(compile(self.PATH.read_text(), str(self.PATH), "exec"), self.scope)  # pylint: disable=exec-used
        finally:
            for name, module in before.items():
                sys.modules.pop(name) if module is None else sys.modules.__setitem__(name, module)

    def keeper(self, name):
        return lambda *words, **more: self.said.setdefault(name, []).append((words, more))

    def arguments(self, *on):
        recipe = self.scope["Rackproof"]()
        recipe.spec = FakeSpec(on)
        return dict(recipe.cmake_args())

    def test_its_versions_are_those_of_the_tree_it_lies_in(self):
        versions = {words[0]: more for words, more in self.said["version"]}
        self.assertEqual(versions[VERSION], {"tag": f"v{VERSION}"})
        self.assertIn("branch", versions["main"])
        self.assertEqual(self.scope["Rackproof"].git, ROOT.as_uri())
        self.assertEqual(self.said["license"], [(("Apache-2.0",), {})])

    def test_every_setting_is_one_of_the_build(self):
        known = set(re.findall(r"(?:set|option)\((RACKPROOF_\w+)", (ROOT / "cmake/RackproofOptions.cmake").read_text()))
        for on in ((), ("mpi",), ("mpi", "cuda", "nccl")):
            arguments = self.arguments(*on)
            own = {name for name in arguments if name.startswith("RACKPROOF_")}
            self.assertEqual(own - known, set())
            self.assertIs(arguments["RACKPROOF_TESTS"], False)
            self.assertIs(arguments["RACKPROOF_MPI"], "mpi" in on)
            self.assertIs(arguments["RACKPROOF_CUDA"], "cuda" in on)
            self.assertIs(arguments["RACKPROOF_NCCL"], "nccl" in on)
            self.assertEqual(arguments.get("CMAKE_CUDA_ARCHITECTURES"), ("90", "100") if "cuda" in on else None)

    def test_it_depends_on_what_the_build_requires(self):
        text = (ROOT / "cmake/RackproofDependencies.cmake").read_text()
        wanted = {"fmt": "fmt", "nlohmann_json": "nlohmann-json", "CLI11": "cli11", "valijson": "valijson",
                  "Boost": "boost", "OpenSSL": "openssl", "SQLite3": "sqlite", "PkgConfig": "pkgconfig"}
        recipe = {re.split(r"[@ ]", words[0])[0]: words[0] for words, _ in self.said["depends_on"]}
        for package, version in re.findall(r"^find_package\((\w+)(?: ([\d.]+))?[^)]*REQUIRED", text, re.MULTILINE):
            if package == "Threads":
                continue
            self.assertIn(wanted[package], recipe, package)
            if version:
                self.assertEqual(recipe[wanted[package]], f"{wanted[package]}@{version}:")
        self.assertLessEqual({"hwloc", "simdjson", "zstd", "openblas", "openmpi", "cuda", "nccl", "cmake"}, set(recipe))

    def test_lines_are_as_short_as_spack_wants_them(self):
        for number, line in enumerate(self.PATH.read_text().splitlines(), 1):
            self.assertLessEqual(len(line), 99, f"line {number}")

    def test_the_repository_has_the_name_of_its_folder(self):
        described = yaml.safe_load((self.PATH.parents[2] / "repo.yaml").read_text())
        self.assertEqual(described["repo"]["namespace"], self.PATH.parents[2].name)
        self.assertRegex(described["repo"]["api"], r"^v2\.\d$")


class Apptainer(unittest.TestCase):
    SECTIONS = {"setup", "files", "environment", "post", "runscript", "startscript", "test", "labels", "help",
                "arguments", "pre"}

    def setUp(self):
        self.header, self.parts, section = {}, {}, None
        for line in (PACKAGING / "apptainer" / "rackproof.def").read_text().splitlines():
            found = re.match(r"%(\w+)\s*$", line)
            if found:
                section = found[1]
                self.assertNotIn(section, self.parts)
                self.parts[section] = []
            elif section is not None:
                self.parts[section].append(line)
            elif line and not line.startswith("#"):
                key, _, value = line.partition(":")
                self.header[key] = value.strip()

    def test_sections_are_those_that_apptainer_knows(self):
        self.assertEqual(set(self.header), {"Bootstrap", "From"})
        self.assertLessEqual(set(self.parts), self.SECTIONS)
        self.assertLessEqual({"files", "post", "runscript", "test", "labels", "help"}, set(self.parts))

    def test_scripts_are_scripts(self):
        for section in ("post", "environment", "runscript", "test"):
            check_shell(self, "\n".join(self.parts[section]), "sh")


class Debian(unittest.TestCase):
    """The source package, as far as it can be held against the tree: scripts/package builds it and asks lintian."""

    FOLDER = PACKAGING / "debian"

    def setUp(self):
        self.source, *self.packages = [
            dict(re.findall(r"^([\w-]+):((?:.*(?:\n[ \t].*)*))$", part, re.MULTILINE))
            for part in (self.FOLDER / "control").read_text().strip().split("\n\n")]

    def test_it_asks_for_what_the_build_takes(self):
        asked = {re.split(r"[ (]", entry.strip())[0] for entry in self.source["Build-Depends"].split(",")}
        lines = [line.split() for line in (ROOT / "scripts" / "packages").read_text().splitlines()]
        build = {words[1] for words in lines if words and words[0] in ("build", "unpack-build")}
        # g++ every build of Debian has; git and npm's packages are for a checkout; mpirun comes with MPI's headers.
        build -= {"g++", "git", "ca-certificates", "openmpi-bin", "pkg-config"}
        self.assertEqual(asked, build | {"debhelper-compat", "esbuild", "pkgconf"})

    def test_each_package_has_a_list_of_files(self):
        names = {package["Package"].strip() for package in self.packages}
        self.assertEqual(names, {path.stem for path in self.FOLDER.glob("*.install")})

    def test_what_has_no_mpi_depends_on_none(self):
        for package in self.packages:
            if package["Package"].strip() != "rackproof-mpi":
                self.assertNotIn("openmpi", package["Depends"] + package.get("Recommends", ""))

    def test_overrides_have_reasons(self):
        for path in self.FOLDER.rglob("*lintian-overrides"):
            before = ""
            for line in path.read_text().splitlines():
                self.assertTrue(line.startswith("#") or before.startswith("#"), f"{path.name}: {line}")
                before = line


@unittest.skipUnless(os.environ.get("RACKPROOF_STAGE"), "RACKPROOF_STAGE names no installation")
class Installed(unittest.TestCase):
    """What goes along with the programs, where it is installed."""

    def setUp(self):
        self.stage = pathlib.Path(os.environ["RACKPROOF_STAGE"])
        self.doc = self.stage / "share" / "doc" / "rackproof"

    def test_licence_and_notices(self):
        for name in ("README.md", "LICENSE", "NOTICE", "CHANGELOG.md", "SECURITY.md", "CONTRIBUTING.md"):
            self.assertEqual((self.doc / name).read_bytes(), (ROOT / name).read_bytes(), name)
        common = pathlib.Path("/usr/share/common-licenses/Apache-2.0")
        if common.exists():
            self.assertEqual((self.doc / "LICENSE").read_bytes(), common.read_bytes())

    def test_notices_name_what_the_build_looks_for(self):
        notice = (self.doc / "NOTICE").read_text().lower()
        text = (ROOT / "cmake/RackproofDependencies.cmake").read_text()
        for package in re.findall(r"find_package\((\w+)", text) + re.findall(r"IMPORTED_TARGET (\w+)", text):
            name = {"nlohmann_json": "nlohmann/json", "sqlite3": "sqlite", "mpi": "open mpi", "blas": "openblas",
                    "openmp": "libgomp", "threads": "glibc", "pkgconfig": "rackproof"}.get(package.lower(),
                                                                                          package.lower())
            self.assertIn(name, notice)
        page = ROOT / "reports" / "html" / "page"
        imported = {name for script in page.glob("*.js")
                    for name in re.findall(r'from "([a-z]\w*)', script.read_text())}
        noticed = re.search(r"foreach\(name ([^)]*)\)", (page / "build.cmake").read_text())[1].split()
        self.assertEqual(imported, {"echarts"})
        self.assertEqual({"echarts", "d3", "zrender"},
                         {"d3" if name.endswith("-d3") else name.split("/")[0] for name in noticed})
        for part in ("echarts", "d3.js", "zrender"):
            self.assertIn(part, notice)

    def test_links_of_a_document_lead_to_what_is_installed(self):
        # What is about the sources alone stays with them.
        elsewhere = ("scripts", "tests", "harness", "reports", "cmake", "packaging", "configs/", "../scripts",
                     "../tests", "../harness", "../reports", "../cmake", "../packaging", "../configs/", "../../")
        broken = []
        for page in self.doc.rglob("*.md"):
            for link in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
                if re.match(r"\w+:", link) or (page.parent / link).exists():
                    continue
                if not link.startswith(elsewhere):
                    broken.append(f"{page.relative_to(self.doc)}: {link}")
        self.assertEqual(broken, [])

    def module(self, script):
        lmod = sorted(pathlib.Path("/usr/share/lmod").glob("*/init/bash"))
        if not lmod:
            self.skipTest("Lmod is not installed (package lmod)")
        done = subprocess.run(["bash", "-c", f"source {lmod[-1]}\n{script}"], capture_output=True, text=True,
                              timeout=60, check=False, env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()

    def test_a_module_finds_the_installation_that_it_is_in(self):
        modules = self.stage / "share" / "rackproof" / "modulefiles"
        self.assertEqual({path.name for path in (modules / "rackproof").iterdir()}, {VERSION, f"{VERSION}.lua"})
        said = self.module(f"module use '{modules}' && module load rackproof\n"
                           "type -p rackproof; echo $RACKPROOF_SBATCH; module unload rackproof; type -p rackproof; true")
        self.assertEqual(said[:2], [str(self.stage / "bin/rackproof"),
                                    str(self.stage / "share/rackproof/slurm/rackproof.sbatch")])
        self.assertEqual(len(said), 2, said)
        self.assertTrue(os.access(said[1], os.X_OK))

    def test_a_module_in_tcl_does_the_same(self):
        if shutil.which("tclsh") is None:
            self.skipTest("tclsh is not installed (package tcl)")
        folder = self.moved_modules()
        said = self.module(f"module use '{folder}' && module load rackproof/{VERSION}\n"
                           "echo $PATH | tr ':' '\\n' | head -n 1; echo $RACKPROOF_SBATCH")
        prefix = folder.parents[2]
        self.assertEqual(said, [str(prefix / "bin"), str(prefix / "share/rackproof/slurm/rackproof.sbatch")])

    def moved_modules(self):
        """A prefix somewhere else that has the module in Tcl alone."""
        holder = tempfile.TemporaryDirectory(prefix="rackproof-test-")
        self.addCleanup(holder.cleanup)
        folder = pathlib.Path(holder.name) / "moved" / "share" / "rackproof" / "modulefiles"
        (folder / "rackproof").mkdir(parents=True)
        shutil.copy(PACKAGING / "modulefiles" / "rackproof.tcl", folder / "rackproof" / VERSION)
        return folder


if __name__ == "__main__":
    RESULT = unittest.main(verbosity=2, exit=False).result
    sys.exit(not RESULT.wasSuccessful())

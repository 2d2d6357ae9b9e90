"""The files in deploy/: they parse, name existing things, run nothing as root, and pass their programs' checks."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from websockets.asyncio.client import connect

from qwixx.server.base.settings import Settings, variable
from support.paths import ROOT
from support.server.free_ports import free_port
from support.server.live_server import PATIENCE, Client, serving
from support.server.live_server import run as go
from support.server.operator_client import TOKEN, ask

DEPLOY = ROOT / "deploy"
CONTAINER = (DEPLOY / "Containerfile").read_text("utf-8")
OPERATOR_PATHS = (
    "/metrics",
    "/%6detrics",
    "/metric%73",
    "/api/admin/stats",
    "/api/%61dmin/stats",
    "/api/admin%2fstats",
)
"""Paths for the operator, as they are and encoded: a proxy has to block all of them."""
METRIC = re.compile(r"\b(?:qwixx|process)_[a-z_]+[a-z]\b")


@pytest.fixture(scope="module")
def metrics(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the names of all metrics of a server, as queries write them."""
    with serving(tmp_path_factory.mktemp("metrics"), metrics_token=TOKEN) as server:
        text = ask(server, "/metrics", authorization=f"Bearer {TOKEN}").text
    found = set()
    for name, kind in re.findall(r"^# TYPE (\w+) (\w+)$", text, re.MULTILINE):
        ends = {"histogram": ("_bucket", "_sum", "_count")}.get(kind, ("",))
        found |= {name + end for end in ends}
    assert len(found) > 40
    # These need the connection limiter, which this server does not use.
    return found | {f"qwixx_connections{end}" for end in ("", "_refused_total", "_cut_off_total")}


@pytest.mark.slow
def test_the_dashboard_and_the_alerts_use_existing_metrics(metrics: set[str]) -> None:
    """Every metric in the dashboard or an alert exists; every metric is explained in the docs."""
    board = json.loads((DEPLOY / "grafana.json").read_text("utf-8"))
    queries = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert len(queries) > 30
    assert {name for query in queries for name in METRIC.findall(query)} - metrics == set()
    assert METRIC.findall(board["templating"]["list"][1]["query"]) == ["qwixx_up_and_well"]
    for panel in board["panels"]:
        place = panel["gridPos"]
        assert place["x"] + place["w"] <= 24
    (group,) = yaml.safe_load((DEPLOY / "alerts.yml").read_text("utf-8"))["groups"]
    assert len(group["rules"]) > 6
    for rule in group["rules"]:
        assert METRIC.findall(rule["expr"]) or rule["expr"].startswith("up{")
        assert set(METRIC.findall(rule["expr"])) - metrics == set(), rule["alert"]
        assert set(METRIC.findall(rule["annotations"]["description"])) <= {
            re.sub(r"_(bucket|sum|count)$", "", name) for name in metrics
        }, rule["alert"]
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert len(rule["annotations"]["description"].split()) > 10
    docs = (ROOT / "docs" / "operating.md").read_text("utf-8")
    own = {re.sub(r"_(bucket|sum|count)$", "", name) for name in metrics if name.startswith("qwixx_")}
    assert [name for name in sorted(own) if f"`{name}`" not in docs] == []


def test_the_scrape_finds_the_server() -> None:
    """The file for Prometheus names the path, the default port and the rules next to it."""
    facts = yaml.safe_load((DEPLOY / "prometheus.yml").read_text("utf-8"))
    (job,) = facts["scrape_configs"]
    assert job["metrics_path"] == "/metrics"
    assert job["static_configs"][0]["targets"] == [f"127.0.0.1:{Settings().port}"]
    assert all((DEPLOY / name).is_file() for name in facts["rule_files"])


# ---- the container


def steps(word: str) -> list[str]:
    """Return the instructions of the container file that start with this word."""
    whole = CONTAINER.replace("\\\n", " ")
    return [line.partition(" ")[2].strip() for line in whole.splitlines() if line.startswith(f"{word} ")]


def test_the_container_file() -> None:
    """Pinned images, no root, every copied file exists and is not ignored, every setting exists."""
    images = [step.split()[0] for step in steps("FROM")]
    assert len(images) == 3
    assert all(re.fullmatch(r"[a-z]+:[\w.-]+", image) and "latest" not in image for image in images)
    assert CONTAINER.rindex("\nUSER ") > CONTAINER.rindex("\nFROM ")
    assert steps("USER")[-1] not in {"0", "root"}
    ignored = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for step in steps("COPY"):
        if step.startswith("--from"):
            continue
        for name in step.split()[:-1]:
            assert (ROOT / name).exists(), name
            assert f"!{name}" in ignored
    settings = steps("ENV")[-1]
    names = set(re.findall(r"\b(QWIXX_\w+)=", settings)) - {"QWIXX_DATA", "QWIXX_CACHE"}
    assert names <= {variable(each.name) for each in fields(Settings)}
    (extras,) = re.findall(r"^ARG EXTRAS=(\S+)$", CONTAINER, re.MULTILINE)
    assert "metrics" in extras.split(",")
    assert steps("HEALTHCHECK")


@pytest.mark.slow
def test_the_health_check_of_the_container(tmp_path: Path) -> None:
    """The command of the health check succeeds for a ready server, and fails without one."""
    (program,) = json.loads(re.findall(r"CMD (\[.*\])$", steps("HEALTHCHECK")[0])[0])
    # The OCI format has no HEALTHCHECK: compose names the same program.
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    assert compose["services"]["qwixx"]["healthcheck"]["test"] == ["CMD", program]
    command = ["/bin/sh", str(DEPLOY / "container" / program)]
    with serving(tmp_path) as server:
        around = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "QWIXX_PORT": server.address[10:]}
        assert subprocess.run(command, env=around, check=False, timeout=30).returncode == 0
    assert subprocess.run(command, env=around, check=False, timeout=30, capture_output=True).returncode != 0


def test_the_image_has_compiled_code_and_no_compiler() -> None:
    """The library is written before the compiler leaves, in a stage that is not the last one."""
    build, last = CONTAINER.split("\nFROM ")[-2:]
    assert build.index("qwixx warm --library") < build.index("pip uninstall --quiet --yes numba llvmlite")
    assert re.search(r"COPY --from=build /opt/qwixx /opt/qwixx", last)
    assert not re.search(r"^RUN .*\b(pip|apt-get|warm)\b", last, re.MULTILINE)


def test_compose() -> None:
    """Pinned images, one open port, required secrets, existing settings."""
    text = (DEPLOY / "compose.yaml").read_text("utf-8")
    facts = yaml.safe_load(text)
    services = facts["services"]
    assert [name for name, service in services.items() if service.get("ports")] == ["caddy"]
    for name, service in services.items():
        assert re.fullmatch(r"[a-z]+:[\w.-]+", service["image"]), name
        assert "latest" not in service["image"]
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in facts["volumes"]
    ours = services["qwixx"]
    assert (ours["read_only"], ours["cap_drop"]) == (True, ["ALL"])
    assert (DEPLOY / ours["build"]["context"]).resolve() == ROOT
    assert (ROOT / ours["build"]["dockerfile"]).is_file()
    assert set(ours["environment"]) <= {variable(each.name) for each in fields(Settings)}
    (network,) = facts["networks"]["inside"]["ipam"]["config"]
    assert ours["environment"]["QWIXX_PROXIES"] == network["subnet"]
    wanted = set(re.findall(r"\$\{(\w+)", text))
    given = set(re.findall(r"^(\w+)=", (DEPLOY / "example.env").read_text("utf-8"), re.MULTILINE))
    assert wanted == given


def test_no_file_names_a_registry() -> None:
    """The operator's machine chooses the registries for images and packages."""
    for path in filter(Path.is_file, DEPLOY.rglob("*")):
        assert not re.search(r"\b(docker\.io|quay\.io|ghcr\.io|pypi\.org)\b", path.read_text("utf-8")), path.name


# ---- checked by the programs themselves, if they are installed


def run(*words: str, **around: str) -> subprocess.CompletedProcess[str]:
    """Run a program that checks a file."""
    environment = {**os.environ, **around}
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False, env=environment)


def tool(name: str) -> str:
    """Find a program, or skip the test."""
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def certificate(folder: Path) -> Path:
    """Make a certificate with its key, in one file."""
    key, found, both = folder / "key.pem", folder / "cert.pem", folder / "both.pem"
    wanted = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    done = run(tool("openssl"), *wanted, "-subj", "/CN=games.example", "-keyout", str(key), "-out", str(found))
    assert done.returncode == 0, done.stderr
    both.write_text(found.read_text() + key.read_text())
    return both


def test_the_unit_is_valid_and_sandboxed(tmp_path: Path) -> None:
    """Systemd accepts it without a warning, and rates its sandbox as safe."""
    analyze = tool("systemd-analyze")
    unit = tmp_path / "qwixx.service"
    text = (DEPLOY / "qwixx.service").read_text("utf-8")
    program = Path(sys.executable).with_name("qwixx")
    unit.write_text(text.replace("/opt/qwixx/bin/qwixx", str(program) if program.is_file() else sys.executable))
    done = run(analyze, "verify", "--man=no", str(unit))
    if "Failed to" in done.stderr and "qwixx" not in done.stderr:
        pytest.skip("systemd-analyze does not work here")
    assert (done.returncode, done.stderr) == (0, "")
    done = run(analyze, "security", "--offline=yes", "--threshold=20", "--no-pager", str(unit))
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    names = set(re.findall(r"\b(QWIXX_\w+)=", re.sub(r"(?m)^#.*$", "", text))) - {"QWIXX_DATA", "QWIXX_CACHE"}
    assert names <= {variable(each.name) for each in fields(Settings)}


def test_caddy_reads_its_file(tmp_path: Path) -> None:
    """With a custom site, and unchanged; formatted as Caddy does."""
    caddy, file = tool("caddy"), str(DEPLOY / "Caddyfile")
    homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    for given in ({}, {"SITE": "club.example", "UPSTREAM": "qwixx:8321"}):
        done = run(caddy, "adapt", "--config", file, "--adapter", "caddyfile", **homes, **given)
        assert done.returncode == 0, done.stderr
        assert "not formatted" not in done.stderr
        routes: Any = json.loads(done.stdout)["apps"]["http"]["servers"]["srv0"]["routes"]
        assert given.get("SITE", "games.example") in json.dumps(routes)
        assert given.get("UPSTREAM", "127.0.0.1:8321") in json.dumps(routes)


def test_caddy_forwards_to_the_server(tmp_path: Path) -> None:
    """Requests and sockets pass through the real proxy with its request id; operator paths do not."""
    caddy, port, admin = tool("caddy"), free_port(), free_port()
    homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    with serving(tmp_path, proxies="127.0.0.1", hosts="*", metrics_token=TOKEN, admin_token=TOKEN) as server:
        site = {"SITE": f"http://127.0.0.1:{port}", "UPSTREAM": server.address, "CADDY_ADMIN": f"127.0.0.1:{admin}"}
        command = [caddy, "run", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
        around = {**os.environ, **homes, **site}
        proxy = subprocess.Popen(command, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            transport = httpx.HTTPTransport(retries=8)  # until it listens
            with httpx.Client(base_url=site["SITE"], transport=transport) as client:
                ready = client.get("/readyz")
                assert ready.json() == {"ready": True, "troubles": []}
                assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", ready.headers["x-request-id"])
                for path in ("/metrics", "/api/admin/stats"):
                    shown = {"authorization": f"Bearer {TOKEN}"}
                    assert client.get(path, headers=shown).status_code == 404
                    assert ask(server, path, **shown).status_code == 200
                opened = client.post("/api/tables", json={"variant": "classic", "name": "Anna"}).json()

            async def play() -> None:
                async with connect(f"ws://127.0.0.1:{port}/ws/{opened['code']}", compression=None) as line:
                    anna = Client(line)
                    await anna.send("hello", tokens=[opened["token"]])
                    await anna.until("table")
                    await anna.send("start")
                    assert (await anna.until("state"))["mine"]["0"]["legal"]

            go(play())
        finally:
            proxy.terminate()
            proxy.wait(20)


def test_nginx_reads_its_file(tmp_path: Path) -> None:
    """Inside a minimal configuration, with an existing certificate."""
    nginx, both = tool("nginx"), certificate(tmp_path)
    sample = re.sub(r"/etc/letsencrypt\S+\.pem", str(both), (DEPLOY / "nginx.conf").read_text("utf-8"))
    sample = sample.replace("listen 80;", "listen 127.0.0.1:18080;").replace("listen 443", "listen 127.0.0.1:18443")
    (tmp_path / "qwixx.conf").write_text(sample)
    places = "".join(
        f"{kind}_temp_path {tmp_path}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    whole = f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; {places} include qwixx.conf; }}"
    (tmp_path / "nginx.conf").write_text(whole)
    done = run(nginx, "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf"))
    assert done.returncode == 0, done.stderr


def test_haproxy_reads_its_file(tmp_path: Path) -> None:
    """With an existing certificate."""
    haproxy, both = tool("haproxy"), certificate(tmp_path)
    sample = (DEPLOY / "haproxy.cfg").read_text("utf-8").replace("/etc/haproxy/certs/games.example.pem", str(both))
    (tmp_path / "haproxy.cfg").write_text(sample)
    done = run(haproxy, "-c", "-f", str(tmp_path / "haproxy.cfg"))
    assert done.returncode == 0, done.stdout + done.stderr


# ---- with https, as visitors use it


def caddy_on(folder: Path, ports: tuple[int, int], upstream: str) -> tuple[list[str], dict[str, str]]:
    """Return the command that starts Caddy with our file, on loopback and with self-signed certificates."""
    ways = f"default_bind 127.0.0.1\nhttp_port {ports[0]}\nhttps_port {ports[1]}\n"
    around = f"{ways}local_certs\nskip_install_trust\nadmin off"
    path = folder / "Caddyfile"
    path.write_text(f"{{\n{around}\n}}\n" + (DEPLOY / "Caddyfile").read_text("utf-8"))
    homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    return [tool("caddy"), "run", "--config", str(path), "--adapter", "caddyfile"], {**homes, "UPSTREAM": upstream}


def nginx_on(folder: Path, ports: tuple[int, int], upstream: str) -> tuple[list[str], dict[str, str]]:
    """Return the command that starts nginx with our file."""
    both = certificate(folder)
    sample = re.sub(r"/etc/letsencrypt\S+\.pem", str(both), (DEPLOY / "nginx.conf").read_text("utf-8"))
    sample = sample.replace("listen 80;", f"listen 127.0.0.1:{ports[0]};")
    sample = sample.replace("listen 443", f"listen 127.0.0.1:{ports[1]}").replace("127.0.0.1:8321", upstream)
    (folder / "qwixx.conf").write_text(sample)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    around = f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}"
    (folder / "nginx.conf").write_text(f"{around} http {{ access_log off; {places} include qwixx.conf; }}")
    return [tool("nginx"), "-p", str(folder), "-c", str(folder / "nginx.conf")], {}


def haproxy_on(folder: Path, ports: tuple[int, int], upstream: str) -> tuple[list[str], dict[str, str]]:
    """Return the command that starts HAProxy with our file."""
    sample = (DEPLOY / "haproxy.cfg").read_text("utf-8")
    sample = sample.replace("/etc/haproxy/certs/games.example.pem", str(certificate(folder)))
    sample = sample.replace("bind :80\n", f"bind 127.0.0.1:{ports[0]}\n").replace(
        "bind :443 ", f"bind 127.0.0.1:{ports[1]} "
    )
    (folder / "haproxy.cfg").write_text(sample.replace("127.0.0.1:8321", upstream))
    return [tool("haproxy"), "-db", "-q", "-f", str(folder / "haproxy.cfg")], {}


@pytest.mark.slow
@pytest.mark.parametrize("starting", [caddy_on, nginx_on, haproxy_on])
def test_https_reaches_a_table(starting: Any, tmp_path: Path) -> None:
    """Page and sockets work, with the visitor's address; http is redirected to https; operator paths are blocked."""
    ports = free_port(), free_port()
    with serving(tmp_path, proxies="127.0.0.1", hosts="games.example", metrics_token=TOKEN) as server:
        command, around = starting(tmp_path, ports, server.address)
        quiet = subprocess.DEVNULL
        proxy = subprocess.Popen(command, env={**os.environ, **around}, stdout=quiet, stderr=quiet)
        try:
            site = {"host": "games.example"}
            trusting = ssl.create_default_context()  # a self-signed certificate
            trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE

            def get(path: str, **headers: str) -> httpx.Response:
                extensions = {"sni_hostname": "games.example"}
                address = f"https://127.0.0.1:{ports[1]}{path}"
                return client.get(address, headers={**site, **headers}, extensions=extensions)

            with httpx.Client(verify=trusting, timeout=PATIENCE) as client:
                end = time.monotonic() + PATIENCE
                while True:
                    with contextlib.suppress(httpx.TransportError):
                        if (ready := get("/readyz")).status_code == 200:
                            break
                    assert time.monotonic() < end, "the proxy does not reach the server"
                    time.sleep(0.1)
                assert ready.json() == {"ready": True, "troubles": []}
                assert len(ready.headers["x-request-id"]) >= 32
                assert "<html" in get("/", accept="text/html").text
                for path in OPERATOR_PATHS:
                    assert get(path, authorization=f"Bearer {TOKEN}").status_code == 404, path
                plain = client.get(f"http://127.0.0.1:{ports[0]}/rules?x=1", headers=site)
                assert plain.status_code in {301, 308}
                assert plain.headers["location"].startswith("https://games.example")
                assert plain.headers["location"].endswith("/rules?x=1")
                opened = httpx.post(
                    f"http://{server.address}/api/tables", json={"variant": "classic", "name": "Anna"}
                ).json()

            async def play() -> None:
                address = f"wss://games.example/ws/{opened['code']}"
                around: dict[str, Any] = {"origin": "https://games.example", "compression": None}
                around["local_addr"] = ("127.0.0.3", 0)  # not the address of the proxy
                async with connect(address, ssl=trusting, host="127.0.0.1", port=ports[1], **around) as line:
                    anna = Client(line)
                    await anna.send("hello", tokens=[opened["token"]])
                    await anna.until("table")
                    await anna.send("start")
                    assert (await anna.until("state"))["mine"]["0"]["legal"]
                    await anna.decide(0, "pass")
                    await anna.until(lambda message: message["t"] == "state" and message["phase"] > 1)
                    (address,) = {each.address for each in server.tables.loaded[opened["code"]].connections}
                    assert address == "127.0.0.3"

            go(play())
        finally:
            proxy.terminate()
            proxy.wait(20)

"""Several servers on one database: acknowledged moves survive failures, and games continue on another server."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest

from support.server import postgres_server
from support.server.free_ports import free_port
from support.server.live_server import PATIENCE, joined
from support.server.postgres_server import Postgres
from support.server.server_cluster import Cluster, Game, haproxy_sample, sample

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster(database_server: Postgres) -> Iterator[Cluster]:
    """Yield three servers behind a proxy."""
    if not postgres_server.find("haproxy"):
        pytest.skip(postgres_server.MISSING)
    started = Cluster(database_server, 3)
    yield started
    started.close()


@contextlib.asynccontextmanager
async def _playing(cluster: Cluster, *variants: str) -> AsyncIterator[list[Game]]:
    """Play games, and check all received messages at the end."""
    games = [await asyncio.to_thread(Game, cluster.address, name, number) for number, name in enumerate(variants)]
    await asyncio.gather(*(game.begin() for game in games))
    playing = [asyncio.create_task(person.play()) for game in games for person in game.people]
    try:
        await _move_on(games)
        yield games
        await _move_on(games)
    finally:
        for game in games:
            game.is_over = True
        await asyncio.gather(*playing)
    for game in games:
        assert game.check(*await asyncio.to_thread(cluster.stored, game.code)) > 0


async def _move_on(games: list[Game]) -> None:
    """Wait until every player has made another move."""
    people = [person for game in games for person in game.people]
    counts = [len(person.acknowledged) for person in people]
    async with asyncio.timeout(3 * PATIENCE):
        for person, count in zip(people, counts, strict=True):
            while len(person.acknowledged) <= count and not person.table.is_over:
                await asyncio.sleep(0.02)
    assert not all(game.is_over for game in games), "the games were too short to tell"


async def _owned(cluster: Cluster, games: list[Game]) -> list[int]:
    owners = [await asyncio.to_thread(cluster.owner, game.code) for game in games]
    return [owner for owner in owners if owner is not None]


def _gaps(games: list[Game]) -> list[float]:
    return [gap for game in games for person in game.people for gap in person.gaps]


async def _elsewhere(cluster: Cluster, games: list[Game], gone: int) -> None:
    """Wait until a server owns none of the tables, and all players continue."""
    async with asyncio.timeout(PATIENCE):
        while gone in await _owned(cluster, games):
            await asyncio.sleep(0.05)
    await _move_on(games)


def test_servers_fail_and_return(cluster: Cluster) -> None:
    """Killed, paused and resumed, or stopped: games continue, and every acknowledged move is stored."""

    async def killed() -> None:
        async with _playing(cluster, "classic", "cards", "longo", "duel") as games:
            before = len(_gaps(games))
            number = (await _owned(cluster, games))[0]
            cluster.servers[number].kill()
            await _elsewhere(cluster, games, number)
            assert len(_gaps(games)) > before
        cluster.start_again(number)

    async def stopped() -> None:
        async with _playing(cluster, "classic", "cards-joker", "bonus-a", "bonus-b") as games:
            number = (await _owned(cluster, games))[0]
            cluster.servers[number].signal(signal.SIGSTOP)
            await _elsewhere(cluster, games, number)
            cluster.servers[number].signal(signal.SIGCONT)
            await _move_on(games)

    async def asked_to_leave() -> None:
        async with _playing(cluster, "classic", "cards", "gemixxt-a", "duel") as games:
            before = len(_gaps(games))
            number = (await _owned(cluster, games))[0]
            assert await asyncio.to_thread(cluster.servers[number].end) in (0, -signal.SIGTERM)
            await _elsewhere(cluster, games, number)
            assert len(_gaps(games)) > before
        cluster.start_again(number)

    for look in (killed, stopped, asked_to_leave):
        asyncio.run(asyncio.wait_for(look(), 8 * PATIENCE))


def test_the_database_is_killed(cluster: Cluster) -> None:
    """After a crash the database has every acknowledged move, and clients reconnect."""

    async def look() -> None:
        async with _playing(cluster, "classic", "cards-joker") as games:
            await _move_on(games)
            await asyncio.to_thread(cluster.database.stop, signal.SIGQUIT)
            await asyncio.sleep(0.3)
            await asyncio.to_thread(cluster.database.start)
            await _move_on(games)

    asyncio.run(asyncio.wait_for(look(), 8 * PATIENCE))


def test_any_server_answers_for_any_table(cluster: Cluster) -> None:
    """With a proxy that does not route by table, a server relays sockets to the owner of the table."""

    async def look() -> None:
        async with contextlib.AsyncExitStack() as stack:
            game = await asyncio.to_thread(Game, cluster.address, "classic", 1)
            await game.begin()
            views = []
            for server in cluster.servers:
                client = await stack.enter_async_context(joined(server, game.code, game.people[0].token))
                await client.until("state")
                views.append(client)
            assert len({str(client.state["view"]) for client in views}) == 1
            await views[0].decide(0, "pass")
            for client in views:
                await client.until(lambda m: m["t"] == "state" and m["mine"]["0"]["choice"] == "pass")
            assert await views[1].ask("decide", seat=1, phase=1, action="pass") == "not-your-seat"
            assert views[2].room["watchers"] == 0

    asyncio.run(asyncio.wait_for(look(), 4 * PATIENCE))


def test_samples_of_proxies(tmp_path: Path) -> None:
    """The proxies accept the samples of the guide; other tests use them."""
    port = free_port()
    nginx = re.sub(r"\n *ssl_cert.*", "", sample("nginx")).replace("443 ssl", f"127.0.0.1:{port}")
    texts = {
        "haproxy": haproxy_sample(port, ["127.0.0.1:1"]),
        "caddy": sample("caddy").replace("qwixx.example.org", f"http://127.0.0.1:{port}"),
        "nginx": f"pid {tmp_path}/pid; error_log stderr; events {{}} http {{ access_log off; {nginx} }}",
    }
    checks = {
        "haproxy": ("-c", "-q", "-f"),
        "caddy": ("validate", "--adapter", "caddyfile", "--config"),
        "nginx": ("-t", "-q", "-c"),
    }
    for name, words in checks.items():
        if program := postgres_server.find(name):
            path = tmp_path / name
            path.write_text(texts[name])
            done = subprocess.run([program, *words, str(path)], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr


def _caddy(folder: Path, port: int, addresses: list[str]) -> list[str]:
    """Return the command that starts Caddy with the sample, in front of these servers."""
    text = sample("caddy").replace("qwixx.example.org\n", f"http://127.0.0.1:{port}\n")
    text = re.sub(r"reverse_proxy [^{]*", f"reverse_proxy {' '.join(addresses)} ", text)
    (folder / "Caddyfile").write_text("{\nadmin off\n}\n" + text)
    return [str(postgres_server.find("caddy")), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def _nginx(folder: Path, port: int, addresses: list[str]) -> list[str]:
    """Return the command that starts nginx with the sample, in front of these servers."""
    text = re.sub(r"\n *ssl_cert.*", "", sample("nginx")).replace("443 ssl", f"127.0.0.1:{port}")
    (kind,) = set(re.findall(r"\n    server \S+ (.*);", text))
    servers = "".join(f"server {address} {kind}; " for address in addresses)
    text = re.sub(r"(?:\n    server .*;)+", f"\n    {servers}", text)
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    around = f"daemon off; pid {folder}/pid; error_log {folder}/log; events {{}}"
    (folder / "nginx.conf").write_text(f"{around} http {{ access_log off; {places} {text} }}")
    return [str(postgres_server.find("nginx")), "-p", str(folder), "-c", str(folder / "nginx.conf")]


@pytest.mark.parametrize(("name", "starting"), [("caddy", _caddy), ("nginx", _nginx)])
def test_other_proxies_route_to_another_server(
    name: str, starting: Callable[[Path, int, list[str]], list[str]], cluster: Cluster, tmp_path: Path
) -> None:
    """With the samples of the guide a game continues at the same address when its server is killed."""
    if not postgres_server.find(name):
        pytest.skip(f"{name} is not installed")
    port = free_port()
    command = starting(tmp_path, port, [f"127.0.0.1:{each}" for each in cluster.ports])
    homes = {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    quiet = subprocess.DEVNULL
    proxy = subprocess.Popen(command, env={**os.environ, **homes}, stdout=quiet, stderr=quiet)
    address = f"127.0.0.1:{port}"

    async def look() -> None:
        async with asyncio.timeout(PATIENCE):
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if (await asyncio.to_thread(httpx.get, f"http://{address}/readyz")).status_code == 200:
                        break
                await asyncio.sleep(0.1)
        game = await asyncio.to_thread(Game, address, "classic", 7)
        await game.begin()
        playing = [asyncio.create_task(person.play()) for person in game.people]
        async with asyncio.timeout(PATIENCE):
            while any(len(person.acknowledged) < 3 for person in game.people):
                await asyncio.sleep(0.05)
        owner = await asyncio.to_thread(cluster.owner, game.code)
        assert owner is not None
        cluster.servers[owner].kill()
        so_far = [len(person.acknowledged) for person in game.people]
        async with asyncio.timeout(PATIENCE):
            while not game.is_over and any(
                len(person.acknowledged) < count + 3 for person, count in zip(game.people, so_far, strict=True)
            ):
                await asyncio.sleep(0.05)
        game.is_over = True
        for task in playing:
            task.cancel()
        await asyncio.to_thread(cluster.start_again, owner)
        assert game.check(*await asyncio.to_thread(cluster.stored, game.code)) >= 6

    try:
        asyncio.run(asyncio.wait_for(look(), 8 * PATIENCE))
    finally:
        proxy.terminate()
        proxy.wait(PATIENCE)

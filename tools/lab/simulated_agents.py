# SPDX-License-Identifier: Apache-2.0
"""Agents of many hosts, played by one thread: they let the launcher think that their processes are there, and beat. For
what a launcher costs with more hosts than a machine can be."""

import asyncio
import os
import pathlib
import struct
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests" / "launcher"))

# cohort.v1.ToHost, cohort.v1.FromHost
START, TABLE, FINISH, BE_MEASURED, MEASURE = 1, 2, 8, 9, 10
STARTED, JOINING, LISTENS, FINISHED, MEASURABLE, MEASURED, BEAT = 2, 4, 5, 11, 12, 13, 30
# HTTP/2
DATA, SETTINGS, PING, WINDOW_UPDATE = 0, 4, 6, 8

BEAT_S = 1  # a fifth of the default --host-limit
RSH = """#!/bin/sh
# The remote shell: leaves an agent's orders for who plays it.
exec cat > "$(dirname "$0")/orders.$1"
"""


class SimulatedAgent:
    """That of one host, with one process."""

    def __init__(self, pid, reader, writer, joined):
        self.pid, self.reader, self.writer, self.joined = pid, reader, writer, joined

    def tell(self, number, *fields):
        self.writer.write(hostile.grpc_message(insider.field(number, b"".join(fields))))

    async def beat(self):
        while True:
            await asyncio.sleep(BEAT_S)
            self.tell(BEAT)

    async def messages(self):
        """That the launcher sends, until it ends."""
        words = b""
        while True:
            header = await self.reader.readexactly(9)
            body = await self.reader.readexactly(int.from_bytes(header[:3], "big"))
            kind, flags = header[3], header[4]
            if kind in (SETTINGS, PING) and not flags & 1:  # to be acknowledged
                self.writer.write(hostile.http2_frame(kind, 1, 0, b"" if kind == SETTINGS else body))
            if kind != DATA or not body:
                continue
            for stream in (0, 1):  # as much may come again
                self.writer.write(hostile.http2_frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", len(body))))
            words += body
            while len(words) >= 5 and len(words) >= (end := 5 + int.from_bytes(words[1:5], "big")):
                yield insider.fields(words[5:end])
                words = words[end:]

    def answer(self, message):
        me = insider.field(1, self.pid)
        if BE_MEASURED in message:
            self.tell(MEASURABLE, insider.field(1, b"127.0.0.1"), insider.field(2, 9))
        elif MEASURE in message:
            self.tell(MEASURED)
        elif START in message:
            self.tell(STARTED, me, insider.field(2, os.getpid()))
            self.tell(JOINING, me)
            self.tell(LISTENS, me, insider.field(2, 9), hostile.varint(3 << 3 | 1), struct.pack("<Q", self.pid + 1),
                      insider.field(4, b"127.0.0.1"))
        elif TABLE in message:
            self.joined()
        elif FINISH in message:
            self.tell(FINISHED)

    async def play(self):
        beating = asyncio.create_task(self.beat())
        try:
            async for message in self.messages():
                self.answer(message)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the job has ended
        finally:
            beating.cancel()


class SimulatedAgents:
    """As many as the job has hosts. `folder` is where the remote shell and the orders are."""

    def __init__(self, folder, hosts, binaries):
        global hostile, insider
        os.environ.setdefault("COHORT_BIN", str(binaries))  # which these two want
        import hostile
        import insider
        self.folder, self.hosts = pathlib.Path(folder), hosts
        self.rsh = self.folder / "rsh"
        self.rsh.write_text(RSH)
        self.rsh.chmod(0o755)
        self.version = subprocess.run([binaries / "cohort", "--version"], capture_output=True, check=True).stdout.split()[1]
        self.missing, self.all_joined = len(hosts), threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.play()), daemon=True).start()

    async def play(self):
        self.few = asyncio.Semaphore(4)  # all at once would be heard too late
        await asyncio.gather(*(self.play_one(pid, name) for pid, name in enumerate(self.hosts)))

    async def play_one(self, pid, name):
        orders = await self.orders(name)
        async with self.few:
            reader, writer = await asyncio.open_connection("127.0.0.1", int(orders[1][0].decode().rsplit(":", 1)[1]),
                                                           ssl=self.certified(orders), server_hostname="launcher")
        hello = insider.Agent.hello(self.version, orders.get(4, [0])[0])
        writer.write(hostile.begin_call(b"/cohort.v1.Control/Attach", hello))
        await SimulatedAgent(pid, reader, writer, self.one_joined).play()

    async def orders(self, name):
        """A cohort.v1.Orders, once the launcher has written all of it."""
        file = self.folder / f"orders.{name}"
        while True:
            data = file.read_bytes() if file.exists() else b""
            if len(data) > 4 and len(data) >= 4 + int.from_bytes(data[:4], "little"):
                return insider.fields(data[4:])
            await asyncio.sleep(0.1)

    def certified(self, orders):
        certificate = self.folder / "certificate"
        certificate.write_bytes(orders[2][0] + orders[3][0])
        return hostile.tls_context([certificate])

    def one_joined(self):
        self.missing -= 1
        if self.missing == 0:
            self.all_joined.set()

"""Agents of many hosts, played by one thread: they let the launcher think that their processes are there, and beat. For
what a launcher costs with more hosts than a machine can be."""

import asyncio
import os
import pathlib
import struct
import subprocess
import sys
import threading

LAB = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(LAB.parents[1] / "tests" / "launcher"))

BEAT = 30  # cohort.v1.FromHost, and cohort.v1.ToHost
START, TABLE, FINISH, BE_MEASURED, MEASURE = 1, 2, 8, 9, 10
STARTED, JOINING, LISTENS, FINISHED, MEASURABLE, MEASURED = 2, 4, 5, 11, 12, 13

RSH = """#!/bin/sh
# The remote shell: leaves an agent's orders for who plays it.
exec cat > "$(dirname "$0")/orders.$1"
"""


class SimulatedAgents:
    """As many as the job has hosts, with one process each. `folder` is where the remote shell and the orders are."""

    def __init__(self, folder, hosts, binaries):
        os.environ.setdefault("COHORT_BIN", str(binaries))
        self.folder, self.hosts = pathlib.Path(folder), hosts
        self.rsh = self.folder / "rsh"
        self.rsh.write_text(RSH)
        self.rsh.chmod(0o755)
        self.version = subprocess.run([binaries / "cohort", "--version"], capture_output=True, check=True).stdout.split()[1]
        self.context = None
        self.joined, self.all_joined = 0, threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.play_all()), daemon=True).start()

    async def play_all(self):
        self.few = asyncio.Semaphore(4)
        await asyncio.gather(*(self.play(pid, name) for pid, name in enumerate(self.hosts)))

    async def orders(self, name):
        file = self.folder / f"orders.{name}"
        while True:
            data = file.read_bytes() if file.exists() else b""
            if len(data) > 4 and len(data) >= 4 + struct.unpack("<I", data[:4])[0]:
                return data[4:]
            await asyncio.sleep(0.1)

    async def play(self, pid, name):
        import hostile
        import insider

        orders = insider.fields(await self.orders(name))
        if self.context is None:
            certificate = self.folder / "certificate"
            certificate.write_bytes(orders[2][0] + orders[3][0])
            self.context = hostile.tls_context([certificate])
        port = int(orders[1][0].decode().rsplit(":", 1)[1])
        async with self.few:  # all at once would be heard too late
            reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=self.context, server_hostname="cohort")
        host = orders.get(4, [0])[0]
        writer.write(hostile.begin_call(b"/cohort.v1.Control/Attach", insider.Agent.hello(self.version, host)))

        def tell(number, *fields):
            writer.write(hostile.grpc_message(insider.field(number, b"".join(fields))))

        async def beat():
            while True:
                await asyncio.sleep(1)  # a fifth of the default --host-limit
                tell(BEAT)

        beating = asyncio.create_task(beat())
        me, words = insider.field(1, pid), b""
        try:
            while True:
                header = await reader.readexactly(9)
                body = await reader.readexactly(int.from_bytes(header[:3], "big"))
                kind, flags = header[3], header[4]
                if kind in (4, 6) and not flags & 1:  # settings, a ping: to be acknowledged
                    writer.write(hostile.http2_frame(kind, 1, 0, b"" if kind == 4 else body))
                if kind != 0:
                    continue
                for stream in (0, 1):  # as much may come again
                    writer.write(hostile.http2_frame(8, 0, stream, struct.pack(">I", max(len(body), 1))))
                words += body
                while len(words) >= 5 and len(words) >= 5 + int.from_bytes(words[1:5], "big"):
                    size = 5 + int.from_bytes(words[1:5], "big")
                    message, words = insider.fields(words[5:size]), words[size:]
                    if BE_MEASURED in message:
                        tell(MEASURABLE, insider.field(1, b"127.0.0.1"), insider.field(2, 9))
                    elif MEASURE in message:
                        tell(MEASURED)
                    elif START in message:
                        tell(STARTED, me, insider.field(2, os.getpid()))
                        tell(JOINING, me)
                        tell(LISTENS, me, insider.field(2, 9), hostile.varint(3 << 3 | 1), struct.pack("<Q", pid + 1),
                             insider.field(4, b"127.0.0.1"))
                    elif FINISH in message:
                        tell(FINISHED)
                    elif TABLE in message:
                        self.joined += 1
                        if self.joined == len(self.hosts):
                            self.all_joined.set()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the job has ended
        finally:
            beating.cancel()

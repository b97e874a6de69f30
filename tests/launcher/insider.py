# SPDX-License-Identifier: Apache-2.0
"""Someone who is of the job, and means harm: plays the agent of its first host, and the process there, and so learns the
job's secret as they do. What it sends is made here from what the protocols say, not by the code under test."""

import hashlib
import hmac
import os
import socket
import struct

import hostile

# cohort.v1.ToHost, cohort.v1.FromHost
START, TABLE, ALL_LEFT, FINISH, MEASURE, KILL, BEAT = 1, 2, 4, 8, 10, 12, 30
STARTED, NOT_STARTED, JOINING, LISTENS, LEFT, ENDED, OUTPUT, CHUNK = 2, 3, 4, 5, 6, 7, 9, 43
INPUT_TAKEN, FINISHED, MEASURED = 10, 11, 13
# cohort::FrameKind
MESSAGE, DATA = 0, 3


# --- protobuf

def field(number, value):
    """Of a varint, or of bytes."""
    if isinstance(value, int):
        return hostile.varint(number << 3) + hostile.varint(value)
    return hostile.varint(number << 3 | 2) + hostile.varint(len(value)) + value


def fields(message):
    """number -> its values."""
    found, at = {}, 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        size = {0: 0, 1: 8, 5: 4}.get(key & 7)
        value = varint() if size in (0, None) else None
        if size != 0:
            size = size or value
            value = message[at:at + size]
            at += size
        found.setdefault(key >> 3, []).append(value)
    return found


# --- the data port

class Place:
    """A port of the job, and who is to be there."""

    def __init__(self, ip, port, pid, job, secret):
        self.ip, self.port, self.pid, self.job, self.secret = ip, port, pid, job, secret

    def hello(self, pid, incarnation, to=None):
        return (b"cohort h" + struct.pack("<IIiiQQ", hostile.VERSION, 0, pid, self.pid if to is None else to, self.job, incarnation) +
                os.urandom(24))

    def proof(self, hello, challenge):
        return hmac.new(self.secret, b"cohort dialer".ljust(16, b"\0") + hello + challenge + bytes(8), hashlib.sha256).digest()

    def say(self, hello):
        """A connection on which this has been said, and the challenge that came, or nothing."""
        link = socket.create_connection((self.ip, self.port), timeout=10)
        link.sendall(hello)
        return link, read(link, 48)

    def greet(self, pid, incarnation):
        """An authentic process: the connection, and the verdict (1: accepted, 2: there is one already). The handshake is
        in self.recorded."""
        hello = self.hello(pid, incarnation)
        link, challenge = self.say(hello)
        self.recorded = hello, self.proof(hello, challenge)
        link.sendall(self.recorded[1])
        return link, int.from_bytes(read(link, 40)[:8], "little")


def read(link, size):
    """So many bytes, or those that come before the other side closes."""
    data = b""
    try:
        while len(data) < size and (chunk := link.recv(size - len(data))):
            data += chunk
    except ConnectionError:
        pass
    return data


def frame(kind=MESSAGE, length=0, payload=0, transfer=0, group=(0, 0), operation=12, offset=0):
    """A frame's header, with the checksum that is due and the zeros behind it."""
    words = struct.pack("<BBBBiQQQQIiIII", 0xc0, kind, 0, operation, 0, 0, 0, length, offset, *group, transfer, payload, 0)
    factor, value = 0xd6e8feb86659fd93, 0x9e3779b97f4a7c15
    folded = list(struct.unpack("<7Q", words[:56]))
    folded[-1] ^= int.from_bytes(words[56:], "little") * factor % 2**64
    for word in folded:
        value = (value ^ word) * factor % 2**64
        value ^= value >> 32
    return words + struct.pack("<I", value % 2**32) + bytes(64)


# --- the control port

class Agent:
    """That of the first host, of one process."""

    INCARNATION = 4711

    def __init__(self, port, certificate, version, host=0):
        self.stream = hostile.tls(port, certificate)
        self.stream.settimeout(60)
        self.data, self.words, self.heard = b"", b"", []
        self.initial_window = 65535  # HTTP/2's: of a call
        self.window = {0: 65535, 1: 65535}  # what may be sent on the connection, and on the call
        self.stream.sendall(hostile.begin_call(b"/cohort.v1.Control/Attach", self.hello(version, host)))

    @staticmethod
    def hello(version, host=0):
        """A cohort.v1.Attached."""
        return field(1, host) + field(2, version) + field(3, b"127.0.0.1") + field(6, 1)

    def tell(self, number, message=b""):
        frame = hostile.grpc_message(field(number, message))
        self.stream.sendall(frame)
        self.count_out(len(frame) - 9)

    def count_out(self, size):
        self.window = {stream: window - size for stream, window in self.window.items()}

    def pour(self, message):
        """A long one, as fast as it is taken, until the call ends."""
        data, sent = b"\0" + struct.pack(">I", len(message)) + message, 0
        while sent < len(data):
            part = min(len(data) - sent, 16384, *self.window.values())
            if part <= 0:
                if not self.receive():
                    return
                continue
            hostile.send(self.stream, hostile.http2_frame(0, 0, 1, data[sent:sent + part]))
            sent += part
            self.count_out(part)

    def hear(self, number):
        """The next message of this kind: its fields. None if the stream ends before. Others wait."""
        while True:
            if message := next((one for one in self.heard if number in one), None):
                self.heard.remove(message)
                return fields(message[number][0])
            while len(self.words) < 5 or len(self.words) < 5 + int.from_bytes(self.words[1:5], "big"):
                if not self.receive():
                    return None
            size = int.from_bytes(self.words[1:5], "big")
            self.heard.append(fields(self.words[5:5 + size]))
            self.words = self.words[5 + size:]

    def receive(self):
        """An HTTP/2 frame. Returns whether the stream goes on."""
        while len(self.data) < 9 or len(self.data) < 9 + int.from_bytes(self.data[:3], "big"):
            try:
                chunk = self.stream.recv(65536)
            except (ConnectionError, hostile.ssl.SSLError):
                return False
            if not chunk:
                return False
            self.data += chunk
        size, kind, flags = int.from_bytes(self.data[:3], "big"), self.data[3], self.data[4]
        stream = int.from_bytes(self.data[5:9], "big")
        body, self.data = self.data[9:9 + size], self.data[9 + size:]
        if kind == 4:
            for parameter, value in struct.iter_unpack(">HI", body):
                if parameter == 4:
                    self.window[1] += value - self.initial_window
                    self.initial_window = value
        if kind == 8 and stream in self.window:
            self.window[stream] += int.from_bytes(body, "big")
        if kind in (4, 6) and not flags & 1:  # settings, a ping: to be acknowledged
            self.stream.sendall(hostile.http2_frame(kind, 1, 0, b"" if kind == 4 else body))
        if kind == 0:
            self.words += body
        return kind != 7 and not (stream == 1 and (kind == 3 or kind == 1 and flags & 1))

    def meet(self):
        """The far end of the measurement, as the near end would find it."""
        order = self.hear(MEASURE)
        meeting = fields(order[1][0])
        return Place(order[2][0].decode(), order[3][0], 0, int.from_bytes(meeting[1][0], "little"), meeting[2][0])

    def join(self):
        """As process 0 of the job. Returns the places of the others."""
        self.tell(MEASURED)
        start = self.hear(START)
        self.tell(STARTED, field(2, os.getpid()))
        self.tell(JOINING)
        self.tell(LISTENS, field(2, 1) + hostile.varint(3 << 3 | 1) + struct.pack("<Q", self.INCARNATION) +
                  field(4, b"127.0.0.1"))
        addresses = [fields(address) for address in self.hear(TABLE)[2]]
        return [Place(address[2][0].decode(), address[3][0], pid, int.from_bytes(start[1][0], "little"), start[2][0])
                for pid, address in enumerate(addresses) if pid > 0]

    def leave(self):
        """In order, with the process."""
        self.tell(LEFT)
        self.hear(ALL_LEFT)
        self.end(0)

    def end(self, wait_status):
        self.tell(ENDED, field(2, wait_status))
        self.hear(FINISH)
        self.tell(FINISHED)
        self.hear(0)


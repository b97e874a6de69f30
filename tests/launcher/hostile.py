# SPDX-License-Identifier: Apache-2.0
"""A hostile client: finds the ports of a job and speaks to them as a stranger would, or as someone who has stolen the
certificate."""

import base64
import os
import random
import re
import socket
import ssl
import struct
import time

from job_driver import descendants

LISTEN = "0A"
VERSION = 4  # of the protocol between processes
HELLO = b"cohort h" + VERSION.to_bytes(4, "little") + bytes(52)
GREETINGS = {"HTTP": b"GET / HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n" + bytes(40),
             "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(200)),
             "noise": random.Random(1).randbytes(2000), "zeros": bytes(200)}


def listening_ports(pids):
    """pid -> the TCP ports that it listens on."""
    port_of = {}
    for name in ("tcp", "tcp6"):
        with open(f"/proc/net/{name}") as table:
            for line in table.readlines()[1:]:
                words = line.split()
                if words[3] == LISTEN:
                    port_of[words[9]] = int(words[1].rsplit(":", 1)[1], 16)
    found = {}
    for pid in pids:
        try:
            for descriptor in os.listdir(f"/proc/{pid}/fd"):
                inode = re.match(r"socket:\[(\d+)\]", os.readlink(f"/proc/{pid}/fd/{descriptor}"))
                if inode and inode.group(1) in port_of:
                    found.setdefault(pid, set()).add(port_of[inode.group(1)])
        except (FileNotFoundError, ProcessLookupError):
            pass  # it has ended, or closed it
    return found


def ports_of_job(launcher):
    """All that it has open now: of the launcher, its agents, its processes."""
    return sorted({port for ports in listening_ports([launcher, *descendants(launcher)]).values() for port in ports})


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def hear_to_the_end(stranger, seconds):
    """What the other side says before it closes, or nothing if it does not close within this time."""
    end, heard = time.monotonic() + seconds, b""
    while (left := end - time.monotonic()) > 0:
        stranger.settimeout(left)
        try:
            words = stranger.recv(4096)
        except TimeoutError:
            return None
        except (ConnectionError, ssl.SSLError):
            return heard
        if not words:
            return heard
        heard += words
    return None


def is_closed_within(stranger, seconds):
    return hear_to_the_end(stranger, seconds) is not None


def send(stranger, data):
    try:
        stranger.sendall(data)
    except (ConnectionError, ssl.SSLError):
        pass  # it has closed already


def tls_context(certificate):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    if certificate:
        context.load_cert_chain(*certificate)
    return context


def tls(port, certificate=None):
    return tls_context(certificate).wrap_socket(connect(port), server_hostname="launcher")


def record_tls(port, certificate, data):
    """Says this over TLS, and is answered. Returns what went to the server, record by record."""
    heard, said, sent = ssl.MemoryBIO(), ssl.MemoryBIO(), []
    session = tls_context(certificate).wrap_bio(heard, said, server_hostname="launcher")
    with connect(port) as link:
        for step in (session.do_handshake, lambda: session.write(data), lambda: session.read(1)):
            while True:
                try:
                    step()
                    wanted = False
                except ssl.SSLWantReadError:
                    wanted = True
                if words := said.read():
                    sent.append(words)
                    link.sendall(words)
                if not wanted:
                    break
                heard.write(link.recv(65536))
    return sent


def varint(number):
    data = b""
    while number > 127:
        data += bytes([number & 127 | 128])
        number >>= 7
    return data + bytes([number])


def http2_frame(kind, flags, stream, payload):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def begin_call(path, hello=None):
    """The bytes with which a connection with one gRPC call begins; `hello`: the Attached that it comes with."""
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + http2_frame(4, 0, 0, b"") + headers_of_call(1, path, hello)


def headers_of_call(stream, path, hello=None):
    said = [(b"attached-bin", base64.b64encode(hello).rstrip(b"="))] if hello is not None else []
    headers = b"".join(b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value for name, value in [
        (b":method", b"POST"), (b":scheme", b"https"), (b":path", path), (b":authority", b"cohort"),
        (b"te", b"trailers"), (b"content-type", b"application/grpc"), *said])
    return http2_frame(1, 4, stream, headers)


def grpc_message(message, claimed=None):
    """The frame of one; `claimed`: the length that is said in front of it."""
    length = len(message) if claimed is None else claimed
    return http2_frame(0, 0, 1, b"\0" + struct.pack(">I", length) + message)


def call(path, message, claimed=None, hello=None):
    """The bytes of a gRPC call with one message."""
    return begin_call(path, hello) + grpc_message(message, claimed)


def ends_call(stranger, seconds=10):
    """Whether the server ends the call, or the connection, within this time."""
    data, end = b"", time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        stranger.settimeout(left)
        try:
            chunk = stranger.recv(65536)
        except TimeoutError:
            return False
        except (ConnectionError, ssl.SSLError):
            return True
        if not chunk:
            return True
        data += chunk
        while len(data) >= 9 and len(data) >= 9 + (size := int.from_bytes(data[:3], "big")):
            kind, flags, number = data[3], data[4], int.from_bytes(data[5:9], "big")
            if number == 1 and (kind == 3 or (kind in (0, 1) and flags & 1)):  # reset, or its last words
                return True
            data = data[9 + size:]
    return False

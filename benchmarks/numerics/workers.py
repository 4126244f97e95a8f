"""Functions in processes of their own: a runtime that takes its process down, or hangs, takes down only that.

SPDX-License-Identifier: Apache-2.0"""

import multiprocessing

SPAWN = multiprocessing.get_context("spawn")  # nothing of one runtime is in the process of another


class Died(Exception):
    """The process of the function ended, or took too long."""


def serve(connection, function):
    while True:
        try:
            arguments = connection.recv()
        except EOFError:  # the parent process has closed the connection
            return
        try:
            answer = function(*arguments)
        except (RuntimeError, ValueError, OSError) as error:
            answer = error
        connection.send(answer)


class Worker:
    """Calls a function of a module repeatedly in one other process, which is started again after it has died. RuntimeError and
    ValueError are raised in the caller."""

    def __init__(self, function, seconds=120):
        self.function, self.seconds, self.process = function, seconds, None

    def start(self):
        self.connection, theirs = SPAWN.Pipe()
        self.process = SPAWN.Process(target=serve, args=(theirs, self.function), daemon=True)
        self.process.start()
        theirs.close()

    def end(self):
        if self.process:
            self.process.kill()
            self.process.join()
            self.connection.close()
        self.process = None

    def __call__(self, *arguments):
        if not self.process:
            self.start()
        try:
            self.connection.send(arguments)
            if not self.connection.poll(self.seconds):
                self.end()
                raise Died(f"not done within {self.seconds} s")
            answer = self.connection.recv()
        except (EOFError, ConnectionError):
            self.process.join()
            code = self.process.exitcode
            self.end()
            raise Died(f"signal {-code}" if code and code < 0 else f"exit code {code}") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

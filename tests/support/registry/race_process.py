"""Process of a race: it reads a call from its input, reports that it is ready, waits for the start, and answers."""

import pickle
import sys


def main() -> None:
    call, subject, number = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    sys.stdin.buffer.readline()
    sys.stdout.buffer.write(pickle.dumps(call(subject, number)))


if __name__ == "__main__":
    main()

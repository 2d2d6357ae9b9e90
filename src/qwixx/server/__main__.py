"""`python -m qwixx.server`: the same as `qwixx serve`."""

from qwixx.cli.commands.host.serve import serve_command

if __name__ == "__main__":
    serve_command()

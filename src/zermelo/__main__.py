"""`python -m zermelo` is `zermelo`."""

from zermelo.cli import main

if __name__ == "__main__":  # processes that are spawned for parallel work import this module, too
    main()

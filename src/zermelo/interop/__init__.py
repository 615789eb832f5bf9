"""Games of Zermelo for other libraries, and games of other libraries for Zermelo. Each module needs its library, and only that one."""

"""Parts of kernel templates that several of them share. A template that imports from one gets its whole text; see `engine.writing`."""

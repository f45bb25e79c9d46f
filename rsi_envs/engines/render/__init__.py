"""Pictures without OpenGL: rasters of plain colours and bitmap glyphs, the same everywhere."""

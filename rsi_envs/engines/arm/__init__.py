"""A bench with two arms: model, control, cameras, predicates and rubrics; it knows no task.

The world's frame is the table's: z = 0 is its top, x points forwards from the arms, y to the left,
the origin is midway between the arms' bases. Lengths are metres, quaternions (w, x, y, z).
"""

//! Strips of Toads and Frogs: positions, both rulesets, symmetry, walls, the hopless closed form.

"""The recipes of the built-in networks, the steps that make a network, and the report on them."""

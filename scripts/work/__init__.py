"""Runs the tasks of a job on the workers of a Dask cluster."""

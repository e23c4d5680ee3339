"""Runs the numbered tasks of a job on threads of this machine or on the workers of a Dask cluster."""

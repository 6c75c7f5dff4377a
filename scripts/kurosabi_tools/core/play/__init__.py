"""Games between two engines: referee, record, players, and the workers that play games here or on a Dask cluster."""

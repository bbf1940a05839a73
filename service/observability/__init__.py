"""What operators see of a server: logs, metrics, traces.

`observer` is called at the end of every call and passes it on to `logs`, `metrics` and `tracing`, as far as
they are configured; `metrics_port` serves the metrics. None of them sees a move, a hand or a token. Start at
observer.py.
"""

"""The checks of `shiji doctor`: of an archive, a configuration and a running server.

Imports the records and reads the service's configuration, tokens and certificates; server.py may import
gRPC. Start at finding.py, the result of a check; each `examine` yields findings.
"""

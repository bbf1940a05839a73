"""The gRPC server. Start at rpc.py, which has the table of methods and the life of a call."""

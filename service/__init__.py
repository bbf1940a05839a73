"""The gRPC server: the only code that knows gRPC."""

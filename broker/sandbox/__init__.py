"""Scripts in child processes. The way in is `chardesk.broker.sandbox.host.Sandbox`."""

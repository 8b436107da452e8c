#![no_main]

mcpspec_fuzz::tree_target!(mcpspec_laws::rpc_bytes);

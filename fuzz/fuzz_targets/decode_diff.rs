#![no_main]

mcpspec_fuzz::tree_target!(mcpspec_laws::decode_diff);

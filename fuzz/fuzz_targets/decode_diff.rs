#![no_main]

mcpspec_fuzz::bytes_target!(mcpspec_laws::decode_diff);

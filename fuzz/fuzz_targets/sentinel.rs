#![no_main]

mcpspec_fuzz::bytes_target!(mcpspec_laws::header_value);

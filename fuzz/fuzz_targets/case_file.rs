#![no_main]

mcpspec_fuzz::bytes_target!(mcpspec_laws::case_file);

//! How the laws of `mcpspec-laws` become fuzz targets.

pub mod chance;

/// The law for any bytes; libFuzzer changes them as it likes.
#[macro_export]
macro_rules! bytes_target {
    ($law:path) => {
        libfuzzer_sys::fuzz_target!(|input: &[u8]| $law(input));
    };
}

/// The law for JSON texts: three times in four the tree of the text is changed, else its bytes.
#[macro_export]
macro_rules! tree_target {
    ($law:path) => {
        libfuzzer_sys::fuzz_target!(|input: &[u8]| $law(input));

        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            let changed = (seed % 4 != 0)
                .then(|| mcpspec_laws::tree::mutate(&data[..size], seed))
                .flatten();
            match changed {
                Some(changed) if changed.len() <= max_size => {
                    data[..changed.len()].copy_from_slice(&changed);
                    changed.len()
                }
                _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
            }
        });

        libfuzzer_sys::fuzz_crossover!(|first: &[u8], second: &[u8], out: &mut [u8], seed: u32| {
            // Twice as many changes as crosses, which read two texts: libFuzzer takes another mutation for a cross of no length.
            let crossed = (seed % 2 == 0)
                .then(|| mcpspec_laws::tree::crossover(first, second, seed))
                .flatten();
            match crossed {
                Some(crossed) if crossed.len() <= out.len() => {
                    out[..crossed.len()].copy_from_slice(&crossed);
                    crossed.len()
                }
                _ => 0,
            }
        });
    };
}

//! Spelling the pieces of a message in one of the many ways that JSON has.

use arbitrary::{Result, Unstructured};

/// Blanks, mostly none.
pub(super) fn blank(source: &mut Unstructured<'_>) -> Result<&'static str> {
    Ok(match source.int_in_range(0..=15)? {
        0 => " ",
        1 => "\n\t",
        2 => "\r",
        _ => "",
    })
}

/// Characters that readers treat in their own way.
const CHARACTERS: &[char] = &[
    '"',
    '\\',
    '/',
    '\0',
    '\n',
    '\u{1f}',
    '\u{7f}',
    '~',
    'é',
    '\u{2028}',
    '\u{fffd}',
    '\u{feff}',
    '😀',
    '\u{10ffff}',
];

/// A short text.
pub(super) fn short(source: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    for _ in 0..source.int_in_range(0..=6)? {
        text.push(match source.arbitrary::<u8>()? {
            byte @ b' '..=b'~' => char::from(byte),
            0xFF => source.arbitrary()?,
            byte => CHARACTERS[usize::from(byte) % CHARACTERS.len()],
        });
    }
    Ok(text)
}

/// A string in quotes, some characters escaped though they need not be.
pub(super) fn quoted(text: &str, source: &mut Unstructured<'_>) -> Result<String> {
    let escapes = source.ratio(1, 8)?;
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' if source.ratio(1, 2)? => quoted.push_str("\\n"),
            _ if character < ' ' || escapes && source.ratio(1, 2)? => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    quoted.push_str(&match source.arbitrary()? {
                        true => format!("\\u{unit:04x}"),
                        false => format!("\\u{unit:04X}"),
                    });
                }
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    Ok(quoted)
}

/// An integer, spelt with or without an exponent or a fraction.
pub(super) fn integer(source: &mut Unstructured<'_>) -> Result<String> {
    let integer = match source.int_in_range(0..=3)? {
        0 => i128::from(source.arbitrary::<i64>()?),
        1 => *source.choose(&[
            0,
            i128::from(i64::MAX) + 1,
            i128::from(u64::MAX) + 1,
            i128::from(i64::MIN) - 1,
            (1 << 53) + 1,
            -(1 << 53) - 1,
            -(1 << 80) - 1,
        ])?,
        _ => i128::from(source.arbitrary::<i8>()?),
    };
    Ok(match source.int_in_range(0..=15)? {
        0 => format!("{integer}.0"),
        1 => format!("{integer}e0"),
        2 if integer != 0 => format!("{integer}0E-1"),
        3 => format!("{integer}.50e+1"),
        _ => integer.to_string(),
    })
}

/// A number that is not integral.
pub(super) fn fraction(source: &mut Unstructured<'_>) -> Result<String> {
    let (whole, digits) = (source.arbitrary::<i16>()?, source.int_in_range(1..=9)?);
    Ok(match source.int_in_range(0..=3)? {
        0 => format!("{whole}.00{digits}"),
        1 => format!("{digits}e-1"),
        2 => format!("{whole}.{digits}e0"),
        _ => format!("{whole}.{digits}"),
    })
}

/// Any value, a few levels deep. It has no member twice.
pub(super) fn value(source: &mut Unstructured<'_>, depth: usize) -> Result<String> {
    Ok(
        match source.int_in_range(0..=if depth == 0 { 5 } else { 8 })? {
            0 => "null".to_owned(),
            1 => source.arbitrary::<bool>()?.to_string(),
            2 => integer(source)?,
            3 => fraction(source)?,
            4 | 5 => quoted(&short(source)?, source)?,
            6 => {
                let items = (0..source.int_in_range(0..=3)?)
                    .map(|_| value(source, depth - 1))
                    .collect::<Result<Vec<_>>>()?;
                format!("[{}]", items.join(","))
            }
            _ => object(source, depth - 1)?,
        },
    )
}

/// An object, a few levels deep.
pub(super) fn object(source: &mut Unstructured<'_>, depth: usize) -> Result<String> {
    let mut members = Vec::new();
    for index in 0..source.int_in_range(0..=3)? {
        let name = quoted(&format!("{index}~/"), source)?;
        members.push(format!("{name}:{}", value(source, depth)?));
    }
    Ok(format!("{{{}}}", members.join(",")))
}

//! A JSON text as a tree of its tokens.

use std::borrow::Cow;

/// Deepest text that is taken apart.
const MAX_DEPTH: usize = 700;

/// A value, its tokens as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node<'a> {
    /// A scalar.
    Scalar(Token<'a>),
    Array(Vec<Node<'a>>),
    /// Names with their quotes.
    Object(Vec<(Token<'a>, Node<'a>)>),
}

/// Anything that is neither structure nor blank, or a string with its quotes.
pub(super) type Token<'a> = Cow<'a, [u8]>;

impl<'a> Node<'a> {
    pub(super) fn scalar(token: &'a str) -> Node<'a> {
        Node::Scalar(token.as_bytes().into())
    }

    /// Takes a text apart. The structure has to be right, the tokens need not be.
    pub(super) fn parse(text: &'a [u8]) -> Option<Node<'a>> {
        let mut parser = Parser { text, at: 0 };
        let node = parser.value(0)?;
        parser.blanks();
        (parser.at == text.len()).then_some(node)
    }

    pub(super) fn print(&self) -> Vec<u8> {
        let mut text = Vec::new();
        self.write(&mut text);
        text
    }

    fn write(&self, text: &mut Vec<u8>) {
        match self {
            Node::Scalar(token) => text.extend_from_slice(token),
            Node::Array(items) => {
                text.push(b'[');
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        text.push(b',');
                    }
                    item.write(text);
                }
                text.push(b']');
            }
            Node::Object(members) => {
                text.push(b'{');
                for (index, (name, member)) in members.iter().enumerate() {
                    if index > 0 {
                        text.push(b',');
                    }
                    text.extend_from_slice(name);
                    text.push(b':');
                    member.write(text);
                }
                text.push(b'}');
            }
        }
    }

    /// How many values there are, this one included.
    pub(super) fn count(&self) -> usize {
        1 + match self {
            Node::Scalar(_) => 0,
            Node::Array(items) => items.iter().map(Node::count).sum(),
            Node::Object(members) => members.iter().map(|(_, member)| member.count()).sum(),
        }
    }

    /// The value of that index, counted in order of the text, this one being 0. `index` is lowered by what was passed.
    pub(super) fn nth_mut(&mut self, index: &mut usize) -> Option<&mut Node<'a>> {
        if *index == 0 {
            return Some(self);
        }
        *index -= 1;
        match self {
            Node::Scalar(_) => None,
            Node::Array(items) => items.iter_mut().find_map(|item| item.nth_mut(index)),
            Node::Object(members) => {
                let mut members = members.iter_mut();
                members.find_map(|(_, member)| member.nth_mut(index))
            }
        }
    }

    /// How many items or members it has.
    pub(super) fn len(&self) -> usize {
        match self {
            Node::Scalar(_) => 0,
            Node::Array(items) => items.len(),
            Node::Object(members) => members.len(),
        }
    }

    /// An item, or the value of a member.
    pub(super) fn child(&mut self, index: usize) -> Option<&mut Node<'a>> {
        match self {
            Node::Scalar(_) => None,
            Node::Array(items) => items.get_mut(index),
            Node::Object(members) => members.get_mut(index).map(|(_, member)| member),
        }
    }
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    fn blanks(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn skip(&mut self, byte: u8) -> Option<()> {
        self.blanks();
        (self.text.get(self.at) == Some(&byte)).then(|| self.at += 1)
    }

    fn value(&mut self, depth: usize) -> Option<Node<'a>> {
        self.blanks();
        match self.text.get(self.at)? {
            b'[' | b'{' if depth == MAX_DEPTH => None,
            b'[' => {
                let mut items = Vec::new();
                self.list(b']', |parser| {
                    items.push(parser.value(depth + 1)?);
                    Some(())
                })?;
                Some(Node::Array(items))
            }
            b'{' => {
                let mut members = Vec::new();
                self.list(b'}', |parser| {
                    parser.blanks();
                    let name = parser.token()?;
                    parser.skip(b':')?;
                    members.push((name, parser.value(depth + 1)?));
                    Some(())
                })?;
                Some(Node::Object(members))
            }
            _ => self.token().map(Node::Scalar),
        }
    }

    /// What stands between a bracket, which is the next byte, and its `end`.
    fn list(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.at += 1;
        if self.skip(end).is_some() {
            return Some(());
        }
        loop {
            item(self)?;
            if self.skip(b',').is_none() {
                return self.skip(end);
            }
        }
    }

    fn token(&mut self) -> Option<Token<'a>> {
        let rest = &self.text[self.at..];
        let length = match rest.first() {
            Some(b'"') => string_length(rest)?,
            _ => rest
                .iter()
                .position(|byte| b"[]{},: \t\n\r\"".contains(byte))
                .unwrap_or(rest.len()),
        };
        self.at += length;
        (length > 0).then(|| rest[..length].into())
    }
}

fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        match text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

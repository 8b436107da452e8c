//! A JSON object that keeps the order of its members and those that occur twice.

use super::Value;

/// A JSON object: its members in the order they came, a name that occurs twice kept twice.
///
/// Looking up a name walks the members, which is meant for the small objects of a protocol.
#[derive(Clone, Debug, Default)]
pub struct Object {
    members: Vec<(String, Value)>,
}

impl Object {
    /// An object without members.
    pub fn new() -> Object {
        Object::default()
    }

    /// Takes members as they are.
    pub(crate) fn from_members(members: Vec<(String, Value)>) -> Object {
        Object { members }
    }

    /// The value of the **last** member of that name, which is the one that most parsers keep.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.members
            .iter()
            .rev()
            .find(|(member, _)| member == name)
            .map(|(_, value)| value)
    }

    /// The same as [`Object::get`], to change the value in place.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.members
            .iter_mut()
            .rev()
            .find(|(member, _)| member == name)
            .map(|(_, value)| value)
    }

    /// The values of all members of that name, in order.
    pub fn get_all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Value> {
        self.iter()
            .filter(move |(member, _)| *member == name)
            .map(|(_, value)| value)
    }

    /// Whether there is a member of that name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// All members in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&str, &Value)> + ExactSizeIterator {
        self.members
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// Gives the last member of that name this value, in its place, or appends the member. Gives back what it replaced.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Value>) -> Option<Value> {
        let name = name.into();
        match self.get_mut(&name) {
            Some(place) => Some(std::mem::replace(place, value.into())),
            None => {
                self.push(name, value);
                None
            }
        }
    }

    /// Appends a member, even if there is one of that name already.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.members.push((name.into(), value.into()));
    }

    /// Takes out all members of that name and gives back the value of the last.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.members
            .extract_if(.., |(member, _)| member == name)
            .last()
            .map(|(_, value)| value)
    }

    /// Number of members, each duplicate counted.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

/// Two objects are equal if they have the same members in any order; members that share a name have to come in the same
/// order among themselves.
impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        if self.len() != other.len() {
            return false;
        }
        if self
            .iter()
            .zip(other.iter())
            .all(|((left, _), (right, _))| left == right)
        {
            return self
                .iter()
                .zip(other.iter())
                .all(|((_, left), (_, right))| left == right);
        }
        let (left, right) = (self.sorted(), other.sorted());
        left == right
    }
}

impl Eq for Object {}

impl Object {
    /// The members by name; the sort is stable, so that duplicates stay in order.
    fn sorted(&self) -> Vec<(&str, &Value)> {
        let mut members: Vec<_> = self.iter().collect();
        members.sort_by_key(|(name, _)| *name);
        members
    }
}

impl<N: Into<String>, V: Into<Value>> FromIterator<(N, V)> for Object {
    /// Keeps duplicates.
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Object {
        Object {
            members: members
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        }
    }
}

impl IntoIterator for Object {
    type Item = (String, Value);
    type IntoIter = std::vec::IntoIter<(String, Value)>;

    fn into_iter(self) -> Self::IntoIter {
        self.members.into_iter()
    }
}

//! Texts for people. Each has a key and arguments, from which a GUI words the text in another language.

use std::fmt;

use crate::value::Side;

/// A sentence, a title or a part of a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Message {
    /// The key, such as `prey-pass`. All messages with this key have the same arguments.
    pub key: &'static str,
    /// The arguments with their names.
    pub arguments: Vec<(&'static str, Argument)>,
    /// The text in English.
    pub english: String,
}

impl Message {
    /// Creates a message.
    pub fn new<const COUNT: usize>(
        key: &'static str,
        arguments: [(&'static str, Argument); COUNT],
        english: impl Into<String>,
    ) -> Self {
        Self {
            key,
            arguments: arguments.into(),
            english: english.into(),
        }
    }

    /// Creates the title of a game that has a name of its own, such as `Bagh Chal`.
    pub fn name(name: &str) -> Self {
        Self::new("name", [("name", Argument::Name(name.into()))], name)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

/// An argument of a [`Message`].
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A number.
    Number(u32),
    /// A choice: `true` if the text says more.
    Flag(bool),
    /// A choice from a few words, such as `up`.
    Choice(&'static str),
    /// A proper name.
    Name(String),
    /// Names of places.
    Points(Vec<String>),
    /// The pieces of a side.
    Pieces(Pieces),
    /// A list of messages.
    Messages(Vec<Message>),
}

/// The pieces of a side, and their name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    /// The side.
    pub owner: Side,
    /// The name of one piece: `goat`.
    pub one: String,
    /// The name of several pieces: `goats`.
    pub many: String,
    /// The number of pieces in the game.
    pub count: u32,
}

impl Pieces {
    /// Returns `one` if the side has a single piece, otherwise `many`.
    pub fn choose<'a>(&self, one: &'a str, many: &'a str) -> &'a str {
        if self.count == 1 { one } else { many }
    }
}

/// Formats the name in the number of the pieces: `goats`, or `tiger` if there is one.
impl fmt::Display for Pieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.choose(&self.one, &self.many))
    }
}

impl From<usize> for Argument {
    fn from(number: usize) -> Self {
        Self::Number(u32::try_from(number).unwrap_or(u32::MAX))
    }
}

impl From<u8> for Argument {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Argument {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for Argument {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&'static str> for Argument {
    fn from(choice: &'static str) -> Self {
        Self::Choice(choice)
    }
}

impl From<Vec<String>> for Argument {
    fn from(points: Vec<String>) -> Self {
        Self::Points(points)
    }
}

impl From<&Pieces> for Argument {
    fn from(pieces: &Pieces) -> Self {
        Self::Pieces(pieces.clone())
    }
}

impl From<Vec<Message>> for Argument {
    fn from(messages: Vec<Message>) -> Self {
        Self::Messages(messages)
    }
}

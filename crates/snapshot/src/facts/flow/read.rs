//! Reading facts: values out of columns.

use super::*;
use crate::columns::Reader;
use crate::planes::unzigzag32;

/// Values out of columns.
pub(in crate::facts) struct Reading<'a> {
    columns: Vec<std::vec::IntoIter<u32>>,
    ends: Vec<u32>,
    text: &'a str,
    /// Strings met so far.
    n_words: u32,
    habits: Habits,
}

const SHORT: Fault = "a column ends too early";

impl<'a> Reading<'a> {
    pub fn new(bytes: &'a [u8]) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let mut columns = Vec::with_capacity(N_COLUMNS);
        for _ in 0..N_COLUMNS {
            columns.push(reader.numbers()?.into_iter());
        }
        Ok(Self {
            columns,
            ends: reader.numbers()?,
            text: reader.text()?,
            n_words: 0,
            habits: Habits::default(),
        })
    }

    fn next(&mut self, column: Column) -> Result<u32, Fault> {
        self.columns[column as usize].next().ok_or(SHORT)
    }
}

impl Flow for Reading<'_> {
    const READS: bool = true;

    fn number(&mut self, column: Column, _: u32, expected: u32) -> Result<u32, Fault> {
        let coded = self.next(column)?;
        Ok(expected.wrapping_add(unzigzag32(coded)))
    }

    fn habits(&mut self) -> &mut Habits {
        &mut self.habits
    }

    fn place(
        &mut self,
        columns: [Column; 2],
        words: fn(&mut Habits) -> &mut Words,
        _: u32,
        text: &str,
        last: Option<u32>,
    ) -> Result<u32, Fault> {
        match self.next(columns[0])? {
            ELSEWHERE => self.number(columns[1], 0, last.unwrap_or_default()),
            SAME => last.ok_or("the first place cannot be that of another"),
            code => {
                let words = words(&mut self.habits);
                let place = words.place(text, behind(text, last), code - N_PLACES);
                let place = place.ok_or("a word is not where it should stand")?;
                Ok(place as u32)
            }
        }
    }

    fn word(&mut self, column: Column, _: &str) -> Result<String, Fault> {
        let idx = match self.next(column)? {
            0 => return Ok(String::new()),
            1 => {
                self.n_words += 1;
                self.n_words - 1
            }
            back => (self.n_words + 1).checked_sub(back).ok_or(SHORT)?,
        } as usize;
        let end = *self.ends.get(idx).ok_or(SHORT)? as usize;
        let start = idx.checked_sub(1).and_then(|idx| self.ends.get(idx));
        let word = self.text.get(start.map_or(0, |start| *start as usize)..end);
        word.map(str::to_owned)
            .ok_or("a word is cut within a character")
    }

    fn near(
        &mut self,
        columns: [Column; 2],
        _: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault> {
        let start = match self.next(columns[0])? {
            0 => return Ok(String::new()),
            1 => return self.word(Column::Word, ""),
            ahead => cursor.saturating_add(ahead as usize - 2),
        };
        let length = self.number(columns[1], 0, word_at(text, start))?;
        *cursor = start.saturating_add(length as usize);
        let found = text.get(start..*cursor);
        found
            .map(str::to_owned)
            .ok_or("a name is not where it should stand")
    }

    fn before(
        &mut self,
        columns: [Column; 3],
        _: Option<[u32; 2]>,
        text: &str,
        name: u32,
    ) -> Result<Option<[u32; 2]>, Fault> {
        let mut end = separated(text, name as usize);
        match self.next(columns[0])? {
            coded @ (0 | 1) => {
                let usual = self.habits.receiver(text, name as usize, end);
                *usual ^= coded as u8;
                if *usual == 0 {
                    return Ok(None);
                }
            }
            _ => end = self.number(columns[1], 0, name)? as usize,
        }
        let length = self.number(columns[2], 0, word_before(text, end))? as usize;
        let start = end.checked_sub(length);
        let start = start.filter(|start| text.get(*start..end).is_some());
        let start = start.ok_or("a receiver is not where it should be")?;
        Ok(Some([start as u32, end as u32]))
    }

    fn usual(
        &mut self,
        columns: [Column; 2],
        _: &str,
        expected: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault> {
        match self.next(columns[0])? {
            0 => Ok(expected.to_owned()),
            _ => self.near(columns, "", text, cursor),
        }
    }
}

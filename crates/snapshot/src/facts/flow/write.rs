//! Writing facts: values into columns.

use super::*;
use crate::columns::Writer;
use crate::planes::zigzag32;

/// Values into columns.
pub(in crate::facts) struct Writing {
    columns: Vec<Vec<u32>>,
    words: Strings,
    habits: Habits,
}

impl Default for Writing {
    fn default() -> Self {
        Self {
            columns: vec![Vec::new(); N_COLUMNS],
            words: Strings::default(),
            habits: Habits::default(),
        }
    }
}

impl Writing {
    /// The block, packed.
    pub fn finish(self) -> Vec<u8> {
        let mut writer = Writer::default();
        for column in &self.columns {
            writer.numbers(column.iter().copied());
        }
        writer.numbers(self.words.ends.iter().copied());
        writer.bytes(self.words.text.as_bytes());
        writer.pack()
    }

    fn push(&mut self, column: Column, value: u32) {
        self.columns[column as usize].push(value);
    }
}

impl Flow for Writing {
    const READS: bool = false;

    fn number(&mut self, column: Column, value: u32, expected: u32) -> Result<u32, Fault> {
        self.push(column, zigzag32(value.wrapping_sub(expected)));
        Ok(value)
    }

    fn habits(&mut self) -> &mut Habits {
        &mut self.habits
    }

    fn place(
        &mut self,
        columns: [Column; 2],
        words: fn(&mut Habits) -> &mut Words,
        value: u32,
        text: &str,
        last: Option<u32>,
    ) -> Result<u32, Fault> {
        if last == Some(value) {
            self.push(columns[0], SAME);
            return Ok(value);
        }
        let words = words(&mut self.habits);
        match words.code(text, behind(text, last), value as usize) {
            Some(code) => {
                self.push(columns[0], code + N_PLACES);
                Ok(value)
            }
            None => {
                self.push(columns[0], ELSEWHERE);
                self.number(columns[1], value, last.unwrap_or_default())
            }
        }
    }

    fn word(&mut self, column: Column, value: &str) -> Result<String, Fault> {
        if value.is_empty() {
            self.push(column, 0);
            return Ok(String::new());
        }
        let words = &mut self.words;
        let next = words.ends.len() as u32;
        let code = match words.known.get(value) {
            Some(&known) => next - known + 1,
            None => {
                words.text.push_str(value);
                words.ends.push(words.text.len() as u32);
                words.known.insert(value.to_owned(), next);
                1
            }
        };
        self.push(column, code);
        Ok(String::new())
    }

    fn near(
        &mut self,
        columns: [Column; 2],
        value: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault> {
        if value.is_empty() {
            self.push(columns[0], 0);
            return Ok(String::new());
        }
        let bytes = text.as_bytes();
        let to = (*cursor + NEAR).min(bytes.len());
        let window = bytes.get(*cursor..to).unwrap_or_default();
        let Some(ahead) = memchr::memmem::find(window, value.as_bytes()) else {
            self.push(columns[0], 1);
            return self.word(Column::Word, value);
        };
        let start = *cursor + ahead;
        self.push(columns[0], ahead as u32 + 2);
        self.number(columns[1], value.len() as u32, word_at(text, start))?;
        *cursor = start + value.len();
        Ok(String::new())
    }

    fn before(
        &mut self,
        columns: [Column; 3],
        value: Option<[u32; 2]>,
        text: &str,
        name: u32,
    ) -> Result<Option<[u32; 2]>, Fault> {
        let at = separated(text, name as usize);
        let is_elsewhere = value.is_some_and(|[_, end]| end as usize != at);
        if is_elsewhere {
            self.push(columns[0], 2);
        } else {
            let usual = self.habits.receiver(text, name as usize, at);
            let coded = u8::from(value.is_some()) ^ *usual;
            *usual = u8::from(value.is_some());
            self.push(columns[0], u32::from(coded));
        }
        if let Some([start, end]) = value {
            if is_elsewhere {
                self.number(columns[1], end, name)?;
            }
            self.number(columns[2], end - start, word_before(text, end as usize))?;
        }
        Ok(None)
    }

    fn usual(
        &mut self,
        columns: [Column; 2],
        value: &str,
        expected: &str,
        text: &str,
        cursor: &mut usize,
    ) -> Result<String, Fault> {
        if value == expected {
            self.push(columns[0], 0);
            return Ok(String::new());
        }
        self.push(columns[0], 1);
        self.near(columns, value, text, cursor)
    }
}

//! The words of identifiers, and which of them set a community apart: frequent inside, rare outside.

use rustc_hash::FxHashMap;
use syntax::order::InOrder;

use super::identifier::{singular, words_of};
use super::label::{is_generic, stem};

/// Minimum share of members, in percent, whose names or files have a word that gives the label.
const WORD_PERCENT: u64 = 6;
/// The same where no folder or file goes with it.
const WORD_PERCENT_ALONE: u64 = 10;
/// How much more frequent a word must be inside than in the whole repository, if there are several communities.
const LIFT: u64 = 2;
/// From how many communities on a word must be that much more frequent.
const MANY_GROUPS: usize = 4;
/// Share of a word's members, in percent, that must have the same word beside it for both to be named.
const PHRASE_PERCENT: usize = 60;
/// Words of names that say nothing about what the code is about, in order.
const STOP_WORDS: &[&str] = &[
    "add", "after", "all", "and", "any", "apply", "are", "arg", "args", "as", "async", "at",
    "attr", "bad", "base", "be", "before", "bool", "build", "by", "call", "can", "cb", "change",
    "char", "check", "clone", "close", "common", "copy", "count", "create", "current", "data",
    "def", "default", "delete", "dict", "did", "do", "does", "else", "end", "entry", "equal",
    "err", "field", "find", "first", "flag", "float", "fmt", "fn", "for", "format", "from", "func",
    "function", "get", "handle", "has", "helper", "id", "idx", "if", "impl", "in", "index", "info",
    "init", "inner", "int", "internal", "into", "is", "it", "item", "iter", "key", "kind",
    "kwargs", "last", "len", "list", "main", "make", "map", "may", "method", "must", "mut", "name",
    "need", "new", "next", "no", "not", "num", "obj", "object", "of", "off", "on", "only", "open",
    "opt", "option", "options", "or", "other", "out", "outer", "parse", "pop", "prev", "process",
    "ptr", "push", "put", "read", "ref", "remove", "repr", "result", "run", "self", "set",
    "should", "show", "simple", "single", "size", "start", "stop", "str", "string", "such", "temp",
    "test", "that", "the", "then", "this", "tmp", "to", "todo", "try", "typ", "type", "update",
    "use", "util", "val", "valid", "value", "values", "void", "was", "when", "will", "with",
    "without", "write",
];

/// The folder or file that a label begins with: letters and digits in lower case, empty if there is none.
#[derive(Clone, Copy, Default)]
pub(super) struct Place<'t> {
    pub text: &'t str,
    pub is_file: bool,
}

impl Place<'_> {
    fn is_there(self) -> bool {
        !self.text.is_empty()
    }
}

/// Weight of a word in a symbol's own name, and in the name of its file.
const OWN: u32 = 2;
const OF_FILE: u32 = 1;
/// How often a word of one of the most central members counts: a label is read as the name of what they do.
const CENTRAL: u32 = 4;
/// Maximum number of central members that two words may leave unnamed. Where more are, a third word is added.
const MOST_UNNAMED: usize = 3;
/// Maximum number of words or phrases of a label.
const MOST_TERMS: usize = 3;

/// The words of all members, numbered. A plural counts as its singular.
pub(super) struct Vocabulary {
    texts: Vec<String>,
    /// Whether a word says nothing, or is too short.
    is_stop: Vec<bool>,
    /// Words of each symbol: its own, then those of its file.
    words: Vec<u32>,
    /// Of each symbol, where its words begin, where its own end, and where all end.
    places: Vec<[u32; 3]>,
    /// How often the words of each symbol count.
    factors: Vec<u32>,
    /// Weight of each word in all groups.
    everywhere: Vec<u32>,
    /// Sum of the factors of all members.
    size: u64,
    n_groups: usize,
    /// Weight of each word in the group that is named; all 0 between two groups.
    inside: Vec<u32>,
}

impl Vocabulary {
    /// Reads the words of the members of all groups. `names` and `paths` are by symbol; `central` has the most central members of
    /// each group.
    pub fn new(names: &[&str], paths: &[&str], members: &[Vec<u32>], central: &[Vec<u32>]) -> Self {
        let mut vocabulary = Vocabulary {
            texts: Vec::new(),
            is_stop: Vec::new(),
            words: Vec::new(),
            places: vec![[0; 3]; names.len()],
            factors: vec![1; names.len()],
            everywhere: Vec::new(),
            size: 0,
            n_groups: members.len(),
            inside: Vec::new(),
        };
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut word = String::new();
        // Most members follow one of the same file.
        let (mut path, mut of_file) = ("", 0..0);
        for symbol in members.iter().flatten().map(|symbol| *symbol as usize) {
            let start = vocabulary.words.len();
            let mut add = |text: &str| vocabulary.add(text, &mut numbers);
            words_of(names[symbol], &mut word, &mut add);
            let own = vocabulary.words.len();
            if std::ptr::eq(path, paths[symbol]) {
                vocabulary.words.extend_from_within(of_file);
            } else {
                path = paths[symbol];
                let mut add = |text: &str| vocabulary.add(text, &mut numbers);
                words_of(stem(path), &mut word, &mut add);
            }
            of_file = own..vocabulary.words.len();
            vocabulary.places[symbol] = [start as u32, own as u32, of_file.end as u32];
        }
        for symbol in central.iter().flatten() {
            vocabulary.factors[*symbol as usize] = CENTRAL;
        }
        vocabulary.size = members
            .iter()
            .map(|members| vocabulary.size_of(members))
            .sum();
        vocabulary.inside = vec![0; vocabulary.texts.len()];
        vocabulary.everywhere = vec![0; vocabulary.texts.len()];
        for symbol in members.iter().flatten() {
            let (own, of_file) = split(&vocabulary.words, vocabulary.places[*symbol as usize]);
            let factor = vocabulary.factors[*symbol as usize];
            weigh(own, of_file, |word, weight| {
                vocabulary.everywhere[word as usize] += weight * factor;
            });
        }
        vocabulary
    }

    fn add(&mut self, text: &str, numbers: &mut FxHashMap<String, u32>) {
        let word = singular(text);
        let number = match numbers.get(word) {
            Some(number) => *number,
            None => {
                let number = self.texts.len() as u32;
                let is_plural = word.len() < text.len();
                let is_stop =
                    word.len() < 3 || says_nothing(word) || is_plural && says_nothing(text);
                self.is_stop.push(is_stop);
                self.texts.push(word.to_owned());
                numbers.insert(word.to_owned(), number);
                number
            }
        };
        self.words.push(number);
    }

    /// The words that set some members apart, each for those that the ones before it leave unnamed: two words or a phrase of two, and
    /// one more where many central members have neither and no file names them. One word is enough beside a place, whose words are not
    /// given.
    pub fn topic(&mut self, members: &[u32], place: Place<'_>) -> Option<String> {
        let percent = if place.is_there() {
            WORD_PERCENT
        } else {
            WORD_PERCENT_ALONE
        };
        let size = self.size_of(members);
        let least = (size * percent / 100).max(2) as u32 * OWN;
        let (mut terms, mut n_words): (Vec<String>, usize) = (Vec::new(), 0);
        let (mut unnamed, mut first) = (members.to_vec(), None);
        while terms.len() < MOST_TERMS
            && (n_words < 2 || !place.is_file && self.n_central(&unnamed) > MOST_UNNAMED)
        {
            // Where the first word names everybody, a second one may name some of them again.
            let again = if place.is_there() || terms.len() != 1 {
                None
            } else {
                first
            };
            let Some(word) = self
                .most_telling(&unnamed, least, size, place.text, None)
                .or_else(|| self.most_telling(members, least, size, place.text, Some(again?)))
            else {
                break;
            };
            first = first.or(Some(word));
            let phrase = self.phrase(&unnamed, word, place.text);
            n_words += 1 + usize::from(phrase.is_some());
            terms.push(phrase.unwrap_or_else(|| self.texts[word as usize].clone()));
            unnamed.retain(|symbol| {
                let (own, of_file) = split(&self.words, self.places[*symbol as usize]);
                !own.contains(&word) && !of_file.contains(&word)
            });
        }
        (n_words > 1 || n_words == 1 && place.is_there()).then(|| terms.join(", "))
    }

    fn size_of(&self, members: &[u32]) -> u64 {
        let factors = members.iter().map(|symbol| self.factors[*symbol as usize]);
        factors.map(u64::from).sum()
    }

    fn n_central(&self, members: &[u32]) -> usize {
        let is_central = |symbol: &&u32| self.factors[**symbol as usize] > 1;
        members.iter().filter(is_central).count()
    }

    /// The word that is most frequent in some members of a group of this size and rare elsewhere.
    fn most_telling(
        &mut self,
        members: &[u32],
        least: u32,
        size: u64,
        place: &str,
        but: Option<u32>,
    ) -> Option<u32> {
        let mut seen: Vec<u32> = Vec::new();
        for symbol in members {
            let (own, of_file) = split(&self.words, self.places[*symbol as usize]);
            let (inside, factor) = (&mut self.inside, self.factors[*symbol as usize]);
            weigh(own, of_file, |word, weight| {
                if inside[word as usize] == 0 {
                    seen.push(word);
                }
                inside[word as usize] += weight * factor;
            });
        }
        let lift = if self.n_groups < MANY_GROUPS { 1 } else { LIFT };
        let is_telling = |word: &u32| {
            let (here, everywhere) = self.weights(*word);
            here >= least
                && is_frequent([here, everywhere], [size, self.size], lift)
                && !self.is_stop[*word as usize]
        };
        let text = |word: u32| self.texts[word as usize].as_str();
        let telling = seen
            .iter()
            .copied()
            .filter(is_telling)
            .filter(|word| Some(*word) != but && !place.contains(text(*word)));
        let best = telling.max_by_key(|word| {
            let (here, everywhere) = self.weights(*word);
            // Frequent here, times the share of it that is here: no logarithm, whose last digit differs by machine.
            let points = u64::from(here) * u64::from(here) * 1000 / u64::from(everywhere.max(1));
            (points, std::cmp::Reverse(text(*word)))
        });
        for word in seen {
            self.inside[word as usize] = 0;
        }
        best
    }

    fn weights(&self, word: u32) -> (u32, u32) {
        (self.inside[word as usize], self.everywhere[word as usize])
    }

    /// A word with the one that is nearly always beside it in the members' names.
    fn phrase(&self, members: &[u32], word: u32, place: &str) -> Option<String> {
        let mut n_with = 0;
        let mut beside: Vec<(u32, u32)> = Vec::new();
        for symbol in members {
            let (own, _) = split(&self.words, self.places[*symbol as usize]);
            n_with += usize::from(own.contains(&word));
            let pairs = own.windows(2).filter(|pair| pair.contains(&word));
            beside.extend(pairs.filter_map(|pair| Some((*pair.first()?, *pair.get(1)?))));
        }
        let is_named = |pair: &&[(u32, u32)]| {
            let [(a, b), ..] = pair else { return false };
            let other = if *a == word { *b } else { *a };
            let text = self.texts[other as usize].as_str();
            other != word && !self.is_stop[other as usize] && !place.contains(text)
        };
        beside.order_by(Ord::cmp);
        let (count, (a, b)) = beside
            .chunk_by(|a, b| a == b)
            .filter(is_named)
            .filter_map(|pairs| Some((pairs.len(), *pairs.first()?)))
            .max_by_key(|(count, pair)| (*count, std::cmp::Reverse(*pair)))?;
        let text = |word: u32| self.texts[word as usize].as_str();
        (count > 1 && count * 100 >= n_with * PHRASE_PERCENT)
            .then(|| format!("{} {}", text(a), text(b)))
    }
}

/// Whether a word is `lift` times as frequent here as everywhere. `sizes` are those of the two. Products of a repository with millions of
/// symbols pass 32 bits, which `usize` has in WebAssembly.
fn is_frequent([here, everywhere]: [u32; 2], sizes: [u64; 2], lift: u64) -> bool {
    let [size_here, size_everywhere] = sizes;
    u64::from(here) * size_everywhere >= u64::from(everywhere) * size_here * lift
}

/// The words of a symbol: its own and those of its file.
fn split(words: &[u32], [start, own, end]: [u32; 3]) -> (&[u32], &[u32]) {
    let words = |from: u32, to: u32| words.get(from as usize..to as usize).unwrap_or_default();
    (words(start, own), words(own, end))
}

/// Calls `add` with each word once, and its weight.
fn weigh(own: &[u32], of_file: &[u32], mut add: impl FnMut(u32, u32)) {
    for (at, word) in own.iter().enumerate() {
        if !own[..at].contains(word) {
            add(*word, OWN);
        }
    }
    for (at, word) in of_file.iter().enumerate() {
        if !own.contains(word) && !of_file[..at].contains(word) {
            add(*word, OF_FILE);
        }
    }
}

fn says_nothing(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok() || is_generic(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The topic of the first group of names.
    #[track_caller]
    fn check_topic(groups: &[&[&str]], place: Option<&str>, expected: Option<&str>) {
        let names: Vec<&str> = groups.concat();
        let paths = vec!["a/b.rs"; names.len()];
        let mut next = 0;
        let number = |group: &&[&str]| {
            let first = next;
            next += group.len() as u32;
            (first..next).collect()
        };
        let members: Vec<Vec<u32>> = groups.iter().map(number).collect();
        let mut words = Vocabulary::new(&names, &paths, &members, &[]);
        let place = Place {
            text: place.unwrap_or_default(),
            is_file: false,
        };
        assert_eq!(words.topic(&members[0], place).as_deref(), expected);
    }

    /// With 32 bits the second product would be 0, so that in WebAssembly any word of a large repository told a group apart.
    #[test]
    fn products_of_large_repositories_do_not_wrap() {
        let wraps = [1 << 31, 1 << 20];
        assert!(!is_frequent([1, 1 << 30], wraps, 2));
        assert!(is_frequent([1 << 20, 1 << 30], [1 << 20, 1 << 31], 2));
    }

    #[test]
    fn a_topic_is_frequent_inside_and_rare_outside() {
        let rest: [&[&str]; 3] = [
            &["changePrice", "shouldChange", "priceOf"],
            &["changeMail", "mailFor", "shouldSend"],
            &["changeUser", "userBy", "shouldLogIn"],
        ];
        let cookies: &[&str] = &[
            "changeCookie",
            "cookieHeader",
            "signCookie",
            "headerOf",
            "shouldSign",
        ];
        let groups: Vec<&[&str]> = std::iter::once(cookies).chain(rest).collect();
        check_topic(&groups, None, Some("cookie, header"));
        check_topic(&groups, Some("cookie"), Some("header, sign"));
    }

    #[test]
    fn a_word_names_whom_the_words_before_leave_unnamed() {
        let rest: [&[&str]; 3] = [
            &["price_of", "price", "price_list", "old_price", "price_tag"],
            &["mail", "mailer", "mail_to", "mail_all", "mail_text"],
            &["user_by", "user", "users", "user_page", "all_users"],
        ];
        let mixed: &[&str] = &[
            "log_line",
            "log_start",
            "log_end",
            "log_level",
            "recover_panic",
            "recover_stack",
            "recover_all",
            "token_of",
            "token_header",
        ];
        let groups: Vec<&[&str]> = std::iter::once(mixed).chain(rest).collect();
        check_topic(&groups, Some("middleware"), Some("log, recover"));
    }

    #[test]
    fn one_word_is_no_label_without_a_place() {
        let groups: [&[&str]; 1] = [&["cookie_a", "cookie_b"]];
        check_topic(&groups, None, None);
        check_topic(&groups, Some("http"), Some("cookie"));
    }

    #[test]
    fn words_that_go_together_are_named_together() {
        let groups: [&[&str]; 1] = [&["path_params", "all_path_params", "path_param_of"]];
        check_topic(&groups, None, Some("path param"));
    }
}

//! Steps end the parsing of hostile texts, the same on any machine, and none of large plausible sources. No test here has a
//! clock: whatever ends, its steps end it.

use std::fmt::Write;

use syntax::facts::{FileFacts, ProblemKind};
use syntax::{Language, ParseConfig, Parsers};

use crate::read;

/// The message of the problem that says that a file took too long.
fn cut(facts: &FileFacts) -> Option<&str> {
    let mut problems = facts.problems.iter();
    let problem = problems.find(|problem| problem.kind == ProblemKind::Timeout)?;
    Some(&problem.message)
}

/// Repeats a piece up to `n_bytes`.
fn repeated(piece: &str, n_bytes: usize) -> String {
    piece.repeat(n_bytes / piece.len())
}

#[test]
fn texts_on_which_grammars_explode_end_by_their_steps() {
    for (language, before, piece) in [
        (Language::Cpp, "", "a<b<(c)<"),
        (Language::CSharp, "", "a<b,c<(d)>(e)<"),
        (Language::Swift, "", "a<b{c?:("),
        (Language::Kotlin, "", "a<b>{c?.(d)<"),
        (Language::Scala, "", "a=>"),
        (Language::Dart, "", "a<b>(c)=>{d<"),
    ] {
        let text = format!("{before}{}", repeated(piece, 800_000));
        let facts = read(language, &text);
        let message = cut(&facts).unwrap_or_else(|| panic!("{language:?} is read to its end"));
        // Near the beginning: the steps in the message are those of the bytes in it.
        let (steps, bytes) = steps_and_bytes(message);
        assert!(bytes < 500_000, "{language:?}: {message}");
        assert!(steps < 3_000_000, "{language:?}: {message}");
        let n_bytes: u32 = facts
            .chunks
            .iter()
            .map(|one| one.span.end - one.span.start)
            .sum();
        assert_eq!(
            n_bytes as usize,
            text.len(),
            "{language:?}: all is searched"
        );
        assert_eq!(facts.symbols.len() + facts.references.len(), 0);
        assert_eq!(facts, read(language, &text), "{language:?} twice");
    }
}

/// "reading took more than 1 steps for 2 bytes; …"
fn steps_and_bytes(message: &str) -> (u64, usize) {
    let rest = message.strip_prefix("reading took more than ").unwrap();
    let (steps, rest) = rest.split_once(" steps for ").unwrap();
    let (bytes, _) = rest.split_once(" bytes;").unwrap();
    (steps.parse().unwrap(), bytes.parse().unwrap())
}

#[test]
fn after_a_text_that_was_cut_the_next_is_read_whole() {
    let mut parsers = Parsers::new(ParseConfig::default());
    let hostile = repeated("a<b<(c)<", 400_000);
    assert!(cut(&parsers.read(Language::Cpp, &hostile)).is_some());
    let facts = parsers.read(Language::Cpp, "int f() { return g(); }\n");
    assert_eq!((facts.symbols.len(), facts.problems.len()), (1, 0));
}

#[test]
fn a_lower_limit_is_the_one_that_counts() {
    let mut parsers = Parsers::new(ParseConfig {
        max_parse_steps: 5_000,
        ..ParseConfig::default()
    });
    let facts = parsers.read(Language::Go, &repeated("func f() { g() }\n", 100_000));
    assert!(cut(&facts).is_some_and(|message| message.contains("more than 5000 steps;")));
}

/// One function or type of plausible code for each language that has a grammar; `#` is its number.
const CODE: [(Language, &str, &str, &str); 21] = [
    (
        Language::Rust,
        "",
        "pub fn f#<T: Clone + 'static>(x: &[T], n: usize) -> Option<Vec<T>> {\n    let y = x.iter().filter(|v| n < 3 && !v.is_empty()).map(|v| g(v, n as u64)).collect::<Vec<_>>();\n    if let Some(z) = y.first() { return Some(vec![z.clone(); n << 2]); }\n    match n { 0 => None, _ => Some(y) }\n}\n\n",
        "",
    ),
    (
        Language::Python,
        "",
        "class C#(Base):\n    def m(self, a: int, b=None, *args, **kw) -> dict[str, list[int]]:\n        x = {k: [v for v in vs if v > a] for k, vs in self.items(a, b=b).items()}\n        return x if a < 3 and not b else {'a': (lambda q: q * 2)(a), f\"{a}-{b}\": []}\n\n",
        "",
    ),
    (
        Language::JavaScript,
        "",
        "export async function f#(a, { b = 1, ...c }) {\n  const x = a.map((v) => (v < b ? v * 2 : g(v)?.h ?? [...c.d])).filter(Boolean);\n  for (const [k, v] of Object.entries(x)) await this.q(`${k}: ${v}`, k < 3 && v > 4);\n  return { x, y: { z: [1, 2, x] } };\n}\n\n",
        "",
    ),
    (
        Language::TypeScript,
        "",
        "export class C#<T extends Base<T>> implements I<T, string> {\n  constructor(private readonly a: Map<string, Array<T>>, b?: (x: T) => void) { super(); }\n  m<K extends keyof T>(k: K): Promise<T[K] | undefined> { return this.q<K>(k < 3 ? k : (k as K)).then((v) => v!); }\n}\n\n",
        "",
    ),
    (
        Language::Tsx,
        "",
        "export function C#({ a, b }: Props<string>) {\n  const [x, setX] = useState<Array<number>>([]);\n  return <div className={a < 3 ? \"p\" : b}>{x.map((v) => (<Item key={v} on={() => setX([...x, v])} />))}</div>;\n}\n\n",
        "",
    ),
    (
        Language::Go,
        "package a\n\n",
        "func (r *R#) M(a []string, n int) (map[string][]int, error) {\n\tx := make(map[string][]int, n<<1)\n\tfor i, v := range a {\n\t\tif i < n && v != \"\" {\n\t\t\tx[v] = append(x[v], func(k int) int { return k * 2 }(i))\n\t\t}\n\t}\n\treturn x, nil\n}\n\n",
        "",
    ),
    (
        Language::Java,
        "",
        "class C#<T extends Comparable<T>> implements I<Map<String, List<T>>> {\n  @Override public <K> Map<K, List<T>> m(List<? super T> a, int n) throws E {\n    for (int i = 0; i < n; i++) { if (a.get(i) instanceof T t && n < 3) q((K) t, x -> x.r(n)); }\n    return new HashMap<K, List<T>>(n);\n  }\n}\n\n",
        "",
    ),
    (
        Language::C,
        "",
        "static int f#(struct s *p, const char *a, size_t n) {\n  unsigned char t[4] = {0x01, 0x02, 3, 4};\n  for (size_t i = 0; i < n; i++) { if (p->q[i] < 3 && (int)a[i] > (t[i & 3] << 2)) g(&p->r, (char *)a + i, sizeof(struct s)); }\n  return n ? p->x : -1;\n}\n\n",
        "",
    ),
    (
        Language::Cpp,
        "",
        "template <typename T, std::enable_if_t<(sizeof(T) < 8), int> = 0>\nclass C# : public Base<std::map<std::string, std::vector<T>>> {\n public:\n  auto m(const std::vector<T>& a, int n) const -> std::optional<T> {\n    for (auto& x : a) if (x < n && f<T>(x) > (n << 2)) return static_cast<T>(g<int, T>(x)(n));\n    return [this, &a](auto y) { return y < a.size(); }(n) ? std::optional<T>{} : T(n);\n  }\n};\n\n",
        "",
    ),
    (
        Language::CSharp,
        "",
        "public class C#<T> : Base<Dictionary<string, List<T>>> where T : IComparable<T> {\n  public async Task<T?> M(IEnumerable<T> a, int n = 3) {\n    var x = a.Where(v => n < 3 && v is not null).Select(v => (v, F<T>(v))).ToDictionary(p => p.Item1, p => p.Item2);\n    return x.Count < n ? await Q<T>(x) : default(T);\n  }\n}\n\n",
        "",
    ),
    (
        Language::Php,
        "<?php\n",
        "class C# extends Base implements I {\n  public function m(?array $a, int $n = 3): ?array {\n    $x = array_map(fn($v) => $v < $n ? $v * 2 : self::g($v)->h ?? [], $a);\n    foreach ($x as $k => $v) { if ($k < 3 && !$v) $this->q(\"$k: {$v['a']}\", [1, 2, 'b' => $x]); }\n    return $x;\n  }\n}\n\n",
        "",
    ),
    (
        Language::Kotlin,
        "",
        "class C#<T : Comparable<T>>(private val a: Map<String, List<T>>) : Base<T>() {\n    fun m(n: Int = 3, f: (T) -> Unit): List<T>? {\n        val x = a.filter { (k, v) -> k.length < n && v.isNotEmpty() }.flatMap { it.value.map { v -> g<T>(v) } }\n        return if (x.size < n) x?.also { it.forEach(f) } else null\n    }\n}\n\n",
        "",
    ),
    (
        Language::Swift,
        "",
        "final class C#<T: Comparable>: Base<T>, P {\n    func m(_ a: [String: [T]], n: Int = 3) throws -> [T]? {\n        let x = a.filter { k, v in k.count < n && !v.isEmpty }.flatMap { $0.value.map { g($0) } }\n        guard let y = x.first, n < 3 else { return nil }\n        return n > 2 ? [y] : try q<T>(x) { v in v }\n    }\n}\n\n",
        "",
    ),
    (
        Language::Scala,
        "",
        "class C#[T <: Ordered[T]](a: Map[String, List[T]]) extends Base[T] with P {\n  def m(n: Int = 3)(implicit e: E[T]): Option[List[T]] = {\n    val x = for { (k, vs) <- a.toList if k.length < n; v <- vs } yield g[T](v, n)\n    x match { case Nil => None; case h :: _ if n < 3 => Some(List(h)); case _ => Some(x.map(v => v)) }\n  }\n}\n\n",
        "",
    ),
    (
        Language::Dart,
        "",
        "class C#<T extends Comparable<T>> extends Base<Map<String, List<T>>> {\n  Future<List<T>?> m(List<T> a, {int n = 3}) async {\n    final x = a.where((v) => n < 3 && v != null).map<T>((v) => g<T>(v)).toList();\n    return x.length < n ? await q(x) : [for (final v in x) v];\n  }\n}\n\n",
        "",
    ),
    (
        Language::Ruby,
        "",
        "class C# < Base\n  def m(a, n = 3, *args, **kw)\n    x = a.select { |k, v| k.size < n && !v.empty? }.map { |k, v| [k, g(v)] }.to_h\n    return x unless n < 3\n    x.each { |k, v| puts \"#{k}: #{v[:a]}\" if v }\n  end\nend\n\n",
        "",
    ),
    (
        Language::Lua,
        "",
        "function M.f#(self, a, n)\n  local x = {}\n  for i, v in ipairs(a) do\n    if i < n and not v.q then x[#x + 1] = { k = i, v = g(v, function(y) return y * 2 end) } end\n  end\n  return x, n < 3 and 'a' or \"b\" .. n\nend\n\n",
        "",
    ),
    (
        Language::Bash,
        "",
        "f#() {\n  local a=\"$1\" n=${2:-3}\n  for x in \"${a[@]}\"; do\n    if [[ \"$x\" =~ ^b.*$ && $n -lt 3 ]]; then echo \"$(g \"$x\" | sed 's/a/b/')\" > \"$n.txt\"; fi\n  done\n  case \"$n\" in 1|2) return 1 ;; *) h \"$@\" ;; esac\n}\n\n",
        "",
    ),
    (
        Language::Elixir,
        "",
        "defmodule M# do\n  @spec m(list(), integer()) :: {:ok, map()} | :error\n  def m(a, n \\\\ 3) when n < 10 do\n    x = a |> Enum.filter(fn v -> v.q < n and not is_nil(v) end) |> Enum.map(&g(&1, n))\n    case x do\n      [] -> :error\n      [h | _] -> {:ok, %{a: h, b: \"#{n}\"}}\n    end\n  end\nend\n\n",
        "",
    ),
    (
        Language::Haskell,
        "module A where\n\n",
        "f# :: (Ord a, Show a) => Map String [a] -> Int -> Maybe [a]\nf# m n = do\n  x <- lookup (show n) m\n  let y = [g v n | v <- x, n < 3, not (null m)]\n  if length y < n then Just y else case y of\n    [] -> Nothing\n    (h : _) -> Just (map (\\v -> v) [h])\n\n",
        "",
    ),
    (
        Language::Zig,
        "",
        "fn f#(comptime T: type, a: []const T, n: usize) !?T {\n    var x = std.ArrayList(T).init(gpa);\n    defer x.deinit();\n    for (a, 0..) |v, i| {\n        if (i < n and v != 0) try x.append(@as(T, @intCast(g(v) << 2)));\n    }\n    return if (x.items.len < n) null else x.items[0];\n}\n\n",
        "",
    ),
];

/// Repeats a piece of code up to `n_bytes`, between two others.
fn code(before: &str, piece: &str, behind: &str, n_bytes: usize) -> String {
    let mut text = before.to_owned();
    let (head, tail) = piece.split_once('#').unwrap();
    for number in 0.. {
        if text.len() > n_bytes {
            break;
        }
        write!(text, "{head}{number}{tail}").unwrap();
    }
    text + behind
}

#[test]
fn a_megabyte_of_plausible_code_is_parsed_whole_in_every_language() {
    let mut parsers = Parsers::new(ParseConfig::default());
    let grammars = Language::ALL.into_iter().filter_map(Language::grammar);
    let missing: Vec<_> = grammars
        .filter(|name| {
            CODE.iter()
                .all(|(language, ..)| language.grammar() != Some(name))
        })
        .collect();
    assert!(missing.is_empty(), "no code for {missing:?}");
    for (language, before, piece, behind) in CODE {
        let text = code(before, piece, behind, 1_000_000);
        assert!(parsers.only_parse(language, &text), "{language:?}");
        // Reading it takes more steps than parsing, for each byte as many.
        let facts = parsers.read(language, &code(before, piece, behind, 20_000));
        assert_eq!(cut(&facts), None, "{language:?}");
        assert!(
            facts.symbols.len() > 20,
            "{language:?}: {} symbols",
            facts.symbols.len()
        );
    }
}

#[test]
fn a_minified_bundle_and_tables_of_numbers_are_read_whole() {
    let piece = "function a#(e,t,n){var r,i=e[t]||0,o=n&&n.x;return i>o?(r=function(e){return e?1:2},r(i)):t.map(function(e){return e*2+o}).filter(Boolean)[0]&&!e?{a:1,b:[1,2],c:function(){}}:void 0}";
    let bundle: String = (0..8_500)
        .map(|n| piece.replace('#', &n.to_string()))
        .collect();
    let facts = read(
        Language::JavaScript,
        &format!("!function(){{{bundle}}}();\n"),
    );
    assert_eq!(cut(&facts), None);
    assert!(
        facts.symbols.len() > 8_000,
        "{} symbols",
        facts.symbols.len()
    );
    let mut parsers = Parsers::new(ParseConfig::default());
    let numbers: String = (0..280_000).map(|n| format!("{},", n % 256)).collect();
    for (language, before, behind) in [
        (Language::C, "static const unsigned char t[] = {\n", "0};\n"),
        (
            Language::Cpp,
            "static const unsigned char t[] = {\n",
            "0};\n",
        ),
        (
            Language::CSharp,
            "class A { static readonly byte[] T = new byte[] {\n",
            "0}; }\n",
        ),
        (Language::Swift, "let t = [\n", "0]\n"),
        (Language::Kotlin, "val t = listOf(\n", "0)\n"),
        (Language::Python, "t = [\n", "0]\n"),
    ] {
        let text = format!("{before}{numbers}{behind}");
        assert!(parsers.only_parse(language, &text), "{language:?}");
    }
}

/// Each border of a chunk would otherwise look for its token from the start of a list of a hundred thousand nodes: minutes for
/// a file of 2 MiB.
#[test]
fn a_text_that_is_one_error_is_cut_into_chunks() {
    let text = repeated("do{a<-(if b then\n", 300_000);
    let facts = read(Language::Haskell, &text);
    assert_eq!(cut(&facts), None);
    let mut ends = facts.chunks.iter().map(|one| one.span.end);
    assert!(ends.len() > 100 && ends.next_back() == Some(text.len() as u32));
    let borders = facts.chunks.windows(2);
    assert!(
        borders
            .into_iter()
            .all(|two| two[0].span.end == two[1].span.start)
    );
}

/// Each binding would otherwise look for the nodes around it past all that are before it: four minutes for this text.
#[test]
fn a_list_of_a_hundred_thousand_nodes_is_not_passed_for_each_of_them() {
    let text = format!("<?php\n{}", repeated("fn($a)=>[$b<(", 500_000));
    let before = std::time::Instant::now();
    let facts = read(Language::Php, &text);
    assert!(!facts.problems.is_empty() && !facts.chunks.is_empty());
    assert!(before.elapsed().as_secs() < 60, "{:?}", before.elapsed());
}

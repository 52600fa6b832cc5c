use super::*;

pub(in crate::lower) fn show(expr: &TypeRef<'_>) -> String {
    let list = |items: &[TypeRef<'_>]| items.iter().map(show).collect::<Vec<_>>().join(", ");
    match expr {
        TypeRef::Named(segments, arguments) if arguments.is_empty() => segments.join("."),
        TypeRef::Named(segments, arguments) => {
            format!("{}<{}>", segments.join("."), list(arguments))
        }
        TypeRef::Union(parts) => format!("union({})", list(parts)),
        TypeRef::List(element) => format!("list({})", show(element)),
        TypeRef::Tuple(elements) => format!("tuple({})", list(elements)),
        TypeRef::Function(parameters, result) => {
            let shown: Vec<String> = parameters
                .iter()
                .map(|(name, ty)| format!("{name}: {}", show(ty)))
                .collect();
            format!("fn({}) {}", shown.join(", "), show(result))
        }
        TypeRef::Other => "_".to_owned(),
    }
}

#[test]
fn types_of_all_languages() {
    let cases = [
        ("&'a mut Foo<T>", "Foo<T>"),
        (
            "Arc<Mutex<dyn Handler + Send>>",
            "Arc<Mutex<union(Handler, Send)>>",
        ),
        (
            "impl Future<Output = Result<Foo, Error>> + Send",
            "union(Future<Result<Foo, Error>>, Send)",
        ),
        (
            "std::collections::HashMap<String, Vec<u8>>",
            "std.collections.HashMap<String, Vec<u8>>",
        ),
        (
            "Box<dyn Fn(Request) -> Response>",
            "Box<fn(: Request) Response>",
        ),
        ("&'p Program<'a, 'b>", "Program"),
        ("Foo<'a', \"b\">", "Foo<_, _>"),
        ("[u8; 4]", "list(u8)"),
        ("<T as Trait>::Item", "_"),
        ("Optional[Foo]", "Optional<Foo>"),
        ("dict[str, list[Foo]] | None", "dict<str, list<Foo>>"),
        ("\"models.Foo\"", "models.Foo"),
        (
            "Annotated[Session, Depends(get_db)]",
            "Annotated<Session, Depends>",
        ),
        ("Callable[[int], Foo]", "fn() Foo"),
        ("Promise<Foo[]>", "Promise<list(Foo)>"),
        ("Foo | undefined", "Foo"),
        ("readonly string[]", "list(string)"),
        (
            "(c: Context, next: Next) => Promise<void>",
            "fn(c: Context, next: Next) Promise<_>",
        ),
        ("{ a: Foo }", "_"),
        ("[A, B]", "tuple(A, B)"),
        ("*pkg.Foo", "pkg.Foo"),
        ("[]*Foo", "list(Foo)"),
        ("map[string]*Foo", "map<string, Foo>"),
        (
            "func(w http.ResponseWriter) error",
            "fn(w: http.ResponseWriter) error",
        ),
        ("const std::vector<Foo>&", "std.vector<Foo>"),
        ("List<? extends Foo>", "List<Foo>"),
        ("struct Foo *", "Foo"),
    ];
    for (text, expected) in cases {
        assert_eq!(show(&read_type(text)), expected, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "[a-zA-Z0-9_.,:;<>()\\[\\]{}|&+*?!'\"=~@# -]{0,60}") {
        let _ = read_type(&text);
    }
}

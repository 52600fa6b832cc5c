use super::*;

fn show(expr: &TypeExpr<'_>) -> String {
    let list = |items: &[TypeExpr<'_>]| items.iter().map(show).collect::<Vec<_>>().join(", ");
    match expr {
        TypeExpr::Named(segments, arguments) if arguments.is_empty() => segments.join("."),
        TypeExpr::Named(segments, arguments) => {
            format!("{}<{}>", segments.join("."), list(arguments))
        }
        TypeExpr::Union(parts) => format!("union({})", list(parts)),
        TypeExpr::List(element) => format!("list({})", show(element)),
        TypeExpr::Tuple(elements) => format!("tuple({})", list(elements)),
        TypeExpr::Function(parameters, result) => {
            let shown: Vec<String> = parameters
                .iter()
                .map(|(name, ty)| format!("{name}: {}", show(ty)))
                .collect();
            format!("fn({}) {}", shown.join(", "), show(result))
        }
        TypeExpr::Other => "_".to_owned(),
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
        assert_eq!(show(&parse_type(text)), expected, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "[a-zA-Z0-9_.,:;<>()\\[\\]{}|&+*?!'\"=~@# -]{0,60}") {
        let _ = parse_type(&text);
    }
}

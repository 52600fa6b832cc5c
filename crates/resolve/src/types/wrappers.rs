//! Types of the standard libraries between a value and its members: pointers, options, promises, lists.

use std::rc::Rc;

use crate::program::Def;
use crate::types::Ty;

/// How a generic external type relates to its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    /// A qualifier: the value has the first argument's type.
    Itself,
    /// One of the arguments.
    Alternatives,
    /// The first argument as a class.
    TheType,
    /// Elements of the last argument.
    List,
    /// Its members are those of the first argument, besides its own.
    Transparent,
}

/// Returns how a type of this name relates to its arguments, if it is known.
pub(crate) fn wrapper(name: &str) -> Option<Wrapper> {
    Some(match name {
        "Annotated" | "Final" | "ClassVar" | "Required" | "NotRequired" | "ReadOnly"
        | "Readonly" | "Partial" | "NonNullable" | "Awaited" | "Omit" | "Pick" | "InitVar" => {
            Wrapper::Itself
        }
        "Union" => Wrapper::Alternatives,
        "Type" | "type" => Wrapper::TheType,
        name if LISTS.contains(&name) => Wrapper::List,
        name if is_transparent(name) => Wrapper::Transparent,
        _ => return None,
    })
}

/// Whether members are looked for in the first argument: pointers, and results that are unwrapped on the way.
pub(crate) fn is_transparent(name: &str) -> bool {
    TRANSPARENT.contains(&name)
}

/// Whether a pointer, option or result has a method of this name itself, so that its content's is not meant.
pub(crate) fn has_own(wrapper: &str, name: &str) -> bool {
    let own: &[&str] = match wrapper {
        "Option" | "Result" | "Some" | "Poll" => OPTION_METHODS,
        "Mutex" | "RwLock" => &[
            "lock",
            "try_lock",
            "read",
            "try_read",
            "write",
            "try_write",
            "into_inner",
        ],
        "RefCell" | "Cell" => &[
            "borrow",
            "borrow_mut",
            "try_borrow",
            "try_borrow_mut",
            "replace",
            "take",
            "set",
        ],
        "Rc" | "Arc" => &["clone"],
        "OnceCell" | "OnceLock" => &["get", "get_mut", "get_or_init", "set", "take"],
        "Promise" | "PromiseLike" => &["then", "catch", "finally"],
        "DynamicVariable" => &["value", "withValue"],
        "Optional" => &[
            "map",
            "flatMap",
            "filter",
            "get",
            "or",
            "orElse",
            "orElseGet",
            "orElseThrow",
            "ifPresent",
            "ifPresentOrElse",
            "isPresent",
            "isEmpty",
            "stream",
        ],
        _ => &[],
    };
    own.contains(&name)
}

/// Methods of options and results.
#[rustfmt::skip]
const OPTION_METHODS: &[&str] = &[
    "and", "and_then", "as_deref", "as_deref_mut", "as_mut", "as_ref", "as_slice", "cloned", "copied", "err", "expect",
    "expect_err", "filter", "flatten", "get_or_insert", "get_or_insert_with", "insert", "inspect", "inspect_err",
    "into_iter", "is_err", "is_err_and", "is_none", "is_none_or", "is_ok", "is_ok_and", "is_some", "is_some_and", "iter",
    "iter_mut", "map", "map_err", "map_or", "map_or_else", "ok", "ok_or", "ok_or_else", "or", "or_else", "replace",
    "take", "take_if", "transpose", "unwrap", "unwrap_err", "unwrap_or", "unwrap_or_default", "unwrap_or_else", "unzip",
    "xor", "zip", "is_ready", "is_pending", "map_ok",
];

/// Collections, iterators and maps, by the last part of their names.
#[rustfmt::skip]
const LISTS: &[&str] = &[
    "Vec", "VecDeque", "HashSet", "BTreeSet", "BinaryHeap", "LinkedList", "List", "list", "Sequence",
    "Iterable", "Iterator", "Collection", "Set", "set", "frozenset", "FrozenSet", "deque", "Deque", "tuple",
    "Tuple", "Array", "ReadonlyArray", "ReadonlySet", "ArrayList", "LinkedHashSet", "TreeSet", "Queue",
    "Stream", "vector", "array", "unordered_set", "span", "IterableIterator", "Generator", "AsyncGenerator",
    "AsyncIterator", "AsyncIterable", "IntoIterator", "HashMap", "BTreeMap", "Map", "ReadonlyMap", "WeakMap",
    "Record", "dict", "Dict", "Mapping", "MutableMapping", "DefaultDict", "defaultdict", "OrderedDict",
    "TreeMap", "LinkedHashMap", "ConcurrentHashMap", "map", "unordered_map", "SmallVec", "IEnumerable", "IList",
    "ICollection", "IReadOnlyList", "IReadOnlyCollection", "IQueryable", "IAsyncEnumerable", "ISet",
    "IDictionary", "IReadOnlyDictionary", "Dictionary", "ConcurrentDictionary", "MutableList", "MutableSet",
    "MutableMap", "MutableCollection", "Flow", "Seq", "IndexedSeq", "Vector", "LazyList", "ListBuffer",
    "ArrayBuffer", "Traversable",
];

/// Types of lists that extensions of lists are written for, special ones first.
#[rustfmt::skip]
pub(crate) const COLLECTIONS: &[&str] = &[
    "List", "MutableList", "Array", "Seq", "IList", "Collection", "ICollection", "Iterable", "IEnumerable", "Sequence",
];

/// Pointers, cells, options, results and promises.
#[rustfmt::skip]
const TRANSPARENT: &[&str] = &[
    "Box", "Rc", "Arc", "Weak", "Pin", "Cow", "Ref", "RefMut", "MutexGuard", "RwLockReadGuard",
    "RwLockWriteGuard", "Option", "Result", "Poll", "Future", "BoxFuture", "LocalBoxFuture", "Lazy", "LazyLock",
    "OnceCell", "OnceLock", "Mutex", "RwLock", "RefCell", "Cell", "Promise", "PromiseLike", "Optional",
    "Awaitable", "Coroutine", "ContextVar", "ContextManager", "AsyncContextManager", "shared_ptr", "unique_ptr",
    "weak_ptr", "optional", "iterator", "const_iterator", "reverse_iterator", "const_reverse_iterator",
    "reference_wrapper", "CompletableFuture", "Supplier", "ThreadLocal", "AtomicReference", "WeakRef",
    "ManuallyDrop", "NonNull", "Wrapping", "Reverse", "AssertUnwindSafe", "Pinned", "TryFuture", "Task",
    "ValueTask", "Nullable", "IOptions", "Deferred", "FutureOr", "Some", "Try", "IO", "DynamicVariable",
];

/// Returns the type of an element, as iteration or an index gives it.
pub(crate) fn element(ty: &Ty) -> Ty {
    match ty {
        Ty::List(element) => (**element).clone(),
        Ty::Opaque(name, arguments) if is_transparent(name) => {
            arguments.first().map_or(Ty::Unknown, element)
        }
        Ty::Union(parts) => parts
            .iter()
            .map(element)
            .find(|ty| *ty != Ty::Unknown)
            .unwrap_or(Ty::Unknown),
        Ty::Opaque(..) | Ty::Outside | Ty::Def(Def::External(_)) => Ty::Outside,
        _ => Ty::Unknown,
    }
}

/// Returns the type of an element of a tuple, which is named by its position.
pub(crate) fn at_position(ty: &Ty, name: &str) -> Option<Ty> {
    let position: usize = match name.strip_prefix('_') {
        // Scala counts from one.
        Some(number) => number.parse::<usize>().ok()?.checked_sub(1)?,
        None => name.parse().ok()?,
    };
    match ty {
        Ty::Tuple(parts) => parts.get(position).cloned(),
        Ty::Opaque(outside, arguments) if is_transparent(outside) => {
            at_position(arguments.first()?, name)
        }
        // Pairs of key and value read as the value.
        Ty::Instance(..) | Ty::Param(..) if position == 1 => Some(ty.clone()),
        _ => None,
    }
}

/// Members that every type can have and that give its values, and those of unwrapped results.
#[rustfmt::skip]
const OF_EVERY_TYPE: &[&str] = &[
    "clone", "as_ref", "as_mut", "borrow", "borrow_mut", "to_owned", "by_ref", "unwrap", "expect",
];

/// Returns the type of a member of the standard libraries, where that follows from the receiver's type alone.
pub(crate) fn standard_member(ty: &Ty, name: &str) -> Option<Ty> {
    // For a type of the repository, only members that every type can have, and those of unwrapped results.
    if matches!(ty, Ty::Instance(..) | Ty::Param(..)) {
        return OF_EVERY_TYPE.contains(&name).then(|| ty.clone());
    }
    match name {
        // The same value as a copy or a reference.
        "clone" | "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "borrow" | "borrow_mut"
        | "to_owned" | "by_ref" | "cloned" | "copied" | "iter" | "iter_mut" | "into_iter"
        | "lock" | "read" | "write" | "ok" | "map_err" | "or" | "or_else" | "take" | "replace"
        | "filter" | "rev" | "skip" | "values" | "values_mut" | "into_values" | "drain"
        | "slice" | "sort" | "reverse" | "concat" | "copy" | "finally" | "catch" | "stream"
        | "peekable" | "fuse" | "into_inner" | "context" | "with_context" | "inspect"
        | "inspect_err" | "as_slice" | "as_mut_slice" | "to_vec" | "chain" | "entry"
        | "filterNot" | "tail" | "drop" | "dropWhile" | "takeWhile" | "distinct" | "sorted"
        | "sortBy" | "sortedBy" | "toList" | "toSeq" | "toMutableList" | "asSequence" => {
            Some(ty.clone())
        }
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default"
        | "or_insert" | "or_insert_with" | "or_default" | "unwrap_err" | "deref" | "deref_mut"
        | "orElse" | "orElseThrow" | "join" | "lease" | "upgrade" => Some(match ty {
            Ty::Opaque(wrapper, arguments) if is_transparent(wrapper) => {
                arguments.first().cloned()?
            }
            Ty::List(element) => (**element).clone(),
            ty => ty.clone(),
        }),
        "get" | "get_mut" | "first" | "last" | "first_mut" | "last_mut" | "pop" | "pop_front"
        | "pop_back" | "next" | "nth" | "find" | "at" | "shift" | "peek" | "front" | "back"
        | "remove" | "findLast" | "poll" | "popitem" | "get_or_insert_with" | "next_back"
        | "head" | "headOption" | "lastOption" | "firstOrNull" | "lastOrNull" | "removeFirst"
        | "removeLast" => match ty {
            Ty::List(element) => Some((**element).clone()),
            Ty::Opaque(wrapper, arguments) if is_transparent(wrapper) => arguments.first().cloned(),
            _ => None,
        },
        "value" => match ty {
            Ty::Opaque(wrapper, arguments) if is_transparent(wrapper) => arguments.first().cloned(),
            _ => None,
        },
        // Pairs of key and value read as the value.
        "items" | "entries" => matches!(ty, Ty::List(_)).then(|| ty.clone()),
        "enumerate" | "zip" => match ty {
            Ty::List(element) => {
                let element = (**element).clone();
                let pair = match name {
                    "zip" => [element, Ty::Unknown],
                    _ => [Ty::Opaque(Rc::from("number"), Rc::from([])), element],
                };
                Some(Ty::List(Rc::new(Ty::Tuple(Rc::from(pair)))))
            }
            _ => None,
        },
        "begin" | "end" | "cbegin" | "cend" | "rbegin" | "rend" => match ty {
            Ty::List(element) => Some(Ty::Opaque(
                Rc::from("iterator"),
                Rc::from([(**element).clone()]),
            )),
            _ => None,
        },
        "collect" => matches!(ty, Ty::List(_)).then(|| Ty::List(Rc::new(element(ty)))),
        _ => None,
    }
}

/// Returns the type of the parameter that a method of the standard libraries passes to its callback.
pub(crate) fn given(ty: &Ty, method: &str, argument: usize, parameter: usize) -> Option<Ty> {
    match (ty, method, argument, parameter) {
        (
            Ty::List(element),
            "forEach"
            | "map"
            | "filter"
            | "find"
            | "findIndex"
            | "findLast"
            | "some"
            | "every"
            | "flatMap"
            | "for_each"
            | "filter_map"
            | "flat_map"
            | "find_map"
            | "foreach"
            | "filterNot"
            | "exists"
            | "forall"
            | "count"
            | "sortBy"
            | "groupBy"
            | "minBy"
            | "maxBy"
            | "takeWhile"
            | "dropWhile"
            | "position"
            | "rposition"
            | "any"
            | "all"
            | "inspect"
            | "take_while"
            | "skip_while"
            | "map_while"
            | "max_by_key"
            | "min_by_key"
            | "sort_by_key"
            | "sort_unstable_by_key"
            | "retain"
            | "retain_mut"
            | "partition"
            | "try_for_each"
            | "partition_point",
            0,
            0,
        )
        | (Ty::List(element), "reduce" | "reduceRight" | "retain", 0, 1)
        | (Ty::List(element), "fold" | "try_fold", 1, 1)
        | (
            Ty::List(element),
            "sort" | "toSorted" | "sort_by" | "sort_unstable_by" | "max_by" | "min_by",
            0,
            0 | 1,
        ) => Some((**element).clone()),
        (
            Ty::Opaque(wrapper, arguments),
            "then" | "map" | "and_then" | "is_some_and" | "is_ok_and" | "is_none_or" | "inspect"
            | "filter",
            0,
            0,
        )
        | (Ty::Opaque(wrapper, arguments), "map_or" | "map_or_else", 1, 0)
            if is_transparent(wrapper) =>
        {
            arguments.first().cloned()
        }
        (Ty::Union(parts), ..) => parts
            .iter()
            .find_map(|part| given(part, method, argument, parameter)),
        _ => None,
    }
}

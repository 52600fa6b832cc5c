// References of Go files to functions, methods, types and values of the same module, as go/types resolves them.
//
// usage: go run calls.go ROOT [-tags a,b]
//
// Only the standard library is needed, here and in what is read: a package outside the module is one of which nothing is
// known, and what depends on it is passed over.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// A fact is one reference, or a file that was asked about.
type fact struct {
	File       string   `json:"file,omitempty"`
	CallerFile string   `json:"caller_file,omitempty"`
	CallerName string   `json:"caller_name,omitempty"`
	CallerLine int      `json:"caller_line,omitempty"`
	CalleeFile string   `json:"callee_file,omitempty"`
	CalleeName string   `json:"callee_name,omitempty"`
	CalleeLine int      `json:"callee_line,omitempty"`
	Form       string   `json:"form,omitempty"`
	IsCall     int      `json:"is_call"`
	CalleeKind string   `json:"callee_kind,omitempty"`
	Callable   int      `json:"callable"`
	Enclosing  []string `json:"enclosing"`
	RefLine    int      `json:"ref_line,omitempty"`
}

// A module is the packages below one go.mod.
type module struct {
	root     string
	path     string
	files    *token.FileSet
	packages map[string]*unit
	outside  types.Importer
	context  build.Context
	out      *bufio.Writer
}

// A unit is a package with the files that are read together.
type unit struct {
	pkg *types.Package
}

func main() {
	root, err := filepath.EvalSymlinks(os.Args[1])
	check(err)
	root, err = filepath.Abs(root)
	check(err)
	files := token.NewFileSet()
	m := &module{
		root: root, path: modulePath(root), files: files, packages: map[string]*unit{},
		outside: importer.ForCompiler(files, "source", nil), context: build.Default, out: bufio.NewWriter(os.Stdout),
	}
	m.context.CgoEnabled = false
	for _, folder := range m.folders() {
		m.readFolder(folder)
	}
	check(m.out.Flush())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func modulePath(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	check(err)
	for _, line := range strings.Split(string(text), "\n") {
		if rest, found := strings.CutPrefix(strings.TrimSpace(line), "module "); found {
			return strings.Trim(strings.TrimSpace(rest), `"`)
		}
	}
	check(fmt.Errorf("%s/go.mod names no module", root))
	return ""
}

// folders lists those with Go files; other modules within the folder are not part of this one.
func (m *module) folders() []string {
	var found []string
	check(filepath.WalkDir(m.root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		name := entry.Name()
		isHidden := path != m.root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_"))
		if isHidden || name == "testdata" || name == "vendor" {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != m.root {
			return filepath.SkipDir
		}
		if names, _ := filepath.Glob(filepath.Join(path, "*.go")); len(names) > 0 {
			found = append(found, path)
		}
		return nil
	}))
	sort.Strings(found)
	return found
}

// readFolder reads a package, its tests, and the tests that are a package of their own.
func (m *module) readFolder(folder string) {
	listed, err := m.context.ImportDir(folder, 0)
	if err != nil && listed == nil {
		return
	}
	tested := append(append([]string{}, listed.GoFiles...), listed.TestGoFiles...)
	path := m.importPath(folder)
	m.readFiles(path, folder, tested)
	m.readFiles(path+"_test", folder, listed.XTestGoFiles)
}

func (m *module) importPath(folder string) string {
	rest, err := filepath.Rel(m.root, folder)
	check(err)
	if rest == "." {
		return m.path
	}
	return m.path + "/" + filepath.ToSlash(rest)
}

func (m *module) parse(folder string, names []string) []*ast.File {
	var parsed []*ast.File
	for _, name := range names {
		file, err := parser.ParseFile(m.files, filepath.Join(folder, name), nil, parser.SkipObjectResolution)
		if err == nil {
			parsed = append(parsed, file)
		}
	}
	return parsed
}

func (m *module) check(path string, parsed []*ast.File, info *types.Info) *types.Package {
	config := types.Config{Importer: m, Error: func(error) {}, FakeImportC: true}
	pkg, _ := config.Check(path, m.files, parsed, info)
	return pkg
}

// Import finds a package of the module in its folder, one of the standard library at its source; any other is empty.
func (m *module) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if known := m.packages[path]; known != nil {
		if known.pkg == nil {
			return nil, fmt.Errorf("%s imports itself", path)
		}
		return known.pkg, nil
	}
	known := &unit{}
	m.packages[path] = known
	if rest, inside := strings.CutPrefix(path, m.path); inside && (rest == "" || rest[0] == '/') {
		folder := filepath.Join(m.root, filepath.FromSlash(rest))
		if listed, err := m.context.ImportDir(folder, 0); err == nil {
			known.pkg = m.check(path, m.parse(folder, listed.GoFiles), nil)
			return known.pkg, nil
		}
	}
	if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") {
		if pkg, err := m.outside.Import(path); err == nil {
			known.pkg = pkg
			return pkg, nil
		}
	}
	name := path[strings.LastIndex(path, "/")+1:]
	known.pkg = types.NewPackage(path, name)
	known.pkg.MarkComplete()
	return known.pkg, nil
}

func (m *module) readFiles(path, folder string, names []string) {
	parsed := m.parse(folder, names)
	if len(parsed) == 0 {
		return
	}
	info := &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{},
	}
	m.check(path, parsed, info)
	for _, file := range parsed {
		name := m.relative(file.Pos())
		m.write(fact{File: name})
		walk := &walk{module: m, info: info, file: name, forms: map[*ast.Ident]string{}, functions: map[types.Object]bool{}}
		for _, declaration := range file.Decls {
			walk.declaration(declaration)
		}
	}
}

func (m *module) relative(at token.Pos) string {
	path, err := filepath.Rel(m.root, m.files.Position(at).Filename)
	if err != nil || strings.HasPrefix(path, "..") {
		return ""
	}
	return filepath.ToSlash(path)
}

func (m *module) write(one fact) {
	text, err := json.Marshal(one)
	check(err)
	m.out.Write(text)
	m.out.WriteByte('\n')
}

// A walk goes through one file.
type walk struct {
	module *module
	info   *types.Info
	file   string
	caller string
	line   int
	scopes []string
	forms  map[*ast.Ident]string
	// Variables of functions that are given a function where they are declared.
	functions map[types.Object]bool
}

func (w *walk) declaration(node ast.Decl) {
	w.caller, w.line, w.scopes = "<file>", 1, nil
	switch node := node.(type) {
	case *ast.FuncDecl:
		w.caller, w.line = node.Name.Name, w.module.files.Position(node.Name.Pos()).Line
		w.scopes = []string{node.Name.Name}
		w.tree(node)
	case *ast.GenDecl:
		for _, spec := range node.Specs {
			w.scopes = nil
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				w.scopes = []string{spec.Name.Name}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					w.scopes = append(w.scopes, name.Name)
				}
			case *ast.ImportSpec:
				continue
			}
			w.tree(spec)
		}
	}
}

// tree notes how the names within are used, then each of them.
func (w *walk) tree(root ast.Node) {
	ast.Inspect(root, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.CallExpr:
			w.called(node)
		case *ast.CompositeLit:
			if name := lastName(node.Type); name != nil {
				w.forms[name] = "new"
			}
		}
		return true
	})
	w.names(root)
}

// names notes every name. A function that a variable or field is given stands around what is in it, by the variable's name.
func (w *walk) names(root ast.Node) {
	given := map[ast.Node]string{}
	var open []ast.Node
	declared := w.scopes
	ast.Inspect(root, func(node ast.Node) bool {
		if node == nil {
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if given[last] != "" {
				w.scopes = w.scopes[1:]
			}
			return true
		}
		open = append(open, node)
		for variable, value := range givenFunctions(node) {
			given[value] = variable.Name
			if local := w.info.Defs[variable]; local != nil {
				w.functions[local] = true
			}
		}
		if name := given[node]; name != "" {
			w.scopes = append([]string{name}, w.scopes...)
		}
		if name, found := node.(*ast.Ident); found {
			w.note(name)
		}
		return true
	})
	w.scopes = declared
}

// givenFunctions lists the functions without a name that a statement gives to names.
func givenFunctions(node ast.Node) map[*ast.Ident]ast.Node {
	var names, values []ast.Expr
	switch node := node.(type) {
	case *ast.AssignStmt:
		names, values = node.Lhs, node.Rhs
	case *ast.ValueSpec:
		for _, name := range node.Names {
			names = append(names, name)
		}
		values = node.Values
	case *ast.KeyValueExpr:
		names, values = []ast.Expr{node.Key}, []ast.Expr{node.Value}
	}
	found := map[*ast.Ident]ast.Node{}
	for n, value := range values {
		if literal, isFunction := value.(*ast.FuncLit); isFunction && n < len(names) {
			if name := lastName(names[n]); name != nil {
				found[name] = literal
			}
		}
	}
	return found
}

func (w *walk) called(node *ast.CallExpr) {
	name := lastName(node.Fun)
	if name == nil {
		return
	}
	selector, isSelected := unwrap(node.Fun).(*ast.SelectorExpr)
	switch {
	case w.info.Types[node.Fun].IsType():
		// A conversion.
	case !isSelected:
		w.forms[name] = "bare"
	case w.info.Selections[selector] != nil:
		w.forms[name] = "method"
	default:
		w.forms[name] = "path"
	}
}

// unwrap takes off brackets and type arguments.
func unwrap(node ast.Expr) ast.Expr {
	for {
		switch inner := node.(type) {
		case *ast.ParenExpr:
			node = inner.X
		case *ast.IndexExpr:
			node = inner.X
		case *ast.IndexListExpr:
			node = inner.X
		default:
			return node
		}
	}
}

func lastName(node ast.Expr) *ast.Ident {
	switch node := unwrap(node).(type) {
	case *ast.Ident:
		return node
	case *ast.SelectorExpr:
		return node.Sel
	}
	return nil
}

func (w *walk) note(name *ast.Ident) {
	target := origin(w.info.Uses[name])
	if target == nil || !target.Pos().IsValid() {
		return
	}
	file := w.module.relative(target.Pos())
	kind := kindOf(target)
	if w.functions[target] {
		kind = "value"
	}
	if file == "" || kind == "" {
		return
	}
	form := w.forms[name]
	if form == "" {
		form = "ref"
	}
	one := fact{
		CallerFile: w.file, CallerName: w.caller, CallerLine: w.line, CalleeFile: file, CalleeName: target.Name(),
		CalleeLine: w.module.files.Position(target.Pos()).Line, Form: form, CalleeKind: kind, Enclosing: w.scopes,
		RefLine: w.module.files.Position(name.Pos()).Line,
	}
	if one.Enclosing == nil {
		one.Enclosing = []string{}
	}
	if form != "ref" {
		one.IsCall = 1
	}
	_, isFunction := target.Type().Underlying().(*types.Signature)
	if kind == "function" || kind == "type" || isFunction {
		one.Callable = 1
	}
	w.module.write(one)
}

// origin is what a generic function, method or field was made from.
func origin(target types.Object) types.Object {
	switch target := target.(type) {
	case *types.Func:
		return target.Origin()
	case *types.Var:
		return target.Origin()
	case nil:
		return nil
	}
	return target
}

// kindOf leaves out variables of functions, their parameters, and packages.
func kindOf(target types.Object) string {
	switch target := target.(type) {
	case *types.Func:
		return "function"
	case *types.TypeName:
		if _, isParameter := target.Type().(*types.TypeParam); isParameter {
			return ""
		}
		return "type"
	case *types.Var:
		if target.IsField() || target.Parent() != nil && target.Parent().Parent() == types.Universe {
			return "value"
		}
	case *types.Const:
		if target.Parent() != nil && target.Parent().Parent() == types.Universe {
			return "value"
		}
	}
	return ""
}

import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.nio.file.*;
import java.util.*;
import javax.lang.model.element.*;
import javax.tools.*;

/**
 * References of Java files to methods, types and fields of the same repository, as javac resolves them.
 *
 * <p>usage: java Calls.java ROOT FILE... What a missing dependency leaves open is passed over.
 */
public final class Calls extends TreePathScanner<Void, Void> {
  private final Trees trees;
  private final Path root;
  private final StringBuilder out;
  private CompilationUnitTree unit;
  private String file;
  private final Deque<String[]> functions = new ArrayDeque<>();
  private final Deque<String> scopes = new ArrayDeque<>();
  private final Set<Tree> called = Collections.newSetFromMap(new IdentityHashMap<>());

  private Calls(Trees trees, Path root, StringBuilder out) {
    this.trees = trees;
    this.root = root;
    this.out = out;
  }

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]).toRealPath();
    List<Path> files = new ArrayList<>();
    for (int n = 1; n < arguments.length; n++) {
      // A module asks for its dependencies; without one the files are read by themselves.
      if (!arguments[n].endsWith("module-info.java")) files.add(root.resolve(arguments[n]));
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null);
    DiagnosticListener<JavaFileObject> silent = diagnostic -> {};
    List<String> options = List.of("-proc:none", "-XDshould-stop.ifError=FLOW", "-Xmaxerrs", "100000");
    JavacTask task = (JavacTask) compiler.getTask(null, manager, silent, options, null, manager.getJavaFileObjectsFromPaths(files));
    List<CompilationUnitTree> units = new ArrayList<>();
    task.parse().forEach(units::add);
    task.analyze();
    StringBuilder out = new StringBuilder();
    Calls calls = new Calls(Trees.instance(task), root, out);
    for (CompilationUnitTree unit : units) calls.read(unit);
    System.out.print(out);
  }

  private void read(CompilationUnitTree unit) {
    this.unit = unit;
    this.file = path(unit);
    out.append("{\"file\": \"").append(file).append("\"}\n");
    scan(unit, null);
  }

  private String path(CompilationUnitTree unit) {
    return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
  }

  @Override
  public Void visitClass(ClassTree tree, Void none) {
    String name = tree.getSimpleName().toString();
    if (!name.isEmpty()) scopes.push(name);
    super.visitClass(tree, none);
    if (!name.isEmpty()) scopes.pop();
    return null;
  }

  @Override
  public Void visitMethod(MethodTree tree, Void none) {
    TreePath path = getCurrentPath();
    Element element = trees.getElement(path);
    long start = trees.getSourcePositions().getStartPosition(unit, tree);
    if (element == null || start < 0 || generated(tree)) return null;
    String name = nameOf(element);
    functions.push(new String[] {name, String.valueOf(nameLine(unit, tree, name))});
    scopes.push(name);
    super.visitMethod(tree, none);
    scopes.pop();
    functions.pop();
    return null;
  }

  /** The constructor that javac adds has no end. */
  private boolean generated(MethodTree tree) {
    return trees.getSourcePositions().getEndPosition(unit, tree) < 0;
  }

  @Override
  public Void visitVariable(VariableTree tree, Void none) {
    boolean isField = getCurrentPath().getParentPath().getLeaf() instanceof ClassTree;
    if (isField) scopes.push(tree.getName().toString());
    super.visitVariable(tree, none);
    if (isField) scopes.pop();
    return null;
  }

  @Override
  public Void visitMethodInvocation(MethodInvocationTree tree, Void none) {
    ExpressionTree select = tree.getMethodSelect();
    Element element = trees.getElement(new TreePath(getCurrentPath(), select));
    if (select instanceof IdentifierTree name) {
      boolean isConstructor = name.getName().contentEquals("this") || name.getName().contentEquals("super");
      note(element, isConstructor ? "ref" : "bare", select);
    } else if (select instanceof MemberSelectTree member) {
      note(element, member.getExpression().toString().equals("this") ? "this" : "method", select);
    }
    // The name itself is no second reference; what stands before it may be one.
    called.add(select);
    return super.visitMethodInvocation(tree, none);
  }

  @Override
  public Void visitNewClass(NewClassTree tree, Void none) {
    Element element = trees.getElement(getCurrentPath());
    if (element != null && tree.getClassBody() == null) note(element.getEnclosingElement(), "new", tree);
    return super.visitNewClass(tree, none);
  }

  @Override
  public Void visitIdentifier(IdentifierTree tree, Void none) {
    if (!called.contains(tree)) note(trees.getElement(getCurrentPath()), "ref", tree);
    return null;
  }

  @Override
  public Void visitMemberSelect(MemberSelectTree tree, Void none) {
    if (!called.contains(tree)) note(trees.getElement(getCurrentPath()), "ref", tree);
    return super.visitMemberSelect(tree, none);
  }

  @Override
  public Void visitMemberReference(MemberReferenceTree tree, Void none) {
    note(trees.getElement(getCurrentPath()), "ref", tree);
    return super.visitMemberReference(tree, none);
  }

  private void note(Element target, String form, Tree at) {
    if (target == null) return;
    String kind = kindOf(target);
    TreePath definition = kind == null ? null : trees.getPath(target);
    if (definition == null) return;
    CompilationUnitTree other = definition.getCompilationUnit();
    if (definition.getLeaf() instanceof MethodTree method && trees.getSourcePositions().getEndPosition(other, method) < 0) return;
    String name = nameOf(target);
    String[] caller = functions.isEmpty() ? new String[] {"<file>", "1"} : functions.peek();
    boolean isCall = !form.equals("ref");
    StringJoiner around = new StringJoiner("\", \"", "[\"", "\"]").setEmptyValue("[]");
    new LinkedHashSet<>(scopes).forEach(around::add);
    out.append(String.format(
        "{\"caller_file\": \"%s\", \"caller_name\": \"%s\", \"caller_line\": %s, \"callee_file\": \"%s\", \"callee_name\": \"%s\", "
            + "\"callee_line\": %d, \"form\": \"%s\", \"is_call\": %d, \"callee_kind\": \"%s\", \"callable\": %d, \"enclosing\": %s, \"ref_line\": %d}%n",
        file, caller[0], caller[1], path(other), name, nameLine(other, definition.getLeaf(), name), form, isCall ? 1 : 0, kind,
        kind.equals("value") ? 0 : 1, around, line(unit, trees.getSourcePositions().getStartPosition(unit, at))));
  }

  private static String kindOf(Element element) {
    if (element.getKind() == ElementKind.METHOD || element.getKind() == ElementKind.CONSTRUCTOR) return "function";
    if (element.getKind().isClass() || element.getKind().isInterface()) return "type";
    if (element.getKind().isField()) return "value";
    return null;
  }

  /** A constructor has the name of its class, as it is written. */
  private static String nameOf(Element element) {
    Element named = element.getKind() == ElementKind.CONSTRUCTOR ? element.getEnclosingElement() : element;
    return named.getSimpleName().toString();
  }

  private static long line(CompilationUnitTree unit, long position) {
    return position < 0 ? 1 : unit.getLineMap().getLineNumber(position);
  }

  /** Annotations stand before the line of the name. */
  private long nameLine(CompilationUnitTree unit, Tree tree, String name) {
    try {
      SourcePositions positions = trees.getSourcePositions();
      ModifiersTree modifiers = tree instanceof MethodTree method ? method.getModifiers()
          : tree instanceof ClassTree type ? type.getModifiers()
          : tree instanceof VariableTree variable ? variable.getModifiers() : null;
      long start = positions.getStartPosition(unit, tree);
      long end = modifiers == null ? -1 : positions.getEndPosition(unit, modifiers);
      String text = unit.getSourceFile().getCharContent(true).toString();
      java.util.regex.Matcher word = java.util.regex.Pattern.compile("\\b" + java.util.regex.Pattern.quote(name) + "\\b").matcher(text);
      return word.find((int) Math.max(start, end)) ? line(unit, word.start()) : line(unit, start);
    } catch (java.io.IOException error) {
      return 1;
    }
  }
}

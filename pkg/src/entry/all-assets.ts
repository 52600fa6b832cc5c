/** Every file of the package: the assets of the entries that need no list, `portolan` and `portolan/worker`. */

import type { Asset } from "../asset.js";
import bash from "./grammars/bash.js";
import c from "./grammars/c.js";
import cpp from "./grammars/cpp.js";
import csharp from "./grammars/csharp.js";
import dart from "./grammars/dart.js";
import elixir from "./grammars/elixir.js";
import go from "./grammars/go.js";
import haskell from "./grammars/haskell.js";
import java from "./grammars/java.js";
import javascript from "./grammars/javascript.js";
import kotlin from "./grammars/kotlin.js";
import lua from "./grammars/lua.js";
import php from "./grammars/php.js";
import python from "./grammars/python.js";
import ruby from "./grammars/ruby.js";
import rust from "./grammars/rust.js";
import scala from "./grammars/scala.js";
import swift from "./grammars/swift.js";
import tsx from "./grammars/tsx.js";
import typescript from "./grammars/typescript.js";
import zig from "./grammars/zig.js";
import model from "./model.js";
import onnx from "./onnx.js";

export const ALL_ASSETS: readonly Asset[] = [
  bash,
  c,
  cpp,
  csharp,
  dart,
  elixir,
  go,
  haskell,
  java,
  javascript,
  kotlin,
  lua,
  php,
  python,
  ruby,
  rust,
  scala,
  swift,
  tsx,
  typescript,
  zig,
  model,
  onnx,
];

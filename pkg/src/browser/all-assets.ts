/** Every file of the package: the assets of the entries that need no list, `portolan` and `portolan/worker`. */

import type { Asset } from "../asset.js";
import bash from "../entry/grammars/bash.js";
import c from "../entry/grammars/c.js";
import cpp from "../entry/grammars/cpp.js";
import csharp from "../entry/grammars/csharp.js";
import dart from "../entry/grammars/dart.js";
import elixir from "../entry/grammars/elixir.js";
import go from "../entry/grammars/go.js";
import haskell from "../entry/grammars/haskell.js";
import java from "../entry/grammars/java.js";
import javascript from "../entry/grammars/javascript.js";
import kotlin from "../entry/grammars/kotlin.js";
import lua from "../entry/grammars/lua.js";
import php from "../entry/grammars/php.js";
import python from "../entry/grammars/python.js";
import ruby from "../entry/grammars/ruby.js";
import rust from "../entry/grammars/rust.js";
import scala from "../entry/grammars/scala.js";
import swift from "../entry/grammars/swift.js";
import tsx from "../entry/grammars/tsx.js";
import typescript from "../entry/grammars/typescript.js";
import zig from "../entry/grammars/zig.js";
import model from "../entry/model.js";
import onnx from "../entry/onnx.js";

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

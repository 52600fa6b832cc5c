/** Every file of the package: the assets of the entries that need no list, `portolan` and `portolan/worker`. */

import type { Asset } from "../asset.js";
import bash from "./grammars/bash.js";
import c from "./grammars/c.js";
import cpp from "./grammars/cpp.js";
import csharp from "./grammars/csharp.js";
import css from "./grammars/css.js";
import dart from "./grammars/dart.js";
import elixir from "./grammars/elixir.js";
import go from "./grammars/go.js";
import haskell from "./grammars/haskell.js";
import html from "./grammars/html.js";
import java from "./grammars/java.js";
import javascript from "./grammars/javascript.js";
import json from "./grammars/json.js";
import kotlin from "./grammars/kotlin.js";
import lua from "./grammars/lua.js";
import markdown from "./grammars/markdown.js";
import php from "./grammars/php.js";
import python from "./grammars/python.js";
import ruby from "./grammars/ruby.js";
import rust from "./grammars/rust.js";
import scala from "./grammars/scala.js";
import sql from "./grammars/sql.js";
import swift from "./grammars/swift.js";
import toml from "./grammars/toml.js";
import tsx from "./grammars/tsx.js";
import typescript from "./grammars/typescript.js";
import yaml from "./grammars/yaml.js";
import zig from "./grammars/zig.js";
import model from "./model.js";
import onnx from "./onnx.js";

export const ALL_ASSETS: readonly Asset[] = [
  bash,
  c,
  cpp,
  csharp,
  css,
  dart,
  elixir,
  go,
  haskell,
  html,
  java,
  javascript,
  json,
  kotlin,
  lua,
  markdown,
  php,
  python,
  ruby,
  rust,
  scala,
  sql,
  swift,
  toml,
  tsx,
  typescript,
  yaml,
  zig,
  model,
  onnx,
];

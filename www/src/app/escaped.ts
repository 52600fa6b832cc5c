//! Names and texts of a repository are shown with their control characters and marks of direction written out, wherever they appear: a
//! file `gpj.\u202Esj` must not look like `asj.png`. The editor does the same for code.

import { visible } from "portolan";
import { options, type VNode } from "preact";

/** Attributes that people read or hear. */
const READ = ["title", "aria-label", "alt", "placeholder"];

/** From here on, each text that a view puts on the page passes through `visible`. */
export function showEscaped(): void {
  const before = options.vnode;
  options.vnode = (vnode) => {
    if (typeof vnode.type === "string") writeOut(vnode as VNode<Record<string, unknown>>);
    before?.(vnode);
  };
}

function writeOut({ props }: VNode<Record<string, unknown>>): void {
  for (const name of READ) if (typeof props[name] === "string") props[name] = visible(props[name]);
  const { children } = props;
  if (typeof children === "string") props.children = visible(children);
  else if (Array.isArray(children) && children.some((child) => typeof child === "string"))
    props.children = children.map((child: unknown) => (typeof child === "string" ? visible(child) : child));
}

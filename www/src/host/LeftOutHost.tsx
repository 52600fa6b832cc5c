//! Fetches the parts that show images, notebooks and bytes when the first of them is opened.

import { useMemo } from "preact/hooks";
import { Late, useLoaded } from "./ViewHost.tsx";

const load = () => import("../leftout/LeftOut.tsx");

/** A file that the index left out. */
export function LeftOutHost(props: { name: string; path: string; reason: string }) {
  const { component: parts, failure } = useLoaded("left out", load);
  if (parts) return <parts.LeftOut key={props.path} {...props} />;
  return <Late title={props.path} failure={failure} />;
}

/** The cells of a notebook whose text is in the index. */
export function NotebookHost({ text, path, name }: { text: string; path: string; name: string }) {
  const { component: parts, failure } = useLoaded("left out", load);
  const notebook = useMemo(() => parts?.notebookOf(text), [parts, text]);
  if (!parts) return <Late title={path} failure={failure} />;
  if (!notebook) return <p class="empty">This is no notebook that can be read. The button above shows its text.</p>;
  return <parts.NotebookView notebook={notebook} path={path} name={name} />;
}

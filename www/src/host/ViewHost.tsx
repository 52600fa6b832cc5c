//! A view whose code is fetched once, when it is opened first, and drawn at once from then on.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { View } from "../state/link.ts";
import { wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { viewOf, type WorkView } from "../state/work-views.ts";
import { loads } from "./loads.ts";

const loaded = new Map<string, unknown>();

/** The code of a part of the page, once it is there; a failure in words. */
export function useLoaded<C>(
  id: string,
  load: () => Promise<C>,
): { component?: C; failure?: { message: string; help: string } } {
  const [, drawAgain] = useState(0);
  const [failure, setFailure] = useState<{ message: string; help: string } | null>(null);
  useEffect(() => {
    setFailure(null);
    if (loaded.has(id)) return;
    let isWanted = true;
    load().then(
      (component) => {
        loaded.set(id, component);
        if (isWanted) drawAgain((turn) => turn + 1);
      },
      (error: unknown) => isWanted && setFailure(wordsOf(error)),
    );
    return () => {
      isWanted = false;
    };
  }, [id]);
  const component = loaded.get(id) as C | undefined;
  return component ? { component } : failure ? { failure } : {};
}

/** The open view of a repository. */
export function ViewHost({ view, repository }: { view: View; repository: Repository }) {
  const known = viewOf(view);
  if (!known)
    return (
      <Late title="view" failure={{ message: "This page has no such view.", help: "Choose one in the palette." }} />
    );
  return <Known key={view} view={known} repository={repository} />;
}

function Known({ view, repository }: { view: WorkView; repository: Repository }) {
  const { component: Shown, failure } = useLoaded(view.id, loads[view.id]);
  if (Shown) return <Shown key={repository.name} repository={repository} />;
  return <Late title={view.title} failure={failure} />;
}

/** The view of several repositories, which needs none to be open. */
export function TogetherHost() {
  const { component: Shown, failure } = useLoaded<ComponentType>(
    "together",
    async () => (await import("../together/Together.tsx")).Together,
  );
  if (Shown) return <Shown />;
  return (
    <main>
      <Late title="Ask several repositories" failure={failure} />
    </main>
  );
}

export function Late({ title, failure }: { title: string; failure?: { message: string; help: string } | undefined }) {
  if (!failure)
    return (
      <p class="empty" role="status">
        Opening {title}…
      </p>
    );
  return (
    <div class="empty" role="alert">
      <strong>The view could not be loaded</strong>
      <p>{failure.message}</p>
      {failure.help !== "" && <p>{failure.help}</p>}
    </div>
  );
}

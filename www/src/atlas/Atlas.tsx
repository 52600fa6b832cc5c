//! The atlas: the whole repository as boxes, as a graph and as a table; areas lead to files, files to symbols, symbols to their
//! neighbourhood and to paths.

import { useEffect, useMemo, useState } from "preact/hooks";
import type { AtlasResponse } from "portolan";
import { count, plural } from "../state/format.ts";
import { churn, git, readChurn } from "../state/history.ts";
import { hashOf, link } from "../state/navigation.ts";
import { wordsOf } from "../state/notices.ts";
import type { Repository } from "../state/repository.ts";
import { globsOf } from "../state/search-fields.ts";
import { Around } from "./Around.tsx";
import { type Asked, askedOf, requestOf, withArgs } from "./asked.ts";
import { Controls } from "./Controls.tsx";
import { Drawing } from "./Drawing.tsx";
import { Figures } from "./Figures.tsx";
import { PathsDrawing } from "./PathsDrawing.tsx";
import { Legend } from "./Legend.tsx";
import type { Shown } from "./Saving.tsx";
import { isTrueSize, pictureOf, type Theme } from "./scene.ts";
import { Table } from "./Table.tsx";
import { useTheme } from "./theme.ts";
import { Treemap } from "./Treemap.tsx";
import "./atlas.css";

type Answered =
  | { state: "running" }
  | { state: "done"; asked: Asked; answer: AtlasResponse }
  | { state: "failed"; message: string; help: string };

export function Atlas({ repository }: { repository: Repository }) {
  const { args, within } = link.value;
  const asked = useMemo(() => askedOf(args), [args]);
  const theme = useTheme();
  const [shown, setShown] = useState<Shown | null>(null);
  const isPaths = asked.from !== "" && asked.to !== "";
  const isMap = !isPaths && asked.around === "";
  return (
    <section class="atlas" aria-label="Atlas">
      <header class="atlas-head">
        <h1>Atlas</h1>
        <Way repository={repository} asked={asked} />
      </header>
      <Controls repository={repository} asked={asked} isMap={isMap} shown={shown} />
      {asked.from !== "" && asked.to === "" && (
        <p class="atlas-pin" role="status">
          {`Start of paths: ${asked.from}. Choose another symbol as their end. `}
          <a href={hashOf({ args: withArgs(args, { from: "" }) })}>Unpin</a>
        </p>
      )}
      {isPaths ? (
        <PathsDrawing repository={repository} asked={asked} onSvg={setShown} />
      ) : asked.around !== "" ? (
        <Around repository={repository} asked={asked} theme={theme} onPicture={setShown} />
      ) : (
        <WholeMap repository={repository} asked={asked} within={within} theme={theme} onPicture={setShown} />
      )}
    </section>
  );
}

/** Where one is: repository, area, file or folder; each part leads back. */
function Way({ repository, asked }: { repository: Repository; asked: Asked }) {
  const { args } = link.value;
  const to = (change: Record<string, string>) =>
    hashOf({
      args: withArgs(args, { area: "", file: "", folder: "", of: "", from: "", to: "", level: "", ...change }),
    });
  const parts: { name: string; href: string }[] = [{ name: repository.name, href: to({}) }];
  if (asked.form === "boxes" && asked.folder !== "") {
    const folders = asked.folder.split("/");
    for (const [at, name] of folders.entries())
      parts.push({ name, href: to({ folder: folders.slice(0, at + 1).join("/") }) });
  } else {
    if (asked.area !== "") parts.push({ name: asked.area, href: to({ area: asked.area }) });
    if (asked.file !== "") parts.push({ name: asked.file, href: to({ area: asked.area, file: asked.file }) });
  }
  if (asked.around !== "") parts.push({ name: asked.around.split("#").at(-1) ?? "", href: to({ of: asked.around }) });
  return (
    <nav aria-label="Place on the map">
      <ol class="atlas-way">
        {parts.map(({ name, href }, at) => (
          <li key={href}>
            <a href={href} {...(at === parts.length - 1 ? { "aria-current": "page" } : {})}>
              {name}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

interface MapProps {
  repository: Repository;
  asked: Asked;
  within: string;
  theme: Theme;
  onPicture(shown: Shown): void;
}

function WholeMap({ repository, asked, within, theme, onPicture }: MapProps) {
  const answered = useAtlas(repository, asked, within);
  const [marked, setMarked] = useState<number | null>(null);
  const isDone = answered.state === "done";
  const answer = isDone ? answered.answer : null;
  // The form of the answer that is here, while the next one is under way.
  const of = isDone
    ? { ...asked, level: answered.asked.form === "boxes" ? ("files" as const) : answered.asked.level }
    : null;
  const { by, file } = asked;
  const commits = churn.value;
  const canRead = by === "churn" && (git.value.state === "there" || git.value.state === "ready");
  useEffect(() => {
    if (canRead && !commits) void readChurn();
  }, [canRead, commits]);
  const scene = useMemo(
    () => (answer && of ? pictureOf(answer, { ...of, by, file }, theme, commits) : null),
    [answer, of?.level, by, file, theme, commits],
  );
  useEffect(() => setMarked(null), [answer]);
  useEffect(() => {
    if (scene && asked.form !== "boxes") onPicture(scene.picture);
  }, [scene, asked.form]);
  if (answered.state === "failed")
    return (
      <div class="empty" role="alert">
        <strong>The map could not be made</strong>
        <p>{answered.message}</p>
        {answered.help !== "" && <p>{answered.help}</p>}
      </div>
    );
  // Boxes are made of files: an answer with areas is still that of another form.
  if (!answer || !scene || !of || (asked.form === "boxes" && of.level !== "files"))
    return (
      <p class="empty" role="status">
        Reading the map…
      </p>
    );
  if (scene.items.length === 0)
    return (
      <div class="empty" role="status">
        <strong>Nothing to show</strong>
        <p>{within === "" ? "This part of the repository has no definitions." : `No file matches ${within}.`}</p>
      </div>
    );
  const { items, colours, picture } = scene;
  const words = { areas: "area", files: "file", symbols: "definition" }[of.level];
  const rest = answer.page.truncated ? ` of ${count(answer.page.total)}` : "";
  const lines =
    asked.form === "graph" && answer.edges.total > answer.edges.source.length
      ? `; the ${count(answer.edges.source.length)} strongest of ${plural(answer.edges.total, "relation")}`
      : "";
  return (
    <div class="atlas-body">
      {asked.form === "boxes" ? (
        <Treemap items={items} folder={asked.folder} colours={colours} theme={theme} onPicture={onPicture} />
      ) : asked.form === "table" ? (
        <Table items={items} level={of.level} />
      ) : (
        <Drawing picture={picture} marked={marked} onPick={setMarked} />
      )}
      <aside class="atlas-side" aria-label="Legend">
        <p class="atlas-figures" role="status">{`${plural(items.length, words)}${rest}${lines}.`}</p>
        {asked.form === "graph" && marked !== null && (
          <Figures items={items} answer={answer} level={of.level} marked={marked} onMark={setMarked} />
        )}
        {by === "churn" && !commits && git.value.state !== "none" && (
          <p class="atlas-sizes" role="status">
            {git.value.state === "failed" ? `${git.value.why} ${git.value.help}` : "Reading the git history…"}
          </p>
        )}
        <Legend colours={colours} isSoft={asked.form === "boxes"} />
        {asked.form === "graph" && picture.things.some(isTrueSize) && (
          <p class="atlas-sizes">
            Areas of discs count definitions. A pale disc around a core is the true size of a very large one.
          </p>
        )}
      </aside>
    </div>
  );
}

/** The map, asked for again when its request changes; the last one stays until the next is here. */
function useAtlas({ index, revision }: Repository, asked: Asked, within: string): Answered {
  const [answered, setAnswered] = useState<Answered>({ state: "running" });
  const request = JSON.stringify(requestOf(asked, globsOf(within)));
  useEffect(() => {
    let isWanted = true;
    index.atlas(JSON.parse(request)).then(
      (answer) => isWanted && setAnswered({ state: "done", asked, answer }),
      (error: unknown) => isWanted && setAnswered({ state: "failed", ...wordsOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, [index, revision, request]);
  return answered;
}

//! Where to begin: the definitions that most of the repository leads to.

import type { CodeIndex, CypherNode } from "portolan";
import type { View } from "../state/link.ts";
import { hashOfView } from "../state/navigation.ts";
import type { Repository } from "../state/repository.ts";
import { useAnswer, shownOf } from "./answer.ts";
import { Kind } from "../controls/Kind.tsx";

const query =
  "MATCH (s:Symbol) WHERE s.test = false AND s.kind IN ['function', 'method', 'class', 'struct', 'interface', 'trait'] " +
  "RETURN s, s.kind AS kind ORDER BY s.centrality DESC LIMIT 12";

interface Found {
  readonly node: CypherNode;
  readonly kind: string;
}

async function central(index: CodeIndex, asked: string): Promise<readonly Found[]> {
  const { rows } = await index.cypher({ query: asked });
  return rows.map(([node, kind]) => ({ node: node as CypherNode, kind: String(kind).toLowerCase() }));
}

export function Central({ repository, view }: { repository: Repository; view: View }) {
  const found = shownOf(useAnswer(repository, query, central)) ?? [];
  return (
    <div class="central">
      <p class="view-hint">Type a name, or begin with one of the definitions that most code leads to:</p>
      {found.length > 0 && (
        <ul class="rows card">
          {found.map(({ node, kind }) => (
            <li key={node.id} class="row">
              <Kind kind={kind} />
              <a class="row-name" href={hashOfView(view, { of: `${node.path}#${node.qualified_name}` })}>
                {node.qualified_name}
              </a>
              <span class="row-path">
                <bdi dir="ltr">{node.path}</bdi>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

// @ts-check
// Groups of repositories that are searched together: how they are dealt, and in which order a group is searched.

/** Repositories of a group at most, on average: they are searched one after the other. */
const MOST_OF_GROUP = 32;
/** Where nothing says how large repositories are, this many are taken to fit into an isolate: of some 5,000 chunks with the default limit. */
const FITTING = 8;
/** Groups whose place is kept. */
const MOST_PLACES = 4096;

/**
 * Deals repositories to groups, so that on average those of a group fit into an isolate. The number of groups doubles as repositories are
 * added or grow, so few of them change their group.
 * @param {readonly string[]} names
 * @param {(name: string) => number} bytesOf  memory that a repository takes; 0 where that is not known
 * @param {number} room  memory of an isolate for open repositories; without a bound all are one group
 * @returns {Map<string, string[]>}  by the name of the group
 */
export function groupsOf(names, bytesOf, room) {
  // One that is too large for an isolate is read by ranges, in all of the room.
  const shareOf = (/** @type {string} */ name) =>
    Math.min(1, Math.max(1 / MOST_OF_GROUP, (bytesOf(name) || room / FITTING) / room));
  const wanted = room === Number.POSITIVE_INFINITY ? 1 : names.reduce((sum, name) => sum + shareOf(name), 0);
  let nGroups = 1;
  while (nGroups < wanted) nGroups *= 2;
  /** @type {Map<string, string[]>} */
  const groups = new Map();
  for (const name of names) {
    const group = `group ${hashOf(name) % nGroups} of ${nGroups}`;
    const own = groups.get(group) ?? [];
    own.push(name);
    groups.set(group, own);
  }
  return groups;
}

/** FNV-1a. @param {string} text */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/**
 * Whose turn it is in each group. Open repositories answer at once and come first. The others follow from where the last search ended: if a
 * group needs more time than a search has, the next searches reach its other repositories.
 */
export class Turns {
  /** @type {Map<string, string>} the last repository that was opened, by group */
  #last = new Map();

  /**
   * @param {string} group
   * @param {readonly string[]} repositories
   * @param {readonly string[]} opened  what is open here, of this group and others, the least recently used first
   * @returns {{ order: string[], nOpen: number }}  the first `nOpen` are open
   */
  orderOf(group, repositories, opened) {
    const own = new Set(repositories);
    // In this order a search that has no time for all of them is followed by one of the others.
    const open = opened.filter((name) => own.delete(name));
    const closed = [...own].sort();
    // An isolate that knows no place is a new one. If each began at the front, nobody would reach the end.
    const last = this.#last.get(group) ?? closed[Math.floor(Math.random() * closed.length)] ?? "";
    const next = closed.findIndex((name) => name > last);
    const from = Math.max(next, 0);
    return { order: [...open, ...closed.slice(from), ...closed.slice(0, from)], nOpen: open.length };
  }

  /**
   * Notes that the search of a group came to a repository that was not open.
   * @param {string} group
   * @param {string} repository
   */
  reached(group, repository) {
    this.#last.delete(group);
    this.#last.set(group, repository);
    const [oldest] = this.#last.keys();
    if (this.#last.size > MOST_PLACES && oldest !== undefined) this.#last.delete(oldest);
  }
}

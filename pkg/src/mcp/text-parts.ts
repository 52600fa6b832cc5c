/** The smallest parts of the texts that agents read. */

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

export function cell(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "null" : JSON.stringify(value);
}

export function firstLine(text: string): string {
  const [first = "", ...more] = text.trim().split("\n");
  return more.length > 0 ? `${first} …` : first;
}

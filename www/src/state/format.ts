//! Numbers, sizes and times as people read them.

const whole = new Intl.NumberFormat("en");
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** `12,345`. */
export function count(n: number): string {
  return whole.format(n);
}

/** `1 file`, `2 files`. */
export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** `812 B`, `4.2 kB`, `13 MB`: decimal units, two digits at most. */
export function bytes(n: number): string {
  const units = ["B", "kB", "MB", "GB"];
  let value = n;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const shown = unit === 0 || value >= 9.95 ? String(Math.round(value)) : value.toFixed(1);
  return `${shown} ${units[unit]}`;
}

/** `2 hours ago`; `just now` within the first minute; empty for a time that is not known. */
export function age(millis: number, now: number): string {
  if (!(millis > 0)) return "";
  const seconds = (now - millis) / 1000;
  if (seconds < 60) return "just now";
  const steps: [Intl.RelativeTimeFormatUnit, number][] = [
    ["minute", 60],
    ["hour", 3600],
    ["day", 86400],
    ["month", 2629800],
    ["year", 31557600],
  ];
  const step = steps.findLast(([, size]) => seconds >= size) ?? ["minute", 60];
  return relative.format(-Math.floor(seconds / step[1]), step[0]);
}

/** `5 min`, `3 h`, `12 d`, `7 mo`, `2 y`, where room is short. */
export function shortAge(millis: number, now: number): string {
  const minutes = Math.max(0, (now - millis) / 60_000);
  const steps: [string, number][] = [
    ["y", 525_960],
    ["mo", 43_830],
    ["d", 1440],
    ["h", 60],
  ];
  const [unit, size] = steps.find(([, size]) => minutes >= size) ?? ["min", 1];
  return `${Math.floor(minutes / size)} ${unit}`;
}

/** `97 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** The text with a capital first letter. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Folder with its slash, and name: `["src/", "a.ts"]`. */
export function splitPath(path: string): [folder: string, name: string] {
  const cut = path.lastIndexOf("/") + 1;
  return [path.slice(0, cut), path.slice(cut)];
}

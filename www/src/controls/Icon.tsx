//! The page's own icons: strokes on a grid of 16.

const strokes = {
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6 14 14",
  folder: "M1.5 4v8.5h13v-7H8L6.5 4z",
  file: "M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3",
  archive: "M2 2.5h12v3H2zM3 5.5v8h10v-8M6.5 8h3",
  compass: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM10.8 5.2 9.2 9.2l-4 1.6 1.6-4z",
  chevron: "M6 4l4 4-4 4",
  close: "M4 4l8 8M12 4l-8 8",
  check: "M3 8.5l3.2 3L13 4.5",
  trash: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.6 9h6.8l.6-9",
  sun: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  moon: "M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z",
  screen: "M1.5 2.5h13v9h-13zM5.5 14.5h5M8 11.5v3",
  help: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM6.2 6.3a1.9 1.9 0 1 1 2.7 1.9c-.6.3-.9.7-.9 1.3M8 11.6v.1",
  info: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 7.2v4M8 4.8v.1",
  command:
    "M5.5 5.5h5v5h-5zM5.5 5.5h-2a2 2 0 1 1 2-2zM10.5 5.5v-2a2 2 0 1 1 2 2zM10.5 10.5h2a2 2 0 1 1-2 2zM5.5 10.5v2a2 2 0 1 1-2-2z",
  sidebar: "M1.5 2.5h13v11h-13zM6 2.5v11",
  details: "M1.5 2.5h13v11h-13zM10 2.5v11",
  split: "M1.5 2.5h13v11h-13zM8 2.5v11",
  shield: "M8 1.5 13.5 3.5V8c0 3.2-2.3 5.4-5.5 6.5C4.8 13.4 2.5 11.2 2.5 8V3.5z",
  copy: "M5.5 5.5h8v9h-8zM2.5 10.5v-9h8",
  download: "M8 2v8.5M4.5 7.5 8 11l3.5-3.5M2.5 14h11",
  clock: "M8 14.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM8 4.5V8l2.5 1.5",
  warning: "M8 2 15 14H1zM8 6.5v3.5M8 12v.1",
} as const;

export type IconName = keyof typeof strokes;

/** A decorative icon: the text or label beside it carries the meaning. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={strokes[name]} />
    </svg>
  );
}

//! The height of a row that is drawn by its place: finger-high where fingers point.

import { signal } from "@preact/signals";

const query = typeof matchMedia === "undefined" ? null : matchMedia("(pointer: coarse), (max-width: 640px)");
const height = () => (query?.matches ? 44 : 26);

/** In CSS pixels. */
export const rowHeight = signal(height());

query?.addEventListener("change", () => (rowHeight.value = height()));

//! In place of the picture that the build makes.

export const width = 100;
export const height = 60;
export const boxes = [
  { path: "crates", name: "crates", x: 0, y: 0, w: 60, h: 60, depth: 0 },
  { path: "crates/graph", name: "graph", x: 3, y: 18, w: 54, h: 39, depth: 1 },
];

//! The page's colours for drawings, which cannot read its variables.

import { useEffect, useState } from "preact/hooks";
import { settings } from "../state/settings.ts";
import type { Theme } from "./scene.ts";

const light: Theme = { isDark: false, ink: "#1b232d", ground: "#fdfcfa", line: "#8a939d" };
const dark: Theme = { isDark: true, ink: "#dbe2ea", ground: "#151b22", line: "#5e6b78" };

const scheme = "(prefers-color-scheme: dark)";

/** The colours of the theme that is shown; changes with it. */
export function useTheme(): Theme {
  const { theme } = settings.value;
  const [isDark, setDark] = useState(() => matchMedia(scheme).matches);
  useEffect(() => {
    const query = matchMedia(scheme);
    const look = () => setDark(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return theme === "dark" || (theme === "system" && isDark) ? dark : light;
}

// Sets the chosen colours before the first paint. The key and its form belong to src/state/settings.ts.
try {
  const { theme } = JSON.parse(localStorage.getItem("portolan.settings") ?? "{}");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Without storage the page looks as the system does.
}

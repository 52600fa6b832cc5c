//! Keeps the page working without a network: registers the service worker, and once the page is quiet asks it to fetch what
//! was not needed yet (grammars, model, sample).

const quietMillis = 4000;

export function keepOffline(): void {
  // In development there is no service worker; where the browser has none (private windows, plain http) the page needs its network.
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  const register = async () => {
    try {
      await navigator.serviceWorker.register("./service-worker.js", { scope: "./" });
      const { active } = await navigator.serviceWorker.ready;
      setTimeout(() => active?.postMessage("fetch the rest"), quietMillis);
    } catch (error) {
      console.info("no offline use:", error);
    }
  };
  if (document.readyState === "complete") void register();
  else addEventListener("load", () => void register(), { once: true });
}

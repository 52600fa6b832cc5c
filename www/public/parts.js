// Says so where the page cannot load or start its own parts: it would stay empty without a word.
{
  const say = (what) => {
    const app = document.getElementById("app");
    // A page that is up tells its troubles itself.
    if (!app || app.childElementCount > 0) return;
    const box = document.createElement("div");
    box.className = "broken";
    box.setAttribute("role", "alert");
    const title = document.createElement("h1");
    title.textContent = "The page could not start";
    const words = document.createElement("p");
    words.textContent = `${what}. It may have been replaced by a newer version while a part of the old one was still in a cache, or the network is gone. Reload it; if that does not help, hold Shift while you do. Saved indexes are kept.`;
    const again = document.createElement("button");
    again.type = "button";
    again.className = "button button-main";
    again.textContent = "Reload";
    again.onclick = () => location.reload();
    box.append(title, words, again);
    app.append(box);
  };
  addEventListener(
    "error",
    (event) => {
      const { target } = event;
      if (target instanceof HTMLScriptElement)
        say(`${new URL(target.src).pathname.split("/").at(-1)} could not be loaded`);
      else if (event instanceof ErrorEvent) say(event.message);
    },
    true,
  );
}

import init from "./page.js";

await init();

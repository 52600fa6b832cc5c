// Removes what an earlier build made: files whose source was moved or deleted since would be packed with the others.
import { rmSync } from "node:fs";

rmSync(new URL("../dist/", import.meta.url), { recursive: true, force: true });

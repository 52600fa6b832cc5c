// One process for all: the snapshots that the suites share are made once.

import { answers } from "./answers.mjs";
import { native } from "./harness.mjs";
import { memory, snapshots } from "./snapshots.mjs";

const made = native();
answers(made);
snapshots(made);
memory(made);

/** `portolan/files`, in Node: what an index and the files it was made from have to do with each other. */

export { applyEdits } from "../reading/edits.js";
export { applyRename, type AppliedRename, type ApplyRenameOptions } from "../node/apply-rename.js";
export { gitDiff, type GitDiffOptions } from "../node/git-diff.js";

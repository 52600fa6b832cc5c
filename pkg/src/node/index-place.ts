/** Folder and file of an index, relative to what was indexed. */

export const INDEX_FOLDER = ".portolan";
export const INDEX_FILE = "index.portolan";

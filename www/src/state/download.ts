//! Files for the browser's downloads.

const sliceBytes = 8 * 1024 * 1024;

/** Bytes as a file. They are copied in slices, so that the page is never busy for long. */
export async function blobOf(bytes: Uint8Array): Promise<Blob> {
  const slices: Blob[] = [];
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    slices.push(new Blob([bytes.subarray(start, start + sliceBytes) as BlobPart]));
    await new Promise((resolve) => setTimeout(resolve));
  }
  return new Blob(slices, { type: "application/octet-stream" });
}

/** Gives a file to the browser's downloads. */
export function give(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A repository's name as the stem of a file's. */
export function stemOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "") || "repository";
}

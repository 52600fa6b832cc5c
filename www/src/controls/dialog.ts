//! Dialogs: one at a time.

/** Opens a dialog and closes any other, as Escape would: the reader sees the newest question. */
export function showAlone(dialog: HTMLDialogElement | null): void {
  if (!dialog) return;
  for (const other of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) if (other !== dialog) other.close();
  if (!dialog.open) dialog.showModal();
}

//! Dialogs: one at a time.

/** Opens a dialog and closes any other, as Escape would: the reader sees the newest question. */
export function showAlone(dialog: HTMLDialogElement | null): void {
  if (!dialog) return;
  for (const other of document.querySelectorAll<HTMLDialogElement>("dialog[open]")) if (other !== dialog) other.close();
  if (!dialog.open) dialog.showModal();
  const messages = document.querySelector<HTMLElement>(".notices:popover-open");
  if (messages) raise(messages);
}

/** Shows a popover above all that is in the browser's top layer; one that has the focus stays where it is. */
export function raise(popover: HTMLElement): void {
  const isOpen = popover.matches(":popover-open");
  if (isOpen && popover.contains(document.activeElement)) return;
  if (isOpen) popover.hidePopover();
  popover.showPopover();
}

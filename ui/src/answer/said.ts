// How much of an agent's last words is read as Markdown. Pure.

/** Beyond this it is plain text: an agent's essay is read elsewhere, and the reader's time grows with the
 * square of some texts. */
export const READABLE = 4000;

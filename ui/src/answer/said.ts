// The limit up to which an agent's last words are read as Markdown. Pure.

/** Characters that are read as Markdown. Beyond this the text is shown plain: an agent's essay is
 * read elsewhere, and for some texts the Markdown reader's time grows with the square of the
 * length. */
export const READABLE = 4000;

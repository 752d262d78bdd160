// A page that looks like a plain chat, with messages of Beckon's. What the messages say is not
// here.

const LOOK = `
  :root {
    color-scheme: light dark;
    --wall: #e4ebe2; --bubble: #fff; --text: #16181a; --soft: #6a7178; --link: #2a6fa8;
    --quote: #eef4fa; --key: rgb(255 255 255 / 72%);
    --success: #2f8a4a; --danger: #c3372c; --primary: #2a6fa8; --plain: #3d4348;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --wall: #10171d; --bubble: #1f2a33; --text: #eceff1; --soft: #9aa7b1; --link: #76b5e6;
      --quote: #263644; --key: rgb(255 255 255 / 9%);
      --success: #3d9a59; --danger: #cf4a3f; --primary: #3a7fb8; --plain: #e4e8ea;
    }
  }
  * { box-sizing: border-box; margin: 0; }
  body { width: 400px; padding: 14px; background: var(--wall); color: var(--text);
    font: 15px/1.38 system-ui, sans-serif, "Noto Sans CJK SC", "Noto Color Emoji"; }
  article { width: 350px; }
  article + article { margin-top: 16px; }
  .text { padding: 8px 12px 9px; border-radius: 14px 14px 6px 6px; background: var(--bubble);
    white-space: pre-wrap; overflow-wrap: anywhere; }
  .alone .text { border-radius: 14px; }
  blockquote { margin: 4px 0 2px; padding: 4px 9px; border-inline-start: 3px solid var(--link);
    border-radius: 4px; background: var(--quote); font-size: 14px; }
  pre, code { font: 13px/1.4 monospace; }
  pre { padding: 6px 9px; border-radius: 6px; background: var(--quote); white-space: pre-wrap; }
  a { color: var(--link); text-decoration: none; }
  .row { display: flex; gap: 4px; margin-top: 4px; }
  .key { flex: 1; padding: 8px 6px; border-radius: 8px; background: var(--key); color: var(--plain);
    font-size: 14px; font-weight: 600; text-align: center; }
  .Success { background: var(--success); color: #fff; }
  .Danger { background: var(--danger); color: #fff; }
  .Primary { background: var(--primary); color: #fff; }
`;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const key = ({ label, style }) => `<div class="key ${style ?? ""}">${escaped(label)}</div>`;

/** Returns a message as HTML. Telegram's HTML is a part of HTML; a line break beside a block is
 * dropped, since the block ends the line already. */
const bubble = ({ html, rows }) => `
  <article class="${rows.length ? "" : "alone"}">
    <div class="text">${html.replaceAll(/\n(<blockquote|<pre)/g, "$1").replaceAll(/(<\/blockquote>|<\/pre>)\n/g, "$1")}</div>
    ${rows.map((row) => `<div class="row">${row.map(key).join("")}</div>`).join("")}
  </article>`;

/** Returns the page with these messages. */
export const chat = (messages, lang) =>
  `<!doctype html><html lang="${lang}"><style>${LOOK}</style><body>${messages.map(bubble).join("")}</body></html>`;

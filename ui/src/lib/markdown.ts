// Reading an agent's Markdown as a tree of harmless elements. HTML in it stays text, and nothing
// here ever makes HTML. `Markdown.svelte` draws the tree.

import { Lexer, type Token, type Tokens } from "marked";

export type Tag =
  "p" | "strong" | "em" | "del" | "code" | "pre" | "blockquote" | "ul" | "ol" | "li" | "hr" | "br";

export type Node =
  | { is: "text"; text: string }
  | { is: "link"; href: string; inside: Node[] }
  | { is: "element"; tag: Tag; inside: Node[] };

/** The deepest nesting that is read, deeper than any person writes. What is below stays text. */
const DEEPEST = 12;

/** Reads Markdown; what cannot be read stays plain text. */
export function read(markdown: string): Node[] {
  try {
    return nodes(new Lexer({ gfm: true, breaks: true }).lex(markdown), 0);
  } catch {
    return [element("p", [text(markdown)])];
  }
}

function nodes(tokens: Token[], depth: number): Node[] {
  return tokens.flatMap((token) => node(token, depth));
}

function node(token: Token, depth: number): Node[] {
  if (depth > DEEPEST) return [text(token.raw)];
  const inside = () => nodes("tokens" in token && token.tokens ? token.tokens : [], depth + 1);
  switch (token.type) {
    case "space":
      return [];
    // The address behind a reference. Dropped, it would be a place for words that nobody sees.
    case "def":
      return [element("p", [text(token.raw.trim())])];
    case "paragraph":
      return [element("p", inside())];
    case "heading":
      return [element("p", [element("strong", inside())])];
    case "strong":
    case "em":
    case "del":
    case "blockquote":
      return [element(token.type, inside())];
    case "codespan":
      return [element("code", [text((token as Tokens.Codespan).text)])];
    case "code":
      return [element("pre", [text(code(token as Tokens.Code))])];
    case "list":
      return [list(token as Tokens.List, depth)];
    case "checkbox":
      return [text((token as Tokens.Checkbox).checked ? "☑ " : "☐ ")];
    case "hr":
    case "br":
      return [element(token.type, [])];
    case "link":
      return [link(token as Tokens.Link, inside())];
    case "text":
      return "tokens" in token && token.tokens ? inside() : [text((token as Tokens.Text).text)];
    case "escape":
      return [text((token as Tokens.Escape).text)];
    case "table":
      return [element("pre", [text(token.raw.trimEnd())])];
    default:
      // HTML, pictures and whatever a later reader brings stay as they were written.
      return [text(token.raw)];
  }
}

/** The name of a language, beside the fence of a block of code. */
const LANGUAGE = /^[\w.+#-]{0,20}$/u;

/** Returns a block of code. Words beside its fence, which are more than a language, are kept. */
function code(token: Tokens.Code): string {
  return LANGUAGE.test(token.lang ?? "") ? token.text : token.raw.trimEnd();
}

function list(token: Tokens.List, depth: number): Node {
  const items = token.items.map((item) => element("li", nodes(item.tokens, depth + 1)));
  return element(token.ordered ? "ol" : "ul", items);
}

/** Returns a link if a browser opens its address. Anything else stays as written, and so does a link
 * with a title, which is not drawn. */
function link(token: Tokens.Link, inside: Node[]): Node {
  return /^https?:\/\//i.test(token.href) && !token.title
    ? { is: "link", href: token.href, inside }
    : text(token.raw);
}

function text(text: string): Node {
  return { is: "text", text };
}

function element(tag: Tag, inside: Node[]): Node {
  return { is: "element", tag, inside };
}

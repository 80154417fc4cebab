import type { ChatForms, ChatProposal, LogObservation } from '../game.ts';
import { readLogLine, saidIn } from './log-lines.ts';

/**
 * Chat in the form that a server's plug-ins give it, chosen by its owner: `[Member] {name}: {text}`. A form begins where the game's own
 * stamp ends. `{name}` is a player who is online, `{text}` the rest of the line, and `{any}` what changes inside a pair of brackets,
 * such as a rank. docs/formats/logs.md has the plug-ins.
 */
type Part =
  | { readonly is: 'literal'; readonly text: string }
  | { readonly is: 'name' }
  | { readonly is: 'any' }
  | { readonly is: 'text' };

const brackets: Readonly<Record<string, string>> = {
  '[': ']',
  '(': ')',
  '{': '}',
  '<': '>',
  '«': '»',
  '|': '|',
  '【': '】',
  '〔': '〕',
  '⟦': '⟧',
};
const words = /\{(?<word>name|any|text)\}/g;
const mostAny = 4;
/** What may stand for `{any}`: no bracket, and nothing that separates names from texts, but a clock's colons. */
const any = /(?:[^[\](){}<>«»【】〔〕⟦⟧|:：→\\]|(?<=\d):(?=\d\d)){1,40}/y;
/**
 * Lines of other channels look like chat with a rank: what was said elsewhere, what is not public, and what no player said.
 * `[Steve -> me]` of private messages is kept out by its arrow.
 */
const otherChannels =
  /\b(?:rcon|server|console|discord|telegram|irc|twitch|youtube|slack|matrix|guilded|kook|qq|vk|web|webchat|dynmap|bluemap|from|to|broadcast|announce\w*|spy|socialspy|msg|pm|dm|whisper|mail|me|staff|staffchat|sc|adminchat|helpop|party|team|tribe|faction|guild|clan|ally|local-spy)\b/i;

const partsOf = (form: string): Part[] => {
  const parts: Part[] = [];
  let at = 0;
  for (const found of form.matchAll(words)) {
    if (found.index > at) parts.push({ is: 'literal', text: form.slice(at, found.index) });
    parts.push({ is: found.groups?.word as 'name' | 'any' | 'text' });
    at = found.index + found[0].length;
  }
  if (at < form.length) parts.push({ is: 'literal', text: form.slice(at) });
  return parts;
};

const literalAt = (parts: readonly Part[], index: number): string => {
  const part = parts[index];
  return part?.is === 'literal' ? part.text : '';
};

/** Null, or why lines in this form could be read in several ways. */
const faultOf = (form: string): ReturnType<ChatForms['faultOf']> => {
  const parts = partsOf(form);
  const count = (is: Part['is']) => parts.filter((part) => part.is === is).length;
  if (count('name') !== 1 || count('text') !== 1 || parts.at(-1)?.is !== 'text') return 'shape';
  const name = parts.findIndex((part) => part.is === 'name');
  // Otherwise nothing would part the name from the text, and every line that begins with it would be chat.
  if (!/[^\w\s]/.test(literalAt(parts, name + 1))) return 'separator';
  if (count('any') > mostAny) return 'any';
  const isOpen = parts.some(
    (part, index) =>
      part.is === 'any' &&
      brackets[literalAt(parts, index - 1).at(-1) ?? ''] !== literalAt(parts, index + 1).charAt(0),
  );
  return isOpen ? 'any' : null;
};

interface Reading {
  readonly name: string;
  readonly text: string;
}

const readAs = (
  parts: readonly Part[],
  said: string,
  name: string,
  others: readonly string[],
): Reading | null => {
  let at = 0;
  for (const part of parts) {
    if (part.is === 'text') {
      const text = said.slice(at).trim();
      return text === '' ? null : { name, text };
    }
    if (part.is === 'any') {
      any.lastIndex = at;
      const found = any.exec(said)?.[0] ?? '';
      // `/say` of a player writes `[Steve] …`.
      if (found === '' || otherChannels.test(found) || others.includes(found.trim())) return null;
      at += found.length;
      continue;
    }
    const word = part.is === 'name' ? name : part.text;
    if (!said.startsWith(word, at)) return null;
    at += word.length;
  }
  return null;
};

const compiled = new Map<string, readonly Part[]>();
const mostCompiled = 1000;
const compile = (form: string): readonly Part[] => {
  const known = compiled.get(form);
  if (known) return known;
  if (compiled.size >= mostCompiled) compiled.clear();
  const parts = faultOf(form) === null ? partsOf(form) : [];
  compiled.set(form, parts);
  return parts;
};

const withoutMark = (said: string): string => said.replace(/^\[Not Secure\] /, '');

/** Of one reading, or of several that agree on who has spoken; the form that says most about the line's beginning has its text. */
const read = (line: string, forms: readonly string[], online: readonly string[]): LogObservation | null => {
  if (forms.length === 0 || readLogLine(line) !== null) return null;
  const said = saidIn(line);
  if (said === null) return null;
  const plain = withoutMark(said);
  const named = online.filter((name) => name !== '' && plain.includes(name));
  const readings = forms.flatMap((form) =>
    named.flatMap((name) => readAs(compile(form), plain, name, online) ?? []),
  );
  const [first] = readings.sort((a, b) => a.text.length - b.text.length);
  if (!first || readings.some(({ name }) => name !== first.name)) return null;
  return { kind: 'chat', player: { name: first.name, platformId: null }, text: first.text };
};

/** Behind a name: at most two suffixes in brackets, then what parts it from the text. */
const behindName =
  /^(?<suffix>(?:\s?(?:\[[^[\]]{1,30}\]|\([^()]{1,30}\)|\{[^{}]{1,30}\}|【[^【】]{1,30}】)){0,2}(?:\s{0,2}(?:>{1,2}|\p{Pe}|[:|~=•·/\p{Sm}\p{So}\p{Pd}\p{Pf}-]{1,3}>?)(?:\s?[:»›>])?\s+|\s{0,2}(?:[：»›]|>:|(?<=[>\p{Pe}])\s?:))\s*)(?=\S)/u;
const longestHead = 60;
/** The game's own lines about players, which no one said. */
const ownLines =
  /^(?:UUID of player |\[[^\]:]{1,40}: |\* |.{0,40}? (?:issued server command|lost connection|joined the game|left the game|logged in with|moved (?:too quickly|wrongly)|has made the advancement|has completed the challenge|has reached the goal)\b)/;
const isWordEdge = (letter: string | undefined): boolean => letter === undefined || !/[\w]/.test(letter);

/** How a line would read as the chat of a player who is online; null when it does not look like chat. */
const formOf = (
  line: string,
  online: readonly string[],
): (ChatProposal & { readonly head: string }) | null => {
  if (readLogLine(line) !== null) return null;
  const said = withoutMark(saidIn(line) ?? '');
  if (said === '' || ownLines.test(said)) return null;
  const found = online
    .map((name) => ({ name, at: name === '' ? -1 : said.indexOf(name) }))
    .filter(
      ({ name, at }) =>
        at >= 0 && at <= longestHead && isWordEdge(said[at - 1]) && isWordEdge(said[at + name.length]),
    )
    .sort((a, b) => a.at - b.at || b.name.length - a.name.length);
  const [first] = found;
  if (!first) return null;
  const head = said.slice(0, first.at);
  const suffix = behindName.exec(said.slice(first.at + first.name.length))?.groups?.suffix;
  // Behind `: ` someone else has spoken already; an arrow is a private message.
  if (suffix === undefined || /: |->|→/.test(head) || otherChannels.test(head)) return null;
  if (/^\s*(?:->|→)/.test(suffix)) return null;
  const form = `${head}{name}${suffix}{text}`;
  return faultOf(form) === null ? { form, count: 1, example: said, head: `${head}{name}${suffix}` } : null;
};

/** The same form with `{any}` for what its brackets hold. */
const general = (form: string): string =>
  form.replace(
    /\[[^[\]{}]{1,40}\]|\([^(){}]{1,40}\)|【[^【】{}]{1,40}】/g,
    (found) => `${found.charAt(0)}{any}${found.at(-1)}`,
  );

const mostProposals = 8;

const propose = (
  lines: readonly string[],
  forms: readonly string[],
  online: readonly string[],
): ChatProposal[] => {
  const found = new Map<string, ChatProposal>();
  const add = (form: string, example: string) => {
    const known = found.get(form);
    found.set(form, { form, count: (known?.count ?? 0) + 1, example: known?.example ?? example });
  };
  const variants = new Map<string, Set<string>>();
  for (const line of lines) {
    const seen = read(line, forms, online) === null ? formOf(line, online) : null;
    if (!seen) continue;
    add(seen.form, seen.example);
    const wide = general(seen.form);
    if (wide === seen.form || faultOf(wide) !== null) continue;
    variants.set(wide, (variants.get(wide) ?? new Set()).add(seen.form));
  }
  // Ranks differ: one form for all of them, beside those for each.
  for (const [wide, narrow] of variants) {
    const parts = [...narrow].flatMap((form) => found.get(form) ?? []);
    const [first] = parts;
    if (narrow.size > 1 && first)
      found.set(wide, {
        form: wide,
        count: parts.reduce((sum, { count }) => sum + count, 0),
        example: first.example,
      });
  }
  return [...found.values()].sort((a, b) => b.count - a.count).slice(0, mostProposals);
};

export const chatForms: ChatForms = {
  faultOf,
  read,
  isUnread: (line, forms, online) => read(line, forms, online) === null && formOf(line, online) !== null,
  propose,
};

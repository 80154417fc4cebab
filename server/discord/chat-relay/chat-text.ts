/** These two join letters and emoji; all other invisible characters may reverse or hide a text. */
const hidden = /(?!\u200c|\u200d)\p{Cf}/gu;
const blanks = /[\p{Cc}\p{Z}\s]+/gu;
/** A letter under a tower of marks covers the lines around it. */
const towers = /(\p{M}{3})\p{M}+/gu;
const visible = /[^\s\p{Cf}\p{M}\u115f\u1160\u3164\uffa0]/u;

/** Someone's text as one line that shows what it holds; empty if nothing would be visible. @param most characters */
export const plainLine = (text: string, most: number): string => {
  const line = text
    .toWellFormed()
    .normalize('NFC')
    .replace(hidden, '')
    .replace(blanks, ' ')
    .replace(towers, '$1')
    .trim();
  if (!visible.test(line)) return '';
  const characters = [...line];
  return characters.length <= most ? line : `${characters.slice(0, most - 1).join('')}…`;
};

/** Neither a tag before the name, such as `[Server]`, nor a game's markup: § is Minecraft's. */
const softened: Readonly<Record<string, string>> = { '[': '(', ']': ')', '<': '‹', '>': '›', '§': '' };
const soften = (text: string): string =>
  text.replace(/[[\]<>§]/g, (character) => softened[character] ?? character);

/** What a game says on behalf of someone elsewhere. @param from in brackets, where no one else can put anything */
export const spokenLine = (from: string, name: string, text: string): string =>
  `[${soften(from)}] ${soften(name)}: ${soften(text)}`;

import { reasons } from '#contracts/reasons.ts';
import { type Placeholder, placeholders } from '#contracts/store.ts';
import { renderCommand } from './command-text.ts';
import type { Rendered, Verdict } from './game.ts';
import { plainText } from './reply-reading.ts';
import type { ReplyPatterns, TemplateValues } from './store-forms.ts';

/** A value as it may stand in a command, or why it may not. */
export type TemplateWord = { readonly word: string } | { readonly refused: string };
/** `isQuoted`: the template has the placeholder between its own double quotes. `isAlone`: nothing stands beside it but spaces. */
export interface TemplatePlace {
  readonly isQuoted: boolean;
  readonly isAlone: boolean;
}
/** How a game takes each value of a template. */
export type TemplateWords = Readonly<
  Record<'player' | 'platformId' | 'handle', (value: string, place: TemplatePlace) => TemplateWord>
>;

const isPlaceholder = (name: string): name is Placeholder => placeholders.some((one) => one === name);
const placeholder = /\{([A-Za-z]+)\}/g;
const orderIdShape = /^[\w-]{1,64}$/;
const survivorNumberShape = /^[1-9]\d{0,18}$/;
const mostQuantity = 1_000_000_000;

/** The template's own text stays as it is; a value can never become more than the one argument that it stands in. */
export const renderTemplate = (
  template: string,
  values: TemplateValues,
  words: TemplateWords,
  longestCommandBytes: number,
): Rendered => {
  if (/^\W*\{[A-Za-z]+\}/.test(template)) return { refused: reasons['template-without-command'] };
  const refusals: string[] = [];
  const command = template.replace(placeholder, (whole, name: string, at: number) => {
    const end = at + whole.length;
    const isQuoted = (template.slice(0, at).split('"').length - 1) % 2 === 1;
    const isAlone = /^$|\s/.test(template.charAt(at - 1)) && /^$|\s/.test(template.charAt(end));
    const value = wordFor(name, values, words, { isQuoted, isAlone });
    if ('word' in value) return value.word;
    refusals.push(value.refused);
    return '';
  });
  const [refused] = refusals;
  return refused === undefined ? renderCommand(command, longestCommandBytes) : { refused };
};

const wordFor = (
  name: string,
  values: TemplateValues,
  words: TemplateWords,
  place: TemplatePlace,
): TemplateWord => {
  if (!isPlaceholder(name)) return { refused: reasons['placeholder-unknown'](name) };
  const value = values[name];
  if (value === null) return { refused: reasons['placeholder-missing'](name) };
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && value >= 1 && value <= mostQuantity
      ? { word: String(value) }
      : { refused: reasons['quantity-shape'] };
  if (name === 'orderId')
    return orderIdShape.test(value) ? { word: value } : { refused: reasons['order-id-shape'] };
  if (name === 'survivorNumber')
    return survivorNumberShape.test(value) ? { word: value } : { refused: reasons['survivor-number-shape'] };
  return name === 'player' || name === 'platformId' || name === 'handle'
    ? words[name](value, place)
    : { refused: reasons['placeholder-unknown'](name) };
};

/** Letters of any script with their accents, digits and what names have besides: nothing that a console could read as its own. */
const freeName = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} _.,:+'’!?()[\]{}<>~^*&#=/-]*$/u;
/** Letters among them that show nothing. */
const invisible = /\p{Default_Ignorable_Code_Point}/u;
/** What needs no quotes. */
const bareWord = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u;
const longestName = 100;

/**
 * A name for consoles that part arguments at spaces and keep together what stands in double quotes, which they cannot escape.
 * Invisible characters, those that turn the direction of text, and look-alikes of quotes and separators are refused.
 */
export const quotableName = (name: string, { isQuoted, isAlone }: TemplatePlace): TemplateWord => {
  const isPlain = [name, name.normalize('NFKC')].every(
    (form) => freeName.test(form) && !invisible.test(form),
  );
  if (!isPlain || name.length > longestName || name.trim() !== name)
    return {
      refused: reasons['name-unsafe'],
    };
  if (isQuoted || bareWord.test(name)) return { word: name };
  return isAlone
    ? { word: `"${name}"` }
    : {
        refused: reasons['name-within-word'],
      };
};

/** A reply is judged by its first characters; see the reading of other replies. */
const longestJudged = 4096;

/**
 * A line that matches a pattern of failure, and no pattern of success, proves failure; the other way round, success. What
 * stands for a value is taken out first, so that a name such as "Success" proves nothing; what the whole reply calls a
 * failure is no success either.
 */
export const readTemplateReply = (
  reply: string,
  { success, failure }: ReplyPatterns,
  values: TemplateValues,
): Verdict => {
  const text = plainText(reply);
  if (text.length > longestJudged) return unproven(reasons['answer-too-long']);
  const lines = withoutValues(text, values).split('\n');
  const failed = matches(lines, failure);
  const succeeded = matches(lines, success);
  if (failed && succeeded) return unproven(reasons['reply-both']);
  if (failed) return { verdict: 'failed', reason: reasons['reply-failure'] };
  if (matches(text.split('\n'), failure)) return unproven(reasons['reply-failure-by-name']);
  if (succeeded) return { verdict: 'done', reason: reasons['reply-success'] };
  return success.length === 0 ? unproven(reasons['reply-unnamed']) : unproven(reasons['reply-unknown']);
};

const unproven = (reason: string): Verdict => ({ verdict: 'unproven', reason });

/** Of no language: one stands where a value of this name was. */
const standIns: Readonly<Record<Placeholder, string>> = {
  player: '\ue000',
  platformId: '\ue001',
  handle: '\ue002',
  survivorNumber: '\ue003',
  quantity: '\ue004',
  orderId: '\ue005',
};
const anyStandIn = /[\ue000-\ue005]/g;

const withoutValues = (text: string, values: TemplateValues): string => {
  const shown = placeholders.flatMap((name) =>
    spellings(values[name]).map((value) => ({ value, standIn: standIns[name] })),
  );
  // The longest first: one value may be a part of another.
  shown.sort((one, other) => other.value.length - one.value.length);
  let rest = text.replace(anyStandIn, '\ufffd');
  for (const { value, standIn } of shown) rest = rest.replace(occurrence(value), standIn);
  return rest;
};

/** As it is, without the prefix of its platform, and without the tags of colours that a game does not print. */
const spellings = (value: string | number | null): string[] => {
  if (value === null) return [];
  const whole = plainText(String(value));
  const forms = [whole, whole.replace(/^[a-z]+:/, ''), whole.replace(/\[[^[\]]*\]/g, '').trim()];
  return [...new Set(forms)].filter((form) => form !== '');
};

/** A number is not looked for within longer ones; anything else wherever it stands, in small or capital letters. */
const occurrence = (value: string): RegExp =>
  /^\d+$/.test(value)
    ? new RegExp(`(?<!\\d)${value}(?!\\d)`, 'g')
    : new RegExp(value.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), 'gi');

const matches = (lines: readonly string[], patterns: readonly string[]): boolean =>
  patterns.some((pattern) => {
    const parts = pattern
      .replace(placeholder, (whole, name: string) => (isPlaceholder(name) ? standIns[name] : whole))
      .split('*');
    return lines.some((line) => matchesParts(line.trim(), parts));
  });

/** Between the first part, which begins the line, and the last, which ends it, each part at its first place: no line makes this slow. */
const matchesParts = (line: string, parts: readonly string[]): boolean => {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return line === first;
  if (!line.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = line.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return line.length - last.length >= at && line.endsWith(last);
};

import { reasons } from '#contracts/kernel/reasons.ts';
import { type Placeholder, placeholders } from '#contracts/store/store.ts';
import { renderCommand } from './command-text.ts';
import type { Rendered, Verdict } from './game.ts';
import { plainText } from './reply-reading.ts';
import type { ReplyPatterns, TemplateValues } from './store-forms.ts';

/** A value made safe for a command, or why that is impossible. */
export type TemplateWord = { readonly word: string } | { readonly refused: string };
/** `isQuoted`: the placeholder is between double quotes of the template. `isAlone`: only spaces surround it. */
export interface TemplatePlace {
  readonly isQuoted: boolean;
  readonly isAlone: boolean;
}
/** How a game escapes each kind of value. */
export type TemplateWords = Readonly<
  Record<'player' | 'platformId' | 'handle', (value: string, place: TemplatePlace) => TemplateWord>
>;

const isPlaceholder = (name: string): name is Placeholder => placeholders.some((one) => one === name);
const placeholder = /\{([A-Za-z]+)\}/g;
const orderIdShape = /^[\w-]{1,64}$/;
const survivorNumberShape = /^[1-9]\d{0,18}$/;
const mostQuantity = 1_000_000_000;

/** A value where the command itself would be, also after words that carry out the command behind them. */
const valueAsCommand =
  /^\W*(?:(?:execute\b.*\brun|e?sudo\s+\S+|admincheat|cheat|scriptcommand)\s\W*)?\{[A-Za-z]+\}/is;

/** Keeps the template's own text; a value never extends beyond its argument. */
export const renderTemplate = (
  template: string,
  values: TemplateValues,
  words: TemplateWords,
  longestCommandBytes: number,
): Rendered => {
  if (valueAsCommand.test(template)) return { refused: reasons['template-without-command'] };
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

/** Letters of any script, accents, digits and common punctuation: nothing with a meaning for a console. */
const freeName = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} _.,:+'’!?()[\]{}<>~^*&#=/-]*$/u;
/** Letters among these that are invisible. */
const invisible = /\p{Default_Ignorable_Code_Point}/u;
/** A name that needs no quotes. */
const bareWord = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}_.-]*$/u;
const longestName = 100;

/**
 * A name for consoles that split arguments at spaces, honour double quotes and know no escapes. Refuses invisible characters,
 * direction marks, and look-alikes of quotes and separators.
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

/** Longer replies are not judged, as in `reply-reading.ts`. */
const longestJudged = 4096;

/**
 * Lines that match only failure patterns prove failure; only success patterns, success. Values are removed from the reply first,
 * so that a player called "Success" proves nothing. A reply that is a failure with its values is not a success either.
 */
export const readTemplateReply = (
  reply: string,
  { success, failure }: ReplyPatterns,
  values: TemplateValues,
): Verdict => {
  const text = plainText(reply);
  if (text.length > longestJudged) return unproven(reasons['answer-too-long']);
  if (text.trim() === '') return unproven(reasons['reply-empty']);
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

/** Private-use characters that replace the values in a reply. */
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
  // Longest first: one value may be part of another.
  shown.sort((one, other) => other.value.length - one.value.length);
  let rest = text.replace(anyStandIn, '\ufffd');
  for (const { value, standIn } of shown) rest = rest.replace(occurrence(value), standIn);
  return rest;
};

/** The value itself, without its platform prefix, and without colour tags, which games do not print. */
const spellings = (value: string | number | null): string[] => {
  if (value === null) return [];
  const whole = plainText(String(value));
  const forms = [whole, whole.replace(/^[a-z]+:/, ''), whole.replace(/\[[^[\]]*\]/g, '').trim()];
  return [...new Set(forms)].filter((form) => form !== '');
};

/** Matches a number only as a whole number, anything else anywhere and in any case. */
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

/** Anchors the first and last part and matches the others at their first occurrence, so that no line makes this slow. */
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

import { reasons } from '#contracts/kernel/reasons.ts';
import type { Verdict } from './game.ts';

/** Longer replies are not judged; no answer to a command is that long. */
const longestJudged = 4096;

/** The text by which a game says that a command was carried out. */
export interface Proof {
  /**
   * The start of such a text; needs the flag `g`. A reply that contains it twice, or next to a refusal, belongs to two commands
   * and proves neither.
   */
  readonly sign: RegExp;
  /** Whether this whole line answers this command. */
  proves(line: string): boolean;
  readonly reason: string;
}

/** The text by which a game says that a command was not carried out. */
export interface Refusal {
  /** The start of such a line. */
  readonly sign: RegExp;
  readonly verdict: 'failed' | 'later';
  readonly reason: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours of terminals begin with one
const colours = /\u001b\[[0-9;]*m|§[0-9a-fk-orx]/gi;

/** A reply without colours and without the line ends and NULs of its protocol. */
export const plainText = (reply: string): string =>
  reply.replace(colours, '').replaceAll('\r', '').replaceAll('\0', '').trim();

export const plainLines = (reply: string): string[] =>
  plainText(reply)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const unproven = (reason: string): Verdict => ({ verdict: 'unproven', reason });

/** `done` only when every line of the reply is understood and exactly one of them proves it. */
export const readReply = (
  reply: string,
  {
    proofs,
    refusals,
    aside,
    echo = [],
  }: {
    readonly proofs: readonly Proof[];
    readonly refusals: readonly Refusal[];
    /** Whole lines to ignore. */
    readonly aside?: RegExp | undefined;
    /** Text from people that the game repeats at the end of its reply, and that proves nothing. */
    readonly echo?: readonly string[] | undefined;
  },
): Verdict => {
  if (reply.length > longestJudged) return unproven(reasons['answer-too-long']);
  const text = withoutEcho(plainLines(reply).join('\n'), echo);
  const lines = text.split('\n').filter((line) => line !== '' && !aside?.test(line));
  if (lines.length === 0) return unproven(reasons['answer-empty']);

  const signs = proofs.reduce((count, { sign }) => count + [...text.matchAll(sign)].length, 0);
  const refusal = refusals.find(({ sign }) => text.search(sign) !== -1);
  if (signs > 0) {
    const proof = proofs.find(({ proves }) => lines.length === 1 && proves(lines[0] ?? ''));
    if (proof && signs === 1 && !refusal) return { verdict: 'done', reason: proof.reason };
    return unproven(reasons['answer-uncertain']);
  }
  const said = lines.map((line) => refusals.find(({ sign }) => line.search(sign) === 0));
  const [first] = said;
  if (first && said.every((other) => other?.verdict === first.verdict))
    return { verdict: first.verdict, reason: first.reason };
  return unproven(reasons['answer-unknown']);
};

/** Whether the first line of a reply begins like one of these: further lines may contain text that people typed. */
export const beginsWith = (reply: string, signs: readonly RegExp[]): boolean => {
  const [first = ''] = plainLines(reply.slice(0, longestJudged));
  return signs.some((sign) => first.search(sign) === 0);
};

const withoutEcho = (text: string, echo: readonly string[]): string => {
  for (const words of echo)
    if (words !== '' && text.endsWith(words)) return text.slice(0, text.length - words.length).trimEnd();
  return text;
};

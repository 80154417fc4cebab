import { redactedPrefixes } from './auth/secret-token.ts';
import { Secret } from './secret.ts';
import { machineSecrets } from './system-env.ts';

export type Redact = (text: string) => string;

/**
 * License keys, JWTs, our own tokens, and the password part of connection strings, wherever they come from. Runs that may start
 * anywhere are bounded, so that no line takes a time that grows with the square of its length.
 */
const secretShapes: readonly [RegExp, string][] = [
  [/CSTL(?:-[0-9A-Z]{4}){4}/gi, 'CSTL-[redacted]'],
  // API keys, credentials of desktops, and every kind of token.
  [
    new RegExp(`\\b((?:cst|cdk)_[a-z0-9]{1,40}|${redactedPrefixes.join('|')})_[\\w-]{43}`, 'g'),
    '$1_[redacted]',
  ],
  [/\beyJ[\w-]{8,1000}\.[\w-]{8,}\.[\w-]*/g, '[redacted token]'],
  // A password may hold an at sign itself.
  [
    /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:/@"']{0,200}):[^\s@"']{1,200}@(?:[^\s/@"']{1,200}@)*/gi,
    '$1:[redacted]@',
  ],
];

/** Shorter values would blot out ordinary words. */
const minimumLength = 8;

/**
 * The last safeguard before a line is written: known secrets are cut out in every spelling that may occur (plain, JSON-escaped,
 * URL-encoded), then everything that has the shape of a secret. Those in the machine's own variables are known without being named.
 */
export const createRedactor = (secrets: Iterable<Secret | string> = []): Redact => {
  const spellings = new Set<string>();
  for (const secret of [...secrets, ...machineSecrets()]) {
    const value = secret instanceof Secret ? secret.reveal() : secret;
    if (value.length < minimumLength) continue;
    for (const spelling of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)])
      spellings.add(spelling);
  }
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => {
    let clean = text;
    for (const spelling of longestFirst) clean = clean.replaceAll(spelling, '[redacted]');
    for (const [shape, replacement] of secretShapes) clean = clean.replace(shape, replacement);
    return clean;
  };
};

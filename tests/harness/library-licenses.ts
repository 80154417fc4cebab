import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** They allow selling a closed-source product and only require that their text ships along. */
const allowed = [
  '(MIT OR Apache-2.0)',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  // For fonts: they may be part of any product, but not sold alone.
  'OFL-1.1',
  'Unlicense',
];

export interface NamedLibrary {
  readonly name: string;
  readonly license: string;
}

/** The libraries named at the top of a license text. */
export const librariesIn = (text: string): readonly NamedLibrary[] => {
  const [head = ''] = text.split(/^-{80}$/m);
  return [...head.matchAll(/^(\S+) \d\S*: (.+?)(?:;.*)?$/gm)].map(([, name = '', license = '']) => ({
    name,
    license,
  }));
};

/** The problems of a license text, in words. */
export const faultsOfLicenses = (text: string): readonly string[] => [
  ...librariesIn(text)
    .filter(({ license }) => !allowed.includes(license))
    .map(({ name, license }) => `${name}: ${license}`),
  ...(text.includes(root) ? ['it names a folder of this machine'] : []),
  ...(text.includes('\r') ? ['its lines end in different ways'] : []),
];

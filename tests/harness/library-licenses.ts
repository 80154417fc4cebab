import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** They let a product be sold whose source stays closed, for no more than that their text goes along. */
const allowed = [
  '(MIT OR Apache-2.0)',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Unlicense',
];

export interface NamedLibrary {
  readonly name: string;
  readonly license: string;
}

/** What is named in the head of a text of licenses. */
export const librariesIn = (text: string): readonly NamedLibrary[] => {
  const [head = ''] = text.split(/^-{80}$/m);
  return [...head.matchAll(/^(\S+) \d\S*: (.+?)(?:;.*)?$/gm)].map(([, name = '', license = '']) => ({
    name,
    license,
  }));
};

/** What is wrong with a text of licenses, in words. */
export const faultsOfLicenses = (text: string): readonly string[] => [
  ...librariesIn(text)
    .filter(({ license }) => !allowed.includes(license))
    .map(({ name, license }) => `${name}: ${license}`),
  ...(text.includes(root) ? ['it names a folder of this machine'] : []),
  ...(text.includes('\r') ? ['its lines end in different ways'] : []),
];

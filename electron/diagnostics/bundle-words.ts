import { product } from '#contracts/kernel/product.ts';
import type { BundleSection } from './bundle-sections.ts';

/** Something that is missing from a bundle, in whole or in part. */
export interface MissingPart {
  readonly name: string;
  readonly why: string;
}

/** The README.txt of a bundle. Windows's Notepad wants its line ends. */
export const describeBundle = ({
  sections,
  missing,
  at,
}: {
  readonly sections: readonly BundleSection[];
  readonly missing: readonly MissingPart[];
  readonly at: Date;
}): string =>
  [
    `Diagnostics of ${product.name}, made ${at.toISOString()} for the person who helps you.`,
    '',
    'Passwords, keys, tokens and the license key are replaced by [redacted]. Look through the files before you send them:',
    'names of players, admins, game servers and folders (such as your own user name), Discord IDs and IP addresses can be',
    'in them.',
    '',
    ...sections.map(({ file, holds }) => `${file.padEnd(20)}${holds}`),
    '',
    ...(missing.length === 0
      ? ['Nothing is missing.']
      : ['Not in it:', ...missing.map(({ name, why }) => `${name.padEnd(20)}${why}`)]),
    '',
  ].join('\r\n');

/** Such as castellan-diagnostics-2026-01-31-154500.zip. */
export const bundleFileName = (at: Date): string => {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `castellan-diagnostics-${day}-${two(at.getHours())}${two(at.getMinutes())}${two(at.getSeconds())}.zip`;
};

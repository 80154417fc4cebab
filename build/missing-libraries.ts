import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { libraryPackages } from './package/debian.ts';

const run = promisify(execFile);

/** Names that the linker does not find for a Linux program; none where it cannot be asked. */
export const missingLibraries = async (executable: string): Promise<readonly string[]> => {
  const listed = await run('ldd', [executable]).catch(() => ({ stdout: '' }));
  return [
    ...new Set(Array.from(listed.stdout.matchAll(/^\s*(\S+) => not found/gm), ([, name = '']) => name)),
  ];
};

/** What to install, for people. The first name of a package is known to newer systems, too. */
export const librariesRemedy = (names: readonly string[]): string => {
  const packages = new Set(names.flatMap((name) => libraryPackages[name]?.split(/[ |]/, 1) ?? []));
  const missing = `Electron lacks ${names.join(', ')}.`;
  return packages.size === 0
    ? missing
    : `${missing} Install them with: apt-get install ${[...packages].join(' ')}`;
};

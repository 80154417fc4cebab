import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { product } from '#contracts/kernel/product.ts';

/** Below a folder of programs. */
export const librariesFile = 'licenses/libraries.txt';

interface Library {
  /** Such as `express 5.3.0`. */
  readonly title: string;
  /** As its package.json names it. */
  readonly license: string;
  readonly repository: string;
  /** Usually one; more when there is a notice beside the license, or code of others inside. */
  readonly texts: readonly string[];
}

/** Writes the licenses of the bundled libraries beside the bundles. */
export const writeLibraryLicenses = async (folder: string, moduleIds: readonly string[]): Promise<void> => {
  const path = join(folder, librariesFile);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, await libraryLicenses(moduleIds));
};

/**
 * Each library with its license, one per line, and below them each license text once, with the libraries it came with. The
 * same modules give the same text, in whatever order they come and wherever they are.
 * @param moduleIds what went into bundles, as a bundler names it: absolute paths; modules of no package do not count
 */
export const libraryLicenses = async (moduleIds: readonly string[]): Promise<string> => {
  const found = await Promise.all([...foldersByPackage(moduleIds)].map(readLibrary));
  const libraries = found.toSorted((a, b) => (a.title < b.title ? -1 : 1));
  const titlesByText = new Map<string, Set<string>>();
  for (const { title, texts } of libraries)
    for (const text of texts) titlesByText.set(text, (titlesByText.get(text) ?? new Set()).add(title));
  const lines = new Set(libraries.map(lineOf));
  const sections = [...titlesByText].map(([text, titles]) => `${[...titles].join('\n')}\n\n${text}\n`);
  const head = `Libraries that are part of ${product.name}, and their licenses.\n\n${[...lines].join('\n')}\n`;
  return [head, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
};

const lineOf = ({ title, license, repository, texts }: Library): string =>
  texts.length > 0
    ? `${title}: ${license}`
    : `${title}: ${license}; it comes without a text, from ${repository}`;

/** A module's package folder: the one after the last node_modules. */
const packageFolder = /^(?!\0)(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/** Packages, with the folders from the package down to its modules: a license covers what is beside and below it. */
const foldersByPackage = (moduleIds: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const found = new Map<string, Set<string>>();
  for (const id of moduleIds) {
    const root = packageFolder.exec(id)?.[1];
    if (root === undefined) continue;
    const folders = found.get(root) ?? new Set();
    found.set(root, folders);
    for (let folder = dirname(id); folder.length > root.length; folder = dirname(folder)) folders.add(folder);
  }
  return found;
};

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
  readonly repository?: string | { readonly url: string };
}

const readLibrary = async ([root, folders]: readonly [string, ReadonlySet<string>]): Promise<Library> => {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license, repository = 'an unnamed place' } = manifest;
  const own = await licenseTexts(root);
  const inside = await Promise.all([...folders].toSorted().map(licenseTexts));
  return {
    title: `${name} ${version}`,
    license: typeof license === 'string' ? license : 'not named',
    repository: typeof repository === 'string' ? repository : repository.url,
    texts: [...(own.length > 0 ? own : await readmeLicense(root)), ...inside.flat()],
  };
};

const licenseFile = /^(?:licen[sc]e|copying|copyright|notice)[\w-]*(?:\.(?:md|markdown|txt))?$/i;

const licenseTexts = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && licenseFile.test(entry.name))
    .map(({ name }) => name);
  return Promise.all(names.toSorted().map((name) => readText(join(folder, name))));
};

const readmeSection = /^#+ *licen[sc]e *\n(?<text>(?:(?!#).*\n?)*)/im;

/** Some packages have their license in the README only; its mere name there does not count as a text. */
const readmeLicense = async (root: string): Promise<readonly string[]> => {
  const name = (await readdir(root)).find((entry) => /^readme\.md$/i.test(entry));
  const text = name === undefined ? '' : await readText(join(root, name));
  const section = readmeSection.exec(text)?.groups?.text?.trim() ?? '';
  return /copyright/i.test(section) ? [section] : [];
};

/** Texts that differ only in their line endings count as the same. */
const readText = async (path: string): Promise<string> => {
  const text = await readFile(path, 'utf8');
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\s*?(?:\r\n?|\n)/g, '\n')
    .trim();
};

import { createHash } from 'node:crypto';
import { readDesignFile } from './design-files.ts';

const packages = ['inter', 'jetbrains-mono'] as const;

interface FontFile {
  readonly name: string;
  readonly bytes: Buffer;
  /** Changes with the content, so that browsers may cache what this address returned. */
  readonly version: string;
}

const files = new Map<string, FontFile>();

/** Adds a font to the served files. @returns its path */
const serve = (folder: string, name: string): string => {
  const bytes = readDesignFile(`${folder}/files/${name}`);
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  files.set(name, { name, bytes, version });
  return fontPath(name);
};

const fontPath = (name: string): string => `/assets/fonts/${name}?v=${files.get(name)?.version ?? ''}`;

export const findFont = (name: string): FontFile | undefined => files.get(name);

/** The panel's font families: a browser downloads only the files of scripts that occur in a page. */
export const fontStyles = packages
  .map((name) => `node_modules/@fontsource-variable/${name}`)
  .map((folder) =>
    readDesignFile(`${folder}/wght.css`)
      .toString()
      .replace(/url\(\.\/files\/([\w-]+\.woff2)\)/g, (_url, file: string) => `url(${serve(folder, file)})`),
  )
  .join('\n');

/** The font that every page needs first. */
export const firstFontPath = fontPath('inter-latin-wght-normal.woff2');

import { glob, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

/** Words that make a sentence read as if translated, each with its replacement. */
const unplain: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bwhoever\b/i, 'a client that, anyone who, the caller'],
  [/\banew\b/i, 'again'],
  [/\bsomebody\b/i, 'someone, or the role'],
  // As a subject; Debian also has an account of that name.
  [/\bnobody(?= (?:can|could|else|who|\w+s)\b)/i, 'no one'],
];

/** The past stays as it was written; the generated page follows the registry; the others list such words. */
const exempt =
  /^CHANGELOG\.md$|\/migrations\/|^docs\/(?:problems|glossary)\.md$|\/plain-(?:comments|words)\.test\.ts$/;

const rooms = 'agent,bot,build,contracts,docs,electron,games,portal,renderer,runtime,server,tests';
const found = await Array.fromAsync(
  glob([`{${rooms}}/**/*.{ts,tsx,css,sh,nsi,nsh,py,md}`, '*.{md,yml}'], { cwd: root }),
);
const files = found.map((file) => file.replaceAll('\\', '/')).filter((file) => !exempt.test(file));

/** The prose of a file, a line each: its comments, or all that is not code in a document. */
const proseOf = (file: string, text: string): readonly (readonly [line: number, prose: string])[] => {
  const lines = text.split('\n').map((line, index) => [index + 1, line] as const);
  if (file.endsWith('.md')) {
    let isCode = false;
    return lines.filter(([, line]) => {
      if (line.trimStart().startsWith('```')) isCode = !isCode;
      return !isCode;
    });
  }
  const comment = /\.(?:sh|py|yml)$/.test(file)
    ? /^\s*#|\s#\s/
    : /\.(?:nsi|nsh)$/.test(file)
      ? /^\s*;|\s;\s/
      : /^\s*(?:\/\/|\/?\*)|\s\/\/\s/;
  return lines.flatMap(([number, line]) => {
    const begins = comment.exec(line)?.index;
    return begins === undefined ? [] : [[number, line.slice(begins)] as const];
  });
};

test('there are files', () => expect(files.length).toBeGreaterThan(3000));

// Guarantee: comments and documents read as a native speaker writes them.
test('comments and documents', async () => {
  const faults: string[] = [];
  for (const file of files)
    for (const [line, prose] of proseOf(file, await readFile(resolve(root, file), 'utf8')))
      for (const [word, instead] of unplain)
        if (word.test(prose)) faults.push(`${file}:${line}: ${prose.trim().slice(0, 120)} (say: ${instead})`);
  expect(faults).toEqual([]);
});

test('what is not plain', () => {
  const says = (prose: string) => unplain.filter(([word]) => word.test(prose)).length;
  expect(says('Whoever asks for it anew, nobody answers.')).toBe(3);
  expect(says('Postgres runs as nobody; somebody else must not.')).toBe(1);
});

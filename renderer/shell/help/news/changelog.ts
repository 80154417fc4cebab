import { isNewer } from '../versions.ts';

export interface Release {
  /** Null: the unreleased section of the file, which is what this build has beyond its last release. */
  readonly version: string | null;
  /** ISO 8601, if the file has it. */
  readonly date: string | null;
  /** Each change, in Markdown. */
  readonly entries: readonly string[];
}

const heading = /^##\s+(.*)$/;
const versionIn = /(\d+(?:\.\d+)+(?:-[0-9A-Za-z.-]+)?)/;
const dateIn = /(\d{4}-\d{2}-\d{2})/;

const releaseOf = (title: string, lines: readonly string[]): Release => {
  const date = dateIn.exec(title)?.[1] ?? null;
  const version = versionIn.exec(title.replace(dateIn, ''))?.[1] ?? null;
  const entries: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const first = /^[-*]\s+(.*)$/.exec(line)?.[1];
    if (first !== undefined) entries.push(first.trim());
    // A change may continue over several lines; a heading or a paragraph within a release is not a change.
    else if (isOpen && /^\s+\S/.test(line)) entries.push(`${entries.pop() ?? ''} ${line.trim()}`);
    isOpen = first !== undefined || (isOpen && line.trim() !== '');
  }
  return { version, date, entries };
};

/** Reads `CHANGELOG.md`: a second-level heading for each release, the newest first, and a list below it. */
export const parseChangelog = (text: string): readonly Release[] => {
  const releases: { title: string; lines: string[] }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const title = heading.exec(line)?.[1];
    if (title === undefined) releases.at(-1)?.lines.push(line);
    else releases.push({ title, lines: [] });
  }
  return releases
    .map(({ title, lines }) => releaseOf(title, lines))
    .filter(({ entries }) => entries.length > 0);
};

/**
 * The changes for a person who last saw the changes of a certain version. A build whose own version has no heading yet
 * counts the unreleased changes as its own.
 * @param seen null: the person has seen none, so nothing is new to them
 */
export const releasesSince = (
  releases: readonly Release[],
  seen: string | null,
  own: string,
): readonly Release[] => {
  if (seen === null || !isNewer(own, seen)) return [];
  const isOwnNamed = releases.some(({ version }) => version === own);
  return releases.filter(({ version }) =>
    version === null ? !isOwnNamed : isNewer(version, seen) && !isNewer(version, own),
  );
};

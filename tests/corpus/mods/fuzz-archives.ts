import type { GameId } from '#contracts/servers/games.ts';
import { gameOf } from '#games/games.ts';
import { ArchiveError } from '#runtime/archives/archive.ts';
import { openArchiveBytes } from '#runtime/archives/open-archive.ts';
import { pack, readShape, type Shape } from './build-archive.ts';

interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
}

/**
 * Changes these archives, by turns in what is packed and in the bytes of the whole, and lets their game inspect them.
 * @returns what went wrong, in words with the number of the run: anything but an answer or a refusal
 */
export const fuzzArchives = async (
  archives: readonly { readonly file: string; readonly game: GameId }[],
  { runs, seed }: FuzzOptions,
): Promise<string[]> => {
  const random = randomOf(seed);
  const shapes = archives.map(({ file, game }) => ({ file, game, shape: readShape(file) }));
  const faults: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const one = shapes[random(shapes.length)];
    if (one === undefined) break;
    const bytes =
      run % 2 === 0 ? pack(changedShape(one.shape, random)) : changedBytes(pack(one.shape), random);
    try {
      await using archive = await openArchiveBytes(bytes);
      await gameOf(one.game).mods.inspect(archive);
    } catch (error) {
      if (!(error instanceof ArchiveError)) faults.push(`run ${run}, ${one.file}: ${String(error)}`);
    }
  }
  return faults;
};

type Random = (below: number) => number;

/** The generator of Numerical Recipes: the same numbers on every machine. */
const randomOf = (seed: number): Random => {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};

const changedShape = (shape: Shape, random: Random): Shape => {
  const at = random(shape.entries.length);
  const entries = shape.entries.map((entry, index) =>
    index === at && entry.data !== undefined
      ? { ...entry, data: changedBytes(Buffer.from(entry.data), random) }
      : entry,
  );
  return { ...shape, entries };
};

/** What texts are made of, and what they are not. */
const pieces = [
  '"',
  "'",
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  '#',
  '\n',
  '\r',
  '\0',
  '<',
  '&',
  '..',
  '/',
  '�',
  '😀',
  '999',
];

const changedBytes = (bytes: Buffer, random: Random): Buffer => {
  let changed = bytes;
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(changed.length + 1);
    const [before, behind] = [changed.subarray(0, at), changed.subarray(at)];
    switch (random(5)) {
      case 0:
        changed = Buffer.concat([before, Buffer.from([random(256)]), behind.subarray(1)]);
        break;
      case 1:
        changed = Buffer.concat([before, Buffer.from(pieces[random(pieces.length)] ?? ''), behind]);
        break;
      case 2:
        changed = Buffer.concat([before, behind.subarray(1 + random(40))]);
        break;
      case 3:
        changed = Buffer.concat([before, behind.subarray(0, random(200)), behind]);
        break;
      default:
        changed = before.length > 0 ? Buffer.from(before) : changed;
    }
  }
  return changed;
};
